package docmodel

import (
	"github.com/shapevet/shapevet/internal/finding"
	shown "github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// Evidence is what stored documents show about the types that store them. Each
// finding is compared with it before it is reported. It must be safe for
// concurrent use.
type Evidence interface {
	// Weigh compares a finding with the documents. It may raise or lower the
	// confidence and the severity, with a reason.
	Weigh(p *Program, rule Rule, f *Finding)

	// Suspects reports whether documents alone show the mistake at a field. A rule
	// then reports the field whatever the code does.
	Suspects(p *Program, rule Rule, f *Field) bool

	// Place returns where documents of this run hold the values of a type. It is
	// not ok if there are none.
	Place(p *Program, d *Document) (place finding.Place, ok bool)

	// Observe returns the documents of a type. It returns nil if none are known,
	// or if they are of several kinds and none of these is the type.
	Observe(p *Program, d *Document) *Observed
}

// Observed is what is known about the documents of a type.
type Observed struct {
	Collection string
	Documents  int64 // in the collection
	Until      string
	Stale      string      // a note about old evidence; "" if it is recent
	Confidence float64     // that these are documents of the type
	Kind       *shown.Kind // the documents of the type
	Typed      bool        // values have types, so that dates, ids and bytes differ from strings
}

// Shown is what a rule sees of a type's documents when asked about a finding.
type Shown struct {
	Name       string // of the collection
	Documents  int64
	Collection *shown.Collection
	Kind       *shown.Kind
	Root       *shown.Node // of the documents of the type's kind, if known
}

// A Verdict is what documents say about a finding.
type Verdict struct {
	Confirms, Acquits bool
	Seen              int64  // values that contradict the finding
	Note              string // what was observed
	Severity          finding.Severity
	Items             []finding.Evidence
	At                profile.Pos // where documents of this run show it, if known
}

// A Declaration is what a schema says about a finding.
type Declaration struct {
	Acquits  string // why there is no mistake, "" if there may be one
	At       finding.Location
	Evidence []finding.Evidence
}

// EitherWhole is the [Rule.SamePlace] of rules that report all documents of a
// kind once, at the key or at the document.
func EitherWhole(code, documents profile.Path) bool { return len(code) == 0 || len(documents) == 0 }

// Item adds a piece of evidence.
func (v *Verdict) Item(name string, value any) {
	v.Items = append(v.Items, finding.Evidence{Name: name, Value: value})
}

// SeenIn records in the evidence which documents were compared with a finding.
func (f *Finding) SeenIn(collection string, documents int64, until string) {
	f.Evidence = append(f.Evidence,
		finding.Evidence{Name: "observed in", Value: collection},
		finding.Evidence{Name: "observed documents", Value: documents},
		finding.Evidence{Name: "observed until", Value: until})
}

// Observed returns the documents of a type; see [Evidence.Observe].
func (p *Pass) Observed(d *Document) *Observed {
	if e := p.Program.options.Evidence; e != nil {
		return e.Observe(p.Program, d)
	}
	return nil
}

// Suspected reports whether documents show the rule's mistake at a field; see
// [Evidence.Suspects].
func (p *Pass) Suspected(f *Field) bool {
	e := p.Program.options.Evidence
	return e != nil && e.Suspects(p.Program, p.Rule, f)
}

// Holders calls visit for the stored types and fields whose declarations were
// read, with the places in documents of this run that hold their values.
func (p *Program) Holders(visit func(place finding.Place, d *Document, f *Field)) {
	if p.options.Evidence == nil {
		return
	}
	for _, d := range p.documents {
		place, ok := p.options.Evidence.Place(p, d)
		if !ok || d.declared == nil || d.Generated {
			continue
		}
		visit(place, d, nil)
		All(d.Fields, func(f *Field) {
			if f.Syntax != nil && !f.WritesItself() {
				visit(finding.Place{Collection: place.Collection, Entity: place.Entity, Path: f.Path}, d, f)
			}
		})
	}
}

// weigh compares a finding with the evidence.
func (p *Pass) weigh(f *Finding) {
	if e := p.Program.options.Evidence; e != nil && f.Document != nil {
		e.Weigh(p.Program, p.Rule, f)
	}
}
