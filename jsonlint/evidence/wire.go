package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// wireFile is the JSON form of a file without the collections.
type wireFile struct {
	Format    string   `json:"format"`
	Version   int      `json:"version"`
	Tools     []string `json:"tools"`
	From      string   `json:"from"`
	Until     string   `json:"until"`
	Parts     int      `json:"parts"`
	Documents int64    `json:"documents"`

	Collections []wireCollection `json:"collections"`
	References  []*Reference     `json:"references"`
}

type wireCollection struct {
	Name          string     `json:"name"`
	Documents     int64      `json:"documents"`
	Discriminator string     `json:"discriminator,omitempty"`
	Kinds         []wireKind `json:"kinds"`
}

type wireKind struct {
	Value     *string        `json:"value,omitempty"`
	Documents int64          `json:"documents"`
	Sizes     *wireHistogram `json:"sizes"`
	Depths    *wireHistogram `json:"depths"`
	Paths     []wireNode     `json:"paths"`
}

type wireNode struct {
	Path      string           `json:"path"`
	Docs      int64            `json:"documents,omitempty"`
	Values    int64            `json:"values"`
	Types     map[string]int64 `json:"types"`
	Bytes     int64            `json:"bytes"`
	Max       int64            `json:"longest"`
	Distinct  *wireRange       `json:"distinct,omitempty"`
	Forms     map[string]int64 `json:"forms,omitempty"`
	Ints      *[2]int          `json:"bits,omitempty"`
	Fractions int64            `json:"fractions,omitempty"`
	Decimals  int64            `json:"decimals,omitempty"`
	Blobs     int64            `json:"blobs,omitempty"`
	Lengths   *wireHistogram   `json:"length,omitempty"`
	Keys      *wireHistogram   `json:"keys,omitempty"`
	Fold      string           `json:"folded,omitempty"`
	Names     *wireRange       `json:"names,omitempty"`
}

var foldNames = []string{Few: "few", Varied: "varied", Map: "map"}

// A wireRange is one number or two.
type wireRange Range

func (r wireRange) MarshalJSON() ([]byte, error) {
	if r.Least == r.Most {
		return json.Marshal(r.Least)
	}
	return json.Marshal([]int64{r.Least, r.Most})
}

func (r *wireRange) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &r.Least) == nil {
		r.Most = r.Least
		return nil
	}
	var both []int64
	if err := json.Unmarshal(text, &both); err != nil {
		return err
	}
	if len(both) != 2 || both[0] > both[1] {
		return errors.New("a range is a number, or the least and the most")
	}
	r.Least, r.Most = both[0], both[1]
	return nil
}

// A wireHistogram includes quantiles for human readers. They follow from the
// buckets, which alternate between the lowest value and the number of values.
type wireHistogram struct {
	P50     int64   `json:"p50"`
	P95     int64   `json:"p95"`
	P99     int64   `json:"p99"`
	Min     int64   `json:"min"`
	Max     int64   `json:"max"`
	AtMax   int64   `json:"atMax"`
	Sum     int64   `json:"sum"`
	Buckets []int64 `json:"buckets"`
}

func toWire(h *profile.Histogram) *wireHistogram {
	if h.Count == 0 {
		return nil
	}
	s := h.State()
	w := &wireHistogram{
		P50: h.Quantile(0.5), P95: h.Quantile(0.95), P99: h.Quantile(0.99),
		Min: s.Min, Max: s.Max, AtMax: s.AtMax, Sum: s.Sum,
	}
	for i, low := range s.Lows {
		w.Buckets = append(w.Buckets, low, s.Counts[i])
	}
	return w
}

func (w *wireHistogram) histogram() (profile.Histogram, error) {
	if w == nil {
		return profile.Histogram{}, nil
	}
	s := profile.HistogramState{Sum: w.Sum, Min: w.Min, Max: w.Max, AtMax: w.AtMax}
	for pair := range slices.Chunk(w.Buckets, 2) {
		if len(pair) != 2 {
			return profile.Histogram{}, errors.New("the buckets of a histogram are pairs")
		}
		s.Lows, s.Counts = append(s.Lows, pair[0]), append(s.Counts, pair[1])
	}
	return profile.RestoreHistogram(s)
}

func rangeToWire(r Range) *wireRange {
	if r == (Range{}) {
		return nil
	}
	w := wireRange(r)
	return &w
}

