// Package invalidid reports ids that the database refuses or has trouble with.
package invalidid

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Rule is invalid-id on documents.
var Rule = check.Rule{Name: "invalid-id", Run: func(p *check.Pass) {
	for _, c := range p.DB.Collections {
		n := identity.Node(p, c)
		if n == nil {
			continue
		}
		invalidIDType(p, c, n)
		if n.Types[profile.String] > 0 && !surelyFine(p, n) {
			probe := check.Watch(p, places.Whole(c), newIDTextProbe(n.Path(), p.Limits))
			p.After(func() { reportIDTexts(p, c, n, probe) })
		}
		for _, name := range []string{"sk", "SK"} {
			if s := c.Profile.Root.Object.Field(name); s != nil && p.Limits.SortKeyBytes > 0 && s.Max > int64(p.Limits.SortKeyBytes) {
				reportLongSortKey(p, c, s)
			}
		}
	}
}}

// invalidIDType reports ids of a type that the database does not accept.
func invalidIDType(p *check.Pass, c *model.Collection, n *profile.Node) {
	for _, t := range n.TypeClasses() {
		if t.Class == profile.String || !typeRefused(p, t.Class) {
			continue
		}
		advice := "Write the id as a string. "
		if refs := relations.ReferencesToField(p.DB, c, n.Step.Name); refs != "" {
			advice += "References to it must become strings too: " + refs + "."
		} else {
			advice += "References to it in other documents must then be strings too."
		}
		if t.Class == profile.Array {
			advice = "Use an object, or join the elements into a string: an array would be indexed element by element."
		}
		p.Report(places.Whole(c), n.Path(), check.Raw{
			At: t.At,
			Finding: finding.Finding{
				Severity: finding.Error, Confidence: 0.95,
				Message: fmt.Sprintf("%s is %s in %s, here %s; %s takes %s", n.Step.Name, wording.Article(t.Class.TypeName()),
					wording.Count(t.Count, "document"), places.Quote(p, t.At), p.Limits.Title, acceptedIDs(p)),
				Advice:   advice,
				Evidence: []finding.Evidence{{Name: "documents", Value: t.Count}, {Name: "type", Value: t.Class.TypeName()}},
				Fixes:    identity.Retyped(p, c, n.Path(), t.At, profile.String),

				Fingerprint: "invalid-id:" + c.Name + ":" + n.Path().String() + ":" + t.Class.TypeName(),
			},
		})
	}
}

func typeRefused(p *check.Pass, class profile.Class) bool {
	switch p.Limits.Name {
	case "mongodb":
		return class == profile.Array
	case "dynamodb":
		return class != profile.Int && class != profile.Binary
	}
	return p.Limits.IDMustBeString
}

func acceptedIDs(p *check.Pass) string {
	switch p.Limits.Name {
	case "mongodb":
		return "any type but an array"
	case "dynamodb":
		return "a string, a number or binary data"
	}
	return "strings only"
}

// surelyFine reports whether the forms of the strings alone show that nothing
// is wrong.
func surelyFine(p *check.Pass, n *profile.Node) bool {
	empty, _ := n.Scalars.FormCount(profile.FormEmpty)
	if l := &p.Limits; empty == 0 && l.IDBytes == 0 && l.IDForbidden == "" && l.IDReserved == nil && l.IDDiscouraged == "" && !l.IDASCII {
		return true
	}
	const window = 64 // bytes that determine the form of a string
	if n.Max > window {
		return false
	}
	fine := int64(0)
	for _, f := range []profile.Form{
		profile.FormInteger, profile.FormLeadingZero, profile.FormHex24, profile.FormHex, profile.FormUUID, profile.FormRandom, profile.FormUpper,
		profile.FormWord, profile.FormDate, profile.FormDecimal,
	} {
		k, _ := n.Scalars.FormCount(f)
		fine += k
	}
	return fine == n.Types[profile.String]
}

// idTextProbe checks the text of ids.
type idTextProbe struct {
	at     profile.Trail
	limits limits.Profile
	plain  *[utf8.RuneSelf]bool // characters that are always allowed
	found  map[limits.IDProblem]*places.Earliest
}

func newIDTextProbe(path profile.Path, l limits.Profile) *idTextProbe {
	b := &idTextProbe{at: profile.NewTrail(path), limits: l, plain: &[utf8.RuneSelf]bool{}}
	for c := range b.plain {
		b.plain[c] = !strings.ContainsRune(l.IDForbidden+l.IDDiscouraged, rune(c))
	}
	return b
}

func (b *idTextProbe) New() check.Probe {
	return &idTextProbe{at: profile.NewTrail(b.at.Path()), limits: b.limits, plain: b.plain}
}

func (b *idTextProbe) Skips(d *profile.Document) bool { return b.at.Absent(d) }

func (b *idTextProbe) Visit(d *profile.Document) {
	i, ok := b.at.First(d)
	if !ok || d.Tokens[i].Kind != scan.String || b.fine(d, i) {
		return
	}
	problem := b.limits.CheckID(d.String(i))
	if problem == limits.IDFine {
		return
	}
	b.of(problem).Add(d.At(i))
}

