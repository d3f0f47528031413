package jsonlint_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// A mutant is a clean database with one known defect; its twin has a harmless
// change. TestMutants counts the reports on them by rule and by number of
// defective documents: go test ./jsonlint -run TestMutants -v
type (
	document = map[string]any
	database map[string][]document
)

// A site is a reference in the clean data.
type site struct{ files, from, field, to string }

var mutantSites = []site{
	{"dummyjson/posts dummyjson/users dummyjson/comments", "posts", "userId", "users"},
	{"dummyjson/posts dummyjson/users dummyjson/comments", "comments", "postId", "posts"},
	{"jsonplaceholder/posts jsonplaceholder/users jsonplaceholder/albums", "posts", "userId", "users"},
	{"jsonplaceholder/posts jsonplaceholder/users jsonplaceholder/albums", "albums", "userId", "users"},
}

// mutantStrengths are shares of the documents; 0 means a single one.
var mutantStrengths = []struct {
	name  string
	share float64
}{{"one", 0}, {"2 %", 0.02}, {"20 %", 0.2}}

// A mutation changes a document to give it the defect. prepare first changes
// all documents, in the mutant and its twin.
type mutation struct {
	rule    string
	or      string  // another rule that may report it
	path    string  // of the finding; "" means any
	most    float64 // largest share that is a defect; 0 means any
	prepare func(db database, s site)
	change  func(d document, s site, n int)
	least   float64 // least share of the mutants to find
}

// named adds a copy of the target's name beside each reference.
func named(db database, s site) {
	for _, d := range db[s.from] {
		d[strings.TrimSuffix(s.field, "Id")+"Name"] = fmt.Sprintf("Called %v", d[s.field])
	}
}

var mutations = map[string]mutation{
	"reference to nothing":      {rule: "dangling-reference", change: func(d document, s site, n int) { d[s.field] = 900000 + n }, least: 1},
	"reference left out":        {rule: "missing-reference", change: func(d document, s site, _ int) { delete(d, s.field) }, least: 0.85},
	"reference of another type": {rule: "reference-type-mismatch", or: "mixed-types", change: func(d document, s site, _ int) { d[s.field] = fmt.Sprint(d[s.field]) }, least: 0.85},
	"id left out":               {rule: "missing-id", change: func(d document, _ site, _ int) { delete(d, "id") }, least: 1},
	"id of another type":        {rule: "mixed-id-type", change: func(d document, _ site, _ int) { d["id"] = fmt.Sprint(d["id"]) }, least: 1},
	"value of another type":     {rule: "mixed-types", path: "title", prepare: titled, change: func(d document, _ site, n int) { d["title"] = n }, least: 1},
	"value lost":                {rule: "lost-value", path: "title", prepare: titled, change: func(d document, _ site, _ int) { d["title"] = "undefined" }, least: 1},
	"number of too many digits": {rule: "numeric-precision", path: "size", prepare: sized, change: func(d document, _ site, n int) { d["size"] = json.Number(fmt.Sprintf("9007199254740%d", 993+2*n)) }, least: 1},
	"field in another spelling": {rule: "field-name-variant", prepare: titled, change: func(d document, _ site, _ int) { d["Title"] = d["title"]; delete(d, "title") }, least: 0.85},
	"date in another format":    {rule: "inconsistent-date-format", path: "writtenOn", prepare: dated, change: func(d document, _ site, n int) { d["writtenOn"] = fmt.Sprintf("%02d.03.2024", 1+n%28) }, least: 1},
	"copy that contradicts": {rule: "volatile-embed", most: 0.1, prepare: func(db database, s site) { named(db, s); delete(db, s.to) }, change: func(d document, s site, n int) {
		d[strings.TrimSuffix(s.field, "Id")+"Name"] = fmt.Sprintf("Once called %d", n)
	}, least: 0.5},
	"count that is not kept":     {rule: "aggregate-drift", prepare: counted, change: func(d document, _ site, n int) { d["tagCount"] = 90 + n }, least: 0.85},
	"the same reference twice":   {rule: "duplicate-reference", path: "friendIds", prepare: befriended, change: func(d document, _ site, _ int) { ids := d["friendIds"].([]any); d["friendIds"] = append(ids, ids[0]) }, least: 0.85},
	"document of another making": {rule: "structural-outlier", most: 0.01, change: func(d document, _ site, n int) { clear(d); d["error"], d["stack"], d["code"] = "timeout", "main", n }, least: 1},
}

