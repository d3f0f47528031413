package evidence

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// Exact returns a file without what is inexact after merging: ranges of
// distinct values, references, the number of parts.
func Exact(f *File) string {
	out, err := f.Marshal()
	if err != nil {
		panic(err)
	}
	f, err = Parse(out)
	if err != nil {
		panic(err)
	}
	f.Parts, f.References = 1, nil
	for _, c := range f.Collections {
		for _, k := range c.Kinds {
			k.Root.walk(nil, func(n *Node, _ profile.Path) { n.Distinct, n.Names = Range{}, Range{} })
		}
	}
	if out, err = f.Marshal(); err != nil {
		panic(err)
	}
	return string(out)
}

// Comparable returns the exact part of a file, with the documents of a
// collection combined, and with the names folded that the other file folds.
func Comparable(f, like *File) string {
	whole := &File{Tools: f.Tools, From: f.From, Until: f.Until, Parts: 1}
	for _, c := range f.Collections {
		k := c.Whole()
		if other := like.Collection(c.Name); other != nil {
			k.Root.foldLike(other.Whole().Root)
		}
		whole.Collections = append(whole.Collections, &Collection{Name: c.Name, Kinds: []*Kind{k}})
	}
	return Exact(whole)
}

// Paths lists the paths of a file, sorted.
func Paths(f *File) (paths []string) {
	for _, c := range f.Collections {
		c.Whole().Root.walk(nil, func(_ *Node, path profile.Path) {
			if len(path) > 0 {
				paths = append(paths, path.String())
			}
		})
	}
	slices.Sort(paths)
	return paths
}

func (n *Node) walk(path profile.Path, visit func(*Node, profile.Path)) {
	visit(n, path)
	for _, name := range n.FieldNames() {
		n.Fields[name].walk(append(path[:len(path):len(path)], profile.Step{Kind: profile.Field, Name: name}), visit)
	}
	if n.Rest != nil {
		n.Rest.walk(append(path[:len(path):len(path)], profile.Step{Kind: profile.MapValues}), visit)
	}
	if n.Elem != nil {
		n.Elem.walk(append(path[:len(path):len(path)], profile.Step{Kind: profile.Element}), visit)
	}
}

// RequireWithin checks that the ranges of distinct values in two files of the
// same documents overlap. Numbers beyond the capacity of a sample are
// estimates.
func RequireWithin(t *testing.T, whole, merged *File) {
	t.Helper()
	const capacity, tolerance = 256, 1.43 // four standard errors of the smallest sample
	for _, c := range whole.Collections {
		in := merged.Collection(c.Name).Whole().Root
		c.Whole().Root.walk(nil, func(n *Node, path profile.Path) {
			m := in.At(path.String())
			if m == nil || n.Distinct.Most == 0 {
				return
			}
			slack := 1.0
			if n.Distinct.Most > capacity {
				slack = tolerance
			}
			require.LessOrEqual(t, float64(n.Distinct.Least), slack*float64(m.Distinct.Most), path.String())
			require.GreaterOrEqual(t, slack*float64(n.Distinct.Most), float64(m.Distinct.Least), path.String())
		})
	}
}
