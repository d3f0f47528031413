package analyzers

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/sync/errgroup"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/gomodules"
)

// The packages that call a database decide what is stored, and often no pattern
// matches them: ./models declares the fields of a document, ./store stores it.
// Such packages are read too. The import declarations of the module's files are
// enough to find them, so that a single run of the go command loads everything.

// A neighbour is what the source of a package shows before anything is loaded.
type neighbour struct {
	path    string // import path
	dir     string
	foreign bool // of another module
	command bool // it is a program
	imports []string
	passes  bool // it has functions that take values whose type only their callers know
	loads   answer
}

type answer uint8

const (
	unasked answer = iota
	can
	cannot
)

// surroundings are the packages around those that the patterns match.
type surroundings struct {
	module   string // path of the main module
	root     string // its directory
	file     *modfile.File
	packages map[string]*neighbour
	elsewhere
}

// around returns the import paths of packages to read in addition to those that
// patterns match: packages of the module that call a database or pass values to
// one that does, and the libraries through which they call it. absent are modules
// of which the source is not in the module cache. dirs are the directories of
// modules, by path, as far as the go command has reported them.
func around(dir string, patterns []string, dirs map[string]string) (found, absent []string) {
	matched, all := map[string]bool{}, map[string]bool{}
	for _, root := range rootsOf(dir, patterns) {
		s := &surroundings{root: root, packages: map[string]*neighbour{}, elsewhere: elsewhere{dirs: dirs}}
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err != nil {
			continue // the go command reports what is wrong
		}
		if s.file, err = modfile.Parse("go.mod", text, nil); err != nil || s.file.Module == nil {
			continue
		}
		s.module = s.file.Module.Mod.Path
		s.walk()
		own := map[string]bool{}
		for name, p := range s.packages {
			if slices.ContainsFunc(patterns, func(pattern string) bool { return s.matches(dir, pattern, p) }) {
				own[name], matched[name] = true, true
			}
		}
		for _, name := range s.evidence(own) {
			if s.loads(name) {
				all[name] = true
			}
		}
		absent = append(absent, s.absent...)
	}
	maps.DeleteFunc(all, func(name string, _ bool) bool { return matched[name] })
	return slices.Sorted(maps.Keys(all)), absent
}

// rootsOf returns the directories of the modules that patterns are in: one, or
// those of a workspace.
func rootsOf(dir string, patterns []string) []string {
	var roots []string
	for _, pattern := range patterns {
		from := dir
		if local(pattern) {
			from, _, _ = strings.Cut(pattern, "...")
			if !filepath.IsAbs(from) {
				from = filepath.Join(dir, from)
			}
		}
		if root := gomodules.Above(filepath.Clean(from)); root != "" && !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return roots
}

// loads reports whether the go command can list a package. If a module that one
// package imports is not among the requirements, it refuses to list any.
func (s *surroundings) loads(name string) bool {
	p := s.packages[name]
	if p == nil || p.loads != unasked {
		return p == nil || p.loads == can
	}
	p.loads = can
	for _, imported := range p.imports {
		if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") || imported == s.module || strings.HasPrefix(imported, s.module+"/") {
			if !s.loads(imported) {
				p.loads = cannot
			}
			continue
		}
		mod, dir := s.moduleOf(imported)
		if mod == "" || dir != "" && !isDir(filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(imported, mod)))) {
			p.loads = cannot
		}
	}
	return p.loads == can
}

// walk lists the packages of the module.
func (s *surroundings) walk() {
	var mutex sync.Mutex
	var reading errgroup.Group
	reading.SetLimit(runtime.GOMAXPROCS(0))
	_ = filepath.WalkDir(s.root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // an unreadable directory shows nothing
		}
		if name != s.root {
			if gomodules.PassedOver(d.Name()) {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
				return filepath.SkipDir
			}
		}
		relative, err := filepath.Rel(s.root, name)
		if err != nil {
			return nil
		}
		p := &neighbour{path: path.Join(s.module, filepath.ToSlash(relative)), dir: name}
		reading.Go(func() error {
			if p.scan(parser.ImportsOnly, nil) {
				mutex.Lock()
				defer mutex.Unlock()
				s.packages[p.path] = p
			}
			return nil
		})
		return nil
	})
	_ = reading.Wait()
}

// built returns what tells which files the go command compiles.
func built() *build.Context {
	context := build.Default
	for _, flag := range strings.Fields(os.Getenv("GOFLAGS")) {
		if tags, ok := strings.CutPrefix(strings.TrimLeft(flag, "-"), "tags="); ok {
			context.BuildTags = strings.Split(tags, ",")
		}
	}
	return &context
}

