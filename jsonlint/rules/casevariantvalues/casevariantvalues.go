// Package casevariantvalues reports look-up values (e-mail addresses, names to
// sign in with, slugs) that differ in nothing but case or the space around them: a query for one
// spelling does not find the other, and LOWER() in a query cannot use the
// index.
package casevariantvalues

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/catalog"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is case-variant-values on documents.
var Rule = check.Rule{Name: "case-variant-values", Run: func(p *check.Pass) {
	for _, c := range p.DB.Collections {
		choices := map[string]*choice{}
		var paths []string
		for _, e := range c.Entities {
			e.Root().Walk(func(n *profile.Node) bool {
				if n.Scalars == nil || float64(n.Types[profile.String]) < 0.95*float64(n.Present()) || remark(n.Step.Name) || saidIn(c, n) {
					return true
				}
				f := &cases{entity: e, node: n, path: n.Path(), original: original(p, n)}
				if n.Step.Kind == profile.Field && !n.Inside() && n.Depth <= 3 && p.Lexicon.Has(lexicon.LookupValue, n.Step.Name) {
					watchLookup(p, f)
					return true
				}
				path := f.path.String()
				if d := c.Discriminator; d != nil && path == d.Path.String() {
					return true // inconsistent-discriminator says it
				}
				if choices[path] == nil {
					choices[path] = &choice{}
					paths = append(paths, path)
				}
				choices[path].kinds = append(choices[path].kinds, f)
				return true
			})
		}
		for _, path := range paths {
			choices[path].watch(p)
		}
	}
}}

// original returns the field of other documents whose values the field repeats
// beside their ids, or nil: of the name in an object with an id, and of the userName
// beside a userId.
func original(p *check.Pass, n *profile.Node) *profile.Node {
	if n.Step.Kind != profile.Field {
		return nil
	}
	for _, f := range n.Parent.Object.Fields() {
		r := p.DB.ReferenceAt(f)
		if r == nil || f == n {
			continue
		}
		stem, _, ok := lexicon.ReferenceStem(f.Step.Name)
		if named := ok && strings.HasPrefix(lexicon.Fold(n.Step.Name), lexicon.Fold(stem)); !named && (n.Depth == 1 || !identity.IsIDName(f.Step.Name)) {
			continue // the name may be the document's own
		}
		for _, of := range r.To.Root().Object.Fields() {
			if naming.Repeats(n.Step.Name, of.Step.Name, stem) {
				return of
			}
		}
	}
	return nil
}

// remark reports whether the name of a field marks it as a comment, with or
// without a number: comment, adminNote, remark2.
func remark(name string) bool {
	tokens := lexicon.Tokens(strings.TrimRight(name, "0123456789_"))
	return len(tokens) > 0 && slices.Contains(remarksWords(), tokens[len(tokens)-1])
}

// saidIn reports whether a field is the text of a comment or a message: of documents, or
// of objects in a list, that are named so.
func saidIn(c *model.Collection, n *profile.Node) bool {
	holder := c.Name
	if n.Depth > 1 {
		holder = naming.ListName(n.Parent)
	}
	return slices.Contains(textsWords(), lexicon.Fold(n.Step.Name)) && remark(holder)
}

var (
	remarksWords = rulebook.Words("case-variant-values", "remarks")
	textsWords   = rulebook.Words("case-variant-values", "texts")
)

// watchLookup compares the values of a field by which documents are looked up.
func watchLookup(p *check.Pass, c *cases) {
	if _, ok := p.Catalog[c.entity.Collection.Name].Index(c.path.String(), catalog.UniqueInAnyCase); ok || c.alike(p) {
		return // the database ignores case in this field, or there is no second spelling
	}
	c.values = check.Watch(p, c.entity, newCaseProbe(c.path))
	p.After(func() { c.report(p) })
}

const (
	caseKept   = 1 << 15 // values whose spellings are compared
	caseGroups = 50      // values that are reported one by one
)

// cases is a field whose values are compared.
type cases struct {
	entity *model.Entity
	node   *profile.Node
	path   profile.Path
	values *caseProbe

	original *profile.Node // the field of other documents whose values it repeats, or nil
}