// Marshal returns the file as JSON, with a line per path. The same evidence
// gives the same bytes.
func (f *File) Marshal() ([]byte, error) {
	head := wireFile{
		Format: Format, Version: Version, Tools: f.Tools, From: f.From, Until: f.Until, Parts: f.Parts, Documents: f.Documents(),
		References: f.References,
	}
	for _, c := range f.Collections {
		w := wireCollection{Name: c.Name, Documents: c.Documents(), Discriminator: c.Discriminator}
		for _, k := range c.Kinds {
			kind := wireKind{Documents: k.Documents, Sizes: toWire(&k.Sizes), Depths: toWire(&k.Depths)}
			if k.Named {
				kind.Value = &k.Value
			}
			kind.Paths = appendPaths(nil, k.Root, nil)
			w.Kinds = append(w.Kinds, kind)
		}
		head.Collections = append(head.Collections, w)
	}
	var out bytes.Buffer
	if err := layout().Execute(&out, &head); err != nil {
		return nil, fmt.Errorf("write the evidence: %w", err)
	}
	return out.Bytes(), nil
}

func appendPaths(out []wireNode, n *Node, path profile.Path) []wireNode {
	w := wireNode{
		Path: path.String(), Docs: n.Docs, Values: n.Values, Types: map[string]int64{}, Bytes: n.Bytes, Max: n.Max,
		Distinct: rangeToWire(n.Distinct), Fractions: n.Fractions, Decimals: n.Decimals, Blobs: n.Blobs, Lengths: toWire(&n.Lengths), Names: rangeToWire(n.Names), Fold: foldNames[n.Fold],
	}
	if n.Types[profile.Int] > 0 {
		w.Ints = &[2]int{n.Ints.Below, n.Ints.Above}
	}
	for class, k := range n.Types {
		if k > 0 {
			w.Types[profile.Class(class).String()] = k
		}
	}
	for form, k := range n.Forms {
		if k > 0 {
			if w.Forms == nil {
				w.Forms = map[string]int64{}
			}
			w.Forms[profile.Form(form).String()] = k
		}
	}
	w.Keys = toWire(&n.Keys)
	out = append(out, w)
	for step, child := range n.children() {
		out = appendPaths(out, child, append(path[:len(path):len(path)], step))
	}
	return out
}

// layout is the layout of a file: structure on separate lines, each record on
// one.
var layout = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("evidence").Funcs(template.FuncMap{"json": recordText}).Parse(`{
  "format": {{json .Format}},
  "version": {{json .Version}},
  "tools": {{json .Tools}},
  "from": {{json .From}},
  "until": {{json .Until}},
  "parts": {{json .Parts}},
  "documents": {{json .Documents}},
  "collections": [
{{- range $i, $c := .Collections}}{{if $i}},{{end}}
    {
      "name": {{json .Name}},
      "documents": {{json .Documents}},
{{- if .Discriminator}}
      "discriminator": {{json .Discriminator}},
{{- end}}
      "kinds": [
{{- range $i, $k := .Kinds}}{{if $i}},{{end}}
        {
{{- if .Value}}
          "value": {{json .Value}},
{{- end}}
          "documents": {{json .Documents}},
          "sizes": {{json .Sizes}},
          "depths": {{json .Depths}},
          "paths": [
{{- range $i, $p := .Paths}}{{if $i}},{{end}}
            {{json .}}
{{- end}}
{{- if .Paths}}
          {{end}}]
        }
{{- end}}
{{- if .Kinds}}
      {{end}}]
    }
{{- end}}
{{- if .Collections}}
  {{end}}],
  "references": [
{{- range $i, $r := .References}}{{if $i}},{{end}}
    {{json .}}
{{- end}}
{{- if .References}}
  {{end}}]
}
`))
})

// recordText returns a value as JSON on one line.
func recordText(v any) (string, error) {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return strings.TrimSuffix(out.String(), "\n"), err
}

// Parse is the inverse of [File.Marshal].
func Parse(text []byte) (*File, error) {
	var probe struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(text, &probe); err != nil || probe.Format != Format {
		return nil, errors.New("this is not an evidence file: \"shapevet profile INPUT... -o FILE\" writes one")
	}
	if probe.Version != Version {
		return nil, fmt.Errorf("the evidence has format version %d, this shapevet reads version %d", probe.Version, Version)
	}
	var w wireFile
	if err := json.Unmarshal(text, &w); err != nil {
		return nil, fmt.Errorf("read the evidence: %w", err)
	}
	f := &File{Tools: w.Tools, From: w.From, Until: w.Until, Parts: w.Parts, References: w.References}
	for _, day := range []string{f.From, f.Until} {
		if _, err := time.Parse(DateLayout, day); err != nil {
			return nil, fmt.Errorf("read the evidence: %q is not a day such as 2026-01-31", day)
		}
	}
	for i := range w.Collections {
		c, err := w.Collections[i].collection()
		if err != nil {
			return nil, fmt.Errorf("read the evidence: collection %q: %w", w.Collections[i].Name, err)
		}
		if f.Collection(c.Name) != nil {
			return nil, fmt.Errorf("read the evidence: two collections have the name %q", c.Name)
		}
		f.Collections = append(f.Collections, c)
	}
	for _, r := range f.References {
		if r == nil || f.Collection(r.From) == nil || f.Collection(r.To) == nil {
			return nil, errors.New("read the evidence: a reference leads from or to a collection that is not there")
		}
	}
	return f, nil
}

