package evidence

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

func TestParsePath(t *testing.T) {
	t.Parallel()
	field := func(name string) profile.Step { return profile.Step{Kind: profile.Field, Name: name} }
	element, values := profile.Step{Kind: profile.Element}, profile.Step{Kind: profile.MapValues}
	for _, path := range []profile.Path{
		nil, {field("a")}, {field("a"), field("b")}, {field("a"), element, element, field("b"), values, field("c")}, {values, field("x")},
		{field("a.b"), field("c")}, {field("")}, {field("x"), field(`q"]\`), field("y")}, {element}, {field("{}"), values}, {field("ä ö")},
	} {
		parsed, err := ParsePath(path.String())
		require.NoError(t, err, path.String())
		assert.Equal(t, path.String(), parsed.String())
		assert.Equal(t, len(path), len(parsed))
	}
	for _, text := range []string{"a..b", ".a", "a[", "a{", `["a`, "a]b", "[]a"} {
		_, err := ParsePath(text)
		assert.Error(t, err, text)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	head := `{"format":"shapevet evidence","version":1,"from":"2026-01-31","until":"2026-01-31","parts":1,"tools":[],"collections":[`
	kind := func(paths string) string {
		return head + `{"name":"a","kinds":[{"documents":1,"paths":[` + paths + `]}]}],"references":[]}`
	}
	_, err := Parse([]byte(kind(`{"path":"","values":1,"types":{"object":1}},{"path":"x","values":1,"types":{"int":1}}`)))
	require.NoError(t, err)
	for text, message := range map[string]string{
		`{}`:  "this is not an evidence file",
		`[1]`: "this is not an evidence file",
		`{"format":"shapevet evidence","version":9}`:                                    "format version 9",
		head + `],"references":[{"from":"a","to":"b"}]}`:                                "a reference leads from",
		head + `{"name":"a"},{"name":"a"}]}`:                                            `two collections have the name "a"`,
		kind(`{"path":"a..b"}`):                                                         "expected a name",
		kind(`{"path":"a.b"}`):                                                          "the path that contains it does not come before it",
		kind(`{"path":"a","values":-1}`):                                                "negative",
		kind(`{"path":"a","values":2,"types":{"int":3}}`):                               "the types are more than the values",
		kind(`{"path":"a","folded":"twice"}`):                                           `unknown folded "twice"`,
		kind(`{"path":"a","distinct":[3,1]}`):                                           "a range is a number",
		kind(`{"path":"a","length":{"buckets":[1]}}`):                                   "pairs",
		`{"format":"shapevet evidence","version":1,"from":"soon","until":"2026-01-31"}`: `"soon" is not a day`,
	} {
		_, err := Parse([]byte(text))
		assert.ErrorContains(t, err, message, text)
	}
}
