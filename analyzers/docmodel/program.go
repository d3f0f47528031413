package docmodel

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Options are the settings that the code itself does not show.
type Options struct {
	DB        string // generic if empty
	Lexicon   *lexicon.Lexicon
	Documents []DeclaredDocument
	Sinks     []DeclaredSink
	Threshold func(rule, name string) (float64, bool)
}

// A DeclaredDocument is a Go type that the configuration declares to be a
// document.
type DeclaredDocument struct {
	Type, Collection, DB, PartitionKey string
}

// A DeclaredSink is a function that the configuration says stores a document.
type DeclaredSink struct {
	Function string // import/path.Func, import/path.Type.Method
	Argument int    // from 1; 0 means the last one
	DB       string
}

func (o Options) words() *lexicon.Lexicon {
	if o.Lexicon != nil {
		return o.Lexicon
	}
	return lexicon.Default()
}

// A Program is what packages that were read together show: the documents they
// store and what they do to them.
type Program struct {
	*evidence
	options   Options
	fset      *token.FileSet
	documents []*Document
	byKey     map[string]*Document
	byVar     map[*types.Var][]*Field
	stores    map[string]bool // modules that store or read something
	whole     bool            // all packages that could store documents were read
	only      *Package
	usage     *usage
	routines  func() []*routine // all functions, for growth
	growth    accumulation
	inserting sync.Once
	inserts   map[string][]Insert // by the type of what they insert
	bases     map[string]bool     // structs whose fields documents store as their own
	memory    sync.Map            // what [Remember] computed, by key
}

// Remember returns what compute returns for a key, and computes it once for a
// program. The type of the key tells one question from the others.
func Remember[K comparable, V any](p *Program, key K, compute func() V) V {
	if known, ok := p.memory.Load(key); ok {
		return known.(V)
	}
	known, _ := p.memory.LoadOrStore(key, compute())
	return known.(V)
}

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

// DB returns the database that stores a document, if known.
func (p *Program) DB(d *Document) string {
	if p.options.DB != "" && p.options.DB != "generic" {
		return p.options.DB
	}
	return d.DB
}

// Fset returns the file set of all packages.
func (p *Program) Fset() *token.FileSet { return p.fset }

// Directives returns the directives in all packages.
func (p *Program) Directives() []*Directive { return p.directives }

// Declaration returns the declaration of a struct type, or nil if it was not
// read or is in a function.
func (p *Program) Declaration(named *types.Named) *TypeDecl { return p.declared[TypeKey(named)] }

// Only returns the package of a program that was made by [One], or nil.
func (p *Program) Only() *Package { return p.only }

// New reads packages and infers which types they store. Packages must share one
// file set, and imported ones must come before those that import them. Packages
// that did not type-check are read as far as possible.
func New(packages []*Package, options Options) *Program { return newProgram(packages, options, true) }

// One makes a program of one package, of which others may be missing.
func One(pkg *Package, options Options) *Program {
	p := newProgram([]*Package{pkg}, options, false)
	p.only = pkg
	return p
}

func newProgram(packages []*Package, options Options, whole bool) *Program {
	p := &Program{whole: whole, stores: map[string]bool{}, evidence: newEvidence(), options: options, byKey: map[string]*Document{}, byVar: map[*types.Var][]*Field{}, bases: map[string]bool{}, usage: &usage{packages: packages}}
	p.sinks = options.Sinks
	p.routines = readRoutines(packages)
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

// Documents returns the stored types, sorted by import path and name. It
// includes those that the program itself does not declare.
func (p *Program) Documents() []*Document { return p.documents }

// Document returns the document of a type, or nil if it is not stored.
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
// struct or in another struct that shares the map.
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
// that code for the type concerns the field.
func (p *Program) sole(v *types.Var, named *types.TypeName) bool {
	for other := range p.byVar {
		if other != v.Origin() && definedMap(other.Type()) == named {
			return false
		}
	}
	return true
}

// Assigned returns the types that a field of type any is set to.
func (p *Program) Assigned(v *types.Var) []types.Type { return p.assigned[v.Origin()] }

// Measures returns where code compares a number with the length of a list or
// sets it to that length.
func (p *Program) Measures(v *types.Var) []Measure { return p.measures[v.Origin()] }

// File returns the name of the file that contains a position.
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
	if d := p.Declaration(named); d != nil {
		for _, group := range d.doc {
			text += group.Text()
		}
	}
	return text
}

