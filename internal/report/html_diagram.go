package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/report/html"
	"github.com/shapevet/shapevet/internal/term"
	"github.com/shapevet/shapevet/rulebook"
)

const (
	diagramRows  = 16 // fields shown per collection
	diagramDepth = 3  // levels of embedding shown
	diagramMarks = 3  // findings marked per place
)

// diagramOf draws the collections that were read. It returns nil if there are
// none.
func diagramOf(r *finding.Report) *html.Diagram {
	if len(r.Picture.Collections) == 0 {
		return nil
	}
	d := &html.Diagram{}
	drawer := drawer{report: r, boxes: map[string]int{}, rows: map[string]int{}}
	for i, c := range r.Picture.Collections {
		drawer.boxes[c.Name] = i
	}
	for _, c := range r.Picture.Collections {
		d.Boxes = append(d.Boxes, drawer.box(c))
	}
	for _, ref := range r.Picture.References {
		if a := drawer.arrow(ref); a != nil {
			d.Arrows = append(d.Arrows, a)
		}
	}
	d.Arrange()
	return d
}

type drawer struct {
	report *finding.Report
	boxes  map[string]int // by collection
	rows   map[string]int // by collection and path
}

// spot returns a key for a field of a collection.
func spot(collection, path string) string { return collection + "\x00" + path }

// fieldPath strips element marks from the end of a path, so that findings on
// elements attach to the field that holds them.
func fieldPath(path string) string {
	for {
		cut := strings.TrimSuffix(strings.TrimSuffix(path, "[]"), "{}")
		if cut == path {
			return path
		}
		path = cut
	}
}

// A located finding is about the documents of a collection.
type located struct {
	index int
	path  string
	*finding.Finding
}

func (d *drawer) findings(collection string) []located {
	var out []located
	for i := range d.report.Findings {
		f := &d.report.Findings[i]
		if f.Subject.Kind == finding.KindDocument && f.Subject.Collection == collection {
			out = append(out, located{i, fieldPath(f.Subject.Path), f})
		}
	}
	return out
}

func (d *drawer) box(c finding.PictureCollection) *html.Box {
	box := &html.Box{Name: term.Clean(c.Name), Size: quantity.Of(c.Documents, "document") + " · " + quantity.Bytes(c.Bytes)}
	findings := d.findings(c.Name)
	box.Findings = len(findings)
	for _, k := range c.Kinds {
		box.Kinds = append(box.Kinds, term.Clean(cmp.Or(k.Name, "other"))+" · "+quantity.Grouped(k.Documents))
	}
	if len(box.Kinds) > 6 {
		box.Kinds = append(box.Kinds[:5], "… "+quantity.Of(int64(len(box.Kinds)-5), "more kind"))
	}
	targets := map[string]string{}
	for _, r := range d.report.Picture.References {
		if r.From == c.Name {
			targets[fieldPath(r.Path)] = r.To
		}
	}
	shown := chooseFields(c, findings, targets)
	known := map[string]bool{"": true}
	for _, f := range shown {
		known[f.Path] = true
	}
	at := map[string][]located{}
	for _, f := range findings {
		if front, ok := rulebook.FrontOf(f.Rule); ok && front.Picture == "join" && len(c.Kinds) == 0 {
			box.Join = true
		}
		path := f.path
		for !known[path] { // if a field is not shown, use its container
			path = fieldPath(path[:max(0, strings.LastIndexByte(path, '.'))])
		}
		at[path] = append(at[path], f)
	}
	box.Severity = worst(findings)
	box.Marks = marks(at[""])
	for i, f := range shown {
		d.rows[spot(c.Name, f.Path)] = i
		row := html.Row{
			Depth: min(f.Depth, 4), Name: term.Clean(f.Name), Path: term.Clean(f.Path), Key: f.ID, Type: strings.Join(f.Types, " | "),
			Target: term.Clean(targets[f.Path]), Severity: worst(at[f.Path]), Marks: marks(at[f.Path]),
		}
		if f.Lengths != nil {
			row.Detail = cardinality(f.Lengths)
		} else if f.Presence < 0.995 {
			row.Detail = fmt.Sprintf("%.0f%%", max(1, math.Floor(100*f.Presence)))
		}
		box.Rows = append(box.Rows, row)
	}
	box.More = len(c.Fields) - len(shown)
	return box
}

