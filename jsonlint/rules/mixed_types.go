package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// mixedTypes reports paths at which values have several types. Null is the
// absence of a value, and all numbers are one type. It says nothing where
// something beside the value says which type to expect: a discriminator, the
// name in a map, the position in a tuple.
var mixedTypes = Rule{Name: "mixed-types", Run: func(p *Pass) {
	for _, e := range p.DB.Entities() {
		causes := map[string]*mixed{}
		paths := 0
		walkMixed(p, e, func(n *profile.Node) {
			m := &mixed{entity: e, node: n, path: n.Path(), classes: n.TypeClasses()}
			if first := m.sameCause(causes); first != nil {
				first.alike = append(first.alike, n)
			} else if paths++; paths <= mixedPaths {
				m.watch(p)
			}
		})
	}
}}

const (
	mixedPaths     = 200 // paths of an entity that are looked at
	fewWords       = 3   // distinct texts up to which they are words for a case: unlimited
	wordRepetition = 2   // numbers per text that make the texts the exception
)

// walkMixed calls visit for every node with several types.
func walkMixed(p *Pass, e *model.Entity, visit func(*profile.Node)) {
	e.Root().Walk(func(n *profile.Node) bool {
		if n.Parent != nil && freeForm(p, n) || isGeometry(n) || anything(n) {
			return false
		}
		switch {
		case n.Parent == nil, len(n.TypeClasses()) < 2, isIdentity(e, n), isPairValue(n), dateEncodings(n, dateShare) != nil:
		default:
			visit(n)
		}
		return true
	})
}

// freeForm reports whether the values below n are the users' own.
func freeForm(p *Pass, n *profile.Node) bool {
	return n.Step.Kind == profile.MapValues && n.Parent.Step.Kind == profile.Field && p.Lexicon.Has(lexicon.FreeFormMap, n.Parent.Step.Name)
}

// anything reports whether a field holds values of any type: objects, lists
// and several kinds of scalar. That is its purpose then, as of a payload or of
// test data, and what is below it is as free.
func anything(n *profile.Node) bool {
	return n.Parent != nil && n.Step.Kind != profile.MapValues && len(n.TypeClasses()) >= 4 &&
		n.Types[profile.Object] > 0 && n.Types[profile.Array] > 0
}

// isIdentity reports whether n is the id of the documents: rule mixed-id-type
// is about these.
func isIdentity(e *model.Entity, n *profile.Node) bool {
	return n.Depth == 1 && (n.Step.Name == "id" || n.Step.Name == "_id") ||
		slices.ContainsFunc(e.Keys, func(k *model.Key) bool { return k.ID && k.Node == n })
}

// isPairValue reports whether n is the value of a key-value pair, which holds
// what its key wants: {"name": "size", "value": 3}.
func isPairValue(n *profile.Node) bool {
	for n.Step.Kind == profile.Element {
		n = n.Parent
	}
	if n.Step.Kind != profile.Field || !slices.Contains([]string{"value", "val", "v", "values", "default", "defaultvalue"}, lexicon.Fold(n.Step.Name)) {
		return false
	}
	for _, key := range []string{"key", "name", "k", "field", "attribute", "property", "param", "parameter", "option", "type", "id", "label", "op", "operator"} {
		for _, f := range n.Parent.Object.Fields() {
			if lexicon.Fold(f.Step.Name) == key {
				return true
			}
		}
	}
	return false
}

// mixed is a path with several types.
type mixed struct {
	entity  *model.Entity
	node    *profile.Node
	path    profile.Path
	classes []profile.ClassCount // most frequent first
	alike   []*profile.Node      // more paths with the same cause
}

// sameCause returns the path that was found before m and has the same cause:
// the same field elsewhere or, inside a map, a field beside it, with the same
// types.
func (m *mixed) sameCause(causes map[string]*mixed) *mixed {
	var types []string
	for _, c := range m.classes {
		types = append(types, c.Class.TypeName())
	}
	slices.Sort(types)
	mix := strings.Join(types, " ")
	field := listName(m.node) + "\x00" + mix
	beside := field
	if slices.ContainsFunc(m.path, func(s profile.Step) bool { return s.Kind == profile.MapValues }) {
		beside = m.node.Parent.Path().String() + "\x00\x00" + mix
	}
	first := cmp.Or(causes[field], causes[beside])
	if first == nil {
		causes[field], causes[beside] = m, m
	} else if causes[field] == nil {
		causes[field] = first
	} else if causes[beside] == nil {
		causes[beside] = first
	}
	return first
}

