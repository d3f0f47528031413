// Package mixedtypes reports paths at which values have several types. Null is
// the absence of a value, and all numbers are one type. A path is not reported
// if something next to the value says which type to expect: a discriminator,
// the name in a map, the position in a tuple.
package mixedtypes

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/dates"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/geo"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is mixed-types on documents.
var Rule = check.Rule{Name: "mixed-types", Run: func(p *check.Pass) {
	var watched []*mixed
	for _, e := range p.DB.Entities() {
		causes := map[string]*mixed{}
		var all []*mixed
		walkMixed(p, e, func(n *profile.Node) {
			m := &mixed{entity: e, node: n, path: n.Path(), classes: n.TypeClasses()}
			if first := m.sameCause(causes); first != nil {
				first.join(m)
			} else if len(all) < mixedPaths {
				all = append(all, m)
			}
		})
		for _, m := range all {
			m.watch(p)
		}
		watched = append(watched, all...)
	}
	p.After(func() {
		// A field that says the type in one kind of document does so in the others,
		// even if these are few.
		known := map[string]bool{}
		for _, m := range watched {
			for i := range m.probe.Tables {
				if a := m.probe.Site.Around[i]; m.explained(p, &m.probe.Tables[i], a) {
					m.known, known[m.explanation(a)] = true, true
				}
			}
		}
		for _, m := range watched {
			for i := range m.probe.Tables {
				m.known = m.known || known[m.explanation(m.probe.Site.Around[i])] && m.probe.Tables[i].Predicts(0, p.Threshold("purity"))
			}
			if !m.known && !m.lost(p) {
				m.report(p)
			}
		}
	})
}}

const (
	mixedPaths     = 200 // paths of an entity that are examined
	fewWords       = 3   // distinct texts up to which they are words for a case: unlimited
	wordRepetition = 2   // numbers per text that make the texts the exception
)

// walkMixed calls visit for every node with several types.
func walkMixed(p *check.Pass, e *model.Entity, visit func(*profile.Node)) {
	linked := e.Root().Object != nil && e.Root().Object.Field("@context") != nil
	e.Root().Walk(func(n *profile.Node) bool {
		if n.Parent != nil && freeForm(p, n) || geo.IsGeometry(n) || anything(n) || ofEntry(n) && payloads(p)[n.Path().String()] {
			return false
		}
		switch {
		case linked && n.Types[profile.Object]+n.Types[profile.Array] > 0: // in JSON-LD a thing, its name and lists of them are the same
		case n.Parent == nil, len(n.TypeClasses()) < 2, isIdentity(e, n), isPairValue(n), computed(n), naming.Positional(n), dates.Encodings(n, dates.Share) != nil:
		default:
			visit(n)
		}
		return true
	})
}

// freeForm reports whether the users choose the values below n.
func freeForm(p *check.Pass, n *profile.Node) bool {
	return n.Step.Kind == profile.MapValues && n.Parent.Step.Kind == profile.Field && p.Lexicon.Has(lexicon.FreeFormMap, n.Parent.Step.Name)
}

// anything reports whether a field contains values of any type: objects, lists
// and several kinds of scalar. Then that is its purpose, as with a payload or
// test data, and the values below it are arbitrary too.
func anything(n *profile.Node) bool {
	return n.Parent != nil && n.Step.Kind != profile.MapValues && len(n.TypeClasses()) >= 4 &&
		n.Types[profile.Object] > 0 && n.Types[profile.Array] > 0
}

// payloads returns the fields of the entries of maps that contain lists and objects, where
// the objects have hardly a name in common. Then each entry has a content of another kind, as
// recorded responses do, and so have those of the maps beside it.
func payloads(p *check.Pass) map[string]bool {
	return check.Once(p, "payloads", func() map[string]bool {
		found := map[string]bool{}
		for _, e := range p.DB.Entities() {
			if len(e.Maps) == 0 {
				continue
			}
			e.Root().Walk(func(n *profile.Node) bool {
				if ofEntry(n) && n.Types[profile.Array] > 0 && n.Object != nil && ofManyKinds(p, n) {
					found[n.Path().String()] = true
				}
				return true
			})
		}
		return found
	})
}