// scan reads the files of a package as far as the mode says. It reports whether
// there are any. With calls, only files that import a package that calls a
// database are searched for functions that pass values on.
func (p *neighbour) scan(mode parser.Mode, calls func(imported string) bool) bool {
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		return false
	}
	imports, found, files, context := map[string]bool{}, false, []*ast.File{}, built()
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if ok, err := context.MatchFile(p.dir, name); err == nil && !ok {
			continue
		}
		file, _ := parser.ParseFile(token.NewFileSet(), filepath.Join(p.dir, name), nil, mode|parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		found = true
		p.command = file.Name.Name == "main"
		concerned := calls == nil
		for _, spec := range file.Imports {
			if imported, err := strconv.Unquote(spec.Path.Value); err == nil {
				imports[imported] = true
				concerned = concerned || calls(imported)
			}
		}
		if concerned {
			files = append(files, file)
		}
	}
	p.imports = slices.Sorted(maps.Keys(imports))
	p.passes = mode&parser.ImportsOnly == 0 && passes(files)
	return found
}

// passes reports whether a package exports a function or method that takes a
// value whose type only its caller knows.
func passes(files []*ast.File) bool {
	interfaces := map[string]bool{"any": true}
	var abstract []*ast.InterfaceType
	for _, file := range files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.TYPE {
				continue
			}
			for _, spec := range d.Specs {
				t := spec.(*ast.TypeSpec)
				if iface, ok := t.Type.(*ast.InterfaceType); ok {
					interfaces[t.Name.Name] = true
					abstract = append(abstract, iface)
				}
			}
		}
	}
	for _, iface := range abstract {
		for _, method := range iface.Methods.List {
			if f, ok := method.Type.(*ast.FuncType); ok && takes(f, interfaces) {
				return true
			}
		}
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if ok && d.Name.IsExported() && (d.Type.TypeParams != nil || d.Recv != nil && generic(d.Recv) || takes(d.Type, interfaces)) {
				return true
			}
		}
	}
	return false
}

