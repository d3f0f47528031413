package casevariantvalues

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

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

// repeats reports whether all spellings are values of the original: they are checked there, and
// two documents may have names that differ in nothing but case. If the original is the key that
// the field refers to, one of them is enough: another in other case leads nowhere.
func (c *cases) repeats(g []spelling) bool {
	if c.original == nil || c.original.Scalars == nil {
		return false
	}
	there, cased := 0, c.refers
	for _, s := range g {
		if count, _, known := c.original.Scalars.Values.Lookup(profile.HashText([]byte(s.text))); !known || count > 0 {
			there++
		}
		cased = cased && strings.EqualFold(strings.TrimSpace(s.text), strings.TrimSpace(g[0].text))
	}
	return there == len(g) || cased && there > 0
}

// reportWord reports values of a vocabulary that occur in two spellings.
func (c *cases) reportWord(p *check.Pass) {
	groups, usual := c.groups(), c.usualPlaces()
	separate(groups)
	groups = slices.DeleteFunc(groups, func(g []spelling) bool {
		if len(g) < 2 {
			return true
		}
		rare := strings.TrimSpace(g[len(g)-1].text)
		return !isWords(rare) || slices.Contains(missingWords(), strings.ToLower(rare)) || !slices.ContainsFunc(g, spelling.whole) || // two dates may have the same digits
			g[0].plain() != g[len(g)-1].plain() && p.Lexicon.Has(lexicon.PersonName, c.node.Step.Name) ||
			g[0].count < c.recurs(g, usual)
	})
	if len(groups) == 0 {
		return
	}
	own := slices.DeleteFunc(slices.Clone(groups), onlyPadded) // white space is one habit in many fields
	if len(own) == 0 {
		own = groups
	}
	g := slices.MaxFunc(own, func(a, b []spelling) int { return cmp.Compare(a[0].count, b[0].count) })
	common, rare := g[0], g[len(g)-1]
	texts := []string{common.text, rare.text}
	more := ""
	if len(groups) > 1 {
		for _, other := range groups {
			texts = append(texts, other[0].text)
		}
		more = "; " + quantity.Of(int64(len(groups)-1), "more value") + " like it"
	}
	cause := ""
	if onlyPadded(g) {
		cause = "white space" // one program stores texts as they were typed, in all fields
	}
	p.Report(c.entity, c.path, check.Raw{At: rare.first, Spellings: texts, Cause: cause, Sure: true, Finding: finding.Finding{
		Severity: finding.Warning, Confidence: 0.7,
		Message: oneValue(c.path, common, rare) + more,
		Advice:  fmt.Sprintf("Choose one spelling of each value of %s, convert the others, and check the value where it is written: filters and groups on one spelling miss the other.", c.path),
		Evidence: []finding.Evidence{
			{Name: "values", Value: c.values.total}, {Name: "groups", Value: len(groups)}, {Name: "spellings", Value: len(g)},
		},
	}, Related: []check.RawRelated{{Message: fmt.Sprintf("the first: %q", common.text), At: common.first}}})
}

// recurs returns how often a value must occur in one spelling. What people type, they
// type in many ways, and two spellings that occur once each may be the names of two people,
// unless documents are referred to by them.
func (c *cases) recurs(g []spelling, usual float64) int64 {
	chosen := slices.Contains(choicesWords(), lastWord(c.node.Step.Name))
	typed := usual < chosenPlaces && !chosen
	switch padded := onlyPadded(g); {
	case padded && !typed, c.key:
		return 1
	case !padded && (typed || !c.node.Scalars.Values.Exact()): // of very many values, too
		return typedPlaces
	case !chosen && usual < recurringPlaces:
		return recurringPlaces
	case usual < typedPlaces:
		return 2
	}
	return 1
}

// separate leaves the spellings of one value in each group, the most frequent one first.
func separate(groups [][]spelling) {
	codes := 0
	for i, g := range groups {
		slices.SortStableFunc(g, func(a, b spelling) int { return cmp.Compare(b.count, a.count) })
		groups[i] = oneWord(g)
		if isCode(g) && slices.ContainsFunc(g, func(s spelling) bool { return inOtherCase(s, g[0]) }) {
			codes++
		}
	}
	for i, g := range groups {
		if isCode(g) {
			groups[i] = slices.DeleteFunc(g, func(s spelling) bool {
				return strings.TrimSpace(s.text) != strings.TrimSpace(g[0].text) && (codes < 2 || !inOtherCase(s, g[0]))
			})
		}
	}
}

// isCode reports whether a value is too short to be a word. One that occurs in both
// cases may be two values. Two such codes show that people write all of them in both.
func isCode(g []spelling) bool {
	return utf8.RuneCountInString(strings.TrimSpace(g[0].text)) < wordLetters
}

// inOtherCase reports whether two spellings differ only in case. White space around them
// does not count.
func inOtherCase(a, b spelling) bool {
	first, other := strings.TrimSpace(a.text), strings.TrimSpace(b.text)
	return first != other && strings.EqualFold(first, other)
}

// onlyPadded reports whether the first and the last spelling differ in the white space around
// them, which nobody intends.
func onlyPadded(g []spelling) bool {
	return strings.TrimSpace(g[0].text) == strings.TrimSpace(g[len(g)-1].text)
}

// oneValue says that two texts are one value.
func oneValue(path profile.Path, common, rare spelling) string {
	return fmt.Sprintf("%s is %q in %s and %q in %s: one value in two spellings", path,
		common.text, wording.Count(common.count, "place"), rare.text, wording.Count(rare.count, "place"))
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
	return !c.address() && 2*mixed > len(c.values.upper.Places) && 2*c.values.upper.Count > c.values.total
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

// address reports whether the values are e-mail addresses, whose case makes no difference,
// according to the name or to themselves.
func (c *cases) address() bool {
	return strings.HasSuffix(lexicon.Fold(c.node.Step.Name), "email") || addresses(c.node)
}

// addresses reports whether nearly all values are e-mail addresses.
func addresses(n *profile.Node) bool {
	count, _ := n.Scalars.FormCount(profile.FormEmail)
	return count > 0 && float64(count) >= 0.95*float64(n.Present())
}

// unique reports whether values identify the documents. Those of parts belong to
// something else, as the address of a supplier does.
func (c *cases) unique() bool {
	return c.named && c.node.Depth == 1 && c.node.Scalars.Values.Distinct() >= 0.9*float64(c.node.Present())
}

func (c *cases) reportGroup(p *check.Pass, g []spelling, groups int) {
	if !c.unique() {
		slices.SortStableFunc(g, func(a, b spelling) int { return cmp.Compare(b.count, a.count) })
	}
	r := check.Raw{At: g[1].first, Spellings: []string{g[0].text, g[1].text}, Related: []check.RawRelated{{Message: fmt.Sprintf("the first: %q", g[0].text), At: g[0].first}}}
	r.Severity, r.Confidence = finding.Warning, 0.9
	r.Message = oneValue(c.path, g[0], g[1])
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
	count, _ := c.node.Scalars.FormCount(profile.FormEmail)
	if c.address() && 2*count > v.total || strings.HasSuffix(lexicon.Fold(c.node.Step.Name), "slug") {
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