// ofEntry reports whether n is a field of the entries of a map.
func ofEntry(n *profile.Node) bool {
	return n.Step.Kind == profile.Field && n.Parent != nil && n.Parent.Step.Kind == profile.MapValues
}

func ofManyKinds(p *check.Pass, n *profile.Node) bool {
	names, held := 0.0, 0.0
	for _, f := range n.Object.Fields() {
		names, held = names+1, held+float64(f.Count)
	}
	return names >= p.Threshold("payload-names") && held <= p.Threshold("payload-presence")*names*float64(n.Types[profile.Object])
}

// isIdentity reports whether n is the id of the documents, which rule
// mixed-id-type checks.
func isIdentity(e *model.Entity, n *profile.Node) bool {
	return n.Depth == 1 && (n.Step.Name == "id" || n.Step.Name == "_id") ||
		slices.ContainsFunc(e.Keys, func(k *model.Key) bool { return k.ID && k.Node == n })
}

// isPairValue reports whether n is the value of a key-value pair, whose type
// depends on the key: {"name": "size", "value": 3}.
func isPairValue(n *profile.Node) bool {
	for n.Step.Kind == profile.Element {
		n = n.Parent
	}
	if n.Step.Kind != profile.Field || !slices.Contains(valueFieldsWords(), lexicon.Fold(n.Step.Name)) {
		return false
	}
	return slices.ContainsFunc(n.Parent.Object.Fields(), func(f *profile.Node) bool { return slices.Contains(keyFieldsWords(), lexicon.Fold(f.Step.Name)) })
}

// computed reports whether each text is an expression.
func computed(n *profile.Node) bool {
	found := false
	if n.Scalars != nil {
		for v := range n.Scalars.Values.Texts() {
			if v.Classes.Has(profile.String) && !profile.Computed(v.Text) {
				return false
			}
			found = found || v.Classes.Has(profile.String)
		}
	}
	return found
}

// mixed is a path with several types.
type mixed struct {
	entity  *model.Entity
	node    *profile.Node
	path    profile.Path
	classes []profile.ClassCount // most frequent first
	alike   []*profile.Node      // more paths with the same cause
	probe   *predict.Probe
	casts   *casts
	known   bool // something next to the values says which type to expect
}

// sameCause returns the path that was found before m and has the same cause:
// the same field elsewhere or, inside a map, a field next to it, with the same
// types; or a field next to it in which texts also stand for missing values.
func (m *mixed) sameCause(causes map[string]*mixed) *mixed {
	var types []string
	for _, c := range m.classes {
		types = append(types, c.Class.TypeName())
	}
	slices.Sort(types)
	mix := strings.Join(types, " ")
	field := naming.ListName(m.node) + "\x00" + mix
	beside := field
	if m.placeholder() { // code that writes "" for no value does so in all fields of an object
		beside = m.node.Parent.Path().String() + "\x00\x00missing"
	} else if words := m.words(); words != nil { // as it does with a word for it
		beside = m.node.Parent.Path().String() + "\x00\x00word\x00" + strings.Join(words, "\x00")
	} else if slices.ContainsFunc(m.path, func(s profile.Step) bool { return s.Kind == profile.MapValues }) {
		beside = m.node.Parent.Path().String() + "\x00\x00" + mix
	}
	first := cmp.Or(causes[field], causes[beside])
	causes[field], causes[beside] = cmp.Or(causes[field], first, m), cmp.Or(causes[beside], first, m)
	return first
}

// join adds a path with the same cause. The path with the most values
// represents all of them.
func (m *mixed) join(o *mixed) {
	if o.node.Present() > m.node.Present() {
		m.node, m.path, m.classes, o.node = o.node, o.path, o.classes, m.node
	}
	m.alike = append(m.alike, o.node)
}