func (w *wireCollection) collection() (*Collection, error) {
	c := &Collection{Name: w.Name, Discriminator: w.Discriminator}
	for i := range w.Kinds {
		from := &w.Kinds[i]
		k := &Kind{Documents: from.Documents, Root: &Node{}}
		if from.Value != nil {
			k.Value, k.Named = *from.Value, true
		}
		var err error
		if k.Sizes, err = from.Sizes.histogram(); err != nil {
			return nil, err
		}
		if k.Depths, err = from.Depths.histogram(); err != nil {
			return nil, err
		}
		for j := range from.Paths {
			if err := k.Root.put(&from.Paths[j]); err != nil {
				return nil, err
			}
		}
		c.Kinds = append(c.Kinds, k)
	}
	return c, nil
}

// put adds a record to the tree.
func (n *Node) put(w *wireNode) error {
	path, err := ParsePath(w.Path)
	if err != nil {
		return err
	}
	for i, s := range path {
		next := n.step(s)
		if next == nil {
			if i < len(path)-1 {
				return fmt.Errorf("path %q: the path that contains it does not come before it", w.Path)
			}
			next = n.child(s)
		}
		n = next
	}
	return n.fill(w)
}

func (n *Node) fill(w *wireNode) (err error) {
	n.Docs, n.Values, n.Bytes, n.Max, n.Blobs = w.Docs, w.Values, w.Bytes, w.Max, w.Blobs
	if min(n.Docs, n.Values, n.Bytes, n.Max, n.Blobs) < 0 {
		return fmt.Errorf("path %q: a count is negative", w.Path)
	}
	n.Fractions, n.Decimals = w.Fractions, w.Decimals
	if n.Fractions < 0 || n.Decimals < 0 || n.Fractions+n.Decimals > w.Types[profile.Double.String()] {
		return fmt.Errorf("path %q: the fractions are more than the numbers", w.Path)
	}
	switch {
	case w.Ints != nil && (min(w.Ints[0], w.Ints[1]) < 0 || max(w.Ints[0], w.Ints[1]) > 64):
		return fmt.Errorf("path %q: integers have 0 to 64 bits", w.Path)
	case w.Ints != nil:
		n.Ints = Width{w.Ints[0], w.Ints[1]}
	case w.Types[profile.Int.String()] > 0: // written before widths existed
		n.Ints = Width{64, 64}
	}
	left := n.Values
	for class := range n.Types {
		k := w.Types[profile.Class(class).String()]
		if k < 0 || k > left {
			return fmt.Errorf("path %q: the types are more than the values", w.Path)
		}
		left -= k
		n.Types[class] = k
	}
	for form := range n.Forms {
		n.Forms[form] = max(0, w.Forms[profile.Form(form).String()])
	}
	if w.Distinct != nil {
		n.Distinct = Range(*w.Distinct)
	}
	if w.Names != nil {
		n.Names = Range(*w.Names)
	}
	if fold := slices.Index(foldNames, w.Fold); fold >= 0 {
		n.Fold = Fold(fold)
	} else {
		return fmt.Errorf("path %q: unknown folded %q", w.Path, w.Fold)
	}
	if n.Lengths, err = w.Lengths.histogram(); err != nil {
		return fmt.Errorf("path %q: %w", w.Path, err)
	}
	if n.Keys, err = w.Keys.histogram(); err != nil {
		return fmt.Errorf("path %q: %w", w.Path, err)
	}
	return nil
}

// maxFile keeps a mistyped name from filling the memory.
const maxFile = 64 << 20

// Load reads a file.
func Load(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the evidence: %w", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read the evidence: %w", err)
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s: this is not an evidence file: it is larger than %s", filepath.ToSlash(path), quantity.Bytes(maxFile))
	}
	f, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.ToSlash(path), err)
	}
	return f, nil
}
