package analyzers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// writeFiles writes files below a new directory.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// TestAround reads what decides what is stored: who calls a database, who hands
// values to that, and libraries that call one for others.
func TestAround(t *testing.T) {
	t.Parallel()
	dir := writeFiles(t, map[string]string{
		"go.mod":             "module example.com/app\n\ngo 1.21\n\nrequire (\n\texample.com/lib v1.0.0\n\tgo.mongodb.org/mongo-driver/v2 v2.0.0\n)\n\nreplace example.com/lib => ./lib\n",
		"models/post.go":     "package models\n\ntype Post struct{ ID string }\n",
		"store/store.go":     "package store\n\nimport _ \"go.mongodb.org/mongo-driver/v2/mongo\"\n\nfunc Save(v any) {}\n",
		"service/service.go": "package service\n\nimport (\n\t\"example.com/app/models\"\n\t\"example.com/app/store\"\n)\n\nfunc Add(p models.Post) { store.Save(p) }\n",
		"pages/pages.go":     "package pages\n\nimport (\n\t\"example.com/app/models\"\n\t\"example.com/lib/repo\"\n)\n\nfunc Add(p models.Post) { repo.Put(p) }\n",
		"views/views.go":     "package views\n\nimport \"example.com/app/models\"\n\nvar Last models.Post\n",
		"pages/more/more.go": "package more\n\nimport (\n\t\"example.com/app/pages\"\n\t\"example.com/app/models\"\n)\n\nfunc Add(p models.Post) { pages.Add(p) }\n",
		"other/other.go":     "package other\n\nimport _ \"go.mongodb.org/mongo-driver/v2/mongo\"\n",
		"ids/ids.go":         "package ids\n\nimport (\n\t_ \"example.com/app/models\"\n\t_ \"go.mongodb.org/mongo-driver/v2/bson\"\n)\n",
		"main.go":            "package main\n\nimport _ \"example.com/app/service\"\n",
		"lib/go.mod":         "module example.com/lib\n\ngo 1.21\n",
		"lib/repo/repo.go":   "package repo\n\nimport _ \"example.com/lib/driver\"\n\nfunc Put(v any) {}\n",
		"lib/driver/d.go":    "package driver\n\nimport _ \"cloud.google.com/go/firestore\"\n\nfunc Put(v any) {}\n",
		"lib/cosmosdb/c.go":  "package cosmosdb\n\nimport _ \"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos\"\n\nfunc Put(v any) {}\n",
		"orders/orders.go":   "package orders\n\nimport (\n\t_ \"example.com/app/models\"\n\t_ \"example.com/lib/cosmosdb\"\n)\n",
		"lib/text/text.go":   "package text\n\nfunc Put(v any) {}\n",
		"lib/web/web.go":     "package web\n\nfunc Write(v any) {}\n",
		"lib/web/errors.go":  "package web\n\nimport _ \"cloud.google.com/go/firestore\"\n\nfunc Missing(err error) bool { return false }\n",
		"show/show.go":       "package show\n\nimport (\n\t\"example.com/app/models\"\n\t\"example.com/lib/web\"\n\t_ \"github.com/mongodb/logger\"\n)\n\nfunc Show(p models.Post) { web.Write(p) }\n",
	})
	surrounding := func(dir string, patterns ...string) []string {
		found, _ := around(dir, patterns, nil)
		return found
	}
	assert.Equal(t, []string{"example.com/app/orders", "example.com/app/pages", "example.com/app/service", "example.com/app/store", "example.com/lib/cosmosdb", "example.com/lib/driver", "example.com/lib/repo"},
		surrounding(dir, "./models"), "what has nothing to do with the models is left out")
	assert.Equal(t, []string{"example.com/lib/cosmosdb", "example.com/lib/driver", "example.com/lib/repo"}, surrounding(dir, "./..."), "a library may be called as a database is")
	assert.Equal(t, surrounding(dir, "./models"), surrounding(dir, "example.com/app/models"))
	assert.Empty(t, surrounding(dir, "./...", "./lib/..."), "what a pattern matches in another module is checked")
	assert.Empty(t, surrounding(t.TempDir(), "./..."))
}