func (m *mixed) watch(p *Pass) {
	var kinds [profile.NumClasses]int // plus one
	for i, c := range m.classes {
		kinds[c.Class] = i + 1
	}
	site := &kindSite{path: m.path, kinds: len(m.classes), around: candidatesAround(p, m.node, len(m.classes))}
	site.classify = func(d *profile.Document, i int) (int, bool) {
		kind := kinds[d.Class(i).TypeClass()]
		return kind - 1, kind > 0
	}
	counts := make([]int64, len(m.classes))
	for i, c := range m.classes {
		counts[i] = c.Count
	}
	site.ruleOut(m.node, counts)
	probe := newKindProbe(site)
	if !site.allRuledOut() {
		Watch(p, m.entity, probe)
	}
	casts := m.findCasts(p)
	p.After(func() {
		for i, t := range probe.tables {
			if !m.placeholder() && !m.position(site.around[i]) && t.predicts(0, p.Threshold("purity")) && m.plausible(probe, site.around[i]) {
				return
			}
		}
		m.report(p, probe, casts)
	})
}

// plausible guards against a field that happens to single out the few values
// of the rare type: only a name that speaks of types explains these.
func (m *mixed) plausible(probe *kindProbe, a around) bool {
	rarest := int64(math.MaxInt64)
	for _, k := range probe.kinds {
		rarest = min(rarest, k.count)
	}
	if rarest >= 3 || a.path == nil {
		return true
	}
	name := lexicon.Fold(a.path[len(a.path)-1].Name)
	return strings.Contains(name, "type") || strings.Contains(name, "kind")
}

func (m *mixed) report(p *Pass, probe *kindProbe, casts *casts) {
	major, minor := m.classes[0], m.classes[len(m.classes)-1]
	r := Raw{At: minor.At, Finding: finding.Finding{Severity: m.severity(p), Confidence: 0.9}}
	var parts []string
	for i, c := range m.classes {
		parts = append(parts, count(c.Count, typeNoun(c.Class)))
		r.Evidence = append(r.Evidence, finding.Evidence{Name: "types." + c.Class.TypeName(), Value: c.Count})
		if i < 4 && c != minor {
			r.Related = append(r.Related, RawRelated{Message: "the first " + typeNoun(c.Class), At: c.At})
		}
	}
	r.Evidence = append(r.Evidence, finding.Evidence{Name: "documents", Value: m.entity.N()})
	name := m.path.String()
	r.Message = fmt.Sprintf("%s holds %s", name, joinNames(parts))
	if quoted := m.quote(p, minor, major); quoted != "" {
		r.Message += quoted
	}
	r.Advice = "Choose one type and convert the rest: indexes, sorts and range filters treat the types apart, so that a query finds one of them only."
	words := m.words()
	switch {
	case m.tuple(p, probe):
		r.Severity, r.Confidence = finding.Info, 0.6
		r.Advice = "These are tuples: each position has a type of its own. An object with named fields says what the positions mean."
	case m.placeholder():
		r.Severity = finding.Info
		r.Message = fmt.Sprintf("%s holds %s; the texts are placeholders for a missing value", name, joinNames(parts))
		r.Advice = fmt.Sprintf("Leave %s out, or write null, where there is no value: then it has one type, and sparse indexes and aggregations skip the gaps.", name)
	case words != nil:
		r.Severity = finding.Info
		r.Message = fmt.Sprintf("%s holds %s; the texts are %s", name, joinNames(parts), strings.Join(quoteAll(words), ", "))
		r.Advice = fmt.Sprintf("Keep %s a number and say the special case in a field of its own (a flag, or a status): sums, sorts and range filters then need no exception.", name)
	case m.emptyArrays():
		r.Advice = fmt.Sprintf("Where %s is empty an array is written, else an object: the habit of writers without a type for empty maps. Write {} or leave it out.", name)
	case m.has(profile.Array) && len(m.classes) == 2:
		r.Advice = "Write an array always, with one element where there is a single value: readers then need no second case and an index on the elements finds both."
	}
	if m.node.Step.Kind == profile.MapValues {
		r.Confidence = 0.6 // the names of a map may stand for different things
	}
	if m.node.Inside() && m.entity.N() < exampleObject {
		r.Confidence = 0.4 // a handful of documents does not show what else tells the types apart
	}
	if len(m.alike) > 0 {
		r.Message += fmt.Sprintf(" (and so %s)", count(int64(len(m.alike)), "more path"))
		r.Evidence = append(r.Evidence, finding.Evidence{Name: "paths", Value: 1 + len(m.alike)})
		for _, n := range m.alike[:min(3, len(m.alike))] {
			classes := n.TypeClasses()
			r.Related = append(r.Related, RawRelated{Message: "the same at " + n.Path().String(), At: classes[len(classes)-1].At})
		}
	}
	r.Fixes, r.Edits = casts.fix(p, m)
	p.Report(m.entity, m.path, r)
}

