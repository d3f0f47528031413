package jsonlint

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// benchSets are excerpts of public data sets: many kinds of documents, large
// documents, small ones.
var benchSets = []string{"fhir", "pokeapi", "dummyjson"}

func benchDir(set string) string { return filepath.Join("..", "testdata", "accuracy", set) }

func sizeOf(tb testing.TB, dir string) (n int64) {
	files, err := os.ReadDir(dir)
	require.NoError(tb, err)
	for _, f := range files {
		info, err := f.Info()
		require.NoError(tb, err)
		n += info.Size()
	}
	return n
}

// benchEngine reads a set and builds the model of its database.
func benchEngine(tb testing.TB, set string) (*engine, *model.Database) {
	ctx := context.Background()
	files, err := source.Open(ctx, []string{benchDir(set)}, source.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { assert.NoError(tb, files.Close()) })
	e := &engine{set: files, jobs: 1, lexicon: lexicon.Default(), kindsAsked: kindsAsked}
	collections, err := e.profile(ctx)
	require.NoError(tb, err)
	db, err := model.Infer(ctx, collections, model.Settings{Lexicon: e.lexicon}, func(s []*model.Splitter) error { return e.split(ctx, s) })
	require.NoError(tb, err)
	return e, db
}

func (e *engine) benchRun(tb testing.TB, db *model.Database, only string) *check.Run {
	generic, ok := limits.For("generic")
	require.True(tb, ok)
	o := Options{}
	return check.Start(context.Background(), rules.All(), db, check.Settings{
		Limits: generic, Lexicon: e.lexicon, Thresholds: o.thresholds, Fetch: e.fetcher(context.Background()), Store: e.store,
		Enabled: func(rule string) bool { return only == "" || rule == only },
	})
}

// BenchmarkCheck is a whole run.
func BenchmarkCheck(b *testing.B) {
	for _, set := range benchSets {
		b.Run(set, func(b *testing.B) {
			b.SetBytes(sizeOf(b, benchDir(set)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Check(context.Background(), []string{benchDir(set)}, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkProfile is the first reading of the documents.
func BenchmarkProfile(b *testing.B) {
	for _, set := range benchSets {
		b.Run(set, func(b *testing.B) {
			e, _ := benchEngine(b, set)
			b.SetBytes(sizeOf(b, benchDir(set)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.profile(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRule measures one rule: its decisions from the profiles, and reading
// the documents again if it needs that.
func BenchmarkRule(b *testing.B) {
	for _, set := range benchSets {
		e, db := benchEngine(b, set)
		for _, rule := range rules.All() {
			b.Run(set+"/"+rule.Name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					run := e.benchRun(b, db, rule.Name)
					if err := e.visit(context.Background(), db, run); err != nil {
						b.Fatal(err)
					}
					run.Finish()
				}
			})
		}
	}
}

// TestProbesAllocateLittle checks that showing documents to the probes of all
// rules does not allocate for every value. Only storing something may allocate.
func TestProbesAllocateLittle(t *testing.T) {
	ctx := context.Background()
	for _, set := range benchSets {
		e, db := benchEngine(t, set)
		run := e.benchRun(t, db, "")
		visitor := run.NewVisitor()
		byName := map[string]*model.Collection{}
		for _, c := range run.Watched() {
			byName[c.Name] = c
		}
		values, later := 0, int64(0)
		showAll := func(show bool) float64 {
			return testing.AllocsPerRun(1, func() {
				values = 0
				later += 1 << 32
				err := e.each(ctx, pass{visit: func(_ int, name string, d *profile.Document) {
					values += len(d.Tokens)
					d.Base += later // later documents, which are not the first of anything
					if c := byName[name]; c != nil && show {
						visitor.Visit(c, d)
					}
				}})
				if err != nil {
					t.Error(err)
				}
			})
		}
		for range 20 { // until as many places as are kept have been seen
			showAll(true)
		}
		probes := showAll(true) - showAll(false)
		require.Positive(t, values)
		assert.Less(t, probes/float64(values), 0.15, "%s: allocations of the probes for each of %d tokens", set, values)
		t.Logf("%s: %.0f allocations for %d tokens", set, probes, values)
	}
}