func titled(db database, s site) {
	for i, d := range db[s.from] {
		d["title"] = fmt.Sprintf("About %c and %d more", 'a'+rune(i%26), i)
	}
}

func sized(db database, s site) {
	for i, d := range db[s.from] {
		d["size"] = 100 + 7*i%1000
	}
}

func dated(db database, s site) {
	for i, d := range db[s.from] {
		d["writtenOn"] = fmt.Sprintf("2024-%02d-%02d", 1+i%12, 1+i%28)
	}
}

func counted(db database, s site) {
	for i, d := range db[s.from] {
		tags := []any{}
		for k := range 1 + i%4 {
			tags = append(tags, fmt.Sprintf("tag %d", k))
		}
		d["tags"], d["tagCount"] = tags, len(tags)
	}
}

func befriended(db database, s site) {
	users := db[s.to]
	for i, d := range db[s.from] {
		d["friendIds"] = []any{users[i%len(users)]["id"], users[(i+3)%len(users)]["id"], users[(i+5)%len(users)]["id"]}
	}
}

// twins are harmless changes.
var mutantTwins = map[string]func(db database, s site, rng *rand.Rand){
	"documents in another order": func(db database, s site, rng *rand.Rand) {
		rng.Shuffle(len(db[s.from]), func(i, j int) { db[s.from][i], db[s.from][j] = db[s.from][j], db[s.from][i] })
	},
	"null beside values": func(db database, s site, _ *rand.Rand) {
		titled(db, s)
		for i, d := range db[s.from] {
			if i%5 == 0 {
				d["title"] = nil
			}
		}
	},
	"fractions beside whole numbers": func(db database, s site, _ *rand.Rand) {
		for i, d := range db[s.from] {
			d["size"] = json.Number(fmt.Sprintf("%d.5", i))
			if i%3 == 0 {
				d["size"] = i
			}
		}
	},
	"a field with another name everywhere": func(db database, s site, _ *rand.Rand) {
		for _, d := range db[s.from] {
			d["ident"] = d["id"]
			delete(d, "id")
		}
	},
	"names that agree": func(db database, s site, _ *rand.Rand) { named(db, s); delete(db, s.to) },
	"a role of each link": func(db database, s site, rng *rand.Rand) {
		for _, d := range db[s.from] {
			d[strings.TrimSuffix(s.field, "Id")+"Role"] = []string{"reader", "writer", "editor", "guest"}[rng.IntN(4)]
		}
	},
	"an optional group": func(db database, s site, _ *rand.Rand) {
		for i, d := range db[s.from] {
			if i%4 == 0 {
				d["reviewedBy"], d["reviewNote"] = "Ada", "fine"
			}
		}
	},
}

func TestMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("checks some two hundred databases")
	}
	t.Parallel()
	type count struct{ found, of int }
	var mu sync.Mutex
	recall := map[string]map[string]*count{}
	twins, alarms := 0, []string{}
	t.Run("all", func(t *testing.T) {
		for _, s := range mutantSites {
			for name, m := range mutations {
				t.Run(name+"/"+s.files+" "+s.from, func(t *testing.T) {
					t.Parallel()
					base := readDatabase(t, s)
					if m.prepare != nil {
						m.prepare(base, s)
					}
					before := base.check(t)
					if n := base.count(before, m, s); n > 0 {
						return // the clean data already has such a finding there
					}
					for _, strength := range mutantStrengths {
						db := readDatabase(t, s)
						if m.prepare != nil {
							m.prepare(db, s)
						}
						docs := db[s.from]
						touched := max(1, int(strength.share*float64(len(docs))))
						if strength.share > 0 && touched < 2 || m.most > 0 && strength.share > m.most {
							continue // what many documents have is no outlier
						}
						for n := range touched {
							m.change(docs[(3+n*len(docs)/touched)%len(docs)], s, n)
						}
						found := db.count(db.check(t), m, s) > 0
						mu.Lock()
						if recall[name] == nil {
							recall[name] = map[string]*count{}
						}
						c := recall[name][strength.name]
						if c == nil {
							c = &count{}
							recall[name][strength.name] = c
						}
						c.of++
						if found {
							c.found++
						}
						mu.Unlock()
					}
				})
			}
			for name, change := range mutantTwins {
				t.Run(name+"/"+s.files+" "+s.from, func(t *testing.T) {
					t.Parallel()
					known := map[string]bool{}
					db := readDatabase(t, s)
					for _, f := range db.check(t) {
						known[f.Rule] = true
					}
					change(db, s, rand.New(rand.NewPCG(1, 2)))
					mu.Lock()
					twins++
					mu.Unlock()
					for _, f := range db.check(t) {
						if !known[f.Rule] {
							mu.Lock()
							alarms = append(alarms, fmt.Sprintf("%s, %s: %s", name, s.from, f.Message))
							mu.Unlock()
						}
					}
				})
			}
		}
	})
	all := count{}
	for _, name := range slices.Sorted(maps.Keys(recall)) {
		line, sum := "", count{}
		for _, strength := range mutantStrengths {
			c := *cmp.Or(recall[name][strength.name], &count{})
			sum = count{sum.found + c.found, sum.of + c.of}
			line += fmt.Sprintf("  %s %d/%d", strength.name, c.found, c.of)
		}
		all = count{all.found + sum.found, all.of + sum.of}
		t.Logf("%-24s %-28s%s", mutations[name].rule, name, line)
		assert.GreaterOrEqual(t, float64(sum.found)/float64(sum.of), mutations[name].least, "%s: %s", name, line)
	}
	t.Logf("%d of %d mutants found, %d of %d twins with an alarm", all.found, all.of, len(alarms), twins)
	assert.Empty(t, alarms)
}

// readDatabase reads the clean documents again.
func readDatabase(t *testing.T, s site) database {
	t.Helper()
	db := database{}
	for file := range strings.FieldsSeq(s.files) {
		text, err := os.ReadFile(filepath.Join(accuracyData, filepath.FromSlash(file)+".jsonl"))
		require.NoError(t, err)
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		for d.More() {
			var doc document
			require.NoError(t, d.Decode(&doc))
			db[filepath.Base(file)] = append(db[filepath.Base(file)], doc)
		}
	}
	return db
}

// check returns the default findings.
func (db database) check(t *testing.T) []finding.Finding {
	t.Helper()
	dir := t.TempDir()
	for name, docs := range db {
		var b bytes.Buffer
		for _, d := range docs {
			line, err := json.Marshal(d)
			require.NoError(t, err)
			b.Write(append(line, '\n'))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".jsonl"), b.Bytes(), 0o600))
	}
	report, err := jsonlint.Check(context.Background(), []string{dir}, jsonlint.Options{Jobs: 1})
	require.NoError(t, err)
	return slices.DeleteFunc(report.Findings, func(f finding.Finding) bool { return f.Confidence < 0.5 })
}

// count counts the findings that may be reports of the defect.
func (db database) count(findings []finding.Finding, m mutation, s site) (n int) {
	for _, f := range findings {
		if (f.Rule == m.rule || f.Rule == m.or) && f.Subject.Collection == s.from && strings.Contains(f.Subject.Path, m.path) {
			n++
		}
	}
	return n
}
