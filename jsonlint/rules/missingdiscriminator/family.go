package missingdiscriminator

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
)

const (
	familyShare  = 0.95 // share of the documents whose id must be typed
	familyCount  = 2    // ids per family
	familyMost   = 8    // families; more prefixes than that are codes
	familyPurity = 0.9  // purity from which another field predicts the family
)

// checkFamilies looks for kinds of the same shape that only the ids
// distinguish: authors a1, a2 and books b1, b2 that are all {id, name}.
func checkFamilies(p *check.Pass, c *model.Collection) {
	root := c.Profile.Root
	if keyPrefixConvention(p) || c.Discriminator != nil || root.Object.Sampled() || len(c.Entities) != 1 {
		return
	}
	for _, name := range p.Limits.IDKeys {
		id := root.Object.Field(name)
		if id == nil || id.Scalars == nil || c.Profile.Docs < 2*familyCount {
			continue
		}
		typed, _ := id.Scalars.FormCount(profile.FormPrefixNumber)
		prefixes := sampledPrefixes(id)
		if float64(typed) < familyShare*float64(c.Profile.Docs) || len(prefixes) < 2 || id.Scalars.Values.Exact() && slices.Min(slices.Collect(maps.Values(prefixes))) < familyCount {
			continue
		}
		probe := &familyProbe{id: name}
		for _, f := range root.Object.Fields() {
			if f != id && predict.FewValues(f) {
				probe.fields = append(probe.fields, profile.Path{f.Step})
			}
			if f.Object != nil && !f.Object.Sampled() {
				for _, g := range f.Object.Fields() {
					if predict.FewValues(g) {
						probe.fields = append(probe.fields, profile.Path{f.Step, g.Step})
					}
				}
			}
		}
		check.Watch(p, c.Entities[0], probe)
		p.After(func() { reportFamilies(p, c, probe) })
		return
	}
}

// sampledPrefixes counts the ids with each prefix. A document and its backup have the same.
func sampledPrefixes(n *profile.Node) map[string]int {
	ids := map[string]int{}
	for _, v := range n.Scalars.Values.Values() {
		if prefix := string(predict.TypedPrefix([]byte(v.Text))); v.HasText && prefix != "" {
			ids[prefix]++
		}
	}
	return ids
}

// familyProbe counts the documents by the prefix of their ids.
type familyProbe struct {
	id       string
	fields   []profile.Path // fields that may predict the prefix
	families map[string]*family
	overflow bool
}

type family struct {
	count  int64
	first  profile.Pos
	values []map[string]int64 // by field; nil if there were too many
}

func (p *familyProbe) New() check.Probe { return &familyProbe{id: p.id, fields: p.fields} }

func (p *familyProbe) Visit(d *profile.Document) {
	v, ok := d.Get(0, p.id)
	if !ok || p.overflow {
		return
	}
	prefix := string(predict.TypedPrefix(d.Canonical(v)))
	f := p.family(prefix)
	if f == nil {
		return
	}
	f.count++
	f.first = profile.Earlier(f.first, d.At(v))
	for i, path := range p.fields {
		text := ""
		if w, ok := d.First(0, path); ok && d.Class(w) != profile.Object && d.Class(w) != profile.Array {
			text = string(d.Canonical(w))
		}
		if f.values[i] != nil {
			f.values[i][text]++
		}
		f.bound(i)
	}
}

// family finds or makes a family. It returns nil if there are too many.
func (p *familyProbe) family(prefix string) *family {
	f := p.families[prefix]
	if f == nil {
		if len(p.families) == predict.TableValues {
			p.overflow, p.families = true, nil
			return nil
		}
		f = &family{values: make([]map[string]int64, len(p.fields))}
		for i := range f.values {
			f.values[i] = map[string]int64{}
		}
		if p.families == nil {
			p.families = map[string]*family{}
		}
		p.families[prefix] = f
	}
	return f
}

func (f *family) bound(i int) {
	if len(f.values[i]) > predict.TableValues {
		f.values[i] = nil
	}
}

func (p *familyProbe) Merge(other check.Probe) {
	o := other.(*familyProbe)
	if p.overflow || o.overflow {
		p.overflow, p.families = true, nil
		return
	}
	for prefix, theirs := range o.families {
		mine := p.family(prefix)
		if mine == nil {
			return
		}
		mine.count += theirs.count
		mine.first = profile.Earlier(mine.first, theirs.first)
		for i, values := range theirs.values {
			if values == nil || mine.values[i] == nil {
				mine.values[i] = nil
				continue
			}
			for text, n := range values {
				mine.values[i][text] += n
			}
			mine.bound(i)
		}
	}
}

