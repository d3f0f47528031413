package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A Table shows one kind of document with a row per path.
type Table struct {
	Collection string `json:"collection"`
	Kind       string `json:"kind,omitempty"` // what distinguishes the documents from others of the collection
	Documents  int64  `json:"documents"`
	Bytes      Spread `json:"bytes"`  // per document
	Levels     Spread `json:"levels"` // of objects and arrays, per document
	Rows       []Row  `json:"paths"`
}

// A Row shows what is at a path.
type Row struct {
	Path       string      `json:"path"`
	Types      []TypeShare `json:"types"`            // most frequent first, null last
	Present    float64     `json:"present"`          // share of the enclosing objects that have it and not as null
	Length     *Spread     `json:"length,omitempty"` // elements of arrays, or names of maps
	Longest    int64       `json:"longest"`          // bytes of the longest value as written
	Distinct   *wireRange  `json:"distinct,omitempty"`
	Forms      []string    `json:"forms,omitempty"` // of strings, most frequent first
	References []Link      `json:"references,omitempty"`
}

// A TypeShare is the share of the values at a path that have a type.
type TypeShare struct {
	Type  string  `json:"type"`
	Share float64 `json:"share"`
}

// A Spread is the distribution of a number.
type Spread struct {
	P50 int64 `json:"p50"`
	P95 int64 `json:"p95"`
	P99 int64 `json:"p99"`
	Max int64 `json:"max"`
}

// A Link says where values lead.
type Link struct {
	To       string  `json:"to"` // collection and key
	Resolved float64 `json:"resolved"`
	AtLeast  bool    `json:"atLeast,omitempty"` // from a merged file: more may resolve
	Many     *Spread `json:"many,omitempty"`    // links per list
}

func spread(h *profile.Histogram) *Spread {
	if h.Count == 0 {
		return nil
	}
	return &Spread{h.Quantile(0.5), h.Quantile(0.95), h.Quantile(0.99), h.Max}
}

// Tables shows the collections and kinds of a file.
func (f *File) Tables() []Table {
	var out []Table
	for _, c := range f.Collections {
		for i, k := range c.Kinds {
			t := Table{Collection: c.Name, Kind: c.kindName(i), Documents: k.Documents}
			if bytes := spread(&k.Sizes); bytes != nil {
				t.Bytes = *bytes
			}
			if levels := spread(&k.Depths); levels != nil {
				t.Levels = *levels
			}
			f.rows(&t, c, k.Root, nil, nil)
			out = append(out, t)
		}
	}
	return out
}

// kindName returns a name of a kind for people: its value, or the fields that
// only it has. It is "" if the collection has one kind.
func (c *Collection) kindName(i int) string {
	k := c.Kinds[i]
	switch {
	case len(c.Kinds) == 1:
		return ""
	case k.Named:
		return fmt.Sprintf("%s %q", c.Discriminator, k.Value)
	}
	var own []string
	for _, name := range k.Root.FieldNames() {
		if k.Root.Presence(name) >= 0.5 && !slices.ContainsFunc(c.Kinds, func(o *Kind) bool { return o != k && o.Root.Presence(name) >= 0.5 }) {
			own = append(own, name)
		}
	}
	if len(own) == 0 {
		return fmt.Sprintf("kind %d", i+1)
	}
	return "with " + strings.Join(own[:min(3, len(own))], ", ")
}

func (f *File) rows(t *Table, c *Collection, n *Node, path profile.Path, parent *Node) {
	if parent != nil {
		t.Rows = append(t.Rows, f.row(c, n, path, parent))
	}
	for step, child := range n.children() {
		f.rows(t, c, child, append(path[:len(path):len(path)], step), n)
	}
}

func (f *File) row(c *Collection, n *Node, path profile.Path, parent *Node) Row {
	r := Row{Path: path.String(), Longest: n.Max, Length: spread(&n.Lengths), Types: n.typeShares()}
	if n.Fold != Unfolded && r.Length == nil {
		r.Length = spread(&n.Keys)
	}
	if around := parent.Objects(); path[len(path)-1].Kind == profile.Field && around > 0 {
		r.Present = min(1, float64(n.Present())/float64(around))
	} else if n.Values > 0 {
		r.Present = float64(n.Present()) / float64(n.Values)
	}
	switch {
	case n.Scalars() > 0:
		distinct := wireRange(n.Distinct)
		r.Distinct = &distinct
	case n.Names != Range{}:
		names := wireRange(n.Names)
		r.Distinct = &names
	}
	type count struct {
		form  profile.Form
		count int64
	}
	var forms []count
	for form, k := range n.Forms {
		if k > 0 {
			forms = append(forms, count{profile.Form(form), k})
		}
	}
	slices.SortStableFunc(forms, func(a, b count) int { return cmp.Compare(b.count, a.count) })
	for _, form := range forms {
		r.Forms = append(r.Forms, form.form.String())
	}
	for _, ref := range f.References {
		if ref.From != c.Name || ref.Path != r.Path {
			continue
		}
		link := Link{To: ref.To + "." + ref.Key, Resolved: ref.Resolved(), AtLeast: f.Parts > 1 && ref.Found < ref.Tested}
		if path[len(path)-1].Kind == profile.Element {
			link.Many = spread(&parent.Lengths)
		}
		r.References = append(r.References, link)
	}
	return r
}

func (n *Node) typeShares() []TypeShare {
	var out []TypeShare
	for class := profile.Bool; class < profile.NumClasses; class++ {
		if n.Types[class] > 0 {
			out = append(out, TypeShare{class.String(), float64(n.Types[class]) / float64(n.Values)})
		}
	}
	slices.SortStableFunc(out, func(a, b TypeShare) int { return cmp.Compare(b.Share, a.Share) })
	if nulls := n.Types[profile.Null]; nulls > 0 {
		out = append(out, TypeShare{profile.Null.String(), float64(nulls) / float64(n.Values)})
	}
	if n.Fold != Unfolded {
		for i := range out {
			if out[i].Type == profile.Object.String() {
				out[i].Type = "map"
			}
		}
	}
	return out
}
