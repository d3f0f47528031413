package sampling

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fake is a database in memory: of each collection the ids, and what each
// document refers to.
type fake map[string][]record

type record struct{ id, refers string }

func (f fake) document(r record) Document {
	return Document{Raw: []byte(r.id), ID: Key{'s', r.id}, Values: func(yield func(string, Key)) {
		yield("_id", Key{'s', r.id})
		if r.refers != "" {
			yield("ref", Key{'s', r.refers})
		}
	}}
}

func (f fake) All(_ context.Context, c Collection, visit func(Document) error) error {
	for _, r := range f[c.Name] {
		if err := visit(f.document(r)); err != nil {
			return err
		}
	}
	return nil
}

func (f fake) Some(_ context.Context, c Collection, n int, visit func(Document) error) error {
	random := rand.New(rand.NewPCG(1, 2))
	for range n {
		if err := visit(f.document(f[c.Name][random.IntN(len(f[c.Name]))])); err != nil {
			return err
		}
	}
	return nil
}

func (f fake) ByID(_ context.Context, c Collection, ids []Key, visit func(Document) error) error {
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id.Text] = true
	}
	for _, r := range f[c.Name] {
		if wanted[r.id] {
			if err := visit(f.document(r)); err != nil {
				return err
			}
		}
	}
	return nil
}

// sampled returns the ids that were read of each collection, once each.
func sampled(t *testing.T, f fake, o Options) (map[string]map[string]bool, []Result) {
	t.Helper()
	var collections []Collection
	for _, name := range []string{"customers", "orders", "regions"} {
		collections = append(collections, Collection{Name: name, Documents: int64(len(f[name]))})
	}
	read := map[string]map[string]bool{}
	results, err := Run(context.Background(), f, collections, o, func(c Collection, raw []byte) error {
		if read[c.Name] == nil {
			read[c.Name] = map[string]bool{}
		}
		assert.False(t, read[c.Name][string(raw)], "%s of %s is written twice", raw, c.Name)
		read[c.Name][string(raw)] = true
		return nil
	})
	require.NoError(t, err)
	return read, results
}

func shop() fake {
	f := fake{}
	for i := range 9 {
		f["regions"] = append(f["regions"], record{id: fmt.Sprintf("r%d", i)})
	}
	for i := range 40_000 {
		f["customers"] = append(f["customers"], record{fmt.Sprintf("c%d", i), fmt.Sprintf("r%d", i%9)})
	}
	for i := range 100_000 {
		f["orders"] = append(f["orders"], record{fmt.Sprintf("o%d", i), fmt.Sprintf("c%d", (i*7919)%40_000)})
	}
	return f
}

func TestTheSampleIsConnected(t *testing.T) {
	t.Parallel()
	f := shop()
	resolved := func(read map[string]map[string]bool) (share float64) {
		for _, r := range f["orders"] {
			if read["orders"][r.id] && read["customers"][r.refers] {
				share++
			}
		}
		return share / float64(len(read["orders"]))
	}
	read, results := sampled(t, f, Options{Documents: 1000})
	assert.InDelta(t, 1, resolved(read), 0, "every customer that an order names is read")
	assert.Len(t, read["regions"], 9)
	assert.Less(t, len(read["customers"]), 5001)
	require.Len(t, results, 3)
	assert.Equal(t, Result{Collection{"regions", 9, 0}, 9, true}, results[2])
	assert.Empty(t, results[2].Note())
	assert.Regexp(t, `^orders: [\d,]+ documents read, of about 100,000$`, results[1].Note())

	alone, _ := sampled(t, f, Options{Documents: 1000, Alone: true})
	assert.Less(t, resolved(alone), 0.1, "two samples share hardly a key")
}

// TestACollectionThatGrew is larger than the database said.
func TestACollectionThatGrew(t *testing.T) {
	t.Parallel()
	f := shop()
	results, err := Run(context.Background(), f, []Collection{{Name: "orders", Documents: 5}}, Options{}, func(Collection, []byte) error { return nil })
	require.NoError(t, err)
	assert.False(t, results[0].Complete)
	assert.EqualValues(t, 2*WholeDocuments, results[0].Read)
}

func TestFailuresEndTheRun(t *testing.T) {
	t.Parallel()
	failure := errors.New("disk full")
	_, err := Run(context.Background(), shop(), []Collection{{Name: "orders", Documents: 5}}, Options{}, func(Collection, []byte) error { return failure })
	require.ErrorIs(t, err, failure)
	_, err = Run(context.Background(), broken{shop()}, []Collection{{Name: "customers", Documents: 40_000}, {Name: "orders", Documents: 100_000}}, Options{},
		func(Collection, []byte) error { return nil })
	require.ErrorContains(t, err, "no route")
}

type broken struct{ fake }

func (broken) ByID(context.Context, Collection, []Key, func(Document) error) error {
	return errors.New("no route")
}
