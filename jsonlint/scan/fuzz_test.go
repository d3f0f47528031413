package scan

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var seeds = []string{
	`{}`, `[]`, `{"$":{}}`, `{ $:{}}`, `{"a":[1,-2.5e+3,true,false,null,"x\n\u00e9\ud83d\ude00"],"b":{"c":{}}}`, ` [ 1 , 2 ] `,
	`{"_id":{"$oid":"507f1f77bcf86cd799439011"},"at":{"$date":{"$numberLong":"1"}},"d":{"$numberDouble":"NaN"}}`,
	`{"email: "a@b.c"}`, `["b1, "b2", "b3"]`, `{"a":1 "b":2}`, `{"a":[{},{},]}`, `{"a":[1, ..., 9, …]}`, `{"id": ∞ + 1}`,
	"Post documents:\n{\"a\":1},\n{\"a\":2}\n", `{a:'b',/*x*/"c":NaN,"d":0x1F,"e":.5,"f":True}`,
	`{"_id":ObjectId("507f1f77bcf86cd799439011"),"n":NumberLong(5),"d":new Date("2012-01-01")}`,
	"{\"a\":\"x\x00y\xff\\q", "{\"a\":\"line\nbreak\"}", `{"a":[1,2}`, `{"a":{"b":1]}`, `}}]`, `{{{`, `{"a"}`, `{"a",1}`, `{"a"=1;"b":2}`,
	`“a”: “b”`, `{“a”: “b”}`, "{\"a: 1\n}", `{"a":"say "hi" to"}`, `{"a":/x,y/i}`,
	`{"a":{"S":"x"},"b":{"L":[{"N":"1"},{"SS":["a"]},{"M":{"c":{"BOOL":true}}}]}}`,
	`{"name":"projects/p/databases/d/documents/c/i","fields":{"a":{"mapValue":{"fields":{"b":{"integerValue":"1"}}}},"c":{"arrayValue":{}}}}`,
}

func FuzzParser(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var p Parser
		doc, err := p.Parse(text)
		// encoding/json accepts invalid UTF-8 in strings.
		require.Equal(t, json.Valid(text) && utf8.Valid(text), err == nil, "%v", err)
		if err != nil {
			return
		}
		checkTape(t, doc)
		checkValues(t, doc)
		for _, dialect := range []Dialect{DynamoDB, Firestore} {
			p := Parser{Dialect: dialect}
			doc, err := p.Parse(text)
			require.NoError(t, err)
			checkTape(t, doc)
		}
		DetectDialect(doc)
	})
}

func decode(t *testing.T, text []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	require.NoError(t, d.Decode(&v))
	return v
}

// rebuild makes from the tape what encoding/json makes from the text.
func rebuild(t *testing.T, d *Document, i int) any {
	t.Helper()
	tok := d.Tokens[i]
	if tok.Flags&Wrapped != 0 {
		return decode(t, d.Raw(i))
	}
	switch tok.Kind {
	case Null:
		return nil
	case True, False:
		return tok.Kind == True
	case Number:
		return json.Number(d.Text(i))
	case String:
		return d.String(i)
	case Object:
		m := map[string]any{}
		for k, v := range d.Members(i) {
			m[d.String(k)] = rebuild(t, d, v)
		}
		return m
	case Array:
		a := []any{}
		for _, v := range d.Elements(i) {
			a = append(a, rebuild(t, d, v))
		}
		return a
	}
	require.Fail(t, "a kind that JSON does not have", "%d", tok.Kind)
	return nil
}

// checkValues checks that tape and text agree, and that every token's bytes are
// a complete value.
func checkValues(t *testing.T, d *Document) {
	t.Helper()
	require.Equal(t, decode(t, d.Src), rebuild(t, d, 0))
	for i, tok := range d.Tokens {
		raw := d.Raw(i)
		require.True(t, json.Valid(raw), "%q", raw)
		switch {
		case tok.Flags&Wrapped != 0:
			require.Equal(t, byte('{'), raw[0])
		case tok.Kind == String:
			require.Equal(t, decode(t, raw), d.String(i))
			require.Equal(t, bytes.IndexByte(raw, '\\') >= 0, tok.Flags&Escaped != 0)
		case tok.Kind == Number:
			require.Equal(t, raw, d.Text(i))
			require.Equal(t, bytes.ContainsAny(raw, ".eE"), tok.Flags&Float != 0)
		}
	}
}

