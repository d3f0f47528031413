package docmodel_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// stdlib imports the standard library from source, once for all tests.
var stdlib = sync.OnceValue(func() types.Importer { return importer.ForCompiler(token.NewFileSet(), "source", nil) })

var stdlibLock sync.Mutex

// A builder type-checks packages that import each other, the standard library
// and the stand-ins for database libraries in testdata.
type builder struct {
	t       *testing.T
	fset    *token.FileSet
	sources map[string]string // by import path
	known   map[string]*types.Package
	built   []*docmodel.Package
}

func (b *builder) Import(path string) (*types.Package, error) {
	if pkg := b.known[path]; pkg != nil {
		return pkg, nil
	}
	if text, ok := b.sources[path]; ok {
		return b.check(path, parse(b.t, b.fset, path+"/file.go", text), true)
	}
	files, err := filepath.Glob(filepath.Join("..", "testdata", "src", filepath.FromSlash(path), "*.go"))
	require.NoError(b.t, err)
	if len(files) > 0 {
		var parsed []*ast.File
		for _, name := range files {
			parsed = append(parsed, parse(b.t, b.fset, name, nil))
		}
		return b.check(path, parsed[0], false, parsed[1:]...)
	}
	if strings.HasPrefix(path, "app/") {
		return nil, fmt.Errorf("there is no package %s", path)
	}
	stdlibLock.Lock()
	defer stdlibLock.Unlock()
	return stdlib().Import(path)
}

func parse(t *testing.T, fset *token.FileSet, name string, text any) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	return file
}

func (b *builder) check(path string, file *ast.File, read bool, more ...*ast.File) (*types.Package, error) {
	files := append([]*ast.File{file}, more...)
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	config := types.Config{Importer: b, Error: func(error) {}}
	pkg, err := config.Check(path, b.fset, files, info)
	b.known[path] = pkg
	if read {
		module, _, _ := strings.Cut(path, "/")
		b.built = append(b.built, &docmodel.Package{Path: path, Module: module, Fset: b.fset, Files: files, Types: pkg, Info: info})
		return pkg, nil // broken packages are read as far as they go
	}
	require.NoError(b.t, err)
	return pkg, nil
}

// program reads packages, given by import path. Their module is the first
// element of the path.
func program(t *testing.T, sources map[string]string) (*docmodel.Program, []*docmodel.Package) {
	t.Helper()
	b := &builder{t: t, fset: token.NewFileSet(), sources: sources, known: map[string]*types.Package{}}
	for _, path := range slices.Sorted(maps.Keys(sources)) {
		_, err := b.Import(path)
		require.NoError(t, err)
	}
	return docmodel.New(b.built, docmodel.Options{}), b.built
}

// one reads a package app/store.
func one(t *testing.T, text string) *docmodel.Program {
	t.Helper()
	p, _ := program(t, map[string]string{"app/store": text})
	return p
}

// document returns the document of a type by its name, nil if it is none.
func document(p *docmodel.Program, name string) *docmodel.Document {
	for _, d := range p.Documents() {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// sure returns the names of the types that count as stored.
func sure(p *docmodel.Program) []string {
	names := []string{}
	for _, d := range p.Documents() {
		if d.Confidence >= 0.5 && !d.View && !d.Generated {
			names = append(names, d.Name)
		}
	}
	slices.Sort(names)
	return names
}

// field returns a field of a document by its path.
func field(d *docmodel.Document, path string) *docmodel.Field {
	var found *docmodel.Field
	docmodel.All(d.Fields, func(f *docmodel.Field) {
		if f.Path == path {
			found = f
		}
	})
	return found
}

// TestNear: a package that stores what it is given asks for no type of its own.
func TestNear(t *testing.T) {
	sources := map[string]string{
		"app/models": "package models\n\ntype Kind struct {\n\tID int64 `bson:\"id\"`\n}\n",
		"app/wrapper": `package wrapper

import (
	"app/models"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

var _ models.Kind

func Insert(c *mongo.Collection, document any) { c.InsertOne(nil, document) }
`,
		"app/kinds": `package kinds

import (
	"app/models"
	"app/wrapper"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

func Save(c *mongo.Collection, kind models.Kind) { wrapper.Insert(c, kind) }
`,
	}
	near := func() map[string]bool {
		p, packages := program(t, sources)
		kind, found := document(p, "Kind"), map[string]bool{}
		require.NotNil(t, kind)
		for _, pkg := range packages {
			found[pkg.Path] = kind.Near(pkg)
		}
		return found
	}
	assert.Equal(t, map[string]bool{"app/models": true, "app/wrapper": false, "app/kinds": false}, near())
	sources["app/kinds"] = strings.Replace(sources["app/kinds"], "wrapper.Insert(c, kind)", "c.InsertOne(nil, kind)", 1)
	sources["app/kinds"] = strings.Replace(sources["app/kinds"], "\t\"app/wrapper\"\n", "", 1)
	assert.Equal(t, map[string]bool{"app/models": true, "app/wrapper": false, "app/kinds": true}, near())
}

// TestIndexesAreNotStored: what a database tells of itself is no document.
func TestIndexesAreNotStored(t *testing.T) {
	p := one(t, `package store

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Index struct {
	Name string `+"`bson:\"name\"`"+`
}

func indexes(ctx context.Context, c *mongo.Collection) (found []Index, err error) {
	view := c.Indexes()
	cursor, err := view.List(ctx)
	if err != nil {
		return nil, err
	}
	return found, cursor.All(ctx, &found)
}
`)
	if d := document(p, "Index"); d != nil {
		assert.Less(t, d.Confidence, 0.5)
	}
}