// alike reports whether the sample has the texts of all values and they show
// nothing to report.
func (c *cases) alike(p *check.Pass) bool {
	values := &c.node.Scalars.Values
	if !values.Exact() || c.node.Types[profile.String] != c.node.Present() || predict.NameRepeats(c.node) {
		return false
	}
	total, lower := int64(0), int64(0)
	spellings := map[string]bool{}
	for _, v := range values.Values() {
		if !v.HasText || !profile.Spelt(v.Text) {
			return false
		}
		folded := string(appendLower(nil, []byte(v.Text)))
		key := strings.TrimSpace(folded)
		if spellings[key] {
			return false
		}
		spellings[key] = true
		total += v.Count
		if folded == v.Text {
			lower += v.Count
		}
	}
	return total == c.node.Types[profile.String] && !mixesStyles(p, total, lower)
}

// wordLetters is the length from which words that differ only in case are the
// same. Shorter ones may differ: m is not M.
const wordLetters = 3

// isWord reports whether a text is a word that people write in either case, and
// not an expression.
func isWord(text string) bool {
	return utf8.RuneCountInString(text) >= wordLetters && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" -–_'’&.()", r)
	})
}

// A choice is a field of a collection that chooses from few values, as a state
// or a genre does. All kinds of document choose from the same.
type choice struct {
	kinds []*cases
	open  bool // people type the values, see open
	often bool // a value occurs in ten or more places on average
}

// watch compares the spellings, if the sample has two that differ only in case.
func (c *choice) watch(p *check.Pass) {
	if !c.vocabulary(p) {
		return
	}
	var probes []*caseProbe
	for _, k := range c.kinds {
		probe := newCaseProbe(k.path)
		probe.words = true
		probes = append(probes, check.Watch(p, k.entity, probe))
	}
	p.After(func() {
		first := c.kinds[0]
		first.values = probes[0]
		for _, other := range probes[1:] {
			first.values.Merge(other)
		}
		first.reportWord(p, c)
	})
}

// choicePlaces bounds the number of values that are read again because the sample
// has only some of their texts. With more values, finding a second spelling is not
// worth the time.
const choicePlaces = 1 << 15

// vocabulary reports whether the field chooses from few values, and the sample
// has two that differ only in case, or does not know the text of each.
func (c *choice) vocabulary(p *check.Pass) bool {
	spellings, counts := map[string]bool{}, map[string]int64{}
	mixed, total, values, places := 0, int64(0), int64(0), int64(0) // total is of the values whose text is known
	refers := false
	for _, k := range c.kinds {
		sample := &k.node.Scalars.Values
		if !sample.Exact() || predict.NameRepeats(k.node) {
			return false
		}
		refers = refers || p.DB.ReferenceAt(k.node) != nil
		for _, v := range sample.Values() {
			if v.HasText && v.Text == "" {
				continue
			}
			values, places = values+1, places+v.Count
			if !v.HasText {
				continue
			}
			total += v.Count
			counts[string(unmarked(joined(appendLower(nil, []byte(v.Text)))))] += v.Count
			if !spellings[v.Text] && mixedCase(v.Text) {
				mixed++
			}
			spellings[v.Text] = true
		}
	}
	c.open = open(counts, total)
	c.often = total >= typedPlaces*int64(len(counts))
	unknown := !refers && values > int64(len(spellings)) && places >= 2*values && places <= choicePlaces
	return (len(counts) < len(spellings) || unknown) && 2*mixed <= len(counts)
}

// newValues is the probability of a new value from which people type the values.
// If n of N values occur once, the next is new with probability n / N (Good, 1953).
const newValues = 0.2

// typedPlaces is how often a value must occur in one spelling to count as a choice
// if people type the values.
const typedPlaces = 10

// open reports whether new values keep coming, as when people type them. It allows
// for the standard error of the number of values that occur once.
func open(counts map[string]int64, total int64) bool {
	once := 0.0
	for _, n := range counts {
		if n == 1 {
			once++
		}
	}
	return once > newValues*float64(total)+math.Sqrt(once)
}

// mixesStyles reports whether nearly all values are in lower case, but not all.
func mixesStyles(p *check.Pass, total, lower int64) bool {
	return float64(total) >= p.Threshold("min-values") && float64(lower) >= p.Threshold("lower-share")*float64(total) &&
		float64(total-lower) >= p.Threshold("other-share")*float64(total)
}

// spelling is one way to write a value.
type spelling struct {
	text  string
	first profile.Pos
	count int64
	lower bool // it has no upper-case letter
}

// caseProbe collects the spellings of the values at a path, by the hash of
// their lower case without the space around it.
type caseProbe struct {
	at     profile.Trail
	words  bool // separators between words do not count
	values *sample.ByHash[[]spelling]
	total  int64
	lower  int64        // values without an upper-case letter
	upper  places.Found // the others
	folded []byte

	// Most values repeat, so they are counted here first.
	lately []spelling
	places map[string]int // in lately
}

