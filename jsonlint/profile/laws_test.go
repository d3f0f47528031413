package profile

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/datasets"
)

// eachCollection runs a test on the documents of each real collection.
func eachCollection(t *testing.T, test func(t *testing.T, documents []placed)) {
	for _, set := range datasets.All(t, "../../testdata/accuracy") {
		t.Run(set.Name, func(t *testing.T) {
			t.Parallel()
			for name, lines := range set.Read(t) {
				documents, base := make([]placed, len(lines)), int64(0)
				for i, line := range lines {
					documents[i] = placed{[]byte(line), base}
					base += int64(len(line)) + 1
				}
				t.Run(name, func(t *testing.T) { test(t, documents) })
			}
		})
	}
}

// TestLawsOfMerging checks on real documents that profiles merge, in any order
// and grouping, to the profile of all documents, and that merging the profile
// of no documents changes nothing.
func TestLawsOfMerging(t *testing.T) {
	t.Parallel()
	eachCollection(t, func(t *testing.T, documents []placed) {
		r := rand.New(rand.NewPCG(3, uint64(len(documents))))
		var parts [3][]placed
		for _, d := range documents {
			i := r.IntN(len(parts))
			parts[i] = append(parts[i], d)
		}
		r.Shuffle(len(parts[0]), func(i, j int) { parts[0][i], parts[0][j] = parts[0][j], parts[0][i] })
		part := func(i int) *Collection { return build(t, parts[i]) } // a new one each time, because merging uses it up
		merged := func(all ...*Collection) *Collection {
			for _, c := range all[1:] {
				all[0].Merge(c)
			}
			return all[0]
		}
		want := dump(build(t, documents))
		for _, c := range []*Collection{
			merged(part(0), part(1), part(2)),
			merged(part(0), merged(part(1), part(2))),
			merged(part(2), part(0), part(1)),
			merged(NewCollection("c"), build(t, documents)),
			merged(build(t, documents), NewCollection("c")),
		} {
			sameDump(t, want, dump(c))
		}
	})
}

// TestDistinctIsWithinItsError compares estimated numbers of distinct texts in
// profiles of real documents with exact counts.
func TestDistinctIsWithinItsError(t *testing.T) {
	t.Parallel()
	eachCollection(t, func(t *testing.T, documents []placed) {
		estimates := map[string]*Sample{}
		build(t, documents).Root.Walk(func(n *Node) bool {
			if n.Duplicated > 0 {
				return false // encoding/json returns only the last one
			}
			if n.Scalars != nil && n.Present() == n.Types[String] {
				estimates[n.Path().String()] = &n.Scalars.Values
			}
			return true
		})
		counted := map[string]map[string]bool{}
		var count func(path Path, value any)
		count = func(path Path, value any) {
			switch value := value.(type) {
			case string:
				if key := path.String(); estimates[key] != nil {
					if counted[key] == nil {
						counted[key] = map[string]bool{}
					}
					counted[key][value] = true
				}
			case []any:
				for _, element := range value {
					count(append(slices.Clip(path), Step{Kind: Element}), element)
				}
			case map[string]any:
				for name, member := range value {
					count(append(slices.Clip(path), Step{Kind: Field, Name: name}), member)
				}
			}
		}
		for _, d := range documents {
			var value any
			decoder := json.NewDecoder(bytes.NewReader(d.text))
			decoder.UseNumber()
			require.NoError(t, decoder.Decode(&value))
			count(nil, value)
		}
		for path, values := range counted {
			s := estimates[path]
			within := 0.0
			if n := len(values); n > s.capacity {
				within = 4 * 1.2 / math.Sqrt(float64(s.capacity)/2) * float64(n) // four standard errors
			}
			assert.InDelta(t, len(values), s.Distinct(), within, path)
		}
	})
}