// TestAroundBuilds reads the files that the go command compiles, not those that only
// name tools.
func TestAroundBuilds(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"go.mod":         "module example.com/app\n\ngo 1.21\n\nrequire (\n\texample.com/tool v1.0.0\n\tgo.mongodb.org/mongo-driver/v2 v2.0.0\n)\n",
		"models/post.go": "package models\n\ntype Post struct{ ID string }\n",
		"models/tool.go": "//go:build tools\n\npackage models\n\nimport _ \"example.com/tool\"\n",
		"store/store.go": "//go:build stored\n\npackage store\n\nimport (\n\t\"example.com/app/models\"\n\t_ \"go.mongodb.org/mongo-driver/v2/mongo\"\n)\n\nfunc Save(p models.Post) {}\n",
	})
	found, absent := around(dir, []string{"./models"}, nil)
	assert.Empty(t, found)
	assert.Empty(t, absent)
	t.Setenv("GOFLAGS", "-mod=mod -tags=stored,tools")
	found, absent = around(dir, []string{"./models"}, nil)
	assert.Equal(t, []string{"example.com/app/store"}, found)
	assert.Equal(t, []string{"example.com/tool"}, absent)
}

// TestAroundOnANewMachine knows what a library stores for its callers in the
// first run too, when the library has not been fetched yet.
func TestAroundOnANewMachine(t *testing.T) {
	proxy, cache := t.TempDir(), t.TempDir()
	publish(t, proxy, "example.com/driver/mongo-driver", map[string]string{
		"mongo/mongo.go": "package mongo\n\ntype Collection struct{}\n\nfunc (*Collection) InsertOne(ctx, v any) {}\n",
	})
	publish(t, proxy, "example.com/shelf", map[string]string{
		"shelf.go": "package shelf\n\nimport \"example.com/driver/mongo-driver/mongo\"\n\nfunc Put(v any) { new(mongo.Collection).InsertOne(nil, v) }\n",
	}, "example.com/driver/mongo-driver")
	dir := writeFiles(t, map[string]string{
		"go.mod": "module example.com/app\n\ngo 1.21\n\nrequire (\n\texample.com/driver/mongo-driver v1.0.0\n\texample.com/shelf v1.0.0\n)\n",
		"post.go": "package app\n\nimport \"example.com/shelf\"\n\ntype Post struct {\n\tID string `bson:\"_id\"`\n\tTitle string `bson:\"title\"`\n}\n\n" +
			"func Save(p Post) { shelf.Put(p) }\n",
	})
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	t.Setenv("GOMODCACHE", cache)
	t.Setenv("GOFLAGS", "-mod=mod -modcacherw")
	t.Setenv("GONOSUMDB", "*")
	t.Chdir(dir)
	for _, run := range []string{"first run", "second run"} {
		l, err := load(t.Context(), []string{"./..."}, nil)
		require.NoError(t, err)
		require.Empty(t, l.problems)
		require.Empty(t, l.warnings)
		documents := docmodel.New(l.packages, docmodel.Options{}).Documents()
		require.Len(t, documents, 1, run)
		assert.GreaterOrEqual(t, documents[0].Confidence, 0.9, run)
	}
}

// publish puts version 1.0.0 of a module into a directory that serves as a
// proxy.
func publish(t *testing.T, proxy, path string, files map[string]string, requires ...string) {
	t.Helper()
	text := "module " + path + "\n\ngo 1.21\n"
	for _, required := range requires {
		text += "\nrequire " + required + " v1.0.0\n"
	}
	source := writeFiles(t, files)
	require.NoError(t, os.WriteFile(filepath.Join(source, "go.mod"), []byte(text), 0o600))
	versions := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	require.NoError(t, os.MkdirAll(versions, 0o755))
	archive, err := os.Create(filepath.Join(versions, "v1.0.0.zip"))
	require.NoError(t, err)
	require.NoError(t, zip.CreateFromDir(archive, module.Version{Path: path, Version: "v1.0.0"}, source))
	require.NoError(t, archive.Close())
	require.NoError(t, os.WriteFile(filepath.Join(versions, "v1.0.0.mod"), []byte(text), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(versions, "v1.0.0.info"), []byte(`{"Version":"v1.0.0"}`), 0o600))
}

