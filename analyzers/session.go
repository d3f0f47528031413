package analyzers

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"slices"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/shapevet/shapevet/analyzers/check"
)

// A Session checks the same packages repeatedly while they are edited.
//
// Loading packages takes the go command a second or more. Between two loads a
// session type-checks only edited packages and those that import them. Other
// imports stay as loaded.
type Session struct {
	patterns []string

	mutex  sync.Mutex
	loaded *loaded
	byPath map[string]*packages.Package // the loaded packages
	known  map[string]*types.Package    // their imports when they were loaded
}

// NewSession returns a session that has not loaded anything yet.
func NewSession(patterns ...string) *Session { return &Session{patterns: patterns} }

// Check is [Check] with unsaved text, by absolute path, in place of files. With
// reload it loads the packages again, because files may have been added or
// removed.
func (s *Session) Check(ctx context.Context, unsaved map[string][]byte, reload bool, options check.Options) (*Result, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.loaded == nil || reload {
		l, err := load(ctx, s.patterns, unsaved)
		if err != nil {
			return nil, err
		}
		s.loaded, s.byPath, s.known = l, map[string]*packages.Package{}, map[string]*types.Package{}
		for _, p := range l.loaded {
			s.byPath[p.PkgPath] = p
			for _, imported := range p.Types.Imports() {
				s.known[imported.Path()] = imported
			}
		}
		return l.check(ctx, options)
	}
	s.edit(unsaved)
	return s.loaded.check(ctx, options)
}

// edit applies unsaved text to the loaded packages.
func (s *Session) edit(unsaved map[string][]byte) {
	before := s.loaded
	now := &loaded{fset: before.fset, problems: before.problems, unsaved: maps.Clone(unsaved), around: before.around}
	edited := map[*packages.Package]bool{}
	for _, p := range before.loaded { // imported packages precede their importers
		changed := false
		for i, file := range p.Syntax {
			if name := before.fset.File(file.FileStart).Name(); !sameText(before.unsaved, unsaved, name) {
				changed = replace(p, i, name, now) || changed
			}
		}
		for _, imported := range p.Imports {
			changed = changed || edited[imported]
		}
		if changed {
			edited[p] = true
			s.typeCheck(p)
		}
		now.take(p)
	}
	s.loaded = now
}

func sameText(before, now map[string][]byte, name string) bool {
	a, inBefore := before[name]
	b, inNow := now[name]
	return inBefore == inNow && bytes.Equal(a, b)
}

// replace parses a file of a package again. It returns false if the file is
// gone.
func replace(p *packages.Package, i int, name string, l *loaded) bool {
	text, err := l.read(name)
	if err != nil {
		return false
	}
	// If a file has syntax errors, the type checker gets what could be parsed.
	file, _ := parser.ParseFile(l.fset, name, text, parser.AllErrors|parser.ParseComments|parser.SkipObjectResolution)
	if file == nil {
		return false
	}
	if old := l.fset.File(p.Syntax[i].FileStart); old != nil {
		l.fset.RemoveFile(old)
	}
	p.Syntax = slices.Clone(p.Syntax)
	p.Syntax[i] = file
	return true
}

// typeCheck repeats the loader's work for a package.
func (s *Session) typeCheck(p *packages.Package) {
	p.Errors = nil
	p.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
	config := &types.Config{
		Importer: importerOf(func(path string) (*types.Package, error) { return s.importFor(p, path) }),
		Sizes:    p.TypesSizes,
		Error: func(err error) {
			e := packages.Error{Msg: err.Error(), Kind: packages.TypeError}
			if typed, ok := err.(types.Error); ok {
				e.Msg, e.Pos = typed.Msg, typed.Fset.Position(typed.Pos).String()
			}
			p.Errors = append(p.Errors, e)
		},
	}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	p.Types = types.NewPackage(p.PkgPath, p.Name)
	if err := types.NewChecker(config, s.loaded.fset, p.Types, p.TypesInfo).Files(p.Syntax); err != nil && len(p.Errors) == 0 {
		p.Errors = append(p.Errors, packages.Error{Msg: err.Error(), Kind: packages.TypeError})
	}
}

type importerOf func(path string) (*types.Package, error)

func (f importerOf) Import(path string) (*types.Package, error) { return f(path) }

// importFor returns what a package imports by a path: a loaded package in its
// current state, or what any of them imported when they were loaded.
func (s *Session) importFor(p *packages.Package, path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if imported := p.Imports[path]; imported != nil {
		path = imported.PkgPath // differs for vendored packages
	}
	if other := s.byPath[path]; other != nil && other.Types != nil {
		return other.Types, nil
	}
	if known := s.known[path]; known != nil && known.Complete() {
		return known, nil
	}
	return nil, fmt.Errorf("%s is not loaded yet: save the file", path)
}