// severity is an error where documents are found, joined or sorted by the
// value.
func (m *mixed) severity(p *Pass) finding.Severity {
	key := strings.TrimPrefix(p.Collections[m.entity.Collection.Name].PartitionKey, "/")
	if key != "" && strings.ReplaceAll(key, "/", ".") == m.path.String() || p.DB.ReferenceAt(m.node) != nil {
		return finding.Error
	}
	return finding.Warning
}

func typeNoun(c profile.Class) string {
	switch c.TypeClass() {
	case profile.Bool:
		return "boolean"
	case profile.ObjectID:
		return "ObjectId"
	case profile.Binary:
		return "binary value"
	case profile.Special:
		return "special value"
	}
	return c.TypeName()
}

// quote shows one value of the rare and one of the frequent type.
func (m *mixed) quote(p *Pass, minor, major profile.ClassCount) string {
	show := func(c profile.ClassCount) string {
		if c.Class == profile.Object || c.Class == profile.Array {
			return ""
		}
		d, err := p.Document(c.At)
		if err != nil {
			return ""
		}
		start := c.At.Off - d.Base
		if start < 0 || start+int64(c.At.Len) > int64(len(d.Src)) || c.At.Len > 60 {
			return ""
		}
		return string(d.Src[start : start+int64(c.At.Len)])
	}
	rare, frequent := show(minor), show(major)
	switch {
	case rare == "":
		return ""
	case frequent == "":
		return fmt.Sprintf(": here %s", rare)
	}
	return fmt.Sprintf(": here %s, elsewhere %s", rare, frequent)
}

func (m *mixed) has(c profile.Class) bool {
	return slices.ContainsFunc(m.classes, func(k profile.ClassCount) bool { return k.Class == c })
}

// placeholder reports whether all texts stand for no value: "", "N/A".
func (m *mixed) placeholder() bool {
	if len(m.classes) != 2 || !m.has(profile.String) {
		return false
	}
	empty, _ := m.node.Scalars.FormCount(profile.FormEmpty)
	words, _ := m.node.Scalars.FormCount(profile.FormPlaceholder)
	return empty+words == m.node.Types[profile.String]
}

// words returns the texts beside numbers if there are a few that say a
// special case: unlimited, not yet rated.
func (m *mixed) words() []string {
	if len(m.classes) != 2 || !m.has(profile.String) || !m.has(profile.Int) || !m.node.Scalars.Values.Exact() {
		return nil
	}
	for _, f := range []profile.Form{profile.FormInteger, profile.FormDecimal, profile.FormLeadingZero} {
		if n, _ := m.node.Scalars.FormCount(f); n > 0 {
			return nil
		}
	}
	var words []string
	numbers := 0
	for _, v := range m.node.Scalars.Values.Values() {
		switch {
		case !v.Classes.Has(profile.String):
			numbers++
		case !v.HasText || len(words) == fewWords:
			return nil
		default:
			words = append(words, v.Text)
		}
	}
	texts := m.node.Types[profile.String]
	if numbers < wordRepetition*len(words) && texts < int64(wordRepetition*len(words)) {
		return nil
	}
	return words
}

// emptyArrays reports whether objects stand beside arrays that are all empty.
func (m *mixed) emptyArrays() bool {
	return len(m.classes) == 2 && m.has(profile.Object) && m.has(profile.Array) && m.node.Array.Len.Max == 0
}

// position reports whether a candidate is the position of the values in their
// array.
func (m *mixed) position(a around) bool {
	return m.node.Step.Kind == profile.Element && a.path == nil && a.level == m.node.Parent.Depth
}

// tuple reports whether the values are elements of arrays of one length, and
// the position says the type.
func (m *mixed) tuple(p *Pass, probe *kindProbe) bool {
	for i, a := range probe.site.around {
		if m.position(a) && probe.tables[i].predicts(0, p.Threshold("purity")) {
			return true
		}
	}
	return false
}
