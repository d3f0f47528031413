package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
)

// A relation is the references that documents of a collection hold at one
// path, whatever their kind: one reference for each kind that has it.
type relation struct {
	*model.Reference // of the first kind
	kinds            []*model.Reference
}

// relations groups the references of the database.
func (p *Pass) relations() []*relation {
	var out []*relation
	byPath := map[*model.Collection]map[string]*relation{}
	for _, r := range p.DB.References {
		c := r.From.Collection
		if byPath[c] == nil {
			byPath[c] = map[string]*relation{}
		}
		path := r.Path.String() + " " + r.To.Collection.Name + " " + r.Key.Path.String()
		if known := byPath[c][path]; known != nil {
			known.kinds = append(known.kinds, r)
			continue
		}
		known := &relation{r, []*model.Reference{r}}
		byPath[c][path] = known
		out = append(out, known)
	}
	return out
}

// counts adds up what the samples of the kinds tell.
func (r *relation) counts() (tested, found, sameType int) {
	for _, k := range r.kinds {
		tested, found, sameType = tested+k.Tested, found+k.Found, sameType+k.SameType
	}
	return tested, found, sameType
}

// values counts the values that are not null.
func (r *relation) values() int64 {
	n := int64(0)
	for _, k := range r.kinds {
		n += k.Node.Present()
	}
	return n
}

// key names the target's key: stocks.id.
func (r *relation) key() string { return r.To.Collection.Name + "." + r.Key.Path.String() }

// samples are the samples of the keys that the values may lead to.
func (r *relation) samples() []*profile.Sample {
	var out []*profile.Sample
	for _, t := range r.Targets() {
		out = append(out, &t.Key.Node.Scalars.Values)
	}
	return out
}

// targetKeys are the keys of the documents that a relation may lead to, as far
// as the samples have them.
type targetKeys struct {
	keys     *profile.Union
	prefixes *profile.Union // of keys that are URLs or paths
	names    []string       // of the target's collection and its kinds
}

// keysOf returns the keys that the values of a relation may be; relations to
// one collection share them.
func (p *Pass) keysOf(r *relation) *targetKeys {
	name := fmt.Sprintf("targets %q %q", r.To.Collection.Name, r.Key.Path)
	return once(p, name, func() *targetKeys {
		t := &targetKeys{keys: profile.NewUnion(r.samples()...), names: []string{r.To.Collection.Name}}
		var prefixes []*profile.Sample
		for _, target := range r.Targets() {
			t.names = append(t.names, target.Entity.Word())
			prefixes = append(prefixes, &target.Key.Node.Scalars.Prefixes)
		}
		t.prefixes = profile.NewUnion(prefixes...)
		return t
	})
}

// leads reports whether a URL or path with this prefix leads to the targets:
// one of their keys has it, or it names their collection.
func (t *targetKeys) leads(prefix []byte) bool {
	if held, _ := t.prefixes.Lookup(profile.HashText(prefix)); held {
		return true
	}
	segment := strings.TrimRight(string(prefix), "/:")
	segment = segment[strings.LastIndexAny(segment, "/:")+1:]
	return segment == "uuid" || slices.ContainsFunc(t.names, func(name string) bool {
		return lexicon.MatchStem(segment, name) >= lexicon.SameNoun
	})
}

// holds reports whether one of the samples has the value with this hash;
// known is false if they cannot tell.
func holds(samples []*profile.Sample, hash uint64) (held, known bool) {
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

// quoteAs writes a canonical value as a value of the class would stand in a
// document.
func quoteAs(text string, class profile.Class) string {
	switch class {
	case profile.String:
		return strconv.Quote(text)
	case profile.ObjectID:
		return "ObjectId(" + strconv.Quote(text) + ")"
	}
	return text
}

// A smallest is a probe that finds the smallest document with a value at a
// path, the first of equals.
type smallest struct {
	path profile.Path
	at   profile.Pos
}

func (x *smallest) New() Probe { return &smallest{path: x.path} }

func (x *smallest) Visit(d *profile.Document) {
	if i, ok := d.First(0, x.path); ok && d.Class(i) != profile.Null {
		x.at = smallerDocument(x.at, d.Start())
	}
}

func (x *smallest) Merge(o Probe) { x.at = smallerDocument(x.at, o.(*smallest).at) }

// read returns a document as a tree.
func (p *Pass) read(at profile.Pos) (*reshape.Value, error) {
	d, err := p.Document(at)
	if err != nil {
		return nil, err
	}
	return reshape.From(d.Document, 0), nil
}

// retype returns the scalar in the type and spelling of another one; it is
// not ok if that type cannot hold it.
func retype(v, like *reshape.Value) (*reshape.Value, bool) {
	text, err := like.MarshalJSON()
	if err != nil {
		return nil, false
	}
	quoted, old := strconv.Quote(v.Text()), []byte(strconv.Quote(like.Text()))
	switch {
	case bytes.HasPrefix(text, []byte("{")): // {"$numberInt":"12"}, {"$oid":"…"}
		text = bytes.Replace(text, old, []byte(quoted), 1)
	case bytes.HasPrefix(text, []byte(`"`)):
		return reshape.String(v.Text()), true
	default:
		text = []byte(v.Text())
	}
	out, err := reshape.Raw(text)
	return out, err == nil && out.Kind() == like.Kind()
}

// verb puts a verb into the form that agrees with a number of things.
func verb(n int64, plural string) string {
	if n == 1 {
		return plural + "s"
	}
	return plural
}
