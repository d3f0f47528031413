package check

import (
	"cmp"
	"go/token"
	"slices"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/rulebook"
)

// A Pass is one rule checking one package.
type Pass struct {
	Rule    Rule
	Program *docmodel.Program
	Package *docmodel.Package

	options  *Options
	emit     func(Finding)
	accepted func(Finding) // called for accepted findings; may be nil
}

// Limits returns the limits of the database that stores a document, or generic
// limits if the database is not known.
func (p *Pass) Limits(d *docmodel.Document) (limits.Profile, bool) {
	return limits.For(cmp.Or(p.DB(d), "generic"))
}

// Words returns the word lists.
func (p *Pass) Words() *lexicon.Lexicon { return p.Program.Words() }

// DB returns the database that stores a document, if known.
func (p *Pass) DB(d *docmodel.Document) string { return p.Program.DB(d) }

// Threshold returns a number of the rule that the configuration can change.
func (p *Pass) Threshold(name string) float64 { return p.Program.Threshold(p.Rule.Name, name) }

// Documents returns the stored types whose findings belong to this package;
// see [docmodel.Program.DocumentsOf]. It skips types in generated files.
func (p *Pass) Documents() []*docmodel.Document {
	return slices.DeleteFunc(p.WithGenerated(), func(d *docmodel.Document) bool { return d.Generated })
}

// WithGenerated returns the same types and those from generated files.
func (p *Pass) WithGenerated() []*docmodel.Document { return p.Program.DocumentsOf(p.Package) }

// Fields returns the stored fields whose findings belong to this package; see
// [docmodel.Program.FieldsOf]. All rules share the slice.
func (p *Pass) Fields() []*docmodel.Field { return p.Program.FieldsOf(p.Package) }

// Lost returns the embedded structs in [docmodel.Document.Lost] whose findings
// belong to this package.
func (p *Pass) Lost() []*docmodel.Field {
	return p.Program.Owned(p.Package, func(d *docmodel.Document) []*docmodel.Field { return d.Lost })
}

// Unexported returns the fields in [docmodel.Document.Unexported] whose findings
// belong to this package.
func (p *Pass) Unexported() []*docmodel.Field {
	return p.Program.Owned(p.Package, func(d *docmodel.Document) []*docmodel.Field { return d.Unexported })
}

// Observed returns the documents of a type; see [Evidence.Observe].
func (p *Pass) Observed(d *docmodel.Document) *Observed {
	if e := p.options.Evidence; e != nil {
		return e.Observe(p.Program, d)
	}
	return nil
}

// Suspected reports whether documents show the rule's mistake at a field; see
// [Evidence.Suspects].
func (p *Pass) Suspected(f *docmodel.Field) bool {
	e := p.options.Evidence
	return e != nil && e.Suspects(p.Program, p.Rule, f)
}

// Report reports a finding, unless a directive accepts it.
func (p *Pass) Report(f Finding) {
	f.Rule = p.Rule.Name
	if f.Severity == 0 {
		if front, ok := rulebook.FrontOf(p.Rule.Name); ok {
			f.Severity = front.Severity
		}
	}
	if f.Field != nil && f.Document == nil {
		f.Document = f.Field.Document
	}
	if f.Document != nil {
		f.Confidence = min(f.Confidence, f.Document.Confidence)
	}
	p.weigh(&f)
	if f.Confidence < finding.Probable {
		f.Fix = f.Fix.Plan() // a guess must not edit
	}
	p.place(&f)
	at := p.Program.Fset().Position(f.At)
	for _, d := range p.Program.Directives() {
		if d.Suppresses(p.Rule.Name, at.Filename, at.Line) {
			d.Use()
			if p.options.NoIgnore {
				break
			}
			if p.accepted != nil {
				p.accepted(f)
			}
			return
		}
	}
	p.emit(f)
}

// place sets the position of a finding: the declaration if it was read,
// otherwise the call that stores the document.
func (p *Pass) place(f *Finding) {
	if f.At.IsValid() {
		return
	}
	switch {
	case f.Field != nil && f.Field.Syntax != nil:
		f.At = f.Field.Var.Pos()
		f.End = f.At + token.Pos(len(f.Field.Var.Name()))
	case f.Field != nil && f.Document.Declared():
		f.At, f.End = f.Document.Pos, f.Document.Pos+token.Pos(len(f.Document.Name))
		f.Message = f.Document.Name + " stores " + f.Field.OwnerName() + "." + f.Field.GoName() + ": " + f.Message
	case f.Document.Editable():
		f.At, f.End = f.Document.Pos, f.Document.Pos+token.Pos(len(f.Document.Name))
	default:
		f.At = f.Document.Stored
		name := f.Document.Name
		if f.Field != nil {
			name = f.Field.OwnerName() + "." + f.Field.GoName()
		}
		f.Message = "stores " + name + ": " + f.Message
	}
}

// weigh compares a finding with the evidence.
func (p *Pass) weigh(f *Finding) {
	if e := p.options.Evidence; e != nil && f.Document != nil {
		e.Weigh(p.Program, p.Rule, f)
	}
}
