package docmodel

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// Options say what code does not.
type Options struct {
	DB            string // generic if empty
	Lexicon       *lexicon.Lexicon
	Documents     []DeclaredDocument
	Sinks         []DeclaredSink
	MinConfidence float64 // of findings that are reported under go vet; 0: 0.5
	Threshold     func(rule, name string) (float64, bool)
	Enabled       func(rule string) bool // nil: all

	Evidence Evidence // what documents show; may be nil
	NoIgnore bool     // ignore directives suppress nothing

	// Accepts reports whether the configuration accepts findings of a rule on a
	// path of a collection. Drivers that see one package at a time ask it.
	Accepts func(rule, collection, path string) bool

	// Locate finds places in documents of this run; nil if there are none.
	Locate func([]profile.Pos) ([]finding.Location, error)
}

// AnyConfidence is the [Options.MinConfidence] under which guesses are
// reported too.
const AnyConfidence = -1

// A DeclaredDocument is a Go type that the configuration calls a document.
type DeclaredDocument struct {
	Type, Collection, DB, PartitionKey string
}

// A DeclaredSink is a function that the configuration says stores a document.
type DeclaredSink struct {
	Function string // import/path.Func, import/path.Type.Method
	Argument int    // from 1; 0: the last
	DB       string
}

func (o Options) words() *lexicon.Lexicon {
	if o.Lexicon != nil {
		return o.Lexicon
	}
	return lexicon.Default()
}

// A Program is what the packages that were read together show: the documents
// they store and what they do to them.
type Program struct {
	*evidence
	options   Options
	fset      *token.FileSet
	documents []*Document
	byKey     map[string]*Document
	byVar     map[*types.Var][]*Field
	stores    map[string]bool // modules that store or read something
	whole     bool            // all packages that could store are at hand
	only      *Package
	usage     *usage
	growth    accumulation
	inserting sync.Once
	inserts   map[string][]Insert // by the type of what they insert
	bases     map[string]bool     // structs that documents take in
}

// New reads packages and concludes which types they store. Packages must
// share one file set and be given with imported ones before importers; those
// that did not type-check are read as far as they go.
func New(packages []*Package, options Options) *Program { return newProgram(packages, options, true) }

func newProgram(packages []*Package, options Options, whole bool) *Program {
	p := &Program{whole: whole, stores: map[string]bool{}, evidence: newEvidence(), options: options, byKey: map[string]*Document{}, byVar: map[*types.Var][]*Field{}, bases: map[string]bool{}, usage: &usage{packages: packages}}
	p.sinks = options.Sinks
	for _, pkg := range packages {
		p.fset = pkg.Fset
		p.packages[pkg.Path] = true
		if pkg.Types != nil {
			p.paths[pkg.Types] = true
		}
	}
	for _, pkg := range packages {
		p.gather(pkg)
	}
	p.flow.link(p.methods)
	p.joins()
	p.handedPaths()
	p.resolve()
	return p
}

// Documents returns the stored types, sorted by import path and name. Those
// that the program itself does not declare are among them.
func (p *Program) Documents() []*Document { return p.documents }

// Document returns the document of a type, nil if it is not stored.
func (p *Program) Document(named *types.Named) *Document {
	if named == nil {
		return nil
	}
	return p.byKey[TypeKey(named)]
}

// Occurrences returns all the places where a struct field is stored.
func (p *Program) Occurrences(v *types.Var) []*Field { return p.byVar[v.Origin()] }

// Literals returns the composite literals of a struct type.
func (p *Program) Literals(named *types.Named) []*Literal { return p.literals[TypeKey(named)] }

// KeyUses returns the expressions by which a map field is indexed, in the stored
// struct or in another from which it is taken as it is.
func (p *Program) KeyUses(v *types.Var) []KeyUse {
	uses := slices.Clip(p.keyed[v.Origin()])
	for _, from := range p.accumulates().taken(v.Origin()) {
		if from.field != v.Origin() {
			uses = append(uses, p.keyed[from.field]...)
		}
	}
	if named := definedMap(v.Type()); named != nil && p.sole(v, named) {
		uses = append(uses, p.keyedAs[named]...)
	}
	return uses
}

// sole reports whether a field is the only stored one of a defined map type, so
// that code about the type is about the field.
func (p *Program) sole(v *types.Var, named *types.TypeName) bool {
	for other := range p.byVar {
		if other != v.Origin() && definedMap(other.Type()) == named {
			return false
		}
	}
	return true
}

// Assigned returns the types that an any field is set to.
func (p *Program) Assigned(v *types.Var) []types.Type { return p.assigned[v.Origin()] }

// Measures returns where a number is compared with, or set to, the length of a
// list, with the list.
func (p *Program) Measures(v *types.Var) []Measure { return p.measures[v.Origin()] }

// File is the name of the file that a position is in.
func (p *Program) File(pos token.Pos) string { return p.fset.Position(pos).Filename }

// RegistersDecoders reports whether a decoder is registered with the codec,
// for interfaces or for types.
func (p *Program) RegistersDecoders() bool { return p.registered }

