// Package joindocument reports documents that only connect two others.
package joindocument

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports documents that only connect two others.
var Rule = check.Rule{Name: "join-document", Run: run, SamePlace: check.EitherWhole}

func run(p *check.Pass) {
	for _, d := range p.Documents() {
		db := p.DB(d)
		if db == "dynamodb" { // the adjacency list is its way to store many-to-many
			continue
		}
		s := sort(p, d)
		if d.OnlyRead() || strings.Contains(d.Doc, "Deprecated:") && !d.Written || len(s.references) != 2 || s.payload || s.tenant || referred(p, d) {
			continue
		}
		report(p, d, s, db)
	}
}

// referred reports whether other documents refer to a document, which is then
// an entity of its own.
func referred(p *check.Pass, d *docmodel.Document) bool {
	return slices.ContainsFunc(p.Program.Documents(), func(other *docmodel.Document) (found bool) {
		if other == d || other.View {
			return false
		}
		docmodel.All(other.Fields, func(f *docmodel.Field) {
			found = found || f.Maps == 0 && f.Kind.IsID() && refs.Names(refs.Stem(f), d.Name) && refs.Target(p.Program, refs.Stem(f), other) == d
		})
		return found
	})
}

// sides are the fields of a document by purpose.
type sides struct {
	references []*docmodel.Field
	payload    bool // the document holds something else
	tenant     bool // one of the references is the tenant
}

// sort separates references, payload and bookkeeping.
func sort(p *check.Pass, d *docmodel.Document) sides {
	words := p.Words()
	var s sides
	fields := d.Fields
	if id := compositeID(d); id != nil {
		fields = append(slices.Clone(id.Fields), slices.DeleteFunc(slices.Clone(fields), func(f *docmodel.Field) bool { return f == id })...)
	}
	own := ownID(d)
	times := 0
	for _, f := range fields {
		switch {
		case f == own, ownKey(p, f, d):
		case f.Kind == docmodel.Time && f.Scalar() && !f.Has(words, lexicon.Metadata):
			times++
		case bookkeeping(words, f, d):
		case f.Has(words, lexicon.Tenant) && f.Kind.IsID() && f.Scalar():
			s.tenant = true
		case f.Scalar() && f.Kind.IsID() && refs.Stem(f) != "" && !f.Has(words, lexicon.ExternalID):
			s.references = append(s.references, f)
		default:
			s.payload = true
		}
	}
	s.payload = s.payload || times > 1 // a start and an end, as of a session
	if len(s.references) == 2 && refs.Stem(s.references[0]) == refs.Stem(s.references[1]) {
		s.references = nil
	}
	if s.tenant && len(s.references) >= 2 {
		s.tenant = false // the tenant comes on top of the two references
	}
	return s
}

// ownID returns the document's own id. A document named after what it refers to
// has none unless that is stored as the id.
func ownID(d *docmodel.Document) *docmodel.Field {
	for _, f := range d.Fields {
		switch {
		case f.Name == "_id", strings.EqualFold(f.Name, "id"), strings.EqualFold(f.GoName(), "id"):
			return f
		}
	}
	return nil
}

// ownKey reports whether a field is a key of the document itself in addition to
// _id: it is named after the document, and other documents hold it as a
// reference. The follower_id of a Follower, which nothing else holds, is a
// reference.
func ownKey(p *check.Pass, f *docmodel.Field, d *docmodel.Document) bool {
	stem := refs.Stem(f)
	if stem == "" || !f.Scalar() || !strings.EqualFold(strings.ReplaceAll(stem, " ", ""), refs.Noun(d.Name)) {
		return false
	}
	return slices.ContainsFunc(p.Program.Documents(), func(other *docmodel.Document) bool {
		return other != d && slices.ContainsFunc(other.Fields, func(reference *docmodel.Field) bool {
			return reference.Scalar() && strings.EqualFold(reference.Name, f.Name)
		})
	})
}

// compositeID returns an _id made of two parts.
func compositeID(d *docmodel.Document) *docmodel.Field {
	for _, f := range d.Fields {
		if f.Name == "_id" && f.Kind == docmodel.Object && len(f.Fields) == 2 {
			return f
		}
	}
	return nil
}

