package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Package is a type-checked package to read. Types and Info may be
// incomplete: what was not resolved is read from the syntax.
type Package struct {
	Path   string // import path
	Module string // path of the module, "" if unknown
	Fset   *token.FileSet
	Files  []*ast.File
	Types  *types.Package
	Info   *types.Info

	// Around says that the package is read only for what it shows about others,
	// and nothing is reported in it. Foreign says in addition that it belongs to
	// another module, whose types are not the program's.
	Around, Foreign bool

	// Partial says that parts of it do not type-check, so that some values cannot
	// be followed.
	Partial bool

	// ReadFile reads the text of the files, for fixes. If it is nil, they are read
	// from disk.
	ReadFile func(name string) ([]byte, error)
}

// evidence is what the code of packages shows, before anything is inferred.
type evidence struct {
	flow     *flow
	calls    []sinkCall
	updates  []*Update
	writes   []*FieldWrite
	capped   map[*types.Var]token.Pos     // lists whose length a function checks and limits
	measures map[*types.Var][]Measure     // numbers that are compared with or set to the length of a list
	literals map[string][]*Literal        // composite literals of a struct type
	keyed    map[*types.Var][]KeyUse      // maps indexed by an expression
	keyedAs  map[*types.TypeName][]KeyUse // maps of a defined type that are indexed
	assigned map[*types.Var][]types.Type

	declared   map[string]*TypeDecl // struct types by key
	order      []string             // their keys in source order
	methods    map[string][]*types.Func
	fields     map[token.Pos]*ast.Field
	generated  map[string]bool // files
	modules    map[string]bool
	packages   map[string]bool
	foreign    map[string]bool // files of other modules
	clients    map[string]bool // files that are database clients of their own
	broken     map[string]bool // modules with a package that calls a database and was only partly read
	paths      map[*types.Package]bool
	encoders   map[string]bool // types that are registered with a custom encoder
	registered bool            // a decoder for an interface is registered somewhere
	options    ClientOptions
	directives []*Directive
	sinks      []DeclaredSink
	imported   map[string]bool // import paths in the files
	mgo        bool            // mgo or a fork is imported
	mentions   map[string][]Mention
	begun      map[string][]Mention           // by the constant path that a built one begins with
	asked      map[*ast.CompositeLit][]source // the collections that filters and the like are sent to
	readings   []reading
	names      map[*types.Var]string    // stored names and paths that package variables hold
	spelled    map[string]bool          // names and dotted paths among the string constants
	filled     map[*types.Var][]filling // what fields that contain structs are set to
	texts      map[*types.Var][]text    // constants that variables are set to
	handed     []handed                 // updates of paths that are arguments
	joinedBy   []*types.Var             // variables that name the field in which a $lookup stores its result
	joined     map[string]bool          // paths at which $lookup stores its result
	lookups    map[lookup]bool
	expiries   []Expiry
	expiring   []string                // tables of DynamoDB for which code turns on expiry
	decoded    map[string]bool         // struct types that bytes are decoded into, by key
	given      map[ast.Expr]*types.Var // arguments that are the list of a field with one more element
}

// A TypeDecl is the declaration of a struct type outside functions.
type TypeDecl struct {
	Named   *types.Named
	Spec    *ast.TypeSpec
	Struct  *ast.StructType
	Package *Package
	File    *ast.File

	doc []*ast.CommentGroup
}

// A sinkCall is a call that stores or reads a document.
type sinkCall struct {
	sink      sink
	guessed   bool
	documents []source
	handle    []source // what the document is stored in or read from
	pos       token.Pos
	pkg       *Package
	in        *types.Func
	upsert    bool
	key       keyText
	node      *ast.CallExpr
	function  *ast.FuncDecl // that contains the call
}

// A FieldWrite is a statement that changes a field.
type FieldWrite struct {
	Field   *types.Var
	Kind    WriteKind
	Pos     token.Pos
	Func    string // the enclosing function
	Guarded bool   // the function compares or cuts the length of the field
	Fresh   bool   // the value is being built here, not changed
	Loop    bool
	Left    ast.Expr    // what is assigned to
	In      *types.Func // the enclosing function
	Value   ast.Expr    // the value that is assigned, nil if it is not an expression of its own
	Pkg     *Package
}

// WriteKind says what a [FieldWrite] does.
type WriteKind uint8

const (
	Assigns WriteKind = iota + 1
	Appends
	Adds // += ++ and the like
)

// A Literal is a composite literal of a struct type.
type Literal struct {
	Node  *ast.CompositeLit
	Keyed bool
	Pkg   *Package
}

// A Measure is a place where code compares a number with the length of a list,
// or sets it to that length.
type Measure struct {
	List *types.Var // the field that holds the list
	Sets bool
	Pos  token.Pos
}

// A KeyUse is an expression by which a map field is indexed.
type KeyUse struct {
	Expr    ast.Expr
	Write   bool       // an entry is set under the key
	Escapes bool       // dots in the key are replaced first
	Ranged  bool       // a loop goes over all keys
	From    []ast.Expr // what the variable that holds the key was set to
	Pkg     *Package
}