// ClientOptions returns the settings of database clients.
func (p *Program) ClientOptions() ClientOptions { return p.evidence.options }

// Words returns the word lists.
func (p *Program) Words() *lexicon.Lexicon { return p.options.words() }

// Comment returns the comment of a struct type.
func (p *Program) Comment(named *types.Named) string {
	text := ""
	if d := p.declared[TypeKey(named)]; d != nil {
		for _, group := range d.doc {
			text += group.Text()
		}
	}
	return text
}

func (p *Program) resolve() {
	r := &resolver{Program: p, candidates: map[string]*candidate{}}
	r.fromCalls()
	r.fromDeclarations()
	r.fromConfiguration()
	for _, key := range r.keys() {
		if d := r.document(r.candidates[key]); d != nil {
			p.documents = append(p.documents, d)
			p.byKey[key] = d
		}
	}
	for _, d := range p.documents {
		p.build(d)
	}
	p.lowerEmbedded()
	p.dropTwins()
	p.dropHolders()
	for _, d := range p.documents {
		All(d.Fields, func(f *Field) { p.byVar[f.Var] = append(p.byVar[f.Var], f) })
	}
	for _, w := range p.writes {
		for _, f := range p.byVar[w.Field] {
			f.Writes = append(f.Writes, w)
		}
	}
	p.assignUpdates()
	p.views()
}

// lowerEmbedded makes types that no call stores improbable if they are part
// of another document, where an _id is that of an element, or if the program
// stores other types of their package: results of queries carry an _id too.
func (p *Program) lowerEmbedded() {
	part, stores := map[string]bool{}, map[string]bool{}
	for _, d := range p.documents {
		if d.Confidence < 0.5 {
			continue
		}
		if d.Written {
			stores[d.PkgPath] = true
		}
		All(d.Fields, func(f *Field) {
			if f.Struct != nil && TypeKey(f.Struct) != d.Key {
				part[TypeKey(f.Struct)] = true
			}
		})
	}
	for _, d := range p.documents {
		switch {
		case d.Written || d.Confidence >= sureRead:
		case part[d.Key] || p.bases[d.Key]:
			d.lower("it is part of another document", NoPos)
		case stores[d.PkgPath] && d.tagOnly:
			d.lower("nothing is seen to store it, unlike others of its package", NoPos)
		}
	}
}

// NoPos is no position.
const NoPos = token.NoPos

func (d *Document) lower(reason string, at token.Pos) {
	d.Confidence = min(d.Confidence, sureView)
	d.Reasons = append(d.Reasons, Reason{Text: reason, Pos: at})
}

// dropTwins lowers types that are only read, beside a written type of the
// same package that stores the same fields: a projection of it. What updates
// add to later is in none that is written: the type that has it is the whole.
func (p *Program) dropTwins() {
	for _, d := range p.documents {
		if d.Written || !d.read || len(d.Collections) > 0 {
			continue
		}
		for _, other := range p.documents {
			if other != d && other.Written && other.PkgPath == d.PkgPath && similar(d, other) && !p.gains(d, other) {
				d.View = true
				d.lower("it is read, and "+other.Name+" is what is stored", other.Pos)
				break
			}
		}
	}
}

// dropHolders lowers types that are only read and hold what is stored as a
// document of its own: results of joins, queries with a place for what they
// find.
func (p *Program) dropHolders() {
	for _, d := range p.documents {
		if d.Written || d.Confidence >= sureDirective {
			continue
		}
		for _, f := range d.Fields {
			if f.Struct == nil {
				continue
			}
			if held := p.byKey[TypeKey(f.Struct)]; held != nil && held != d && held.Written && held.Confidence > sureView && !p.pushed(f) {
				d.View = true
				d.lower("it is only read, and holds "+held.Name+", which is what is stored", held.Pos)
				break
			}
		}
	}
}

// pushed reports whether an update adds a value of the field's type under its
// path: what holds it is stored, if only by updates.
func (p *Program) pushed(f *Field) bool {
	return slices.ContainsFunc(p.updates, func(u *Update) bool {
		named := structNamed(u.Value)
		return listOperators[u.Op] && plainPath(u.Path) == f.Dotted && named != nil && TypeKey(named) == TypeKey(f.Struct)
	})
}

// gains reports whether updates in the package of a type add to a list that it
// has and another type lacks.
func (p *Program) gains(d, other *Document) bool {
	return slices.ContainsFunc(d.Fields, func(f *Field) bool {
		return f.List() && !other.holds(f.Dotted) && slices.ContainsFunc(p.updates, func(u *Update) bool {
			return listOperators[u.Op] && plainPath(u.Path) == f.Dotted && OneService(u.Pkg.Path, d.PkgPath)
		})
	})
}