// fine reports whether the id at i has only plain characters and no special
// meaning. Nearly all ids end here.
func (b *idTextProbe) fine(d *profile.Document, i int) bool {
	text := d.Text(i)
	if d.Tokens[i].Flags&scan.Escaped != 0 || b.limits.IDReserved != nil || len(text) == 0 || b.limits.IDBytes > 0 && len(text) > b.limits.IDBytes {
		return false
	}
	for _, c := range text {
		if c >= utf8.RuneSelf || !b.plain[c] {
			return false
		}
	}
	return true
}

func (b *idTextProbe) of(problem limits.IDProblem) *places.Earliest {
	if b.found == nil {
		b.found = map[limits.IDProblem]*places.Earliest{}
	}
	if b.found[problem] == nil {
		b.found[problem] = &places.Earliest{}
	}
	return b.found[problem]
}

func (b *idTextProbe) Merge(other check.Probe) {
	for problem, found := range other.(*idTextProbe).found {
		b.of(problem).Merge(found)
	}
}

func reportIDTexts(p *check.Pass, c *model.Collection, n *profile.Node, b *idTextProbe) {
	for _, problem := range []limits.IDProblem{limits.IDEmpty, limits.IDTooLong, limits.IDForbidden, limits.IDReserved, limits.IDDiscouraged} {
		found := b.found[problem]
		if found == nil {
			continue
		}
		severity, confidence := finding.Error, 0.95
		if problem == limits.IDDiscouraged || p.Limits.Name == "generic" {
			severity, confidence = finding.Warning, 0.7
		}
		d, i, ok := places.TokenOf(p, found.First())
		if !ok {
			continue
		}
		id := d.String(i)
		message, advice := describeID(p, problem, n.Step.Name, id)
		if found.N > 1 {
			message += fmt.Sprintf(" (the first of %s)", wording.Count(found.N, "document"))
		}
		p.Report(places.Whole(c), n.Path(), check.Raw{
			At: found.First(),
			Finding: finding.Finding{
				Severity: severity, Confidence: confidence, Message: message, Advice: advice,
				Evidence:    []finding.Evidence{{Name: "problem", Value: string(problem)}, {Name: "documents", Value: found.N}},
				Fingerprint: "invalid-id:" + c.Name + ":" + n.Path().String() + ":" + string(problem),
			},
			Related: found.Others(p),
		})
	}
}

// describeID returns what is wrong with an id and what to do about it.
func describeID(p *check.Pass, problem limits.IDProblem, name, id string) (message, advice string) {
	quoted := fmt.Sprintf("%q", wording.Shorten(id, wording.Quotable))
	const keep = " Then delete the document with the old id, and change the references to it."
	switch problem {
	case limits.IDEmpty:
		return fmt.Sprintf("%s is empty", name), "Give the document an id: no query can address an empty one, and only one document can have it."
	case limits.IDTooLong:
		return fmt.Sprintf("%s has %s, but %s allows %s: %s", name, wording.Count(int64(len(id)), "byte"), p.Limits.Title, quantity.Grouped(int64(p.Limits.IDBytes)), quoted),
			"Use a hash of the text or a generated id, and keep the text in a field." + keep
	case limits.IDReserved:
		return fmt.Sprintf("%s is %s, which %s reserves", name, quoted, p.Limits.Title), "Put a word before it." + keep
	case limits.IDForbidden:
		return fmt.Sprintf("%s is %s, but %s allows no %s in an id", name, quoted, p.Limits.Title, badCharacter(p, id, p.Limits.IDForbidden)),
			fmt.Sprintf("Use another separator, as in %q: the id becomes part of an address, where the character has another meaning.",
				replaceAny(id, p.Limits.IDForbidden)) + keep
	}
	return fmt.Sprintf("%s is %s, which must be escaped in an address because of %s", name, quoted, badCharacter(p, id, p.Limits.IDDiscouraged)),
		"Use only letters, digits, '-', '_', ':' and '.' in ids: some SDKs and connectors do not escape other characters, and then do not find the document." + keep
}

func badCharacter(p *check.Pass, id, bad string) string {
	for _, r := range id {
		if strings.ContainsRune(bad, r) || r >= 0x80 {
			if r == ' ' {
				return "space"
			}
			return fmt.Sprintf("%q", r)
		}
	}
	return "such character"
}

func replaceAny(id, bad string) string {
	replaced := strings.Map(func(r rune) rune {
		if strings.ContainsRune(bad, r) {
			return ':'
		}
		return r
	}, id)
	return wording.Shorten(replaced, wording.Quotable)
}

func reportLongSortKey(p *check.Pass, c *model.Collection, n *profile.Node) {
	d, i, ok := places.TokenOf(p, n.MaxAt)
	if !ok || len(d.String(i)) <= p.Limits.SortKeyBytes {
		return
	}
	p.Report(places.Whole(c), n.Path(), check.Raw{
		At: n.MaxAt,
		Finding: finding.Finding{
			Severity: finding.Error, Confidence: 0.95,
			Message: fmt.Sprintf("%s has %s, but a sort key in %s may have %s", n.Step.Name, wording.Count(int64(len(d.String(i))), "byte"), p.Limits.Title,
				quantity.Grouped(int64(p.Limits.SortKeyBytes))),
			Advice:   "Keep in the key what documents are sorted by, and move the rest into a field.",
			Evidence: []finding.Evidence{{Name: "length.max", Value: len(d.String(i))}},
		},
	})
}