func (m *mixed) watch(p *check.Pass) {
	var kinds [profile.NumClasses]int // plus one
	for i, c := range m.classes {
		kinds[c.Class] = i + 1
	}
	site := &predict.Site{Path: m.path, Kinds: len(m.classes), Around: predict.CandidatesAround(m.node)}
	site.Classify = func(d *profile.Document, i int) (int, bool) {
		kind := kinds[d.Class(i).TypeClass()]
		return kind - 1, kind > 0
	}
	counts := make([]int64, len(m.classes))
	for i, c := range m.classes {
		counts[i] = c.Count
	}
	site.RuleOut(m.node, counts)
	m.probe = predict.NewProbe(site)
	if !site.AllRuledOut() {
		check.Watch(p, m.entity, m.probe)
	}
	m.casts = m.findCasts(p)
}

// explanation names a candidate around the values, in all kinds of document.
func (m *mixed) explanation(a predict.Around) string {
	return fmt.Sprintf("%s\x00%s\x00%d\x00%s", m.entity.Collection.Name, m.path, a.Level, a.Path)
}

// explained reports whether one of the candidates around the values says which
// type to expect. One that is called type need not be searched for among the
// others.
func (m *mixed) explained(p *check.Pass, t *predict.ValueTable, a predict.Around) bool {
	if m.placeholder() || m.position(a) {
		return false
	}
	candidates := len(m.probe.Site.Around)
	switch {
	case a.Path == nil:
		candidates = 1
	case p.Lexicon.Has(lexicon.Discriminator, a.Path[len(a.Path)-1].Name):
		holder := m.node
		for holder.Depth > a.Level {
			holder = holder.Parent
		}
		if len(a.Path) == 1 && t.Alone(&holder.At(a.Path).Scalars.Values) {
			return true
		}
		candidates = 1
	case m.written(p): // that a value was written as text has to do with the program that wrote it
		return false
	}
	return t.Predicts(0, p.Threshold("purity")) && t.Pays(m.news(), candidates)
}

// news returns how many values are informative: a repeated text or number shows
// its type only once. Booleans have to repeat, unless one of the two is a default.
func (m *mixed) news() float64 {
	scalars, distinct := 0.0, 0.0
	if s := m.node.Scalars; s != nil {
		scalars, distinct = float64(m.node.ScalarCount()), s.Values.Distinct()
		both := 0
		for _, v := range s.Values.Values() {
			if v.Classes.Has(profile.Bool) {
				both++
			}
		}
		if both == 2 {
			scalars, distinct = scalars-float64(m.node.Types[profile.Bool]), distinct-2
		}
	}
	return float64(m.node.Present()) - scalars + min(scalars, distinct)
}

// lost reports whether the only texts are ones that lost-value reports.
func (m *mixed) lost(p *check.Pass) bool {
	return len(m.classes) == 2 && m.has(profile.String) &&
		!slices.ContainsFunc(slices.Concat(m.alike, []*profile.Node{m.node}), func(n *profile.Node) bool { return explained.Lost(p)[n] < n.Types[profile.String] })
}