// chooseFields picks the fields to show: keys, references, embedded objects and
// fields with findings, and then the first others.
func chooseFields(c finding.PictureCollection, findings []located, targets map[string]string) []finding.PictureField {
	rank := make([]int, len(c.Fields))
	parent := make([]int, len(c.Fields))
	var stack []int
	for i, f := range c.Fields {
		stack = stack[:min(f.Depth, len(stack))]
		parent[i] = -1
		if len(stack) > 0 {
			parent[i] = stack[len(stack)-1]
		}
		stack = append(stack, i)
		rank[i] = 1 + 2*f.Depth
		switch {
		case slices.ContainsFunc(findings, func(l located) bool { return l.path == f.Path }):
			rank[i] = -2
		case f.ID, targets[f.Path] != "":
			rank[i] = -1
		case f.Depth == 0 && (f.Lengths != nil || slices.Contains(f.Types, "object")):
			rank[i] = 0
		case f.Depth > diagramDepth:
			rank[i] = 100
		}
	}
	order := make([]int, len(c.Fields))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	chosen := make([]bool, len(c.Fields))
	n := 0
	for _, i := range order {
		need := 0
		for j := i; j >= 0 && !chosen[j]; j = parent[j] {
			need++
		}
		if n+need > diagramRows || rank[i] >= 100 {
			continue
		}
		for j := i; j >= 0 && !chosen[j]; j = parent[j] {
			chosen[j] = true
			n++
		}
	}
	var out []finding.PictureField
	for i, f := range c.Fields {
		if chosen[i] {
			out = append(out, f)
		}
	}
	return out
}

func worst(findings []located) string {
	if len(findings) == 0 {
		return ""
	}
	return slices.MaxFunc(findings, func(a, b located) int { return cmp.Compare(a.Severity, b.Severity) }).Severity.String()
}

func marks(findings []located) []html.Link {
	var out []html.Link
	for _, f := range findings[:min(diagramMarks, len(findings))] {
		out = append(out, html.Link{ID: findingID(f.index), Severity: f.Severity.String(), Label: f.Severity.String() + ": " + f.Rule + ": " + term.Clean(f.Message)})
	}
	return out
}

// cardinality returns the usual number and the maximum; nil means one.
func cardinality(l *finding.Lengths) string {
	switch {
	case l == nil:
		return "1"
	case l.P50 == l.Max:
		return html.Short(float64(l.Max))
	}
	return html.Short(float64(l.P50)) + "…" + html.Short(float64(l.Max))
}

func (d *drawer) arrow(r finding.PictureReference) *html.Arrow {
	from, known := d.boxes[r.From]
	to, led := d.boxes[r.To]
	if !known || !led {
		return nil
	}
	row, shown := d.rows[spot(r.From, fieldPath(r.Path))]
	if !shown {
		row = -1
	}
	a := &html.Arrow{
		From: from, To: to, Row: row, Field: term.Clean(r.From + "." + r.Path), Target: term.Clean(r.To + "." + r.Key),
		FromCount: cardinality(r.PerTarget), ToCount: cardinality(r.PerDocument),
		Weak: r.Resolved < 0.995,
	}
	a.Text = fmt.Sprintf("%s → %s: %s in one document, %s with one key; %.0f%% of the keys lead to a document",
		a.Field, a.Target, a.ToCount, a.FromCount, math.Floor(100*r.Resolved))
	for _, f := range d.findings(r.From) {
		if f.path == fieldPath(r.Path) {
			a.Severity = worst([]located{f})
		}
	}
	return a
}

// measured holds the lengths of arrays and the numbers of references to a key,
// by collection and path.
type measured struct{ lengths, links map[string]*finding.Lengths }

func measuredIn(p finding.Picture) measured {
	m := measured{map[string]*finding.Lengths{}, map[string]*finding.Lengths{}}
	for _, c := range p.Collections {
		for _, f := range c.Fields {
			if f.Lengths != nil {
				m.lengths[spot(c.Name, f.Path)] = f.Lengths
			}
		}
	}
	for _, r := range p.References {
		m.links[spot(r.From, r.Path)] = r.PerTarget
	}
	return m
}