func (p *Program) resolve() {
	r := &resolver{Program: p, candidates: map[string]*candidate{}}
	r.fromCalls()
	r.fromInterfaces()
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

// lowerEmbedded makes types that no call stores improbable if another document
// contains them, because their _id is then that of an element, or if the
// program stores other types of their package, because results of queries have
// an _id too.
func (p *Program) lowerEmbedded() {
	part, stores := map[string]bool{}, map[string]bool{}
	for _, d := range p.documents {
		if d.Confidence < finding.Probable {
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
		case d.tagOnly && slices.ContainsFunc(embeds(d.Named), func(key string) bool { return p.byKey[key] != nil && p.byKey[key].Written }):
			d.lower("it extends a document for an answer, and nothing is seen to store it", NoPos)
		case stores[d.PkgPath] && d.tagOnly:
			d.lower("nothing is seen to store it, unlike others of its package", NoPos)
		}
	}
}

// NoPos is the position of nothing.
const NoPos = token.NoPos

func (d *Document) lower(reason string, at token.Pos) {
	d.Confidence = min(d.Confidence, sureView)
	d.Reasons = append(d.Reasons, Reason{Text: reason, Pos: at})
}

// dropTwins lowers types that are only read if their package stores a type with
// the same fields, of which they are a projection. A type that updates add a
// list to is kept, because the written type lacks that list.
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

// dropHolders lowers types that are only read and contain a document that is
// stored on its own. They are results of joins or queries.
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

// pushed reports whether an update adds a value of the field's type at its
// path. The type that contains the field is then stored, if only by updates.
func (p *Program) pushed(f *Field) bool {
	return slices.ContainsFunc(p.updates, func(u *Update) bool {
		named := structNamed(u.Value)
		return listOperators[u.Op] && plainPath(u.Path) == f.Dotted && named != nil && TypeKey(named) == TypeKey(f.Struct)
	})
}

// gains reports whether updates in the service of a type add to a list that it
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

// assignUpdates assigns the paths of update literals to fields: those of the
// updated collection if it is known, else the nearest ones by import path.
// Among these it prefers fields whose elements have the type of the value.
func (p *Program) assignUpdates() {
	byPath := map[string][]*Field{}
	for _, d := range p.documents {
		if d.View {
			continue
		}
		All(d.Fields, func(f *Field) { byPath[f.Dotted] = append(byPath[f.Dotted], f) })
	}
	homes := []func(token.Pos) string{p.receivers(), p.File}
	for _, u := range p.updates {
		documents := map[*Document]bool{}
		near := p.nearest(u, u.at(byPath), homes)
		if u.Handed() && slices.ContainsFunc(near, func(f *Field) bool { return f.Document != near[0].Document }) {
			beside := p.beside(u.handed)
			near = keep(near, func(f *Field) bool { return Overlap(beside, f.Document.Collections) }) // the function serves several collections
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

// at returns the fields at the path of an update, as far as the path is known: a part that
// code puts in is a position if it follows a list.
func (u *Update) at(byPath map[string][]*Field) []*Field {
	names := strings.Split(u.Path, built)
	paths := make([]string, len(names))
	for i := range names {
		paths[i] = strings.TrimRight(plainPath(strings.Join(names[:i+1], built)), ".")
	}
	for n := len(names); ; n-- {
		fields := keep(byPath[paths[n-1]], func(f *Field) bool { return f.within(paths[:n-1]) })
		if len(fields) > 0 || n == 1 {
			u.Path = strings.Join(names[:n], built)
			if n > 1 {
				u.Dynamic, u.Parts = n < len(names), u.Parts[n-1:]
			}
			return fields
		}
	}
}

// within reports whether all paths are those of lists that contain the field, or its own.
func (f *Field) within(lists []string) bool {
	return !slices.ContainsFunc(lists, func(path string) bool {
		for at := f; at != nil; at = at.Parent {
			if at.Dotted == path && at.List() {
				return false
			}
		}
		return true
	})
}

// nearest returns the fields that an update most probably changes. homes say whose
// code a position belongs to: the code that reads and stores documents changes
// them too.
func (p *Program) nearest(u *Update, candidates []*Field, homes []func(token.Pos) string) []*Field {
	// Another collection with the same path proves nothing.
	collections := p.UpdatedCollections(u)
	if h := u.handed; h != nil {
		beside := p.beside(h)
		candidates = prefer(candidates, func(f *Field) bool { return Overlap(beside, f.Document.Collections) })
	}
	candidates = keep(candidates, func(f *Field) bool { return !Disjoint(collections, f.Document.Collections) })
	if len(candidates) < 2 {
		return p.inModule(u, candidates)
	}
	if there := keep(candidates, func(f *Field) bool { return Overlap(f.Document.Collections, collections) }); len(there) > 0 {
		return there
	}
	candidates = p.fitting(u, candidates)
	if named := structNamed(u.Value); named != nil {
		candidates = prefer(candidates, func(f *Field) bool { return f.Struct != nil && TypeKey(f.Struct) == TypeKey(named) })
	}
	pkg, pos := u.place()
	best := 0
	for _, f := range candidates {
		best = max(best, common(pkg.Path, f.Document.PkgPath))
	}
	candidates = keep(candidates, func(f *Field) bool { return common(pkg.Path, f.Document.PkgPath) == best })
	for _, home := range homes {
		candidates = prefer(candidates, func(f *Field) bool {
			return home(pos) == f.Document.Key || slices.ContainsFunc(f.Document.uses, func(at token.Pos) bool { return home(at) == home(pos) })
		})
	}
	return p.inModule(u, candidates)
}

// receivers returns a function that returns the type whose method is around a
// position, or "".
func (p *Program) receivers() func(token.Pos) string {
	type method struct {
		pos, end token.Pos
		of       string
	}
	var methods []method
	for _, pkg := range p.usage.packages {
		for fn := range pkg.Functions() {
			if fn.Recv != nil && len(fn.Recv.List) > 0 {
				methods = append(methods, method{fn.Pos(), fn.End(), pkg.Path + "." + strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*")})
			}
		}
	}
	slices.SortFunc(methods, func(a, b method) int { return cmp.Compare(a.pos, b.pos) })
	return func(pos token.Pos) string {
		i, found := slices.BinarySearchFunc(methods, pos, func(m method, pos token.Pos) int { return cmp.Compare(m.pos, pos) })
		if !found {
			i-- // the method that begins before it
		}
		if i < 0 || pos >= methods[i].end {
			return ""
		}
		return methods[i].of
	}
}

// keep returns the fields that meet a condition.
func keep(fields []*Field, wanted func(*Field) bool) []*Field {
	return slices.DeleteFunc(slices.Clone(fields), func(f *Field) bool { return !wanted(f) })
}

// prefer returns the fields that meet a condition, or all if none does.
func prefer(fields []*Field, wanted func(*Field) bool) []*Field {
	if kept := keep(fields, wanted); len(kept) > 0 {
		return kept
	}
	return fields
}

// Overlap reports whether two lists of collections have one in common.
func Overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) })
}

// Disjoint reports whether the known collections of two places exclude that they
// are the same.
func Disjoint(a, b []string) bool { return len(a) > 0 && len(b) > 0 && !Overlap(a, b) }

// fitting keeps the fields of the documents that have most of the other paths
// that the update names.
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

// holds reports whether the document has a field at a path.
func (d *Document) holds(path string) bool {
	if d.paths == nil {
		d.paths = map[string]bool{}
		All(d.Fields, func(f *Field) { d.paths[f.Dotted] = true })
	}
	return d.paths[plainPath(path)]
}

// inModule leaves out fields of modules other than the update's.
func (p *Program) inModule(u *Update, fields []*Field) []*Field {
	return keep(fields, func(f *Field) bool {
		return u.Pkg.Module == "" || f.Document.PkgPath == u.Pkg.Module || strings.HasPrefix(f.Document.PkgPath, u.Pkg.Module+"/") ||
			common(u.Pkg.Path, f.Document.PkgPath) >= 2
	})
}

// common returns how many leading elements two import paths share.
func common(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// plainPath removes positions from the path of an update: orders.$[].lines.0
// becomes orders.lines.
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