func FuzzRecover(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Add([]byte(`{"":{"$oid":""}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		docs, diagnostics := Recover(text)
		checkDiagnostics(t, text, diagnostics)
		for i := range docs {
			checkTape(t, &docs[i].Doc)
			require.Equal(t, Object, docs[i].Doc.Tokens[0].Kind)
		}
		for _, o := range []Recoverer{{JSON5: true}, {Dialect: DynamoDB}, {Dialect: Firestore, MaxDepth: 3}} {
			docs, diagnostics := o.Recover(text)
			checkDiagnostics(t, text, diagnostics)
			for i := range docs {
				checkTape(t, &docs[i].Doc)
			}
		}

		var p Parser
		doc, err := p.Parse(text)
		if err != nil {
			require.True(t, len(diagnostics) > 0 || len(docs) != 1, "refused, but nothing is wrong")
			return
		}
		if doc.Tokens[0].Kind != Object {
			return
		}
		require.Empty(t, unlessExtended(diagnostics))
		require.Len(t, docs, 1)
		require.Equal(t, doc.Tokens, docs[0].Doc.Tokens)

		// The tolerant parser must read JSON like the strict one.
		r := newRecovery(Recoverer{}, text)
		r.i = skipSpace(text, 0)
		r.tolerant(r.i, (*recovery).value)
		require.Empty(t, unlessExtended(r.all))
		require.Len(t, r.out, 1)
		require.Equal(t, doc.Tokens, r.out[0].Doc.Tokens)
	})
}

// unlessExtended drops diagnostics about Extended JSON, which is valid JSON.
func unlessExtended(diagnostics []Diagnostic) []Diagnostic {
	return slices.DeleteFunc(slices.Clone(diagnostics), func(d Diagnostic) bool { return d.Code == CodeExtended })
}

func FuzzExtendedJSON(f *testing.F) {
	const number = `^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$|^[-+]?(?i:nan|inf|infinity)$`
	want := map[string]struct {
		kind Kind
		text *regexp.Regexp
		fits func(payload string) bool // checks that the expression cannot express
	}{
		"$oid":           {ObjectID, regexp.MustCompile(`^[0-9a-fA-F]{24}$`), nil},
		"$numberInt":     {Number, regexp.MustCompile(`^-?[0-9]+$`), fitsInt(32)},
		"$numberLong":    {Number, regexp.MustCompile(`^-?[0-9]+$`), fitsInt(64)},
		"$numberDouble":  {Number, regexp.MustCompile(number), nil},
		"$numberDecimal": {Decimal, regexp.MustCompile(number), func(s string) bool { return strings.ContainsAny(s, "nN") || fitsDecimal([]byte(s)) }},
		"$date": {Date, regexp.MustCompile(`^[-+]?[0-9]{4,}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])` +
			`([T ]([01][0-9]|2[0-4])(:?|(:[-+.0-5]|[-+.0-9Z])[-+:.0-9Z]*))?$`), nil},
		"$uuid":   {Binary, regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`), nil},
		"$symbol": {String, regexp.MustCompile(``), nil},
		"$code":   {String, regexp.MustCompile(``), nil},
	}
	for name := range want {
		for _, text := range []string{"507f1f77bcf86cd799439011", "12", "-1.5e3", "NaN", "2020-01-02T03:04:05Z", "2020-13-02", "2020-01-02 ", "2020-01-02 24:6", "-99999999999", "inf", "1e9999", "00112233-4455-6677-8899-aabbccddeeff", "x\n", "-", "+", "1.", "."} {
			f.Add(name, text)
		}
	}
	f.Fuzz(func(t *testing.T, name, payload string) {
		if !utf8.ValidString(name) || !utf8.ValidString(payload) {
			return
		}
		text, err := json.Marshal(map[string]any{"a": map[string]any{name: payload}})
		require.NoError(t, err)
		var p Parser
		doc, err := p.Parse(text)
		require.NoError(t, err)
		checkTape(t, doc)
		checkValues(t, doc)
		tok := doc.Tokens[2]
		w, known := want[name]
		plain := payload
		if w.kind != String {
			escaped, err := json.Marshal(payload)
			require.NoError(t, err)
			plain = string(escaped[1 : len(escaped)-1])
		}
		if !known || plain != payload || !w.text.MatchString(payload) || w.fits != nil && !w.fits(payload) {
			assert.Equal(t, Object, tok.Kind, "%s", text)
			return
		}
		require.Equal(t, w.kind, tok.Kind, "%s", text)
		assert.Equal(t, payload, doc.String(2))
		assert.NotZero(t, tok.Flags&Wrapped)
	})
}

func fitsInt(bits int) func(string) bool {
	return func(s string) bool {
		_, err := strconv.ParseInt(s, 10, bits)
		return err == nil
	}
}
