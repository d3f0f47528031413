// Package dynamickeys reports objects used as maps, whose names are data.
// Package model finds them; this package decides which of them hurt.
package dynamickeys

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Rule is dynamic-keys on documents.
var Rule = check.Rule{Name: "dynamic-keys", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		var groups [][]*model.Map
		for _, m := range e.Maps {
			if m.Node.Step.Kind == profile.MapValues {
				continue // a map of maps is one mistake; the outer one is reported
			}
			if p.DeclaredMap(e, m.Node.Path()) {
				continue // the schema declares a map
			}
			if !widest(e.Collection, m) {
				continue
			}
			i := slices.IndexFunc(groups, func(g []*model.Map) bool {
				return slices.ContainsFunc(g, func(o *model.Map) bool { return sameCause(o, m) })
			})
			if i < 0 {
				groups = append(groups, []*model.Map{m})
				continue
			}
			groups[i] = append(groups[i], m)
		}
		for _, g := range groups {
			slices.SortStableFunc(g, func(a, b *model.Map) int { return cmp.Compare(b.Distinct, a.Distinct) })
			reportMap(p, e, g[0], g[1:])
		}
	}
}}

// sameCause reports whether two maps are in the same object and have the same
// keys, or values of the same shape: the people of each country, say.
func sameCause(a, b *model.Map) bool {
	if a.Node.Parent != b.Node.Parent {
		return false
	}
	x, y := a.Node.Object.Rest, b.Node.Object.Rest
	return a.Distinct == b.Distinct && slices.Equal(a.Names, b.Names) ||
		x != nil && y != nil && (x.Object != nil && y.Object != nil || a.Node.Depth > 1) && model.Alike([]*profile.Node{x, y}) >= 0.8
}

// widest reports whether a map has the most names of all maps at its path in
// all kinds of documents. These are one map and one mistake.
func widest(c *model.Collection, m *model.Map) bool {
	path := m.Node.Path().String()
	for _, e := range c.Entities {
		for _, o := range e.Maps {
			if o != m && o.Node.Path().String() == path && (o.Distinct > m.Distinct || o.Distinct == m.Distinct && o.First.Compare(m.First) < 0) {
				return false
			}
		}
	}
	return true
}

// reportMap reports a map, and others next to it with the same cause.
func reportMap(p *check.Pass, e *model.Entity, m *model.Map, more []*model.Map) {
	name := m.Node.Step.Name
	surely := m.Numeric >= p.Threshold("opaque-share")
	if !surely && p.Lexicon.Has(lexicon.FreeFormMap, name) {
		return
	}
	severity, confidence := finding.Warning, 0.7
	switch {
	case float64(m.PerObject.Max) >= p.Threshold("error-keys"):
		severity, confidence = finding.Error, 0.9
	case m.Distinct <= p.Threshold("vocabulary") && !surely && m.Of == nil && (m.Fresh < p.Threshold("new-names") || areCodes(m.Names)):
		return // a closed set: languages, currencies, weekdays
	case m.Distinct < p.Threshold("few-keys"):
		severity, confidence = finding.Info, 0.6
		if m.Objects == 1 && m.Opaque < 0.5 {
			confidence = 0.4 // numbers in one object: settings have such names too
		}
	case surely || m.Distinct >= 2*p.Threshold("vocabulary"):
		confidence = 0.9
	}
	if m.Node.Depth > 0 && m.Objects == 1 && identity.MayBeFile(p, e) && !(surely && m.Distinct > p.Threshold("vocabulary")) {
		confidence = 0.4 // the values are collections, unless very many numbers or ids name them
	}
	what, cause := m.Node.Path().String()+" is", m.Node.Step.Name+"\x00"+examples(m.Names, 3) // the same map stored in several places
	if m.Node.Depth == 0 {                                                                    // one program stores collections so
		what, cause = "a document is", "a collection in one document"
	}
	distinct := wording.Count(int64(math.Round(m.Distinct)), "distinct key")
	of := ""
	if m.Of != nil {
		of = ", ids of " + m.Of.Name + ","
	}
	message := fmt.Sprintf("%s used as a map, with %s (%s)%s in %s", what, distinct, examples(m.Names, 3), of, wording.Count(m.Objects, "object"))
	if m.Objects > 1 {
		message += fmt.Sprintf(", a median of %s per object", quantity.Grouped(m.PerObject.Quantile(0.5)))
	}
	var related []check.RawRelated
	if len(more) > 0 {
		message += fmt.Sprintf("; the same in %s beside it", wording.Count(int64(len(more)), "field"))
		for _, o := range more {
			related = append(related, check.RawRelated{Message: "the same at " + o.Node.Path().String(), At: o.First})
		}
	}
	fix, err := mapFix(p, e, m)
	if err != nil {
		fix = nil
	}
	p.Report(e, m.Node.Path(), check.Raw{
		At: m.First,
		Finding: finding.Finding{
			Severity: severity, Confidence: confidence, Message: message, Advice: mapAdvice(e, m),
			Evidence: []finding.Evidence{
				{Name: "objects", Value: m.Objects},
				{Name: "keys.distinct", Value: int64(math.Round(m.Distinct))},
				{Name: "keys.perObject.p50", Value: m.PerObject.Quantile(0.5)},
				{Name: "keys.perObject.max", Value: m.PerObject.Max},
				{Name: "keys.entropy", Value: math.Round(100*m.Entropy) / 100},
				{Name: "keys.idLike", Value: math.Round(100*m.IDLike) / 100},
				{Name: "keys.new", Value: math.Round(1000*m.Fresh) / 1000},
				{Name: "keys.presence.p50", Value: math.Round(1000*m.Presence) / 1000},
			},
			Fixes: fix,
		},
		Related: related, Cause: cause, Sure: m.Node.Depth > 0,
	})
}

