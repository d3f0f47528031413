package baseline_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/baseline"
	"github.com/shapevet/shapevet/internal/finding"
)

func found(rule, fingerprint string, line int) finding.Finding {
	return finding.Finding{
		Rule: rule, Fingerprint: fingerprint, Location: finding.Location{File: "a.json", Line: line},
		Subject: finding.Subject{Collection: "posts", Path: "comments"},
	}
}

func text(t *testing.T, b *baseline.Baseline) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, b.Write(&out))
	return out.String()
}

func TestMovedIsKnownAndNewIsFresh(t *testing.T) {
	t.Parallel()
	b := baseline.Of([]finding.Finding{found("r", "r:a", 1), found("r", "r:a", 2), found("s", "s:a", 3)})
	moved := []finding.Finding{found("r", "r:a", 11), found("r", "r:a", 12), found("s", "s:a", 13)}
	assert.Empty(t, b.Fresh(moved))
	assert.Empty(t, b.Fresh(moved), "asking changes nothing")
	more := append(moved, found("r", "r:a", 14), found("s", "r:a", 15))
	assert.Equal(t, more[3:], b.Fresh(more), "a third one with a known fingerprint is new")
	assert.Equal(t, more, (&baseline.Baseline{}).Fresh(more))
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	b := baseline.Of([]finding.Finding{found("r", "r:<b>", 1), found("r", "r:a", 2), found("r", "r:a", 3)})
	got := text(t, b)
	assert.Equal(t, `{
  "version": 1,
  "findings": [
    {"rule":"r","collection":"posts","path":"comments","fingerprint":"r:<b>","count":1},
    {"rule":"r","collection":"posts","path":"comments","fingerprint":"r:a","count":2}
  ]
}
`, got)
	read, err := baseline.Parse([]byte(got))
	require.NoError(t, err)
	assert.Equal(t, got, text(t, read))

	read, err = baseline.Parse([]byte(text(t, &baseline.Baseline{})))
	require.NoError(t, err)
	assert.Empty(t, read.Entries())
}

func TestPrune(t *testing.T) {
	t.Parallel()
	b := baseline.Of([]finding.Finding{found("r", "r:a", 1), found("r", "r:a", 2), found("r", "r:b", 3), found("off", "off:a", 4)})
	removed := b.Prune([]finding.Finding{found("r", "r:a", 9), found("new", "new:a", 9)}, func(rule string) bool { return rule != "off" })
	require.Len(t, removed, 2)
	assert.Equal(t, []int{1, 1}, []int{removed[0].Count, removed[1].Count})
	assert.Equal(t, []string{"r:a", "r:b"}, []string{removed[0].Fingerprint, removed[1].Fingerprint})
	var left []string
	for _, entry := range b.Entries() {
		left = append(left, entry.Fingerprint)
	}
	assert.Equal(t, []string{"off:a", "r:a"}, left, "what is new is not added, what did not run is kept")
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"syntax", "{\n  \"version\": 1,,\n", "2:16: no baseline"},
		{"not closed", `{"version": 1`, "1:"},
		{"unknown field", `{"version": 1, "findngs": []}`, `unknown field "findngs"`},
		{"other version", `{"version": 7, "findings": []}`, "version 7"},
		{"no count", `{"version": 1, "findings": [{"rule": "r", "fingerprint": "f"}]}`, "count above 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := baseline.Parse([]byte(test.text))
			assert.ErrorContains(t, err, test.want)
		})
	}
}

// TestToldTogether keeps a mistake known whether code, documents or both are
// checked, now and when the baseline was written.
func TestToldTogether(t *testing.T) {
	t.Parallel()
	code, documents := found("r", "r:m.T.F", 1), found("r", "r:posts:f", 2)
	both := code
	both.Also = []finding.Twin{{Rule: "r", Fingerprint: documents.Fingerprint}}
	runs := map[string][]finding.Finding{"code": {code}, "documents": {documents}, "both": {both}}
	for then, known := range runs {
		for now, findings := range runs {
			read, err := baseline.Parse([]byte(text(t, baseline.Of(known))))
			require.NoError(t, err)
			fresh, mended := read.Fresh(findings), read.Prune(findings, func(string) bool { return true })
			if then == now || then == "both" || now == "both" {
				assert.Empty(t, fresh, "%s, then %s", then, now)
			} else {
				assert.Equal(t, findings, fresh, "%s, then %s: nothing says that they are one", then, now)
			}
			if then == now || then == "both" {
				assert.Empty(t, mended, "%s, then %s", then, now)
			}
		}
	}
	other := found("r", "r:m.T.G", 3)
	other.Also = []finding.Twin{{Rule: "r", Fingerprint: "r:posts:g"}}
	assert.Equal(t, []finding.Finding{other}, baseline.Of([]finding.Finding{both}).Fresh([]finding.Finding{both, other}))
}