func (m *mixed) report(p *check.Pass) {
	major, minor := m.classes[0], m.classes[len(m.classes)-1]
	r := check.Raw{At: minor.At, Finding: finding.Finding{Severity: m.severity(p), Confidence: 0.9}}
	var parts []string
	for _, c := range m.classes {
		parts = append(parts, wording.Count(c.Count, typeNoun(c.Class)))
		r.Evidence = append(r.Evidence, finding.Evidence{Name: "types." + c.Class.TypeName(), Value: c.Count})
		if c != minor {
			r.Related = append(r.Related, check.RawRelated{Message: "the first " + typeNoun(c.Class), At: c.At})
		}
	}
	r.Evidence = append(r.Evidence, finding.Evidence{Name: "documents", Value: m.entity.N()})
	name := m.path.String()
	r.Message = fmt.Sprintf("%s holds %s", name, wording.JoinNames(parts))
	if quoted := m.quote(p, minor, major); quoted != "" {
		r.Message += quoted
	}
	r.Advice = "Choose one type and convert the rest: a query, a sort or a range filter sees only values of one type."
	words := m.words()
	switch {
	case m.tuple(p):
		r.Severity, r.Confidence = finding.Info, 0.6
		r.Advice = "Use an object with named fields: these are tuples, and nothing says what the positions mean."
	case m.placeholder():
		r.Severity, r.Cause = finding.Info, "texts for a missing value" // which an export of a table writes in all columns
		r.Message = fmt.Sprintf("%s holds %s; the texts stand for a missing value", name, wording.JoinNames(parts))
		r.Advice = fmt.Sprintf("Leave %s out or write null where there is no value: then it has one type, and sparse indexes and aggregations skip the gaps.", name)
	case words != nil:
		r.Severity, r.Cause = finding.Info, "words among numbers"
		r.Message = fmt.Sprintf("%s holds %s; the texts are %s", name, wording.JoinNames(parts), strings.Join(wording.QuoteAll(words), ", "))
		if major.Class == profile.String {
			break // a number for once, among words
		}
		r.Advice = fmt.Sprintf("Keep %s a number and store the special case in another field, such as a status: then sums, sorts and range filters need no exception.", name)
	case m.has(profile.Array) && len(m.classes) == 2:
		r.Advice = "Always write an array, with one element where there is a single value: then readers need no second case, and an index on the elements finds both."
	}
	if m.node.Step.Kind == profile.MapValues {
		r.Confidence = 0.6 // the names of a map may stand for different things
	}
	if m.scarce(p) {
		r.Confidence = 0.4
	}
	if len(m.alike) > 0 {
		r.Message += fmt.Sprintf("; the same in %s", wording.Count(int64(len(m.alike)), "more path"))
		r.Evidence = append(r.Evidence, finding.Evidence{Name: "paths", Value: 1 + len(m.alike)})
		for _, n := range m.alike {
			classes := n.TypeClasses()
			r.Related = append(r.Related, check.RawRelated{Message: "the same at " + n.Path().String(), At: classes[len(classes)-1].At})
		}
	}
	if m.typedByLooks() {
		r.Cause = "each value typed by its looks"
	}
	r.Fixes, r.Edits = m.casts.fix(p, m)
	p.Report(m.entity, m.path, r)
}

// scarce reports whether there are too few documents or values to show that nothing
// tells the types apart. A number written as text needs no more of them. A list of two
// does, if it is the only one: each position may have a type of its own.
func (m *mixed) scarce(p *check.Pass) bool {
	two := m.node.Present() == 2
	switch {
	case two && m.node.Step.Kind == profile.Element && m.node.Parent.Types[profile.Array] == 1:
		return true
	case m.written(p):
		return false
	case two && m.has(profile.Object):
		return true
	}
	return m.node.Inside() && m.documents() < predict.FewObjects && !(m.placeholder() && m.node.Present() >= predict.FewObjects)
}