func generic(receiver *ast.FieldList) bool {
	expr := receiver.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	switch expr.(type) {
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

// takes reports whether a function has a parameter of one of the interfaces, or
// a list of them.
func takes(f *ast.FuncType, interfaces map[string]bool) bool {
	var opaque func(expr ast.Expr) bool
	opaque = func(expr ast.Expr) bool {
		switch e := expr.(type) {
		case *ast.InterfaceType:
			return true
		case *ast.Ellipsis:
			return opaque(e.Elt)
		case *ast.ArrayType:
			return opaque(e.Elt)
		case *ast.StarExpr:
			return opaque(e.X)
		case *ast.Ident:
			return interfaces[e.Name]
		}
		return false
	}
	return slices.ContainsFunc(f.Params.List, func(p *ast.Field) bool { return opaque(p.Type) })
}

// matches reports whether a pattern matches a package.
func (s *surroundings) matches(dir, pattern string, p *neighbour) bool {
	base, _, recursive := strings.Cut(pattern, "...")
	base = strings.TrimSuffix(base, "/")
	if !local(pattern) {
		return p.path == base || recursive && (base == "" || strings.HasPrefix(p.path, base))
	}
	if !filepath.IsAbs(base) {
		base = filepath.Join(dir, base)
	}
	base = filepath.Clean(base)
	return p.dir == base || recursive && (strings.HasPrefix(p.dir, base+string(filepath.Separator)) || base == s.root)
}

// evidence lists the packages that decide which types of the matched packages
// are stored.
func (s *surroundings) evidence(matched map[string]bool) []string {
	if len(matched) == 0 {
		return nil
	}
	importers := map[string][]*neighbour{}
	var queue []*neighbour
	read := map[string]bool{}
	add := func(p *neighbour) {
		if !read[p.path] {
			read[p.path] = true
			queue = append(queue, p)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.packages)) {
		p := s.packages[name]
		for _, imported := range p.imports {
			importers[imported] = append(importers[imported], p)
		}
	}
	related := s.related(matched, importers)
	for _, name := range slices.Sorted(maps.Keys(s.packages)) {
		p := s.packages[name]
		if !related[name] {
			continue
		}
		if docmodel.NamedForDatabase(p.path) {
			add(p)
		}
		for _, imported := range p.imports {
			if docmodel.IsLibrary(imported) || s.packages[imported] == nil && docmodel.NamedForDatabase(imported) {
				add(p)
			}
			for _, wrapper := range s.wrappers(imported) {
				add(wrapper)
			}
		}
	}
	for _, p := range queue {
		// Programs combine other packages and import many. The importers of an
		// importer are one step too far: with each step more of the module is read
		// and compiled.
		further := slices.DeleteFunc(slices.Clone(importers[p.path]), func(importer *neighbour) bool {
			return !related[importer.path] || importer.command || read[importer.path] || matched[importer.path]
		})
		if len(further) == 0 {
			continue
		}
		if !p.foreign {
			p.scan(0, nil)
		}
		if p.passes {
			for _, importer := range further {
				read[importer.path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(read))
}

// related returns the packages of the module that may handle values of the
// matched ones: packages that import these, directly or not, and everything
// that such packages import.
func (s *surroundings) related(matched map[string]bool, importers map[string][]*neighbour) map[string]bool {
	up := reach(matched, func(name string) (paths []string) {
		for _, importer := range importers[name] {
			paths = append(paths, importer.path)
		}
		return paths
	})
	down := reach(up, func(name string) []string {
		if p := s.packages[name]; p != nil {
			return p.imports
		}
		return nil
	})
	maps.DeleteFunc(down, func(name string, _ bool) bool { return s.packages[name] == nil })
	return down
}

// reach returns the names that steps lead to from some names, and these names.
func reach(from map[string]bool, next func(name string) []string) map[string]bool {
	reached := map[string]bool{}
	for queue := slices.Collect(maps.Keys(from)); len(queue) > 0; queue = queue[1:] {
		if name := queue[0]; !reached[name] {
			reached[name] = true
			queue = append(queue, next(name)...)
		}
	}
	return reached
}

// elsewhere finds packages of other modules.
type elsewhere struct {
	known  map[string][]*neighbour
	dirs   map[string]string // of modules, by path, as far as the go command has reported them
	cache  string
	absent []string // modules whose source is missing
}

// wrappers returns the packages behind an import from another module that call
// a database for their callers: the package itself and those of its module that
// it imports.
func (s *surroundings) wrappers(imported string) []*neighbour {
	first, _, _ := strings.Cut(imported, "/")
	if !strings.Contains(first, ".") || s.packages[imported] != nil || docmodel.PartOfLibrary(imported) {
		return nil
	}
	if found, ok := s.known[imported]; ok {
		return found
	}
	if s.known == nil {
		s.known = map[string][]*neighbour{}
	}
	s.known[imported] = nil
	mod, dir := s.moduleOf(imported)
	if dir == "" {
		if mod != "" {
			s.absent = append(s.absent, mod)
		}
		return nil
	}
	var found []*neighbour
	calling := map[string]bool{}
	var visit func(name string, depth int) bool
	visit = func(name string, depth int) bool {
		if known, ok := calling[name]; ok || depth > 2 {
			return known
		}
		calling[name] = false
		p := &neighbour{path: name, foreign: true, dir: filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(name, mod), "/")))}
		if !p.scan(parser.ImportsOnly, nil) {
			return false
		}
		calls := slices.ContainsFunc(p.imports, docmodel.IsLibrary)
		for _, inner := range p.imports {
			if inner == mod || strings.HasPrefix(inner, mod+"/") {
				calls = visit(inner, depth+1) || calls
			}
		}
		if !calls {
			return false
		}
		p.scan(0, func(imported string) bool { return docmodel.IsLibrary(imported) || calling[imported] })
		if p.passes {
			found = append(found, p)
		}
		calling[name] = p.passes
		return p.passes
	}
	visit(imported, 0)
	s.known[imported] = found
	return found
}

// moduleOf returns the module that contains a package of another module, and
// the directory of its source, "" if that is missing.
func (s *surroundings) moduleOf(imported string) (mod, dir string) {
	var version module.Version
	for _, required := range s.file.Require {
		if m := required.Mod; (imported == m.Path || strings.HasPrefix(imported, m.Path+"/")) && len(m.Path) > len(version.Path) {
			version = m
		}
	}
	if version.Path == "" {
		return "", ""
	}
	path := version.Path
	if dir := s.dirs[path]; dir != "" {
		return path, dir
	}
	if vendored := filepath.Join(s.root, "vendor", filepath.FromSlash(path)); isDir(vendored) {
		return path, vendored
	}
	for _, replaced := range s.file.Replace {
		if replaced.Old.Path == path && (replaced.Old.Version == "" || replaced.Old.Version == version.Version) {
			version = replaced.New
		}
	}
	if version.Version == "" {
		if !filepath.IsAbs(version.Path) {
			version.Path = filepath.Join(s.root, filepath.FromSlash(version.Path))
		}
		return path, version.Path
	}
	escaped, err := module.EscapePath(version.Path)
	if err != nil {
		return "", ""
	}
	number, err := module.EscapeVersion(version.Version)
	if err != nil {
		return "", ""
	}
	if dir = filepath.Join(s.moduleCache(), filepath.FromSlash(escaped)+"@"+number); !isDir(dir) {
		return path, ""
	}
	return path, dir
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func (s *elsewhere) moduleCache() string {
	if s.cache == "" {
		s.cache = os.Getenv("GOMODCACHE")
	}
	if s.cache == "" {
		first, _, _ := strings.Cut(build.Default.GOPATH, string(filepath.ListSeparator))
		s.cache = filepath.Join(first, "pkg", "mod")
	}
	return s.cache
}
