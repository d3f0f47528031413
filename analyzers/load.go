package analyzers

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"
	"golang.org/x/tools/go/packages"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/gomodules"
)

// loadMode requests the syntax of the packages that patterns match and the
// export data of what they import.
const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedModule |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo

// A loaded program is the packages that patterns match, and those around them
// that decide what they store. Imported packages come before their importers.
type loaded struct {
	fset     *token.FileSet
	packages []*docmodel.Package
	matched  []*docmodel.Package // those of them that are checked
	around   map[string]bool     // import paths of packages that are read only for what they show
	warnings []string            // which packages were read only in part, and why
	partial  []string            // import paths of packages that were read only in part
	problems []error             // errors of packages that could not be read at all

	loaded  []*packages.Package // the packages, as the loader knows them
	unsaved map[string][]byte   // texts to use in place of files, by absolute path

	mutex  sync.Mutex
	hashes map[string]uint64 // of the files that were read, by absolute path
}

func load(ctx context.Context, patterns []string, unsaved map[string][]byte) (*loaded, error) {
	env, flags := moduleFlags(os.Environ())
	l := &loaded{fset: token.NewFileSet(), unsaved: unsaved, around: map[string]bool{}, hashes: map[string]uint64{}}
	here, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("find the working directory: %w", err)
	}
	groups, err := byModule(here, patterns)
	if err != nil {
		return nil, err
	}
	for _, group := range groups {
		config := &packages.Config{Context: ctx, Mode: loadMode, Dir: group.dir, Env: env, BuildFlags: flags, Fset: l.fset, Overlay: unsaved, ParseFile: l.parse}
		matched, err := l.loadGroup(config, cmp.Or(group.dir, here), group.patterns)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			l.problems = append(l.problems, err)
			continue
		}
		l.add(matched)
	}
	if len(l.matched) == 0 && len(l.problems) == 0 {
		l.problems = append(l.problems, fmt.Errorf("none of the packages that %s matches can be read", strings.Join(patterns, " ")))
	}
	return l, nil
}

// parse parses a file the way the loader does, but without objects, which the types
// know better, and keeps its hash.
func (l *loaded) parse(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
	l.mutex.Lock()
	l.hashes[name] = xxh3.Hash(bytes.TrimPrefix(text, []byte("\ufeff")))
	l.mutex.Unlock()
	return parser.ParseFile(fset, name, text, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
}

// moduleFlags moves the flags about module files from GOFLAGS to the command
// line. The loader also runs the go command outside module mode, where GOFLAGS
// must not contain them.
func moduleFlags(environ []string) (env, flags []string) {
	value := ""
	for _, variable := range environ {
		if v, ok := strings.CutPrefix(variable, "GOFLAGS="); ok {
			value = v // the last of several counts
		} else {
			env = append(env, variable)
		}
	}
	if len(env) == len(environ) {
		return env, nil
	}
	var kept []string
	for _, flag := range strings.Fields(value) {
		if strings.HasPrefix(strings.TrimLeft(flag, "-"), "mod") {
			flags = append(flags, flag)
		} else {
			kept = append(kept, flag)
		}
	}
	return append(env, "GOFLAGS="+strings.Join(kept, " ")), flags
}

// add adds packages in an order in which imported packages come first.
func (l *loaded) add(matched []*packages.Package) {
	slices.SortFunc(matched, func(a, b *packages.Package) int { return cmp.Compare(a.ID, b.ID) })
	wanted, seen := map[*packages.Package]bool{}, map[*packages.Package]bool{}
	for _, p := range matched {
		wanted[p] = true
	}
	var visit func(p *packages.Package)
	visit = func(p *packages.Package) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
			if wanted[p.Imports[path]] {
				visit(p.Imports[path])
			}
		}
		l.take(p)
	}
	for _, p := range matched {
		visit(p)
	}
}

func (l *loaded) take(p *packages.Package) {
	if l.around[p.PkgPath] {
		l.takeAround(p)
		return
	}
	if len(p.Errors) > 0 {
		l.partial = append(l.partial, p.PkgPath)
	}
	if len(p.Syntax) == 0 {
		switch {
		case len(p.Errors) > 0 && len(p.GoFiles) == 0 && len(p.IgnoredFiles) == 0:
			l.problems = append(l.problems, fmt.Errorf("load %s: %s", p.ID, firstError(p)))
		case len(p.Errors) > 0:
			l.warnings = append(l.warnings, fmt.Sprintf("%s: not read: %s", p.PkgPath, firstError(p)))
		}
		return
	}
	if len(p.Errors) > 0 {
		l.warnings = append(l.warnings, fmt.Sprintf("%s: read in part: %s%s", p.PkgPath, firstError(p), more(len(p.Errors)-1)))
	}
	pkg := l.packageOf(p)
	l.packages = append(l.packages, pkg)
	l.matched = append(l.matched, pkg)
	l.loaded = append(l.loaded, p)
}

