package docmodel

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/schema"
	"github.com/shapevet/shapevet/rulebook"
)

// A Rule is a kind of modelling mistake and how Go code shows it.
type Rule struct {
	Name string // in kebab-case, as in the rule book, which has everything else about the rule
	Run  func(*Pass)

	// Ask compares a finding of the rule with documents of the type. It returns
	// nil if they show nothing about it. Findings of a rule without Ask are not
	// compared with documents.
	Ask func(p *Program, s Shown, on *Finding) *Verdict

	// Declared compares a finding of the rule with the schema of the type's
	// collection. It returns nil if the schema says nothing about it.
	Declared func(d *schema.Declared, s Shown, on *Finding) *Declaration

	// SamePlace reports whether findings of the rule on code and on documents are
	// the same mistake although their paths differ.
	SamePlace func(code, documents profile.Path) bool

	// Cause is the rule on documents whose findings show the cause of this rule's
	// findings.
	Cause string
}

// AnalyzerName returns the rule's name without dashes, as its analyzer is
// called.
func (r Rule) AnalyzerName() string { return strings.ReplaceAll(r.Name, "-", "") }

// A Pass is one rule checking one package.
type Pass struct {
	Rule    Rule
	Program *Program
	Package *Package

	emit     func(Finding)
	accepted func(Finding) // called for accepted findings; may be nil
}