// areCodes reports whether names are codes of languages, countries or
// currencies: all have two or three letters in one case, or are a language with
// a region.
func areCodes(names []string) bool {
	lower, upper := false, false
	for _, name := range names {
		code, _, _ := strings.Cut(strings.ReplaceAll(name, "_", "-"), "-")
		if len(code) < 2 || len(code) > 3 || strings.IndexFunc(code, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) }) >= 0 {
			return false
		}
		lower = lower || code == strings.ToLower(code)
		upper = upper || code == strings.ToUpper(code)
	}
	return lower != upper
}

func examples(names []string, n int) string {
	quoted := make([]string, 0, n)
	for _, name := range names[:min(n, len(names))] {
		if len(name) > 40 {
			name = name[:37] + "..."
		}
		quoted = append(quoted, fmt.Sprintf("%q", name))
	}
	return strings.Join(quoted, ", ")
}

func mapAdvice(e *model.Entity, m *model.Map) string {
	key := mapKeyName(m)
	if m.Node.Depth == 0 && m.ID == nil {
		return fmt.Sprintf("Store each entry as a document with the key as %q: a collection in one document is read and "+
			"rewritten as a whole, and no index covers names that are data.", key)
	}
	name := m.Node.Step.Name
	if m.Node.Depth == 0 {
		name = "each document"
	}
	if m.PerObject.Max > 100 {
		return fmt.Sprintf("Store the entries of %s as documents with %q and the id of their %s: with up to %s in one "+
			"document an array would grow without bound, and no index covers names that are data.",
			name, key, lexicon.Singular(e.Name()), wording.Count(m.PerObject.Max, "entry"))
	}
	if m.Node.Depth == 0 {
		return fmt.Sprintf("Move the entries of each document into an array of objects with the key as %q: then one index serves every "+
			"key, a query can name one, and a struct or a schema can describe the entries.", key)
	}
	if isSet(m) {
		return fmt.Sprintf("Make %s an array of the keys, since all values are true: then one index serves every key "+
			"and a query can name one.", name)
	}
	return fmt.Sprintf("Make %s an array of objects with the key as %q: then one index serves every key, a query can name one, "+
		"and a struct or a schema can describe the entries.", name, key)
}

// isSet reports whether all values of a map are true, so that it is a set of
// its keys.
func isSet(m *model.Map) bool {
	values := []*profile.Node{m.Node.Object.Rest}
	if values[0] == nil {
		values = m.Node.Object.Fields()
	}
	return !slices.ContainsFunc(values, func(v *profile.Node) bool { return !v.AlwaysTrue() })
}

// mapKeyName returns a name for the field that holds the key.
func mapKeyName(m *model.Map) string {
	rest := m.Node.Object.Rest
	if m.Node.Depth == 0 && m.ID == nil {
		return freeName(rest, "id")
	}
	if m.Numeric >= 0.9 || m.IDLike < 0.6 {
		return freeName(rest, "key")
	}
	return freeName(rest, "id")
}

// freeName returns the name, or a variant that the values of the map do not
// have.
func freeName(values *profile.Node, name string) string {
	for _, candidate := range []string{name, "key", "entryKey"} {
		if values.Object.Field(candidate) == nil {
			return candidate
		}
	}
	return "mapKey"
}

