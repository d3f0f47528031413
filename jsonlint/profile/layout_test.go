package profile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// layouts gives documents their layouts.
type layouts map[string]*scan.Layout

func (l layouts) record(d *scan.Document) {
	var structure func(i int) string
	structure = func(i int) string {
		if d.Tokens[i].Kind != scan.Object {
			return fmt.Sprint(d.Tokens[i].Kind)
		}
		text := "{"
		for k, v := range d.Members(i) {
			text += string(d.Raw(k)) + structure(v)
		}
		return text + "}"
	}
	text := structure(0)
	if l[text] == nil {
		l[text] = &scan.Layout{ID: uint32(len(l))}
	}
	d.Records = []scan.Record{{Layout: l[text]}}
}

// TestTrailFindsWhatSelectFinds: a path leads to the same values whether or not
// the document's layout is known, and whatever other documents had it.
func TestTrailFindsWhatSelectFinds(t *testing.T) {
	t.Parallel()
	names := []string{"a", "b", "list", "a name of many letters", "a name of many letter"}
	var value func(deep int) *rapid.Generator[string]
	value = func(deep int) *rapid.Generator[string] {
		return rapid.Custom(func(t *rapid.T) string {
			kind := rapid.IntRange(0, 4).Draw(t, "kind")
			if deep == 0 {
				kind = min(kind, 2)
			}
			n := rapid.IntRange(0, 3).Draw(t, "length")
			var parts []string
			switch kind {
			case 0:
				return "null"
			case 1:
				return "1"
			case 2:
				return `"text"`
			case 3:
				for range n {
					parts = append(parts, value(deep-1).Draw(t, "element"))
				}
				return "[" + strings.Join(parts, ",") + "]"
			}
			for range n {
				parts = append(parts, fmt.Sprintf("%q:%s", rapid.SampledFrom(names).Draw(t, "name"), value(deep-1).Draw(t, "member")))
			}
			return "{" + strings.Join(parts, ",") + "}"
		})
	}
	steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) profile.Step {
		if kind := profile.StepKind(rapid.IntRange(0, 4).Draw(t, "kind")); kind == profile.Element || kind == profile.MapValues {
			return profile.Step{Kind: kind}
		}
		return profile.Step{Name: rapid.SampledFrom(names).Draw(t, "name")}
	}), 0, 4)
	rapid.Check(t, func(t *rapid.T) {
		var paths []profile.Path
		var trails []profile.Trail
		for range rapid.IntRange(1, 8).Draw(t, "paths") {
			paths = append(paths, steps.Draw(t, "path"))
			trails = append(trails, profile.NewTrail(paths[len(paths)-1]))
		}
		parsers := []layouts{{}, {}} // whose layouts have the same IDs
		var shown profile.Document
		for range rapid.IntRange(1, 20).Draw(t, "documents") {
			var members []string
			for range rapid.IntRange(0, 3).Draw(t, "length") {
				members = append(members, fmt.Sprintf("%q:%s", rapid.SampledFrom(names).Draw(t, "name"), value(3).Draw(t, "member")))
			}
			var parser scan.Parser
			d, err := parser.Parse([]byte("{" + strings.Join(members, ",") + "}"))
			require.NoError(t, err)
			d.Records = nil
			plain := profile.Document{Document: d}
			want, shape := make([][]int, len(paths)), plain.RootShape()
			for n, path := range paths {
				want[n] = slices.Collect(plain.Select(0, path))
			}
			recorded := *d
			if rapid.Bool().Draw(t, "known") {
				rapid.SampledFrom(parsers).Draw(t, "parser").record(&recorded)
			}
			shown.Load(&recorded, 0, 0)
			require.Equal(t, shape, shown.RootShape())
			for n := range paths {
				require.Equal(t, want[n], slices.Collect(trails[n].All(&shown)), "%s in %s", paths[n], d.Src)
				require.Equal(t, want[n], slices.Collect(shown.Select(0, paths[n])), "%s in %s", paths[n], d.Src)
				i, ok := trails[n].First(&shown)
				require.Equal(t, len(want[n]) > 0, ok)
				if ok {
					require.Equal(t, want[n][0], i)
				}
				require.False(t, trails[n].Absent(&shown) && ok)
			}
		}
	})
}
