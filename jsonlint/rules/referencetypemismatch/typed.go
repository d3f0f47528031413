package referencetypemismatch

import (
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
)

// A typed probe finds the values of a field that are ids of the target, by their type.
// Other values, such as "Self" for the user's own id, are no references.
type typed struct {
	at   profile.Trail
	keys *relations.TargetKeys
	by   [profile.Object]references
}

// references are those of one type.
type references struct {
	found    places.Earliest
	smallest places.SmallestDocument // with one of them
}

func (t *typed) New() check.Probe { return &typed{at: profile.NewTrail(t.at.Path()), keys: t.keys} }

func (t *typed) Skips(d *profile.Document) bool { return t.at.Absent(d) }

func (t *typed) Visit(d *profile.Document) {
	for i := range t.at.All(d) {
		if places.Scalar(d, i) && leads(t.keys, d.Hash(i)) {
			r := &t.by[d.Class(i).TypeClass()]
			r.found.Add(d.At(i))
			r.smallest.AddDocument(d)
		}
	}
}

// leads reports whether a value is an id of the target, as far as samples can tell.
func leads(keys *relations.TargetKeys, hash uint64) bool {
	held, known := keys.Keys.Lookup(hash)
	return held || !known
}

func (t *typed) Merge(other check.Probe) {
	for c, o := range other.(*typed).by {
		t.by[c].found.Merge(&o.found)
		t.by[c].smallest.Add(o.smallest.At)
	}
}

// most returns the type that most references have.
func (t *typed) most() (c profile.Class, r *references) {
	for i := range t.by {
		if r == nil || t.by[i].found.N > r.found.N {
			c, r = profile.Class(i), &t.by[i]
		}
	}
	return c, r
}