// latelyKept bounds the values that are counted before they are compared.
const latelyKept = 1 << 10

func newCaseProbe(path profile.Path) *caseProbe {
	return &caseProbe{at: profile.NewTrail(path), values: sample.NewByHash[[]spelling](caseKept), places: map[string]int{}}
}

func (c *caseProbe) New() check.Probe {
	n := newCaseProbe(c.at.Path())
	n.words = c.words
	return n
}

func (c *caseProbe) Skips(d *profile.Document) bool { return c.at.Absent(d) }

func (c *caseProbe) Visit(d *profile.Document) {
	for i := range c.at.All(d) {
		if d.Class(i) != profile.String {
			continue
		}
		text := d.Text(i)
		if d.Tokens[i].Flags&scan.Escaped != 0 {
			text = []byte(d.String(i))
		}
		c.visit(text, d.At(i))
	}
}

func (c *caseProbe) visit(text []byte, at profile.Pos) {
	i, known := c.places[string(text)]
	if !known {
		if len(c.lately) == latelyKept {
			c.compare()
		}
		i = len(c.lately)
		c.folded = appendLower(c.folded[:0], text)
		c.lately = append(c.lately, spelling{text: string(text), first: at, lower: bytes.Equal(c.folded, text)})
		c.places[c.lately[i].text] = i
	}
	s := &c.lately[i]
	s.count++
	s.first = profile.Earlier(s.first, at)
	if !s.lower && !c.upper.Full(at, plans.EditsKept) {
		c.upper.Keep(plans.EditsKept, places.Place{At: at, Text: s.text})
	}
}

// compare puts the values that were counted lately among the others.
func (c *caseProbe) compare() {
	for _, s := range c.lately {
		c.total += s.count
		if s.lower {
			c.lower += s.count
		} else {
			c.upper.Count += s.count
		}
		c.folded = appendLower(c.folded[:0], []byte(s.text))
		if c.words {
			c.folded = unmarked(joined(c.folded))
		}
		c.values.Put(profile.HashText(bytes.TrimSpace(c.folded)), []spelling{s}, mergeSpellings)
	}
	c.lately = c.lately[:0]
	clear(c.places)
}

// appendLower appends the lower case of a text.
func appendLower(to, text []byte) []byte {
	for i, b := range text {
		if b >= utf8.RuneSelf {
			return append(to, bytes.ToLower(text[i:])...)
		}
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		to = append(to, b)
	}
	return to
}

// joined removes, in place, the white space around a text and the separators
// between its words, and replaces typographic marks: in-progress and in progress
// are one choice. It keeps separators between two numbers, unless these form one
// long number, and characters that may be a sign.
func joined(text []byte) []byte {
	for printed, typed := range typewritten {
		if i := bytes.Index(text, []byte(printed)); i >= 0 {
			text = append(text[:i], bytes.ReplaceAll(text[i:], []byte(printed), []byte(typed))...)
		}
	}
	text = bytes.TrimSpace(text)
	long := isNumber(string(text), " -")
	out := text[:0]
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && (text[end] == ' ' || text[end] == '-' || text[end] == '_') {
			end++
		}
		inside := i > 0 && end > i && end < len(text)
		if !inside || !long && isDigit(text[end]) && (isDigit(text[i-1]) || bytes.IndexByte(text[i:end], '-') >= 0) {
			end = max(end, i+1)
			out = append(out, text[i:end]...)
		}
		i = end
	}
	return out
}

// longNumber is the number of digits that no two numbers share by accident.
const longNumber = 7

// isNumber reports whether a text is such a long number, for example a phone
// number, whose digits may be separated.
func isNumber(text, parts string) bool {
	return len(text) >= longNumber && strings.Trim(text, "0123456789"+parts) == ""
}

// whole reports whether a spelling is not a number with separated digits.
func (s spelling) whole() bool { return !isNumber(s.text, " -") || isNumber(s.text, "") }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// typewritten maps typographic marks to plain ones.
var typewritten = map[string]string{"’": "'", "‘": "'", "–": "-"}

func (c *caseProbe) Merge(other check.Probe) {
	o := other.(*caseProbe)
	o.compare()
	c.values.Merge(o.values, mergeSpellings)
	c.total += o.total
	c.lower += o.lower
	c.upper.Count += o.upper.Count
	c.upper.Keep(plans.EditsKept, o.upper.Places...)
}

