package rules

import (
	"fmt"
	"strconv"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// mixedIDType reports collections whose ids are of more than one type.
var mixedIDType = Rule{Name: "mixed-id-type", Run: func(p *Pass) {
	for _, c := range p.DB.Collections {
		if n := p.idNode(c); n != nil && n.Duplicated == 0 { // duplicate-key speaks of two ids in one document
			if classes := n.TypeClasses(); len(classes) > 1 {
				p.reportMixedID(c, n, classes)
			}
		}
	}
}}

func (p *Pass) reportMixedID(c *model.Collection, n *profile.Node, classes []profile.ClassCount) {
	most, odd := classes[0], classes[1]
	if most.Count == odd.Count && odd.At.Compare(most.At) < 0 {
		most, odd = odd, most // of two as frequent ones the later is the odd one
	}
	severity, confidence := finding.Error, 0.95
	byKind := p.typeByKind(c, n.Step.Name)
	if byKind {
		severity, confidence = finding.Warning, 0.6
	}
	evidence := []finding.Evidence{{Name: "documents", Value: c.Profile.Docs}}
	message := fmt.Sprintf("%q is of more than one type:", n.Step.Name)
	for i, t := range classes {
		if i > 0 {
			message += ","
		}
		message += fmt.Sprintf(" %s in %s", t.Class.TypeName(), count(t.Count, "document"))
		evidence = append(evidence, finding.Evidence{Name: "type." + t.Class.TypeName(), Value: t.Count})
	}
	message += fmt.Sprintf("; %s here, but %s", p.quote(odd.At), p.quote(most.At))
	if byKind {
		message += "; each kind of document has its own type of id"
	}
	to, changed := most.Class, odd
	if most.Count == odd.Count && !p.convertible(odd, most.Class) {
		to, changed = odd.Class, most // of two as frequent ones to which the other can be written
	}
	advice := fmt.Sprintf("Rewrite the ids that are no %s, and what refers to them, with the same type: ", to.TypeName())
	if !p.convertible(changed, to) {
		advice = fmt.Sprintf("Give the documents whose id is no %s, as most are, a new id of that type, and rewrite what refers to them in the same step: ", to.TypeName())
	}
	advice += "a range or a page that starts at an id of one type leaves the others out, and a look-up with the wrong type finds nothing."
	if refs := referencesToField(p.DB, c, n.Step.Name); refs != "" {
		advice += " They are referred to by " + refs + "."
	}
	p.Report(whole(c), n.Path(), Raw{
		At: odd.At,
		Finding: finding.Finding{
			Severity: severity, Confidence: confidence, Message: message, Advice: advice, Evidence: evidence,
			Fixes: p.retyped(c, n.Path(), changed.At, to),
		},
		Related: []RawRelated{{At: most.At, Message: "an id of type " + most.Class.TypeName()}},
	})
}

// typeByKind reports whether each kind of document keeps to one type.
func (p *Pass) typeByKind(c *model.Collection, name string) bool {
	if len(c.Entities) < 2 {
		return false
	}
	for _, e := range c.Entities {
		if n := e.Root().Object.Field(name); n != nil && len(n.TypeClasses()) > 1 {
			return false
		}
	}
	return true
}

func referencesToField(db *model.Database, c *model.Collection, name string) string {
	var named []string
	for _, r := range db.References {
		if r.To.Collection == c && r.Key.Path.String() == name {
			named = append(named, r.From.Collection.Name+"."+r.Path.String())
		}
		if len(named) == 3 {
			break
		}
	}
	text := ""
	for i, s := range named {
		if i > 0 {
			text += ", "
		}
		text += s
	}
	return text
}

// convertible reports whether the value of a class can be written in another
// class without loss, judged by the first one.
func (p *Pass) convertible(from profile.ClassCount, to profile.Class) bool {
	d, i, ok := p.tokenOf(from.At)
	return ok && asType(reshape.From(d.Document, i), to) != nil
}

// asType returns a value written in another type class; nil if that would
// lose something.
func asType(v *reshape.Value, to profile.Class) *reshape.Value {
	text := v.Text()
	switch to.TypeClass() {
	case profile.String:
		switch v.Kind() {
		case scan.Number, scan.Decimal, scan.ObjectID, scan.True, scan.False, scan.String:
			if text == "" {
				text = string(v.AppendJSON(nil))
			}
			return reshape.String(text)
		}
	case profile.Int:
		if v.Kind() == scan.Number {
			return v
		}
		if n, err := strconv.ParseInt(text, 10, 64); v.Kind() == scan.String && err == nil && strconv.FormatInt(n, 10) == text {
			return reshape.Int(n)
		}
	case profile.ObjectID:
		if v.Kind() == scan.String && profile.FormOf([]byte(text)) == profile.FormHex24 {
			return reshape.Object(reshape.Member{Name: "$oid", Value: reshape.String(text)})
		}
	}
	return nil
}

// retyped shows the document at a position with the value at the path in
// another type.
func (p *Pass) retyped(c *model.Collection, path profile.Path, at profile.Pos, to profile.Class) []finding.Fix {
	if at.DocLen > exampleLimit {
		return nil
	}
	d, _, ok := p.tokenOf(at)
	if !ok {
		return nil
	}
	document := reshape.From(d.Document, 0)
	before := document.AppendJSON(nil)
	holders := document.Select(path[:len(path)-1])
	name := path[len(path)-1].Name
	changed := false
	for _, h := range holders {
		if v := h.Get(name); v != nil {
			if r := asType(v, to); r != nil {
				h.Set(name, r)
				changed = true
			}
		}
	}
	if !changed {
		return nil
	}
	return []finding.Fix{{
		Title: fmt.Sprintf("%s as %s", path, to.TypeName()), Safety: finding.Plan, Edits: []finding.Edit{}, Before: before,
		After: []finding.DocumentInPlace{{Collection: c.Name, Document: document.AppendJSON(nil)}},
	}}
}