// actors begin the names of fields that record who did something.
var actors = rulebook.Words("join-document", "actors")

// remarks end the names of fields that say how or why two things were
// connected.
var remarks = rulebook.Words("join-document", "remarks")

func bookkeeping(words *lexicon.Lexicon, f *docmodel.Field, d *docmodel.Document) bool {
	tokens := lexicon.Tokens(f.GoName())
	switch {
	case f.Has(words, lexicon.Metadata), f.Has(words, lexicon.System), words.HasIn(lexicon.Discriminator, f.Name, d.Name):
		return true
	case f.Scalar() && docmodel.Timestamp([]*docmodel.Field{f}) != nil:
		return true
	case len(tokens) > 1 && slices.Contains(actors(), tokens[0]):
		return true
	case f.Has(words, lexicon.FreeFormMap) && !f.List():
		return true
	case f.Scalar() && len(tokens) > 0 && slices.Contains(remarks(), lexicon.Singular(tokens[len(tokens)-1])):
		return true
	}
	return false
}

var (
	joins = rulebook.Words("join-document", "joins")
	links = rulebook.Words("join-document", "links") // connections whose sides are never small
)

func report(p *check.Pass, d *docmodel.Document, s sides, db string) {
	score := &check.Score{}
	names := make([]string, 2)
	var targets []*docmodel.Document
	for i, f := range s.references {
		names[i] = f.GoName()
		score.Add(0, "reference", f.Name)
		if target := refs.Target(p.Program, refs.Stem(f), d); target != nil && target != d {
			targets = append(targets, target)
			score.Add(0, "refers to documents", target.Name)
			score.At(target.Pos, "%s refers to %s", f.GoName(), target.Name)
		}
	}
	// A document with two ids may also say that something was done once, or hold the id
	// of a device. The name tells that the connection is what it is for.
	confidence, severity := 0.4, finding.Info
	if joinName(d.Name, s) {
		confidence, severity = 0.7, finding.Warning
		if len(targets) == 2 {
			confidence = 0.9
		}
		score.Add(0, "name", d.Name)
	}
	tokens := lexicon.Tokens(d.Name)
	if db == "firestore" || slices.ContainsFunc(tokens, func(t string) bool { return slices.Contains(links(), lexicon.Singular(t)) }) {
		severity = finding.Info
	}
	message := fmt.Sprintf("%s only connects %s and %s: to get from one to the other takes two queries", d.Name, names[0], names[1])
	var found *check.Fix
	if severity == finding.Warning { // others are fine as they are
		found = plan(d, targets)
	}
	p.Report(check.Finding{
		Document: d, Severity: severity, Confidence: confidence, Message: message, Evidence: score.Evidence, Related: score.Related, Fix: found,
		Advice: "Store an array of ids on the side that stays small, or on both if both do. If neither stays small, keep the documents: give them the id a:b and copy what lists show.",
	})
}

// joinName reports whether a type is named after both sides, or as a
// connection.
func joinName(name string, s sides) bool {
	tie := func(token string) bool { return slices.Contains(links(), lexicon.Singular(token)) }
	if tokens := lexicon.Tokens(name); slices.ContainsFunc(tokens, tie) || len(tokens) > 0 && slices.Contains(joins(), lexicon.Singular(tokens[len(tokens)-1])) {
		return true
	}
	folded := lexicon.Fold(name)
	return !slices.ContainsFunc(s.references, func(f *docmodel.Field) bool {
		return !strings.Contains(folded, lexicon.Fold(strings.ReplaceAll(refs.Stem(f), " ", "")))
	})
}

// plan returns a plan. Arrays that nothing fills would replace nothing, so
// there is no edit.
func plan(d *docmodel.Document, targets []*docmodel.Document) *check.Fix {
	if len(targets) == 2 && targets[0] != targets[1] {
		return check.Plan("keep the ids in %s.%sIDs or %s.%sIDs, whichever stays short, in place of %s",
			targets[0].Name, refs.Noun(targets[1].Name), targets[1].Name, refs.Noun(targets[0].Name), d.Name)
	}
	return check.Plan("keep the ids in an array on the side that stays small, in place of %s", d.Name)
}
