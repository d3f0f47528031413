package check

import (
	"github.com/shapevet/shapevet/analyzers/docmodel"
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
	Weigh(p *docmodel.Program, rule Rule, f *Finding)

	// Suspects reports whether documents alone show the mistake at a field. A rule
	// then reports the field whatever the code does.
	Suspects(p *docmodel.Program, rule Rule, f *docmodel.Field) bool

	// Place returns where documents of this run hold the values of a type. It is
	// not ok if there are none.
	Place(p *docmodel.Program, d *docmodel.Document) (place finding.Place, ok bool)

	// Observe returns the documents of a type. It returns nil if none are known,
	// or if they are of several kinds and none of these is the type.
	Observe(p *docmodel.Program, d *docmodel.Document) *Observed
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