// mergeSpellings adds two lists of spellings; the result is sorted by text.
func mergeSpellings(a, b []spelling) []spelling {
	out := slices.Clone(a)
	for _, s := range b {
		i, ok := slices.BinarySearchFunc(out, s.text, func(s spelling, text string) int { return bytes.Compare([]byte(s.text), []byte(text)) })
		if ok {
			out[i].count += s.count
			out[i].first = profile.Earlier(out[i].first, s.first)
		} else {
			out = slices.Insert(out, i, s)
		}
	}
	return out
}

func (c *cases) groups() [][]spelling {
	var groups [][]spelling
	for _, hash := range c.values.values.Hashes() {
		if g, _ := c.values.values.Get(hash); len(g) > 1 && !c.repeats(g) {
			slices.SortFunc(g, func(a, b spelling) int { return a.first.Compare(b.first) })
			groups = append(groups, g)
		}
	}
	slices.SortFunc(groups, func(a, b []spelling) int { return a[1].first.Compare(b[1].first) })
	return groups
}

// repeats reports whether all spellings are values of the original. They are checked
// there, and two documents may have names that differ in nothing but case.
func (c *cases) repeats(g []spelling) bool {
	return c.original != nil && c.original.Scalars != nil && !slices.ContainsFunc(g, func(s spelling) bool {
		count, _, known := c.original.Scalars.Values.Lookup(profile.HashText([]byte(s.text)))
		return known && count == 0
	})
}

// reportWord reports values of a vocabulary that occur in two spellings.
func (c *cases) reportWord(p *check.Pass, of *choice) {
	groups := c.groups()
	for i, g := range groups {
		slices.SortStableFunc(g, func(a, b spelling) int { return cmp.Compare(b.count, a.count) })
		groups[i] = oneWord(g)
	}
	groups = slices.DeleteFunc(groups, func(g []spelling) bool {
		if len(g) < 2 {
			return true
		}
		rare := strings.TrimSpace(g[len(g)-1].text)
		padded := rare == strings.TrimSpace(g[0].text)                     // nobody intends white space around a value
		return !isWord(rare) || !slices.ContainsFunc(g, spelling.whole) || // two dates may have the same digits
			!padded && (g[0].count < 2 && !of.often || // two spellings that occur once each may be the names of two people
				of.open && g[0].count < typedPlaces)
	})
	if len(groups) == 0 {
		return
	}
	g := slices.MaxFunc(groups, func(a, b []spelling) int { return cmp.Compare(a[0].count, b[0].count) })
	common, rare := g[0], g[len(g)-1]
	texts := []string{common.text, rare.text}
	more := ""
	if len(groups) > 1 {
		for _, other := range groups {
			texts = append(texts, other[0].text)
		}
		more = fmt.Sprintf("; %s more like it", wording.Count(int64(len(groups)-1), "value"))
	}
	severity := finding.Warning
	if of.open {
		severity = finding.Info
	}
	cause := ""
	if strings.TrimSpace(common.text) == strings.TrimSpace(rare.text) {
		cause = "white space" // one program stores texts as they were typed, in all fields
	}
	p.Report(c.entity, c.path, check.Raw{At: rare.first, Spellings: texts, Cause: cause, Sure: true, Finding: finding.Finding{
		Severity: severity, Confidence: 0.7,
		Message: fmt.Sprintf("%s is %q in %s and %q in %s: one value in two spellings%s", c.path,
			common.text, wording.Count(common.count, "place"), rare.text, wording.Count(rare.count, "place"), more),
		Advice: fmt.Sprintf("Choose one spelling of each value of %s, convert the others, and check the value where it is written: filters and groups on one spelling miss the other.", c.path),
		Evidence: []finding.Evidence{
			{Name: "values", Value: c.values.total}, {Name: "groups", Value: len(groups)}, {Name: "spellings", Value: len(g)},
		},
	}, Related: []check.RawRelated{{Message: fmt.Sprintf("the first: %q", common.text), At: common.first}}})
}

func (c *cases) report(p *check.Pass) {
	groups := c.groups()
	switch {
	case c.opaque():
	case len(groups) > 0:
		for _, g := range groups[:min(len(groups), caseGroups)] {
			c.reportGroup(p, g, len(groups))
		}
	default:
		c.reportStyle(p)
	}
}