// TestCheckAround knows what is stored by packages that no pattern matches,
// and reports nothing there.
func TestCheckAround(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"go.mod": "module example.com/app\n\ngo 1.21\n\nrequire example.com/driver/mongo-driver v1.0.0\n\nreplace example.com/driver/mongo-driver => ./mongo-driver\n",
		"models/post.go": "package models\n\ntype Post struct {\n\tID string `bson:\"_id\"`\n\tComments []Comment `bson:\"comments\"`\n}\n\n" +
			"type Comment struct { Text string }\n\ntype Claims struct {\n\tID string `bson:\"_id\"`\n}\n",
		"store/store.go": "package store\n\nimport (\n\t\"example.com/app/models\"\n\t\"example.com/driver/mongo-driver/mongo\"\n)\n\n" +
			"func Save(c *mongo.Collection, p models.Post) { c.InsertOne(nil, p) }\n",
		"mongo-driver/go.mod":         "module example.com/driver/mongo-driver\n\ngo 1.21\n",
		"mongo-driver/mongo/mongo.go": "package mongo\n\ntype Collection struct{}\n\nfunc (*Collection) InsertOne(ctx, v any) {}\n",
	})
	t.Chdir(dir)
	l, err := load(t.Context(), []string{"./models"}, nil)
	require.NoError(t, err)
	require.Empty(t, l.problems)
	require.Len(t, l.matched, 1)
	program := docmodel.New(l.packages, docmodel.Options{})
	sure := map[string]bool{}
	for _, d := range program.Documents() {
		sure[d.Name] = d.Confidence >= 0.5
	}
	assert.Equal(t, map[string]bool{"Post": true, "Claims": false}, sure)
	result, err := Check(t.Context(), []string{"./models"}, check.Options{})
	require.NoError(t, err)
	assert.Equal(t, int64(1), int64(result.Report.Summary.Packages))
	for _, f := range result.Report.Findings {
		assert.Equal(t, "models/post.go", f.Location.File)
	}
}

// TestReferencesToImported finds what an id refers to in a package that the document's
// imports, wherever that is, unless a nearer document has the name.
func TestReferencesToImported(t *testing.T) {
	document := func(name, id string, more ...string) string {
		return "type " + name + " struct {\n\tID " + id + " `bson:\"_id\"`\n\t" + strings.Join(more, "\n\t") + "\n}\n"
	}
	user := "\tUserID string `bson:\"user_id\"`"
	dir := writeFiles(t, map[string]string{
		"go.mod":         "module example.com/app\n\ngo 1.21\n\nrequire example.com/driver/mongo-driver v1.0.0\n\nreplace example.com/driver/mongo-driver => ./mongo-driver\n",
		"models/user.go": "package models\n\nimport \"example.com/driver/mongo-driver/bson\"\n\n" + document("User", "bson.ObjectID", "Name string"),
		"services/room/ban.go": "package room\n\nimport (\n\t\"example.com/app/models\"\n\t\"example.com/driver/mongo-driver/bson\"\n\t\"example.com/driver/mongo-driver/mongo\"\n)\n\n" +
			document("Ban", "bson.ObjectID", user) + "\nfunc Save(c *mongo.Collection, b Ban, u models.User) { c.InsertOne(nil, b); c.InsertOne(nil, u) }\n",
		"services/desk/note.go": "package desk\n\nimport (\n\t\"example.com/driver/mongo-driver/bson\"\n\t\"example.com/driver/mongo-driver/mongo\"\n)\n\n" +
			document("Note", "bson.ObjectID", user) + "\nfunc Save(c *mongo.Collection, n Note) { c.InsertOne(nil, n) }\n",
		"mongo-driver/go.mod":         "module example.com/driver/mongo-driver\n\ngo 1.21\n",
		"mongo-driver/bson/bson.go":   "package bson\n\ntype ObjectID [12]byte\n",
		"mongo-driver/mongo/mongo.go": "package mongo\n\ntype Collection struct{}\n\nfunc (*Collection) InsertOne(ctx, v any) {}\n",
	})
	t.Chdir(dir)
	result, err := Check(t.Context(), []string{"./..."}, check.Options{})
	require.NoError(t, err)
	var symbols []string
	for _, f := range result.Report.Findings {
		if f.Rule == "reference-type-mismatch" {
			symbols = append(symbols, f.Subject.Symbol)
		}
	}
	assert.Equal(t, []string{"example.com/app/services/room.Ban.UserID"}, symbols)
}

// TestNoPackages tells what the go command says of a module that it cannot read.
func TestNoPackages(t *testing.T) {
	dir := writeFiles(t, map[string]string{"go.mod": "module example.com/app\n\ngo 1.21\n\nrequire (\n\tnonsense\n)\n", "a.go": "package app\n"})
	t.Chdir(dir)
	l, err := load(t.Context(), []string{"./..."}, nil)
	require.NoError(t, err)
	require.NotEmpty(t, l.problems)
	assert.Contains(t, l.problems[0].Error(), "go.mod:6", "where the go command stopped")
}
