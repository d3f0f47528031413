package scan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reference reads the text as [Parser.value] does, without the fast path.
func reference(t *testing.T, text []byte) (*Document, int, error) {
	t.Helper()
	p := Parser{MaxDepth: 1000}
	p.doc.Src = text
	end, err := p.value(text, skipSpace(text, 0))
	return &p.doc, end, err
}

// sameAsReference reads the text with a parser that has seen others, and
// compares.
func sameAsReference(t *testing.T, p *Parser, text []byte) {
	t.Helper()
	p.doc.Src = text
	want, wantEnd, err := reference(t, text)
	end, ok := p.fast(text, skipSpace(text, 0))
	if err != nil {
		require.False(t, ok, "%q is not JSON: %v", text, err)
		return
	}
	if !ok {
		return // value reads it
	}
	require.Equal(t, wantEnd, end, "%q", text)
	require.Equal(t, want.Tokens, p.doc.Tokens, "%q", text)
}

// FuzzFast reads a text twice after another one, so that its names are guessed
// rightly and wrongly.
func FuzzFast(f *testing.F) {
	seeds := []string{
		`{"a":1,"b":{"c":[true,false,null]},"d":"x"}`,
		`{"a":1,"d":"x","b":{"c":[{"e":-1.5e3},{"e":0,"f":{}}]}}`,
		`{"a" : 1 , "long name of a member" :2,"a name too long to be guessed":3,"\u0061":4}`,
		`{"a":1,"a":2,"":3,"":[]}`, `[[],[[]],{"a":{"a":{"a":{}}}}]`, `{"é":"ü","日本":"\n"}`,
		`{"_id":{"$oid":"507f1f77bcf86cd799439011"},"n":{"$numberLong":"12"}}`,
		`{"a":1,}`, `{"a"x1}`, `{"a":"` + "\x01" + `"}`, `{"a":"` + "\xff" + `"}`, `{"a`, `{"a":`, `{"a":1`, `[1,]`, `[1}`, `{"a"`, `nul`, `01`, ``,
	}
	for i, s := range seeds {
		f.Add([]byte(seeds[(i+1)%len(seeds)]), []byte(s))
	}
	f.Fuzz(func(t *testing.T, before, text []byte) {
		p := Parser{MaxDepth: 1000}
		sameAsReference(t, &p, before)
		sameAsReference(t, &p, text)
		sameAsReference(t, &p, text)
		// Names at the very end of a text cannot be guessed.
		sameAsReference(t, &p, append(append([]byte{'['}, text...), "                                ]"...))
	})
}

func TestFastReadsOrdinaryDocuments(t *testing.T) {
	t.Parallel()
	var p Parser
	for _, indent := range []string{"", "  "} {
		text := sample(indent)
		for range 3 {
			sameAsReference(t, &p, text)
			_, ok := p.fast(text, 0)
			assert.True(t, ok)
		}
	}
}

func TestParseDoesNotAllocate(t *testing.T) {
	var p Parser
	text := sample("")
	_, err := p.Parse(text)
	require.NoError(t, err)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if _, err := p.Parse(text); err != nil {
			t.Fatal(err)
		}
	}))
}