// severity returns error if documents are found, joined or sorted by the value.
func (m *mixed) severity(p *check.Pass) finding.Severity {
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

// longestQuote is the length up to which a value is shown.
const longestQuote = 60

// quote shows one value of the rare and one of the frequent type.
func (m *mixed) quote(p *check.Pass, minor, major profile.ClassCount) string {
	show := func(c profile.ClassCount) string {
		if c.Class == profile.Object || c.Class == profile.Array {
			return ""
		}
		d, i, ok := places.TokenOf(p, c.At)
		if !ok {
			return ""
		}
		if text := places.Written(d, i); len(text) <= longestQuote {
			return text
		}
		return ""
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

// placeholder reports whether all texts stand for missing values: "", "N/A".
func (m *mixed) placeholder() bool {
	if len(m.classes) != 2 || !m.has(profile.String) {
		return false
	}
	empty, _ := m.node.Scalars.FormCount(profile.FormEmpty)
	words, _ := m.node.Scalars.FormCount(profile.FormPlaceholder)
	return empty+words == m.node.Types[profile.String]
}

// words returns the texts among numbers if there are a few that name a special
// case: unlimited, not yet rated.
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

// typedByLooks reports whether a converter took texts for numbers where they look like
// ones: a 4 among lists such as "1,2,3", a 7 among remarks, and no text that is a number.
func (m *mixed) typedByLooks() bool {
	if len(m.classes) != 2 || !m.has(profile.String) || !m.has(profile.Int) {
		return false
	}
	texts, lists := 0, 0
	for v := range m.node.Scalars.Values.Texts() {
		if !v.Classes.Has(profile.String) {
			continue
		}
		if f := profile.FormOf([]byte(v.Text)); f == profile.FormInteger || f == profile.FormDecimal || f == profile.FormPlaceholder || f == profile.FormEmpty {
			return false
		}
		texts++
		if strings.Trim(v.Text, "0123456789,+#;| ") == "" {
			lists++
		}
	}
	return texts > 0 && (2*lists > texts || m.classes[0].Class == profile.String)
}

// documents returns the number of documents that may show what distinguishes the
// types. The objects in a map stand for documents, unless the map is in a list too.
func (m *mixed) documents() int64 {
	most := m.entity.N()
	for n := m.node; n != nil; n = n.Parent {
		switch n.Step.Kind {
		case profile.MapValues:
			most = max(most, n.Types[profile.Object])
		case profile.Element:
			most = m.entity.N()
		}
	}
	return most
}

// written reports whether most texts are the other type written as text: "2"
// among numbers, the digits of an ObjectId among ObjectIds, JSON among objects; or
// the numbers among booleans are 0 and 1; or the arrays hold the objects or texts that
// stand alone elsewhere. Nothing next to the values explains two types.
func (m *mixed) written(p *check.Pass) bool {
	switch {
	case len(m.classes) != 2:
		return false
	case m.has(profile.Bool) && m.has(profile.Int):
		return m.node.Scalars.Fractions == 0 && m.node.Scalars.MinInt >= 0 && m.node.Scalars.MaxInt <= 1
	case m.has(profile.Object) && m.has(profile.Array):
		return m.listsItself()
	case !m.has(profile.String):
		return false
	}
	forms := []profile.Form{profile.FormInteger, profile.FormDecimal}
	switch {
	case m.has(profile.ObjectID):
		forms = []profile.Form{profile.FormHex24}
	case m.has(profile.Array) && m.listsTexts():
		return true
	case m.has(profile.Object), m.has(profile.Array):
		d, i, ok := places.TokenOf(p, m.node.First(profile.String))
		if !ok {
			return false
		}
		text := strings.TrimSpace(d.String(i))
		return (strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")) && json.Valid([]byte(text))
	case !m.has(profile.Int):
		return false
	}
	alike := int64(0)
	for _, f := range forms {
		n, _ := m.node.Scalars.FormCount(f)
		alike += n
	}
	return 2*alike > m.node.Types[profile.String]
}

// listsItself reports whether the arrays hold nothing but objects with the fields of
// those that stand alone.
func (m *mixed) listsItself() bool {
	many := m.node.Array.Elem
	if many == nil || many.Object == nil || many.Types[profile.Object] < many.Present() {
		return false
	}
	fields := many.Object.Fields()
	return len(fields) > 1 && !slices.ContainsFunc(fields, func(f *profile.Node) bool { return m.node.Object.Field(f.Step.Name) == nil })
}

// listsTexts reports whether the arrays hold most of the texts that stand alone, of many.
func (m *mixed) listsTexts() bool {
	many, held := m.node.Array.Elem, int64(0)
	if many == nil || many.Scalars == nil || m.node.Present() < predict.FewObjects {
		return false
	}
	for _, v := range m.node.Scalars.Values.Values() {
		if in, _, _ := many.Scalars.Values.Lookup(v.Hash); in > 0 {
			held += v.Count
		}
	}
	return 2*held > m.node.Types[profile.String]
}

// position reports whether a candidate is the position of the values in their
// array.
func (m *mixed) position(a predict.Around) bool {
	return m.node.Step.Kind == profile.Element && a.Path == nil && a.Level == m.node.Parent.Depth
}

// tuple reports whether the values are elements of arrays of one length, and
// the position says the type.
func (m *mixed) tuple(p *check.Pass) bool {
	for i, a := range m.probe.Site.Around {
		if m.position(a) && m.probe.Tables[i].Predicts(0, p.Threshold("purity")) {
			return true
		}
	}
	return false
}

var (
	valueFieldsWords = rulebook.Words("mixed-types", "value-fields")
	keyFieldsWords   = rulebook.Words("mixed-types", "key-fields")
)