func newEvidence() *evidence {
	return &evidence{
		flow: newFlow(), capped: map[*types.Var]token.Pos{}, measures: map[*types.Var][]Measure{}, literals: map[string][]*Literal{}, keyed: map[*types.Var][]KeyUse{}, keyedAs: map[*types.TypeName][]KeyUse{},
		assigned: map[*types.Var][]types.Type{}, declared: map[string]*TypeDecl{}, methods: map[string][]*types.Func{},
		fields: map[token.Pos]*ast.Field{}, generated: map[string]bool{}, modules: map[string]bool{}, packages: map[string]bool{}, foreign: map[string]bool{}, clients: map[string]bool{}, broken: map[string]bool{},
		paths: map[*types.Package]bool{}, imported: map[string]bool{}, mentions: map[string][]Mention{}, begun: map[string][]Mention{}, asked: map[*ast.CompositeLit][]source{}, names: map[*types.Var]string{},
		filled: map[*types.Var][]filling{}, texts: map[*types.Var][]text{}, spelled: map[string]bool{}, joined: map[string]bool{}, lookups: map[lookup]bool{}, decoded: map[string]bool{}, given: map[ast.Expr]*types.Var{}, encoders: map[string]bool{},
	}
}

// A gatherer reads one package into the evidence.
type gatherer struct {
	*evidence
	pkg     *Package
	imports []string // of the current file

	fn       *types.Func // the current function
	function *ast.FuncDecl
	locals   map[types.Object]ast.Expr   // what a local variable was last set to
	before   map[types.Object][]ast.Expr // what it was set to before
	fresh    map[types.Object]bool       // local structs that are built here
	lengths  map[*types.Var]bool         // fields whose length the function compares with a bound
	loops    int                         // number of loops around the current statement
	rows     map[types.Object][]ast.Expr // elements that are added to a local document after it is made
	groupOf  map[any]*updateGroup        // literals that are updates
	targets  map[*ast.IndexExpr]bool     // entries that are assigned
	refused  map[*ast.CallExpr]bool      // calls in chains: whether a condition refuses more elements
	reached  map[*ast.Ident][]source     // what uses of local variables may hold, as far as known
	stands   map[types.Object]*types.Var // local maps that become the map of a field
	keysOf   map[types.Object]*types.Var // loop variables that range over the keys of a field
	taken    map[types.Object]ast.Expr   // local lists that were taken from a field
	grown    map[types.Object]ast.Expr   // lists in taken that were appended to since
}

// gather adds what a package shows to the evidence.
func (e *evidence) gather(pkg *Package) {
	g := &gatherer{evidence: e, pkg: pkg}
	e.packages[pkg.Path] = true
	if pkg.Types != nil {
		e.paths[pkg.Types] = true
	}
	if pkg.Foreign {
		e.foreign[pkg.Path] = true
	} else if pkg.Module != "" {
		e.modules[pkg.Module] = true
	}
	g.heldNames()
	for _, file := range pkg.Files {
		if isTestFile(pkg.Fset, file) {
			continue
		}
		if ast.IsGenerated(file) {
			e.generated[pkg.Fset.Position(file.Pos()).Filename] = true
		}
		g.imports = g.imports[:0]
		for _, spec := range file.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				g.imports = append(g.imports, path)
				g.imported[path] = true
				g.mgo = g.mgo || mgoPath.MatchString(path)
			}
		}
		g.declarations(file)
		if !pkg.Around {
			g.directivesOf(file)
		}
		for _, decl := range file.Decls {
			g.declaration(decl)
		}
	}
	g.speaks()
	g.instances()
	g.methodsOf()
}

// speaks records how a package accesses a database. A package that is named
// after a database, uses HTTP and imports no library for it is a client of its
// own.
func (g *gatherer) speaks() {
	calls, http := false, false
	for _, file := range g.pkg.Files {
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			calls = calls || err == nil && IsLibrary(path)
			http = http || path == "net/http"
		}
	}
	if _, storage := storagePackage(g.pkg.Path); storage && http && !calls {
		g.clients[g.pkg.Path] = true
		calls = true
	}
	if calls && g.pkg.Partial {
		g.broken[g.pkg.Module] = true
	}
}

// uses reports whether the current file imports a library.
func (g *gatherer) uses(library string) bool {
	return slices.ContainsFunc(g.imports, func(path string) bool { return strings.Contains(path, library) })
}

// isTestFile reports whether a file is only for tests: by its name, or because it
// imports a library of mocks. What a mock does to a list, the program does not do.
func isTestFile(fset *token.FileSet, file *ast.File) bool {
	return strings.HasSuffix(fset.Position(file.Pos()).Filename, "_test.go") || slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool {
		return strings.HasSuffix(s.Path.Value, `/testify/mock"`)
	})
}

// isOwn reports whether a function is declared in a package that is read too,
// so that its body shows what it does.
func (g *gatherer) isOwn(fn *types.Func) bool {
	return fn.Pkg() != nil && (fn.Pkg() == g.pkg.Types || g.paths[fn.Pkg()] || g.packages[fn.Pkg().Path()]) && !isInterfaceMethod(fn)
}

