package predict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// TestRuledOut checks that a candidate that is ruled out by the profile would
// not have predicted the kind, whatever is asked of its purity.
func TestRuledOut(t *testing.T) {
	t.Parallel()
	ruledOut, kept := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.IntRange(0, 3).Draw(t, "share of the kinds")
		noise := rapid.IntRange(1, 12).Draw(t, "noise")
		value := func(kind int) string {
			if rapid.IntRange(0, noise).Draw(t, "noise") == 0 {
				return []string{"null", `"a"`, `"b"`, `"c"`, "{}"}[rapid.IntRange(0, 4).Draw(t, "value")]
			}
			return []string{`"a"`, `"b"`, `"c"`}[kind]
		}
		c := profile.NewCollection("things")
		var builder profile.Builder
		var documents []*profile.Document
		var counts [3]int64
		for range rapid.IntRange(1, 60).Draw(t, "documents") {
			kind := max(0, rapid.IntRange(-2, 3).Draw(t, "kind")-least)
			members := []string{}
			if rapid.IntRange(0, noise).Draw(t, "lacks it") > 0 {
				members = append(members, `"x":`+[]string{`1`, `"text"`, `true`}[min(kind, 2)])
				counts[min(kind, 2)]++
			}
			for _, name := range []string{"k", "l", "y"} {
				if rapid.IntRange(0, noise).Draw(t, "lacks it too") > 0 {
					members = append(members, fmt.Sprintf("%q:%s", name, value(min(kind, 2))))
				}
			}
			if rapid.Bool().Draw(t, "nested") {
				members = append(members, fmt.Sprintf(`"o":{"k":%s,"list":[%s,"d"]}`, value(min(kind, 2)), value(min(kind, 2))))
			}
			text := []byte("{" + strings.Join(members, ",") + "}")
			d, err := new(scan.Parser).Parse(text)
			require.NoError(t, err)
			documents = append(documents, &profile.Document{Document: d})
			builder.Add(c, d, 0, int64(len(documents))<<10)
		}
		c.Settle()
		x := c.Root.Object.Field("x")
		if x == nil {
			return
		}
		kindOf := func(d *profile.Document, i int) (int, bool) {
			kind, ok := map[profile.Class]int{profile.Int: 0, profile.String: 1, profile.Bool: 2}[d.Class(i)]
			return kind, ok
		}
		beside := &Site{Path: x.Path(), Kinds: len(counts), Classify: kindOf} // the kinds are those of x
		within := &Site{Kinds: len(counts)}                                   // ... of the documents
		within.Classify = func(d *profile.Document, i int) (int, bool) {
			v, ok := d.Get(i, "x")
			if !ok {
				return 0, false
			}
			return kindOf(d, v)
		}
		for _, path := range []profile.Path{
			{{Name: "k"}}, {{Name: "l"}}, {{Name: "y"}}, {{Name: "o"}, {Name: "k"}}, {{Name: "o"}, {Name: "list"}, {Kind: profile.Element}},
		} {
			if n := c.Root.At(path); n != nil && n.Scalars != nil {
				within.Inside = append(within.Inside, path)
				if !n.Inside() {
					beside.Around = append(beside.Around, Around{Path: path})
				}
			}
		}
		for site, node := range map[*Site]*profile.Node{beside: x, within: c.Root} {
			probe := NewProbe(site)
			for _, d := range documents {
				probe.Visit(d)
			}
			site.RuleOut(node, counts[:])
			for i, out := range site.ruledOut {
				if out {
					ruledOut++
					require.False(t, probe.Tables[i].Predicts(0, 0), "table %d, %v", i, counts)
				} else if probe.Tables[i].Predicts(0, 0) {
					kept++
				}
			}
		}
	})
	require.Positive(t, ruledOut)
	require.Positive(t, kept)
}
