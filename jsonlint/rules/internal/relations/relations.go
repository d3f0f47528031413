// Package relations follows references: which keys their values lead to, and
// which documents they connect.
package relations

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
)

// Absent reports whether a value means no reference, or refers to a part of the
// same document.
func Absent(d *profile.Document, i int) bool { return AbsentText(string(d.Canonical(i))) }

// AbsentText is [Absent] for a value in its canonical form.
func AbsentText(text string) bool {
	switch {
	case text == "0", text == "-1", strings.HasPrefix(text, "#"), strings.IndexFunc(text, lettered) < 0: // only signs: "", "/", "-", "*"
		return true
	case profile.FormOf([]byte(text)) == profile.FormPlaceholder, profile.Computed(text):
		return true // such as "unknown", "n/a"; what an expression refers to is not known yet
	default: // such as a zero ObjectId or UUID, 999999
		return len(text) >= sentinelLength && strings.Trim(text, text[:1]+"-") == ""
	}
}

func lettered(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// sentinelLength is the length from which one repeated character means a
// missing value.
const sentinelLength = 4

// LeadsTo reports whether a relation leads to documents with the other one.
func (r *Relation) LeadsTo(s *Relation) bool {
	return slices.ContainsFunc(s.Kinds, func(k *model.Reference) bool { return k.From == r.To })
}

// IDTyped reports whether all values have the type of an id.
func IDTyped(n *profile.Node) bool {
	return n.Present() == n.Types[profile.String]+n.Types[profile.Int]+n.Types[profile.ObjectID]
}

// RefHash returns the hash of the key that a reference refers to.
func RefHash(d *profile.Document, i int, tail bool) (uint64, bool) {
	if !tail {
		return d.Hash(i), true
	}
	_, last, ok := d.Tail(i)
	return profile.HashText(last), ok
}

func ReferencesToField(db *model.Database, c *model.Collection, name string) string {
	var named []string
	for _, r := range db.References {
		if r.To.Collection == c && r.Key.Path.String() == name {
			named = append(named, r.From.Collection.Name+"."+r.Path.String())
		}
		if len(named) == 3 {
			break
		}
	}
	text := ""
	for i, s := range named {
		if i > 0 {
			text += ", "
		}
		text += s
	}
	return text
}

// A Relation is all references at one path in documents of a collection: one
// reference per kind that has it.
type Relation struct {
	*model.Reference // of the first kind
	Kinds            []*model.Reference
}

// Relations groups the references of the database.
func Relations(p *check.Pass) []*Relation {
	var out []*Relation
	byPath := map[*model.Collection]map[string]*Relation{}
	for _, r := range p.DB.References {
		c := r.From.Collection
		if byPath[c] == nil {
			byPath[c] = map[string]*Relation{}
		}
		path := r.Path.String() + " " + r.To.Collection.Name + " " + r.Key.Path.String()
		if known := byPath[c][path]; known != nil {
			known.Kinds = append(known.Kinds, r)
			continue
		}
		known := &Relation{r, []*model.Reference{r}}
		byPath[c][path] = known
		out = append(out, known)
	}
	return out
}

// Counts adds up the counts of the kinds' samples.
func (r *Relation) Counts() (tested, found, sameType int) {
	for _, k := range r.Kinds {
		tested, found, sameType = tested+k.Tested, found+k.Found, sameType+k.SameType
	}
	return tested, found, sameType
}

// Distinct counts the different values of all kinds together, and those that are
// keys, as far as samples have them.
func (r *Relation) Distinct() (tested, found int) {
	seen, keys := map[uint64]bool{}, r.Samples()
	for _, k := range r.Kinds {
		for _, v := range k.Node.Scalars.Values.Values() {
			held, known := Holds(keys, v.Hash)
			if !known || seen[v.Hash] {
				continue
			}
			seen[v.Hash] = true
			tested++
			if held {
				found++
			}
		}
	}
	return tested, found
}

// LogOdds returns the log-odds that the field is a reference.
func (r *Relation) LogOdds() finding.Evidence {
	return finding.Evidence{Name: "reference.log-odds", Value: math.Round(10*r.Odds.Sum()) / 10}
}

// Values counts the values that are not null.
func (r *Relation) Values() int64 {
	n := int64(0)
	for _, k := range r.Kinds {
		n += k.Node.Present()
	}
	return n
}

// KeyName returns the name of the target's key: stocks.id.
func (r *Relation) KeyName() string { return r.To.Collection.Name + "." + r.Key.Path.String() }

// Samples returns the samples of the keys that the values may lead to.
func (r *Relation) Samples() []*profile.Sample {
	var out []*profile.Sample
	for _, t := range r.Targets() {
		out = append(out, &t.Key.Node.Scalars.Values)
	}
	return out
}

// TargetKeys are the keys of the documents that a relation may lead to, as far
// as samples have them.
type TargetKeys struct {
	Keys     *profile.Union
	ByID     bool           // the keys are the documents' ids
	prefixes *profile.Union // of keys that are URLs or paths
	names    []string       // of the target's collection and its kinds
}

// KeysOf returns the keys that a relation's values may be. Relations to one
// collection share them.
func KeysOf(p *check.Pass, r *Relation) *TargetKeys {
	name := fmt.Sprintf("targets %q %q", r.To.Collection.Name, r.Key.Path)
	return check.Once(p, name, func() *TargetKeys {
		t := &TargetKeys{Keys: profile.NewUnion(r.Samples()...), ByID: r.Key.ID, names: []string{r.To.Collection.Name}}
		var prefixes []*profile.Sample
		for _, target := range r.Targets() {
			t.names = append(t.names, target.Entity.Word())
			prefixes = append(prefixes, target.Key.Node.Scalars.Prefixes())
		}
		t.prefixes = profile.NewUnion(prefixes...)
		return t
	})
}

// Leads reports whether a URL or path with this prefix leads to the targets:
// one of their keys has the prefix, or it names their collection.
func (t *TargetKeys) Leads(prefix []byte) bool {
	if held, _ := t.prefixes.Lookup(profile.HashText(prefix)); held {
		return true
	}
	segment := strings.TrimRight(string(prefix), "/:")
	segment = segment[strings.LastIndexAny(segment, "/:")+1:]
	return segment == "uuid" || slices.ContainsFunc(t.names, func(name string) bool {
		return lexicon.MatchStem(segment, name) >= lexicon.SameNoun
	})
}

// Called reports whether a value is the name of the targets' collection, like
// part of a stored path, rather than a key, or says that there is no target, as "No
// driver" does.
func (t *TargetKeys) Called(text []byte) bool {
	noun, none := strings.CutPrefix(strings.ToLower(string(text)), "no ")
	return string(text) == t.names[0] || none && lexicon.MatchStem(noun, t.names[0]) >= lexicon.SameNoun
}

// Holds reports whether one of the samples has the value with this hash. known
// is false if they cannot tell.
func Holds(samples []*profile.Sample, hash uint64) (held, known bool) {
	known = true
	for _, s := range samples {
		count, _, ok := s.Lookup(hash)
		if count > 0 {
			return true, true
		}
		known = known && ok
	}
	return false, known
}
