package evidence

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
)

// Merge returns what the documents of all files show together, in whatever
// order the files come. It does not change the files.
//
// If one file folds the names of an object and another does not, the result
// folds them. Kinds of document are matched by the discriminator's value if the
// files hold it, otherwise by their fields.
func Merge(files ...*File) (*File, error) {
	if len(files) == 0 {
		return nil, errors.New("nothing to merge")
	}
	parts := make([][]byte, len(files))
	for i, f := range files {
		text, err := f.Marshal()
		if err != nil {
			return nil, err
		}
		parts[i] = text
	}
	slices.SortFunc(parts, bytes.Compare)
	var all *File
	for _, text := range parts {
		f, err := Parse(text) // a copy
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = f
		} else {
			all.merge(f)
		}
	}
	all.tidy(false) // the parts already omit what they must
	return all, nil
}

func (f *File) merge(o *File) {
	f.Tools = append(f.Tools, o.Tools...)
	f.From, f.Until = min(f.From, o.From), max(f.Until, o.Until)
	f.Parts += o.Parts
	for _, c := range o.Collections {
		if mine := f.Collection(c.Name); mine != nil {
			mine.merge(c)
		} else {
			f.Collections = append(f.Collections, c)
		}
	}
	for _, r := range o.References {
		i := slices.IndexFunc(f.References, func(mine *Reference) bool { return compareReferences(mine, r) == 0 })
		if i < 0 {
			f.References = append(f.References, r)
			continue
		}
		f.References[i].add(r)
	}
}

func (r *Reference) add(o *Reference) {
	r.Tested += o.Tested
	r.Found += o.Found
	r.SameType += o.SameType
	r.Declared = r.Declared || o.Declared
}

// tidy hides what may be data and sorts everything.
func (f *File) tidy(shared bool) {
	slices.Sort(f.Tools)
	f.Tools = slices.Compact(f.Tools)
	roots := map[string]*Node{}
	for _, c := range f.Collections {
		c.hide(shared)
		root := c.Whole().Root
		roots[c.Name] = root
		c.Discriminator = root.rewrite(c.Discriminator)
		slices.SortStableFunc(c.Kinds, compareKinds)
	}
	slices.SortFunc(f.Collections, func(a, b *Collection) int { return cmp.Compare(a.Name, b.Name) })
	for _, r := range f.References {
		r.Path, r.Key = roots[r.From].rewrite(r.Path), roots[r.To].rewrite(r.Key)
	}
	slices.SortFunc(f.References, compareReferences)
	var references []*Reference
	for _, r := range f.References { // folding may have made paths equal
		if last := len(references) - 1; last >= 0 && compareReferences(references[last], r) == 0 {
			references[last].add(r)
		} else {
			references = append(references, r)
		}
	}
	f.References = references
}

func compareKinds(a, b *Kind) int {
	return cmp.Or(cmp.Compare(b.Documents, a.Documents), cmp.Compare(a.Value, b.Value), slices.Compare(a.Root.FieldNames(), b.Root.FieldNames()),
		cmp.Compare(a.Root.Bytes, b.Root.Bytes))
}

func (c *Collection) merge(o *Collection) {
	switch {
	case len(c.Kinds) == 1 && c.Discriminator == "":
		c.Discriminator = o.Discriminator
	case (len(o.Kinds) > 1 || o.Discriminator != "") && o.Discriminator != c.Discriminator:
		c.Discriminator = ""
	}
	for _, pair := range matches(c.Kinds, o.Kinds) {
		if pair.mine == nil {
			c.Kinds = append(c.Kinds, pair.theirs)
		} else {
			pair.mine.merge(pair.theirs)
		}
	}
}

// alikeKinds is the share of fields that kinds in two files must have in common
// to be the same kind.
const alikeKinds = 0.5

type kindPair struct {
	mine, theirs *Kind
	alike        float64
}

// matches finds the kind in mine for each kind in theirs, each at most once.
// mine is nil for a new kind.
func matches(mine, theirs []*Kind) []kindPair {
	var candidates []kindPair
	for _, t := range theirs {
		for _, m := range mine {
			if m.Named != t.Named || m.Value != t.Value {
				continue
			}
			alike := m.Root.alike(t.Root)
			if t.Named || len(mine) == 1 && len(theirs) == 1 {
				alike = 2
			}
			if alike >= alikeKinds {
				candidates = append(candidates, kindPair{m, t, alike})
			}
		}
	}
	slices.SortStableFunc(candidates, func(a, b kindPair) int { return cmp.Compare(b.alike, a.alike) })
	taken := map[*Kind]bool{}
	var pairs []kindPair
	for _, pair := range candidates {
		if !taken[pair.mine] && !taken[pair.theirs] {
			taken[pair.mine], taken[pair.theirs] = true, true
			pairs = append(pairs, pair)
		}
	}
	for _, t := range theirs {
		if !taken[t] {
			pairs = append(pairs, kindPair{nil, t, 0})
		}
	}
	return pairs
}

// alike returns the share of fields that the objects at two nodes have in
// common, each field weighted by the share of the objects that have it.
func (n *Node) alike(o *Node) float64 {
	common, all := 0.0, 0.0
	for _, name := range n.FieldNames() {
		mine, theirs := n.Presence(name), o.Presence(name)
		common += min(mine, theirs)
		all += max(mine, theirs)
	}
	for _, name := range o.FieldNames() {
		if n.Fields[name] == nil {
			all += o.Presence(name)
		}
	}
	if all == 0 {
		return 1
	}
	return common / all
}

// Presence returns the share of the objects in which a name has a value that is
// not null.
func (n *Node) Presence(name string) float64 {
	f := n.Fields[name]
	if f == nil || n.Objects() == 0 {
		return 0
	}
	return float64(f.Present()) / float64(n.Objects())
}

func (k *Kind) merge(o *Kind) {
	k.Documents += o.Documents
	k.Sizes.Merge(&o.Sizes)
	k.Depths.Merge(&o.Depths)
	k.Root.merge(o.Root)
}

// merge adds the values of o, which it does not change.
func (n *Node) merge(o *Node) {
	n.see(o)
	n.Docs += o.Docs
	n.Values += o.Values
	for c := range n.Types {
		n.Types[c] += o.Types[c]
	}
	for form := range n.Forms {
		n.Forms[form] += o.Forms[form]
	}
	n.Bytes += o.Bytes
	n.Max = max(n.Max, o.Max)
	n.Blobs += o.Blobs
	n.Fractions += o.Fractions
	n.Decimals += o.Decimals
	n.Ints.add(o.Ints)
	n.Distinct.add(o.Distinct)
	n.Lengths.Merge(&o.Lengths)
	n.Keys.Merge(&o.Keys)
	n.Names.add(o.Names)
	fold := max(n.Fold, o.Fold)
	for step, theirs := range o.children() {
		n.child(step).merge(theirs)
	}
	if fold != Unfolded {
		n.Fold = fold // names omitted by one node may be fields of the other
		n.fold(fold)
	}
}