// A Finding is a mistake that a rule reports. Document or Field gives its
// place. At moves it within the package.
type Finding struct {
	Document   *Document
	Field      *Field
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

// Limits returns the limits of the database that stores a document, or generic
// limits if the database is not known.
func (p *Pass) Limits(d *Document) (limits.Profile, bool) {
	return limits.For(cmp.Or(p.DB(d), "generic"))
}

// TypeOf returns the source form of a field's type, as evidence.
func TypeOf(f *Field) finding.Evidence {
	return finding.Evidence{Name: "type", Value: types.TypeString(f.Type, types.RelativeTo(f.Var.Pkg()))}
}

// Words returns the word lists.
func (p *Pass) Words() *lexicon.Lexicon { return p.Program.Words() }

// DB returns the database that stores a document, if known.
func (p *Pass) DB(d *Document) string {
	if p.Program.options.DB != "" && p.Program.options.DB != "generic" {
		return p.Program.options.DB
	}
	return d.DB
}

// Threshold returns a number of the rule that the configuration can change.
func (p *Pass) Threshold(name string) float64 { return p.Program.Threshold(p.Rule.Name, name) }

// Threshold returns the value of a rule's threshold from the configuration or
// the rule's page.
func (p *Program) Threshold(rule, name string) float64 {
	if p.options.Threshold != nil {
		if value, ok := p.options.Threshold(rule, name); ok {
			return value
		}
	}
	if front, ok := rulebook.FrontOf(rule); ok {
		if threshold, ok := front.Thresholds[name]; ok {
			return threshold.Default
		}
	}
	panic("rule " + rule + " has no threshold " + name + " on its page")
}

// Documents returns the stored types whose findings belong to this package,
// sorted by position: those that it declares, and those that it stores from
// packages that were not read. It skips types in generated files and results of
// computed queries.
func (p *Pass) Documents() []*Document {
	return slices.DeleteFunc(p.WithGenerated(), func(d *Document) bool { return d.Generated })
}

// WithGenerated returns the same types and those from generated files that this
// package stores: where they are stored is up to the code that stores them.
func (p *Pass) WithGenerated() []*Document {
	var found []*Document
	for _, d := range p.Program.documents {
		home := d.storedIn
		if d.editable() {
			home = d.declared.pkg
		}
		if !d.View && home == p.Package {
			found = append(found, d)
		}
	}
	slices.SortStableFunc(found, func(a, b *Document) int { return cmp.Compare(a.Pos, b.Pos) })
	return found
}

// Fields returns the stored fields whose findings belong to this package. Each
// struct field occurs once, in its most certain and shallowest document. A
// struct declared in this package may be part of other packages' documents. All
// rules share the slice.
func (p *Pass) Fields() []*Field {
	p.Package.listed.Do(func() {
		p.Package.fields = p.own(func(d *Document) (all []*Field) {
			All(d.Fields, func(f *Field) { all = append(all, f) })
			return all
		})
	})
	return p.Package.fields
}

// Lost returns the embedded structs in [Document.Lost] whose findings belong to
// this package.
func (p *Pass) Lost() []*Field { return p.own(func(d *Document) []*Field { return d.Lost }) }

// Unexported returns the fields in [Document.Unexported] whose findings belong
// to this package.
func (p *Pass) Unexported() []*Field {
	return p.own(func(d *Document) []*Field { return d.Unexported })
}

// own returns the fields of documents whose findings belong to this package.
func (p *Pass) own(of func(d *Document) []*Field) []*Field {
	best := map[*types.Var]*Field{}
	for _, d := range p.Program.documents {
		if d.View {
			continue
		}
		for _, f := range of(d) {
			if known := best[f.Var]; p.owns(f) && !f.View && (known == nil || better(f, known)) {
				best[f.Var] = f
			}
		}
	}
	return slices.SortedFunc(maps.Values(best), func(a, b *Field) int {
		return cmp.Or(cmp.Compare(a.Var.Pos(), b.Var.Pos()), cmp.Compare(a.Document.Key+a.Path, b.Document.Key+b.Path))
	})
}

func (p *Pass) owns(f *Field) bool {
	if f.Syntax != nil {
		return f.Var.Pkg() == p.Package.Types && !p.Program.generated[p.Program.fset.Position(f.Var.Pos()).Filename]
	}
	return f.Document.declared == nil && f.Document.storedIn == p.Package || f.Document.declared != nil && f.Document.declared.pkg == p.Package && !p.Program.packages[pathOfVar(f.Var)]
}

func pathOfVar(v *types.Var) string {
	if v.Pkg() == nil {
		return ""
	}
	return v.Pkg().Path()
}

// better reports whether to report a field in the document of a rather than in
// that of b. Code changes a task where tasks are stored, not in the host that
// keeps a copy. Where code changes it in most places shows which of two documents it is.
func better(a, b *Field) bool {
	switch sure := a.Document.Confidence >= finding.Probable; {
	case sure != (b.Document.Confidence >= finding.Probable):
		return sure
	case a.Document.Written != b.Document.Written:
		return a.Document.Written
	case a.changes() != b.changes():
		return a.changes() > b.changes()
	}
	return cmp.Or(
		cmp.Compare(a.Depth, b.Depth), cmp.Compare(b.Document.Confidence, a.Document.Confidence), cmp.Compare(a.Document.Key+a.Path, b.Document.Key+b.Path),
	) < 0
}

// Changed reports whether an update changes the field in documents of this type.
func (f *Field) Changed() bool {
	return f.changes() > 0
}

// changes counts the updates that change the field in documents of this type.
func (f *Field) changes() (n int) {
	for _, u := range f.Updates {
		if !u.Ambiguous {
			n++
		}
	}
	return n
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
	at := p.Program.fset.Position(f.At)
	for _, d := range p.Program.directives {
		if d.suppresses(p.Rule.Name, at.Filename, at.Line) {
			d.used.Store(true)
			if p.Program.options.NoIgnore {
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
	case f.Field != nil && f.Document.declared != nil:
		f.At, f.End = f.Document.Pos, f.Document.Pos+token.Pos(len(f.Document.Name))
		f.Message = f.Document.Name + " stores " + f.Field.OwnerName() + "." + f.Field.GoName() + ": " + f.Message
	case f.Document.editable():
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
		return TypeKey(f.Field.Owner) + "." + f.Field.GoName()
	}
	names := []string{f.Field.GoName()}
	for up := f.Field.Parent; up != nil; up = up.Parent {
		names = append([]string{up.GoName()}, names...)
		if up.Owner != nil {
			return TypeKey(up.Owner) + "." + strings.Join(names, ".")
		}
	}
	return f.Document.Key + "." + strings.Join(names, ".")
}

// A Score adds up evidence.
type Score struct {
	Points   float64
	Evidence []finding.Evidence
	Related  []Related
}

// Add adds a piece of evidence. Its name and value go into the report.
func (s *Score) Add(points float64, name string, value any) {
	s.Points += points
	s.Evidence = append(s.Evidence, finding.Evidence{Name: name, Value: value})
}

// At points at code that belongs to the evidence.
func (s *Score) At(pos token.Pos, format string, arguments ...any) {
	if pos.IsValid() {
		s.Related = append(s.Related, Related{Pos: pos, Message: fmt.Sprintf(format, arguments...)})
	}
}

// Weights say how much each piece of evidence adds to the log-odds that a
// finding is right. The rule's page lists them by the names of the evidence in
// reports, written with dashes.
type Weights map[string]rulebook.Weight

// Weights returns the weights of the rule.
func (p *Pass) Weights() Weights {
	front, _ := rulebook.FrontOf(p.Rule.Name)
	return front.Weights
}

// Start returns the log-odds without any evidence.
func (w Weights) Start() float64 { return w.of("start") }

func (w Weights) of(name string) float64 {
	weight, ok := w[strings.ReplaceAll(name, " ", "-")]
	if !ok {
		panic("no weight for " + name + " on the rule's page")
	}
	return weight.Value
}

// Weigh adds a piece of evidence with the weight of its name.
func (s *Score) Weigh(weights Weights, name string, value any) { s.Add(weights.of(name), name, value) }

// Probability converts points to a confidence, as log-odds.
func (s *Score) Probability() float64 {
	const doubt = 0.03 // code never shows everything
	return math.Round(100*min(max(1/(1+math.Exp(-s.Points)), doubt), 1-doubt)) / 100
}

// Confidence converts points to a confidence, depending on whether they meet
// the threshold or far exceed it.
func (s *Score) Confidence(threshold, high float64) float64 {
	switch {
	case s.Points >= high:
		return 0.9
	case s.Points >= threshold:
		return 0.7
	}
	return 0.4
}

// Stored explains, as evidence, why a document counts as stored.
func Stored(d *Document) finding.Evidence {
	reasons := make([]string, 0, len(d.Reasons))
	for _, r := range d.Reasons {
		reasons = append(reasons, r.Text)
	}
	return finding.Evidence{Name: "stored", Value: reasons}
}