// opaque reports whether case is part of the values: codes that mix both cases
// in one word, as random keys do.
func (c *cases) opaque() bool {
	mixed := 0
	for _, u := range c.values.upper.Places {
		if mixedCase(u.Text) {
			mixed++
		}
	}
	name := lexicon.Fold(c.node.Step.Name)
	return !lexiconAddress(name) && 2*mixed > len(c.values.upper.Places) && 2*c.values.upper.Count > c.values.total
}

// mixedCase reports whether an upper-case letter follows a lower-case one, or a digit
// where there are lower-case letters too.
func mixedCase(text string) bool {
	for i := 1; i < len(text); i++ {
		if before := text[i-1]; text[i] >= 'A' && text[i] <= 'Z' && (before >= 'a' && before <= 'z' || isDigit(before)) {
			return strings.ContainsFunc(text, unicode.IsLower)
		}
	}
	return false
}

// lexiconAddress reports whether a folded name is one of an e-mail address,
// whose case makes no difference.
func lexiconAddress(name string) bool {
	return len(name) >= 5 && (name[len(name)-5:] == "email" || len(name) >= 12 && name[len(name)-12:] == "emailaddress")
}

// unique reports whether values identify the documents. Those of parts belong to
// something else, as the address of a supplier does.
func (c *cases) unique() bool {
	return c.node.Depth == 1 && c.node.Scalars.Values.Distinct() >= 0.9*float64(c.node.Present())
}

func (c *cases) reportGroup(p *check.Pass, g []spelling, groups int) {
	r := check.Raw{At: g[1].first, Spellings: []string{g[0].text, g[1].text}, Related: []check.RawRelated{{Message: fmt.Sprintf("the first: %q", g[0].text), At: g[0].first}}}
	r.Severity, r.Confidence = finding.Warning, 0.9
	r.Message = fmt.Sprintf("%s is %q in one place and %q in another: one value in two spellings", c.path, g[0].text, g[1].text)
	first, index := "Store", "an index"
	if c.unique() {
		r.Severity = finding.Error
		first, index = "Merge the documents, then store", "a unique constraint"
		differ := "case"
		if !strings.EqualFold(g[0].text, g[1].text) {
			differ = "white space"
		}
		r.Message = fmt.Sprintf("%s is %q in one document and %q in another: they differ only in %s", c.path, g[0].text, g[1].text, differ)
	}
	r.Advice = fmt.Sprintf("%s %s, or a copy of it, in lower case and put %s on that: a query with LOWER() cannot use an index.", first, c.path, index)
	r.Evidence = []finding.Evidence{
		{Name: "values", Value: c.values.total}, {Name: "groups", Value: groups}, {Name: "spellings", Value: len(g)},
	}
	r.Fingerprint = fmt.Sprintf("case-variant-values:%s:%s:%016x", c.entity.Collection.Name, c.path, profile.HashText(bytes.ToLower([]byte(g[0].text))))
	p.Report(c.entity, c.path, r)
}

// reportStyle reports a field that is nearly all in lower case.
func (c *cases) reportStyle(p *check.Pass) {
	v := c.values
	if !mixesStyles(p, v.total, v.lower) {
		return
	}
	confidence := 0.4 // names and codes are often kept as their owner writes them
	addresses, _ := c.node.Scalars.FormCount(profile.FormEmail)
	if name := lexicon.Fold(c.node.Step.Name); lexiconAddress(name) && 2*addresses > v.total || strings.HasSuffix(name, "slug") {
		confidence = 0.7
	}
	first := v.upper.Places[0]
	r := check.Raw{At: first.At, Finding: finding.Finding{
		Severity: finding.Warning, Confidence: confidence,
		Message: fmt.Sprintf("%s of %s values of %s contain upper-case letters (such as %q), all others are in lower case",
			quantity.Grouped(v.upper.Count), quantity.Grouped(v.total), c.path, first.Text),
		Advice: fmt.Sprintf("Store %s in lower case wherever it is written, and convert these values: then a look-up finds them without LOWER(), which cannot use an index.", c.path),
		Evidence: []finding.Evidence{
			{Name: "values", Value: v.total}, {Name: "values.lower", Value: v.lower}, {Name: "values.other", Value: v.upper.Count},
		},
	}}
	r.Fixes = plans.Changed(p, c.entity.Collection.Name, fmt.Sprintf("write %s in lower case", c.path), first.At, func(document *reshape.Value) bool {
		return document.Replace(c.path, func(v *reshape.Value) *reshape.Value { return reshape.String(string(bytes.ToLower([]byte(v.Text())))) })
	})
	p.Report(c.entity, c.path, r)
}
