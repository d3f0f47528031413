package structdrift

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/decode"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/evidence"
)

const (
	enoughValues = 10 // values of a name that a field may have meant

	sureStyle = 0.85 // the same name in another case or style
	sureTypo  = 0.65 // a name one or two letters away
	sureGhost = 0.5
	guess     = 0.4 // the field is omitted while empty and may always be, or most others are missing as well

	oneEditFrom  = 4 // length of names from which one edit may be a typo
	twoEditsFrom = 7
)

// unseen reports fields that no document has.
func (c *comparison) unseen() {
	for _, o := range c.result.Objects {
		absent := 0
		for _, found := range o.Fields {
			if len(found.Stored) == 0 {
				absent++
			}
		}
		doubtful := 2*absent > len(o.Fields) // the objects may not be those of the type
		enough := int64(c.Threshold("documents"))
		if o.Node.Objects() < enough || o.Node.Rest != nil || o.Node.Fold != evidence.Unfolded {
			continue // names are unknown where the evidence omits them
		}
		for _, found := range o.Fields {
			f := c.field(append(o.Chain[:len(o.Chain):len(o.Chain)], found.Var))
			switch {
			case f == nil || f.Var != found.Var || c.system(found.Name):
			case len(found.Stored) == 0:
				c.neverStored(o, found, f, doubtful)
			case c.document.Replaced != nil && !slices.Contains(found.Stored, found.Name):
				c.renamed(o, found, f)
			}
		}
	}
}

func (c *comparison) neverStored(o decode.Object, found decode.Field, f *docmodel.Field, doubtful bool) {
	if f.Deprecated() || c.Program.Joined(f.Dotted) {
		return
	}
	objects := o.Node.Objects()
	near, style := c.near(o, found)
	if near == "" {
		report := check.Finding{
			Field: f, Severity: finding.Info, Confidence: sureGhost,
			Message:  fmt.Sprintf("%s occurs in none of %s", f.Path, c.objects(o)),
			Advice:   "If it is not new, check that its tag has the stored name.",
			Evidence: []finding.Evidence{{Name: "objects", Value: objects}},
		}
		if doubtful || f.Tag.Has("omitempty") || f.Tag.Has("omitzero") || !c.document.Written {
			report.Confidence = guess
		}
		c.report(report)
		return
	}
	path := place(o, near)
	c.claimed[path] = true
	report := check.Finding{
		Field: f, Severity: finding.Warning, Confidence: sureTypo,
		Message: fmt.Sprintf("%s occurs in none of %s, but %s in %s, which %s has no field for",
			f.Path, c.objects(o), near, quantity.Grouped(o.Node.Fields[near].Present()), f.OwnerName()),
		Advice:    fmt.Sprintf("If %s is intended, put it into the tag.", near),
		Evidence:  []finding.Evidence{{Name: "objects", Value: objects}, {Name: "stored", Value: near}},
		Sightings: []check.Sighting{{Message: near + " stands here", At: o.Node.Fields[near].FirstAny()}},
		Fix:       c.retag(f, near),
	}
	if style {
		report.Confidence = sureStyle
	}
	c.report(report)
}

// renamed reports a field that the codec fills from a name in another case but
// writes under its own.
func (c *comparison) renamed(o decode.Object, found decode.Field, f *docmodel.Field) {
	name := found.Stored[0]
	c.report(check.Finding{
		Field: f, Severity: finding.Warning, Confidence: sureStyle,
		Message: fmt.Sprintf("%s is read from %s, but %s writes it back as %s: queries for %s no longer find it",
			f.GoName(), place(o, name), c.document.Replaced.Call, found.Name, name),
		Advice:    fmt.Sprintf("Put %s into the tag.", name),
		Evidence:  []finding.Evidence{{Name: "objects", Value: o.Node.Objects()}, {Name: "stored", Value: found.Stored}},
		Sightings: []check.Sighting{{Message: name + " stands here", At: o.Node.Fields[name].FirstAny()}},
		Related:   []check.Related{{Pos: c.document.Replaced.Pos, Message: "writes whole documents"}},
		Fix:       c.retag(f, name),
	})
}

// objects returns the number of documents or embedded objects as text.
func (c *comparison) objects(o decode.Object) string {
	if o.Path == "" {
		return quantity.Of(o.Node.Objects(), "document")
	}
	return quantity.Of(o.Node.Objects(), "object")
}

func place(o decode.Object, name string) string {
	if o.Path == "" {
		return name
	}
	return o.Path + "." + name
}

// near returns the stored name without a field that a field is most likely
// meant for, or "". style says that only case or separators differ.
func (c *comparison) near(o decode.Object, f decode.Field) (name string, style bool) {
	best := 3
	for _, candidate := range o.Extra {
		n := o.Node.Fields[candidate]
		if c.system(candidate) || n.Present() < enoughValues || c.claimed[place(o, candidate)] || !decode.Reads(f, n, c.options) {
			continue
		}
		distance := 0
		a, b := lexicon.Fold(f.Name), lexicon.Fold(candidate)
		if a != b {
			distance = lexicon.Damerau(a, b, 2)
			if letters := min(len(a), len(b)); letters < oneEditFrom || distance > 1 && letters < twoEditsFrom || digits(a) != digits(b) {
				continue
			}
		}
		if distance < best {
			best, name, style = distance, candidate, distance == 0
		}
	}
	return name, style
}

// digits returns the digits in a name: line1 is not a typo of line2.
func digits(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsDigit(r) }), "")
}

// retag changes the stored name of a field.
func (c *comparison) retag(f *docmodel.Field, name string) *check.Fix {
	edit, ok := c.SetTag(f, f.TagKey(), strings.Join(append([]string{name}, f.Tag.Options...), ","))
	if !ok {
		return nil
	}
	return c.Edit(fmt.Sprintf("read and write %s as %s", f.GoName(), name), finding.Unsafe, edit)
}