// isLibrary reports whether the body of a function cannot be seen or should not
// be followed: its package is not read, or is a database client that was
// generated into the program.
func (g *gatherer) isLibrary(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	if g.clients[fn.Pkg().Path()] && fn.Pkg() != g.pkg.Types {
		return true
	}
	if _, storage := storagePackage(fn.Pkg().Path()); storage && fn.Pkg() != g.pkg.Types && g.generated[g.pkg.Fset.Position(fn.Pos()).Filename] {
		return true
	}
	if isInterfaceMethod(fn) {
		return !g.packages[fn.Pkg().Path()]
	}
	return !g.isOwn(fn)
}

func isInterfaceMethod(fn *types.Func) bool {
	return fn.Signature().Recv() != nil && types.IsInterface(fn.Signature().Recv().Type())
}

// declarations finds the struct types of a file, including those inside
// functions.
func (g *gatherer) declarations(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				for inner := range ast.Preorder(n.Body) {
					if decl, ok := inner.(*ast.GenDecl); ok {
						g.types(file, decl, true)
					}
				}
			}
			return false
		case *ast.GenDecl:
			g.types(file, n, false)
		case *ast.StructType:
			for _, field := range n.Fields.List {
				for _, name := range field.Names {
					g.fields[name.Pos()] = field
				}
				if len(field.Names) == 0 {
					g.fields[embeddedPos(field.Type)] = field
				}
			}
		}
		return true
	})
}

// embeddedPos returns the position of the name of an embedded field.
func embeddedPos(expr ast.Expr) token.Pos {
	switch e := expr.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Pos()
	case *ast.StarExpr, *ast.IndexExpr:
		return embeddedPos(inner(e))
	case *ast.IndexListExpr:
		return embeddedPos(e.X)
	}
	return expr.Pos()
}

func (g *gatherer) types(file *ast.File, decl *ast.GenDecl, local bool) {
	if decl.Tok != token.TYPE {
		return
	}
	for _, s := range decl.Specs {
		spec, ok := s.(*ast.TypeSpec)
		if !ok || spec.Assign.IsValid() {
			continue
		}
		obj := g.pkg.Info.Defs[spec.Name]
		if obj == nil {
			continue
		}
		named, ok := obj.Type().(*types.Named)
		if _, isStruct := orInvalid(obj.Type()).Underlying().(*types.Struct); !ok || !isStruct {
			continue
		}
		syntax, _ := spec.Type.(*ast.StructType)
		d := &TypeDecl{Named: named, Spec: spec, Struct: syntax, Package: g.pkg, File: file}
		for _, doc := range []*ast.CommentGroup{decl.Doc, spec.Doc, spec.Comment} {
			if doc != nil {
				d.doc = append(d.doc, doc)
			}
		}
		if key := TypeKey(named); !local && g.declared[key] == nil {
			g.declared[key] = d
			g.order = append(g.order, key)
		}
	}
}

func (g *gatherer) methodsOf() {
	if g.pkg.Types == nil {
		return
	}
	scope := g.pkg.Types.Scope()
	for _, name := range scope.Names() {
		obj, isType := scope.Lookup(name).(*types.TypeName)
		if !isType {
			continue
		}
		named, ok := obj.Type().(*types.Named)
		if !ok || types.IsInterface(named) {
			continue
		}
		for method := range named.Methods() {
			g.methods[method.Name()] = append(g.methods[method.Name()], method)
			signature := method.Signature()
			for j := range signature.RecvTypeParams().Len() {
				if j < named.TypeParams().Len() {
					g.flow.add(node{obj: signature.RecvTypeParams().At(j).Obj()},
						[]source{{from: node{obj: named.TypeParams().At(j).Obj()}}})
				}
			}
		}
	}
}

// instances records the type arguments of generic functions and types.
func (g *gatherer) instances() {
	inOrder := func(a, b *ast.Ident) int { return int(a.Pos() - b.Pos()) }
	for _, id := range slices.SortedFunc(maps.Keys(g.pkg.Info.Instances), inOrder) {
		var parameters *types.TypeParamList
		switch obj := g.pkg.Info.Uses[id].(type) {
		case *types.Func:
			parameters = obj.Origin().Signature().TypeParams()
		case *types.TypeName:
			if named, ok := obj.Type().(*types.Named); ok {
				parameters = named.Origin().TypeParams()
			}
		}
		arguments := g.pkg.Info.Instances[id].TypeArgs
		if parameters == nil || arguments == nil {
			continue
		}
		for i := range min(parameters.Len(), arguments.Len()) {
			to := node{obj: parameters.At(i).Obj()}
			if named := structNamed(arguments.At(i)); named != nil {
				g.flow.add(to, []source{{typ: arguments.At(i), at: id.Pos()}})
			} else if parameter := typeParam(arguments.At(i)); parameter != nil {
				g.flow.add(to, []source{{from: node{obj: parameter.Obj()}}})
			}
		}
	}
}
