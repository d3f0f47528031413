package decode_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/decode"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/evidence"
)

// The rules themselves are compared with the codecs in integration/codecs.

// typeOf type-checks a declaration of T.
func typeOf(t *testing.T, code string) types.Type {
	t.Helper()
	fset := token.NewFileSet()
	head := "package p\n\n"
	if strings.Contains(code, "time.") {
		head += "import \"time\"\n\n"
	}
	file, err := parser.ParseFile(fset, "p.go", head+code, 0)
	require.NoError(t, err)
	pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("p", fset, []*ast.File{file}, nil)
	require.NoError(t, err)
	return pkg.Scope().Lookup("T").Type()
}

func observe(t *testing.T, lines string) *evidence.Node {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "documents.jsonl"), []byte(lines), 0o600))
	db, _, err := jsonlint.Profile(t.Context(), []string{dir}, jsonlint.Options{})
	require.NoError(t, err)
	f := evidence.New(db, evidence.Options{Tool: "test", Date: time.Unix(0, 0)})
	require.Len(t, f.Collections, 1)
	return f.Collections[0].Whole().Root
}

func TestCompare(t *testing.T) {
	t.Parallel()
	bson := decode.Options{Codec: docmodel.BSON, Typed: true}
	untyped := decode.Options{Codec: docmodel.BSON}
	json := decode.Options{Codec: docmodel.JSON}
	for _, test := range []struct {
		name, code, documents string
		options               decode.Options
		failing               map[string]int64 // values by path
		unknown               bool
	}{
		{
			name: "types that bson turns into one another", options: bson,
			code:      "type T struct { A int; B bool; C float64; D string }",
			documents: `{"a": true, "b": 1, "c": false, "d": null}` + "\n" + `{"a": 2.0, "b": 0.5, "c": 7, "d": "x"}`,
		},
		{
			name: "and that it does not", options: bson,
			code:      "type T struct { A int; B bool; C float64; D string }",
			documents: `{"a": "1", "b": "true", "c": {"$numberDecimal": "1.5"}, "d": 1}` + "\n" + `{"a": 1.5, "b": [], "c": 1, "d": true}`,
			failing:   map[string]int64{"a": 2, "b": 2, "c": 1, "d": 2},
		},
		{
			name: "json turns none", options: json,
			code:      "type T struct { A int; B bool; C float64; D string }",
			documents: `{"a": true, "b": 1, "c": 7, "d": null}`,
			failing:   map[string]int64{"a": 1, "b": 1},
		},
		{
			name: "names in any case", options: json,
			code: "type T struct { Age int }", documents: `{"AGE": "old"}`,
			failing: map[string]int64{"AGE": 1},
		},
		{
			name: "dates of a plain export", options: untyped,
			code: "type T struct { At time.Time }", documents: `{"at": "2024-01-02"}`,
			unknown: true,
		},
		{
			name: "dates of another export", options: bson,
			code: "type T struct { At time.Time }", documents: `{"at": "2024-01-02"}`,
			failing: map[string]int64{"at": 1},
		},
		{
			name: "ranges", options: bson,
			code: "type T struct { A int8; B uint; C int64 }", documents: `{"a": 128, "b": -1, "c": 9000000000000}`,
			failing: map[string]int64{"a": 1, "b": 1},
		},
		{
			name: "parts", options: bson,
			code:      "type T struct { L []struct{ N int }; M map[string]int; P *[2]string }",
			documents: `{"l": [{"n": "a"}, {"n": 1}], "m": {"k": "v"}, "p": ["a", "b", "c"]}`,
			failing:   map[string]int64{"l[].n": 1, "m.k": 1, "p": 1},
		},
		{
			name: "a method reads", options: json,
			code: "type T struct { A R }\ntype R struct{}\nfunc (*R) UnmarshalJSON([]byte) error { return nil }", documents: `{"a": 1}`,
			unknown: true,
		},
		{
			name: "the option truncate counts for what is inside", options: bson,
			code: "type T struct { L []int `bson:\"l,truncate\"`; M int }", documents: `{"l": [1.5], "m": 1.5}`,
			failing: map[string]int64{"m": 1},
			unknown: true, // whether what is left of it fits
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			result := decode.Compare(typeOf(t, test.code), observe(t, test.documents), test.options)
			failing := map[string]int64{}
			for _, m := range result.Mismatches {
				failing[m.Path] += m.Count
			}
			if test.failing == nil {
				test.failing = map[string]int64{}
			}
			assert.Equal(t, test.failing, failing)
			assert.Equal(t, test.unknown, result.Unknown > 0)
		})
	}
}

func TestObjects(t *testing.T) {
	t.Parallel()
	root := observe(t, `{"Name": "a", "address": {"zip": 1, "city": "b"}, "extra": 1}`)
	code := "type T struct { Name string; Email string; Address struct{ Zip int }; Rest map[string]any `bson:\"-\"` }"
	result := decode.Compare(typeOf(t, code), root, decode.Options{Codec: docmodel.BSON})
	require.Len(t, result.Objects, 2)
	document, address := result.Objects[0], result.Objects[1]
	assert.Equal(t, []string{"extra"}, document.Extra)
	assert.Equal(t, []string{"city"}, address.Extra)
	assert.Equal(t, "address", address.Path)
	stored := map[string][]string{}
	for _, f := range document.Fields {
		stored[f.Name] = f.Stored
	}
	assert.Equal(t, map[string][]string{"name": {"Name"}, "email": nil, "address": {"address"}}, stored)

	all := "type T struct { Rest map[string]any `bson:\",inline\"` }"
	assert.Empty(t, decode.Compare(typeOf(t, all), root, decode.Options{Codec: docmodel.BSON}).Objects[0].Extra)
	assert.Len(t, decode.Compare(typeOf(t, all), root, decode.Options{Codec: docmodel.JSON}).Objects[0].Extra, 3)
}