// takeAround adds a package that is read only for what it shows. Its errors are
// not reported.
func (l *loaded) takeAround(p *packages.Package) {
	if len(p.Syntax) == 0 {
		return
	}
	pkg := l.packageOf(p)
	pkg.Around, pkg.Foreign = true, p.Module != nil && !p.Module.Main
	l.packages = append(l.packages, pkg)
	l.loaded = append(l.loaded, p)
}

func (l *loaded) packageOf(p *packages.Package) *docmodel.Package {
	pkg := &docmodel.Package{Path: p.PkgPath, Fset: l.fset, Files: p.Syntax, Types: p.Types, Info: p.TypesInfo, ReadFile: l.read, Partial: len(p.Errors) > 0}
	if p.Module != nil {
		pkg.Module = p.Module.Path
	}
	return pkg
}

// read returns the text of a file that was loaded.
func (l *loaded) read(name string) ([]byte, error) {
	if text, ok := l.unsaved[name]; ok {
		return text, nil
	}
	return os.ReadFile(name)
}

// firstError returns the first error of a package that says what is wrong. The
// go command adds one that only names the package before those of the compiler.
func firstError(p *packages.Package) string {
	first := p.Errors[max(0, slices.IndexFunc(p.Errors, func(e packages.Error) bool { return !strings.HasPrefix(e.Msg, "# ") }))]
	message, _, _ := strings.Cut(first.Msg, "\n")
	message = strings.Replace(message, `(invalid package name: "")`, `(it cannot be read: "go mod download" says why)`, 1)
	if first.Pos != "" && first.Pos != "-" {
		return first.Pos + ": " + message
	}
	return message
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (and %d more)", n)
}

// A patternGroup is the patterns of one module or one workspace.
type patternGroup struct {
	dir      string // "" is the working directory
	patterns []string
}

// byModule groups patterns by the module they are in. The go command only loads
// packages of the module or workspace in which it runs. A pattern with ... for
// a directory outside all modules means the modules below it.
func byModule(here string, patterns []string) ([]patternGroup, error) {
	home := gomodules.Root(here)
	var groups []patternGroup
	add := func(dir, pattern string) {
		i := slices.IndexFunc(groups, func(g patternGroup) bool { return g.dir == dir })
		if i < 0 {
			i = len(groups)
			groups = append(groups, patternGroup{dir: dir})
		}
		groups[i].patterns = append(groups[i].patterns, pattern)
	}
	for _, pattern := range patterns {
		if info, err := os.Stat(pattern); err == nil && info.IsDir() && !local(pattern) {
			pattern = "./" + filepath.ToSlash(pattern) // a directory, not an import path
		}
		if !local(pattern) {
			add("", pattern)
			continue
		}
		base, below, recursive := strings.Cut(pattern, "...")
		absolute := strings.TrimSuffix(base, "/")
		if !filepath.IsAbs(absolute) {
			absolute = filepath.Join(here, absolute)
		}
		if info, err := os.Stat(absolute); err != nil {
			return nil, fmt.Errorf("%s: %w", pattern, errors.Unwrap(err))
		} else if !info.IsDir() {
			absolute = filepath.Dir(absolute)
		}
		if recursive && below == "" && gomodules.Above(absolute) == "" {
			if modules := gomodules.Below(absolute); len(modules) > 0 {
				for _, module := range modules {
					switch root := gomodules.Root(module); root {
					case module:
						add(module, "./...")
					case home:
						add("", "./"+relative(here, module)+"/...")
					default:
						add(root, "./"+relative(root, module)+"/...")
					}
				}
				continue
			}
		}
		switch root := gomodules.Root(absolute); {
		case root == home || root == "":
			add("", pattern)
		case recursive:
			add(absolute, "./..."+below)
		default:
			add(absolute, ".")
		}
	}
	return groups, nil
}

// relative returns the path of a directory relative to another one.
func relative(from, dir string) string {
	if path, err := filepath.Rel(from, dir); err == nil {
		dir = path
	}
	return filepath.ToSlash(dir)
}

func local(pattern string) bool {
	return pattern == "." || pattern == ".." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../") || filepath.IsAbs(pattern)
}

// InModule reports whether a directory belongs to a Go module or workspace.
func InModule(dir string) bool {
	absolute, err := filepath.Abs(dir)
	return err == nil && gomodules.Root(absolute) != ""
}
