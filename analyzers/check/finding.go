package check

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A Finding is a mistake that a rule reports. Document or Field gives its
// place. At moves it within the package.
type Finding struct {
	Document   *docmodel.Document
	Field      *docmodel.Field
	Path       string // of the values, if it differs from the field's
	At         token.Pos
	End        token.Pos
	Severity   finding.Severity // zero means the severity on the rule's page
	Confidence float64          // before it is limited by how certain it is that the type is stored
	Message    string
	Advice     string
	Evidence   []finding.Evidence
	Related    []Related
	Fix        *Fix

	// Sightings are places in documents that show the mistake. Stored is where
	// documents contain the finding's subject. The comparison with documents fills
	// in both.
	Sightings []Sighting
	Stored    []finding.Place

	Rule string // set by Report
}

// A Sighting is a place in documents that belongs to a finding.
type Sighting struct {
	Message string
	At      profile.Pos // an unknown position is left out
}

// Related is a place that belongs to a finding.
type Related struct {
	Pos     token.Pos
	Message string
}

// A Fix is a way to resolve a finding. A plan has no edits.
type Fix struct {
	Title  string
	Safety finding.Safety
	Edits  []analysis.TextEdit
}

// Plan returns the fix without its edits, for a finding that is a guess.
func (f *Fix) Plan() *Fix {
	if f == nil {
		return nil
	}
	return &Fix{Title: f.Title, Safety: finding.Plan}
}

// Collections returns the document's collections, separated by commas.
func (f *Finding) Collections() string {
	if f.Document == nil {
		return ""
	}
	return strings.Join(f.Document.Collections, ",")
}

// Place returns the path in documents that the finding is about.
func (f *Finding) Place() string {
	if f.Path == "" && f.Field != nil {
		return f.Field.Path
	}
	return f.Path
}

// Symbol returns what a finding is about: import/path.Type.Field.
func (f *Finding) Symbol() string {
	switch {
	case f.Field == nil && f.Document == nil:
		return ""
	case f.Field == nil:
		return f.Document.Key
	case f.Field.Owner != nil:
		return docmodel.TypeKey(f.Field.Owner) + "." + f.Field.GoName()
	}
	names := []string{f.Field.GoName()}
	for up := f.Field.Parent; up != nil; up = up.Parent {
		names = append([]string{up.GoName()}, names...)
		if up.Owner != nil {
			return docmodel.TypeKey(up.Owner) + "." + strings.Join(names, ".")
		}
	}
	return f.Document.Key + "." + strings.Join(names, ".")
}

// TypeOf returns the source form of a field's type, as evidence.
func TypeOf(f *docmodel.Field) finding.Evidence {
	return finding.Evidence{Name: "type", Value: types.TypeString(f.Type, types.RelativeTo(f.Var.Pkg()))}
}

// Stored explains, as evidence, why a document counts as stored.
func Stored(d *docmodel.Document) finding.Evidence {
	reasons := make([]string, 0, len(d.Reasons))
	for _, r := range d.Reasons {
		reasons = append(reasons, r.Text)
	}
	return finding.Evidence{Name: "stored", Value: reasons}
}