// prefixes returns the families, largest first.
func (p *familyProbe) prefixes() []string {
	var out []string
	for prefix := range p.families {
		out = append(out, prefix)
	}
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(p.families[b].count, p.families[a].count), cmp.Compare(a, b))
	})
	return out
}

// predicted reports whether a field determines the family of a document.
func (p *familyProbe) predicted() bool {
	for i := range p.fields {
		t := predict.ValueTable{Objects: make([]int64, len(p.families)), Counts: map[string][]int64{}}
		for at, prefix := range p.prefixes() {
			f := p.families[prefix]
			if t.Overflow = f.values[i] == nil; t.Overflow {
				break
			}
			t.Objects[at] = f.count
			for text, n := range f.values[i] {
				if t.Counts[text] == nil {
					t.Counts[text] = make([]int64, len(p.families))
				}
				t.Counts[text][at] += n
			}
		}
		if t.Predicts(0, familyPurity) && (t.Pays(math.Inf(1), len(p.fields)) || p.spelled(i)) {
			return true
		}
	}
	return false
}

// spelled reports whether a field's value is the prefix of the id: the role
// "admin" of admin_1. This is hardly accidental even in few documents.
func (p *familyProbe) spelled(field int) bool {
	for prefix, f := range p.families {
		if f.values[field][strings.ToLower(strings.TrimRight(prefix, "-_:./#"))] == 0 {
			return false
		}
	}
	return true
}

func reportFamilies(p *check.Pass, c *model.Collection, probe *familyProbe) {
	prefixes := probe.prefixes()
	if probe.overflow || len(prefixes) < 2 || len(prefixes) > familyMost || probe.predicted() {
		return
	}
	words := map[string]string{}
	named := true
	for _, prefix := range prefixes {
		if prefix == "" || probe.families[prefix].count < familyCount {
			return
		}
		words[prefix] = referringWord(p, prefix)
		if words[prefix] == "" && len(prefix) >= 3 {
			words[prefix] = strings.ToLower(lexicon.Singular(prefix))
		}
		named = named && words[prefix] != ""
	}
	// Prefixes may also be codes within one kind (series, regions). Words, or
	// fields that each refer to one family, show that they are kinds.
	confidence := 0.4
	if named {
		confidence = 0.6
	}
	var parts, types []string
	related := make([]check.RawRelated, 0, len(prefixes))
	second := profile.Pos{}
	order := slices.Clone(prefixes)
	slices.SortFunc(order, func(a, b string) int { return probe.families[a].first.Compare(probe.families[b].first) })
	for i, prefix := range order {
		f := probe.families[prefix]
		parts = append(parts, fmt.Sprintf("%s with %q", quantity.Grouped(f.count), prefix))
		types = append(types, fmt.Sprintf("%q for %q", cmp.Or(words[prefix], "…"), prefix))
		related = append(related, check.RawRelated{Message: fmt.Sprintf("the first id with %q", prefix), At: f.first})
		if i == 1 {
			second = f.first
		}
	}
	r := check.Raw{At: second, Related: related, Finding: finding.Finding{
		Severity: finding.Info, Confidence: confidence,
		Message: fmt.Sprintf("%s holds %s families of ids in documents of one shape, which only the prefix of %s distinguishes: %s",
			c.Name, quantity.Grouped(int64(len(prefixes))), probe.id, strings.Join(parts, "; ")),
		Advice: fmt.Sprintf("If these are different kinds of document, give each a field type (%s): then a query for one kind need not know how ids are made.", strings.Join(types, ", ")),
		Evidence: []finding.Evidence{
			{Name: "documents", Value: c.Profile.Docs},
			{Name: "families", Value: order},
		},
	}}
	r.Fingerprint = "missing-discriminator:" + c.Name + ":" + probe.id
	p.Report(c.Entities[0], nil, r)
}

// referringWord returns the word with which references name the documents of a
// family: the stem of the fields that hold ids with this prefix only.
func referringWord(p *check.Pass, prefix string) string {
	best, most := "", 0
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Scalars == nil {
				return true
			}
			word := naming.ListName(n)
			if stem, _, ok := lexicon.ReferenceStem(word); ok {
				word = stem
			} else if !n.Inside() {
				return true
			} else {
				word = lexicon.Singular(word)
			}
			if found := sampledPrefixes(n); len(found) == 1 && found[prefix] > 0 {
				if count := len(n.Scalars.Values.Values()); count > most || count == most && word < best {
					best, most = word, count
				}
			}
			return true
		})
	}
	return best
}