// similar reports whether most fields of a are stored by b under the same
// name in the same type.
func similar(a, b *Document) bool {
	types := map[string]string{}
	for _, f := range b.Fields {
		types[f.Name] = f.Type.String()
	}
	same := 0
	for _, f := range a.Fields {
		if t, ok := types[f.Name]; ok && t == f.Type.String() {
			same++
		}
	}
	return same >= 3 && same*5 >= len(b.Fields)*3 && same*5 >= len(a.Fields)*2
}

// assignUpdates ties the paths of update literals to fields: those of the
// collection that is updated if it is known, else those nearest by import
// path, and among these the ones whose elements have the type of the value.
func (p *Program) assignUpdates() {
	byPath := map[string][]*Field{}
	for _, d := range p.documents {
		if d.View {
			continue
		}
		All(d.Fields, func(f *Field) { byPath[f.Dotted] = append(byPath[f.Dotted], f) })
	}
	for _, u := range p.updates {
		candidates := byPath[plainPath(u.Path)]
		if len(candidates) == 0 && u.Dynamic {
			candidates = byPath[strings.TrimRight(plainPath(u.Path), ".")]
		}
		documents := map[*Document]bool{}
		near := p.nearest(u, candidates)
		if u.Handed && slices.ContainsFunc(near, func(f *Field) bool { return f.Document != near[0].Document }) {
			continue // the function serves several collections
		}
		for _, f := range near {
			f.Updates = append(f.Updates, u)
			documents[f.Document] = true
			if u.Op == adds && f.List() {
				u.Op = "$addToSet"
			}
		}
		if u.Op == adds {
			u.Op = "$inc"
		}
		u.Ambiguous = len(documents) > 1
	}
}

func (p *Program) nearest(u *Update, candidates []*Field) []*Field {
	// A path belongs to a collection: another one with the same path says nothing.
	collections := p.UpdatedCollections(u)
	candidates = keep(candidates, func(f *Field) bool { return !Apart(collections, f.Document.Collections) })
	if len(candidates) < 2 {
		return p.inModule(u, candidates)
	}
	if there := keep(candidates, func(f *Field) bool { return Together(f.Document.Collections, collections) }); len(there) > 0 {
		return there
	}
	candidates = p.fitting(u, candidates)
	if named := structNamed(u.Value); named != nil {
		if typed := keep(candidates, func(f *Field) bool { return f.Struct != nil && TypeKey(f.Struct) == TypeKey(named) }); len(typed) > 0 {
			candidates = typed
		}
	}
	best := 0
	for _, f := range candidates {
		best = max(best, common(u.Pkg.Path, f.Document.PkgPath))
	}
	return p.inModule(u, keep(candidates, func(f *Field) bool { return common(u.Pkg.Path, f.Document.PkgPath) == best }))
}

// keep returns the fields of which something is true.
func keep(fields []*Field, wanted func(*Field) bool) []*Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f *Field) bool { return !wanted(f) })
}

// Together reports whether one of some collections is among others.
func Together(a, b []string) bool {
	return slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) })
}

// Apart reports whether what is known of two places leaves no collection that
// is both.
func Apart(a, b []string) bool { return len(a) > 0 && len(b) > 0 && !Together(a, b) }

// fitting keeps the fields of the documents that hold most of the paths which
// the update names besides.
func (p *Program) fitting(u *Update, candidates []*Field) []*Field {
	paths := slices.Clone(u.Filters)
	for _, s := range u.Siblings() {
		paths = append(paths, s.Path)
	}
	fit, best := map[*Document]int{}, 0
	for _, f := range candidates {
		if _, known := fit[f.Document]; known {
			continue
		}
		n := 0
		for _, path := range paths {
			if f.Document.holds(path) {
				n++
			}
		}
		fit[f.Document] = n
		best = max(best, n)
	}
	return keep(candidates, func(f *Field) bool { return fit[f.Document] == best })
}

// holds reports whether a path of an update is that of a field.
func (d *Document) holds(path string) bool {
	if d.paths == nil {
		d.paths = map[string]bool{}
		All(d.Fields, func(f *Field) { d.paths[f.Dotted] = true })
	}
	return d.paths[plainPath(path)]
}

// inModule leaves out fields of other modules than the update's.
func (p *Program) inModule(u *Update, fields []*Field) []*Field {
	return keep(fields, func(f *Field) bool {
		return u.Pkg.Module == "" || f.Document.PkgPath == u.Pkg.Module || strings.HasPrefix(f.Document.PkgPath, u.Pkg.Module+"/") ||
			common(u.Pkg.Path, f.Document.PkgPath) >= 2
	})
}

// common is the number of elements that two import paths begin with alike.
func common(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// plainPath takes positions out of the path of an update: orders.$[].lines.0
// is orders.lines.
func plainPath(path string) string {
	elements := strings.Split(path, ".")
	kept := elements[:0]
	for _, e := range elements {
		if strings.HasPrefix(e, "$") || e != "" && strings.Trim(e, "0123456789") == "" {
			continue
		}
		if i := strings.IndexByte(e, '['); i > 0 { // DynamoDB: items[0]
			e = e[:i]
		}
		kept = append(kept, e)
	}
	return strings.Join(kept, ".")
}