// mapExample bounds the documents shown in a fix.
const mapExample = 4 << 10

// mapFix shows the document with the map's entries as an array, or, if the
// document is itself a map, the entries as documents.
func mapFix(p *check.Pass, e *model.Entity, m *model.Map) ([]finding.Fix, error) {
	path := m.Node.Path()
	if len(m.Beside) > 0 {
		return nil, nil // where these belong is not known
	}
	for _, step := range path {
		if step.Kind != profile.Field {
			return nil, nil // in an array or another map there is no short example
		}
	}
	d, err := p.Document(m.First)
	if err != nil {
		return nil, err
	}
	var document, entries *reshape.Value
	if m.First.DocLen > mapExample {
		document, entries = excerpt(d, m)
	} else {
		document = reshape.From(d.Document, 0)
		entries = document
		if at := document.Select(path); len(path) > 0 && len(at) == 1 {
			entries = at[0]
		}
	}
	if entries == nil || entries.Len() == 0 {
		return nil, nil
	}
	before, err := json.Marshal(document)
	if err != nil || len(before) > mapExample {
		return nil, err
	}
	if len(path) > 0 && isSet(m) {
		return nil, nil // an array of the keys would lose the values, which a plan must not do
	}
	key := mapKeyName(m)
	array := reshape.Array()
	for _, member := range entries.Members() {
		if m.ID == nil || member.Name != m.ID.Step.Name {
			array.Append(entryOf(key, member))
		}
	}
	fix := finding.Fix{Safety: finding.Plan, Before: before, Edits: []finding.Edit{}}
	switch {
	case m.ID != nil:
		fix.Title = fmt.Sprintf("the entries as an array, the key as %q", key)
		id := m.ID.Step.Name
		after := reshape.Object(reshape.Member{Name: id, Value: document.Get(id)}, reshape.Member{Name: "entries", Value: array})
		fix.After = []finding.DocumentInPlace{{Collection: e.Collection.Name, Document: after.AppendJSON(nil)}}
		return []finding.Fix{fix}, nil
	case len(path) == 0:
		fix.Title = fmt.Sprintf("one document per entry, the key as %q", key)
		for _, entry := range array.Elements() {
			fix.After = append(fix.After, finding.DocumentInPlace{Collection: e.Collection.Name, Document: entry.AppendJSON(nil)})
		}
		return []finding.Fix{fix}, nil
	}
	fix.Title = fmt.Sprintf("%s as an array of entries, the key as %q", path, key)
	holder := document
	if len(path) > 1 {
		holder = document.Select(path[:len(path)-1])[0]
	}
	holder.Set(m.Node.Step.Name, array)
	fix.After = []finding.DocumentInPlace{{Collection: e.Collection.Name, Document: document.AppendJSON(nil)}}
	return []finding.Fix{fix}, nil
}

// entryOf turns a member of a map into an object that includes its name.
func entryOf(key string, member reshape.Member) *reshape.Value {
	entry := reshape.Object(reshape.Member{Name: key, Value: reshape.String(member.Name)})
	if member.Value.Kind() != scan.Object {
		entry.Set("value", member.Value)
		return entry
	}
	for _, m := range member.Value.Members() {
		entry.Set(m.Name, m.Value)
	}
	return entry
}

// excerpt returns the id of a large document with the first entries of the map,
// and these entries, or nothing if they are large too.
func excerpt(d *profile.Document, m *model.Map) (short, entries *reshape.Value) {
	at, path := 0, m.Node.Path()
	if len(path) > 0 {
		var ok bool
		if at, ok = d.First(0, path); !ok {
			return nil, nil
		}
	}
	few, more := reshape.Object(), 2
	for name, value := range d.Members(at) {
		isID := m.ID != nil && d.String(name) == m.ID.Step.Name
		if more == 0 && !isID {
			continue
		}
		if len(d.Raw(value)) > mapExample {
			return nil, nil
		}
		few.Set(d.String(name), reshape.From(d.Document, value))
		if !isID {
			more--
		}
	}
	if len(path) == 0 {
		return few, few
	}
	short = reshape.Object()
	for _, id := range []string{"id", "_id"} {
		if v, ok := d.Get(0, id); ok && len(d.Raw(v)) <= mapExample {
			short.Set(id, reshape.From(d.Document, v))
		}
	}
	holder := short
	for _, step := range path[:len(path)-1] {
		next := reshape.Object()
		holder.Set(step.Name, next)
		holder = next
	}
	holder.Set(path[len(path)-1].Name, few)
	return short, few
}
