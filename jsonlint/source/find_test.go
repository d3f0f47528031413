package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// names returns the files of a set relative to dir, as path=collection.
func names(t *testing.T, dir string, s *Set) []string {
	t.Helper()
	var list []string
	for i, f := range s.Files {
		assert.EqualValues(t, i, f.ID)
		rel, err := filepath.Rel(dir, filepath.FromSlash(f.Path))
		require.NoError(t, err)
		list = append(list, filepath.ToSlash(rel)+"="+f.Collection)
	}
	return list
}

func TestFind(t *testing.T) {
	t.Parallel()
	array, document := `[{"a":1},{"a":2}]`, `{"a":1}`
	tree := map[string]string{
		"posts.jsonl":                   array,
		"tales/heroes.json":             `[{"id":"ant","name":"x"},{"id":"bee","name":"x"}]`,
		"tales/towns.json":              `[{"id":"cat","name":"x"},{"id":"dog","name":"x"}]`,
		"shop.orders.json":              array,
		"README.md":                     "```json\n{}\n```\n",
		"notes.txt":                     array,
		"users.JSON.gz":                 gzipped(t, array),
		"events.ndjson.zst":             zstded(t, array),
		".hidden.json":                  array,
		".cache/x.json":                 array,
		"deep/er/tags.json":             array,
		"people/1.json":                 document,
		"seed/users.json":               document,
		"seed/plants.json":              document,
		"people/2.json":                 gzipped(t, document),
		"people/3.json":                 strings.Repeat(" ", 10) + `{"a":` + strings.Repeat(" ", 2<<20) + "1}",
		"people/empty.json":             "",
		"mixed/one.json":                document,
		"mixed/two.json":                array,
		"single/only.json":              document,
		"lines/a.jsonl":                 document,
		"lines/b.jsonl":                 document,
		"arrays/a.json":                 "[" + document + "]",
		"arrays/b.json":                 "[" + document + "]",
		"nested/1.json":                 document,
		"nested/2.json":                 document + "\n",
		"nested/inner/a.json":           array,
		"broken/1.json":                 document,
		"broken/2.json":                 `{"a": 1, "b" 2]`,
		"many/1.json":                   document + document,
		"many/2.json":                   document,
		"people/skip.txt":               array,
		"shell/drinks.json":             "{\n\"_id\" : ObjectId(\"57a3830f2672c0982d6c8bce\"),\n\"price\" : \"2}\"\n},\n{\n\"_id\" : ObjectId(\"57a3830f2672c0982d6c8bcf\"),\n\"price\" : \"3\"\n}\n",
		"shell/orders.json":             "{\n\"_id\" : ObjectId(\"57a6eb9fe69fc3a40fa8d93a\"),\n\"price\" : 2\n},\n{\n\"_id\" : ObjectId(\"57a6eba9e69fc3a40fa8d93b\"),\n\"price\" : 3\n}\n",
		"kit/grid.json":                 `{"width":3,"cells":[{"x":1}]}`,
		"kit/palette.json":              `{"colors":[{"name":"red"}],"0001":1}`,
		"site/prices.json":              `{"note":"n","rows":[1],"checked":"c","by":"b","drift":2}`,
		"site/squad.json":               `{"note":"n","players":[],"season":"s","coach":"c","built":1}`,
		"club/ajax.json":                `{"note":"n","city":"a","rows":[1],"checked":"c","by":"b"}`,
		"club/psv.json":                 `{"note":"n","city":"e","players":[],"season":"s","built":1}`,
		"ignored/.gitignore":            "*.json\n!keep.json\n",
		"ignored/a.json":                array,
		"ignored/keep.json":             array,
		"ignored/sub/drop.json":         array,
		"node_modules/pkg/package.json": document,
		".gitignore":                    "# comment\n\nnode_modules/\n/deep/er\n",
	}
	for _, name := range []string{"ant", "bee"} {
		tree["tokens/labels/eth/"+name+".json"], tree["tokens/metadata/eth/"+name+".json"] = `{"labels":["x"]}`, `{"decimals":1}`
		tree["works/makers/a/"+name+".json"], tree["works/prints/a/001/"+name+".json"] = `{"id":1,"url":"u","born":2,"died":3,"home":"h"}`, `{"id":1,"url":"u","title":"t","ink":"i","size":4}`
		tree["tales/heroes/"+name+".json"], tree["tales/towns/"+name+".json"] = `{"id":"`+name+`","name":"x","age":1,"tales":[],"allies":[],"town":"y"}`, `{"id":"`+name+`","name":"x"}`
		tree["tokens/old/bnb/"+name+".json"], tree["tokens/sold/bnb/"+name+".json"] = `{"labels":["x"]}`, `{"labels":["y"],"at":1}`
	}
	for _, dir := range []string{"cs", "de", "ko"} {
		tree["game/"+dir+"/quests.json"] = array
	}
	for _, dir := range []string{"at", "de", "it"} {
		tree["land/"+dir+"/towns.json"] = array
	}
	for _, dir := range []string{"ant", "bee", "cat", "dog", "elk"} {
		for _, name := range []string{"chain", "asset"} {
			tree["apis/"+dir+"/2.0/"+name+".json"] = document
			tree["chains/"+dir+"/"+name+".json"], tree["models/"+dir+"/doc/examples/"+name+".json"] = document, document
		}
		tree["days/2024-05-01/"+dir+".json"], tree["days/month=6/02/"+dir+"-1.json"] = document, document
		tree["bar/drinks/"+dir+"/data.json"], tree["bar/parts/"+dir+"/data.json"] = document, document
		tree["rooms/"+dir+"/1.json"], tree["rooms/"+dir+"/2.json"] = document, document
	}
	for name, tt := range map[string]struct {
		inputs []string
		rules  []CollectionRule
		want   []string
	}{
		"directories of one thing": {[]string{"chains"}, nil, []string{
			"chains/ant/asset.json=asset", "chains/ant/chain.json=chain", "chains/bee/asset.json=asset", "chains/bee/chain.json=chain",
			"chains/cat/asset.json=asset", "chains/cat/chain.json=chain", "chains/dog/asset.json=asset", "chains/dog/chain.json=chain",
			"chains/elk/asset.json=asset", "chains/elk/chain.json=chain",
		}},
		"directories of one thing, by version": {[]string{"apis"}, nil, []string{
			"apis/ant/2.0/asset.json=asset", "apis/ant/2.0/chain.json=chain", "apis/bee/2.0/asset.json=asset", "apis/bee/2.0/chain.json=chain",
			"apis/cat/2.0/asset.json=asset", "apis/cat/2.0/chain.json=chain", "apis/dog/2.0/asset.json=asset", "apis/dog/2.0/chain.json=chain",
			"apis/elk/2.0/asset.json=asset", "apis/elk/2.0/chain.json=chain",
		}},
		"directories of days": {[]string{"days"}, nil, []string{
			"days/2024-05-01/ant.json=days", "days/2024-05-01/bee.json=days", "days/2024-05-01/cat.json=days", "days/2024-05-01/dog.json=days", "days/2024-05-01/elk.json=days",
			"days/month=6/02/ant-1.json=days", "days/month=6/02/bee-1.json=days", "days/month=6/02/cat-1.json=days", "days/month=6/02/dog-1.json=days", "days/month=6/02/elk-1.json=days",
		}},
		"lists beside directories of their name": {[]string{"tales"}, nil, []string{
			"tales/heroes.json=heroes", "tales/heroes/ant.json=tales.heroes", "tales/heroes/bee.json=tales.heroes",
			"tales/towns.json=towns", "tales/towns/ant.json=towns", "tales/towns/bee.json=towns",
		}},
		"directories of one name, with different things": {[]string{"tokens"}, nil, []string{
			"tokens/labels/eth/ant.json=labels.eth", "tokens/labels/eth/bee.json=labels.eth", "tokens/metadata/eth/ant.json=metadata.eth", "tokens/metadata/eth/bee.json=metadata.eth",
			"tokens/old/bnb/ant.json=bnb", "tokens/old/bnb/bee.json=bnb", "tokens/sold/bnb/ant.json=bnb", "tokens/sold/bnb/bee.json=bnb",
		}},
		"directories of one name, with different things that have ids": {[]string{"works"}, nil, []string{
			"works/makers/a/ant.json=makers.a", "works/makers/a/bee.json=makers.a", "works/prints/a/001/ant.json=prints.a", "works/prints/a/001/bee.json=prints.a",
		}},
		"one day": {[]string{"days/2024-05-01"}, nil, []string{
			"days/2024-05-01/ant.json=2024-05-01", "days/2024-05-01/bee.json=2024-05-01", "days/2024-05-01/cat.json=2024-05-01", "days/2024-05-01/dog.json=2024-05-01", "days/2024-05-01/elk.json=2024-05-01",
		}},
		"directories of one name in those of one thing": {[]string{"models"}, nil, []string{
			"models/ant/doc/examples/asset.json=asset", "models/ant/doc/examples/chain.json=chain", "models/bee/doc/examples/asset.json=asset", "models/bee/doc/examples/chain.json=chain",
			"models/cat/doc/examples/asset.json=asset", "models/cat/doc/examples/chain.json=chain", "models/dog/doc/examples/asset.json=asset", "models/dog/doc/examples/chain.json=chain",
			"models/elk/doc/examples/asset.json=asset", "models/elk/doc/examples/chain.json=chain",
		}},
		"one name in all directories": {[]string{"bar"}, nil, []string{
			"bar/drinks/ant/data.json=drinks", "bar/drinks/bee/data.json=drinks", "bar/drinks/cat/data.json=drinks", "bar/drinks/dog/data.json=drinks", "bar/drinks/elk/data.json=drinks",
			"bar/parts/ant/data.json=parts", "bar/parts/bee/data.json=parts", "bar/parts/cat/data.json=parts", "bar/parts/dog/data.json=parts", "bar/parts/elk/data.json=parts",
		}},
		"one name, beside nothing else": {[]string{"bar/parts"}, nil, []string{
			"bar/parts/ant/data.json=data", "bar/parts/bee/data.json=data", "bar/parts/cat/data.json=data", "bar/parts/dog/data.json=data", "bar/parts/elk/data.json=data",
		}},
		"a directory for each language": {[]string{"game"}, nil, []string{"game/cs/quests.json=cs.quests", "game/de/quests.json=de.quests", "game/ko/quests.json=ko.quests"}},
		"a directory for each country":  {[]string{"land"}, nil, []string{"land/at/towns.json=towns", "land/de/towns.json=towns", "land/it/towns.json=towns"}},
		"directories of numbered documents": {[]string{"rooms"}, nil, []string{
			"rooms/ant/1.json=ant", "rooms/ant/2.json=ant", "rooms/bee/1.json=bee", "rooms/bee/2.json=bee", "rooms/cat/1.json=cat", "rooms/cat/2.json=cat",
			"rooms/dog/1.json=dog", "rooms/dog/2.json=dog", "rooms/elk/1.json=elk", "rooms/elk/2.json=elk",
		}},
		"files": {[]string{"shop.orders.json", "posts.jsonl", "posts.jsonl", "./posts.jsonl", "notes.txt", "users.JSON.gz", ".hidden.json", "node_modules/pkg/package.json"}, nil,
			[]string{".hidden.json=.hidden", "node_modules/pkg/package.json=package", "notes.txt=notes.txt", "posts.jsonl=posts", "shop.orders.json=shop.orders", "users.JSON.gz=users"}},
		"directory of arrays":       {[]string{"arrays"}, nil, []string{"arrays/a.json=a", "arrays/b.json=b"}},
		"one document a file":       {[]string{"people"}, nil, []string{"people/1.json=people", "people/2.json=people", "people/3.json=people", "people/empty.json=people"}},
		"several in shell syntax":   {[]string{"shell"}, nil, []string{"shell/drinks.json=drinks", "shell/orders.json=orders"}},
		"named as collections":      {[]string{"seed"}, nil, []string{"seed/plants.json=plants", "seed/users.json=users"}},
		"files outright":            {[]string{"people/1.json", "people/2.json"}, nil, []string{"people/1.json=1", "people/2.json=2"}},
		"nothing in common":         {[]string{"kit"}, nil, []string{"kit/grid.json=grid", "kit/palette.json=palette"}},
		"a note in common":          {[]string{"site"}, nil, []string{"site/prices.json=prices", "site/squad.json=squad"}},
		"two fields in common":      {[]string{"club"}, nil, []string{"club/ajax.json=club", "club/psv.json=club"}},
		"not all hold one":          {[]string{"mixed"}, nil, []string{"mixed/one.json=one", "mixed/two.json=two"}},
		"two in one":                {[]string{"many"}, nil, []string{"many/1.json=1", "many/2.json=2"}},
		"a damaged one":             {[]string{"broken"}, nil, []string{"broken/1.json=broken", "broken/2.json=broken"}},
		"only one file":             {[]string{"single"}, nil, []string{"single/only.json=only"}},
		"lines":                     {[]string{"lines"}, nil, []string{"lines/a.jsonl=a", "lines/b.jsonl=b"}},
		"each directory for itself": {[]string{"nested"}, nil, []string{"nested/1.json=nested", "nested/2.json=nested", "nested/inner/a.json=a"}},
		"ignored by its own rules":  {[]string{"ignored"}, nil, []string{"ignored/keep.json=keep"}},
		"ignored, but asked for":    {[]string{"node_modules"}, nil, []string{"node_modules/pkg/package.json=package"}},
		"glob":                      {[]string{"**/a.json"}, nil, []string{"arrays/a.json=a", "ignored/a.json=a", "nested/inner/a.json=a"}},
		"glob with open extension":  {[]string{"*"}, nil, []string{"README.md=README", "events.ndjson.zst=events", "posts.jsonl=posts", "shop.orders.json=shop.orders", "users.JSON.gz=users"}},
		"glob of directories":       {[]string{"{people,lines}/*.json*"}, nil, []string{"lines/a.jsonl=a", "lines/b.jsonl=b", "people/1.json=1", "people/2.json=2", "people/3.json=3", "people/empty.json=empty"}},
		"Markdown outright":         {[]string{"README.md"}, nil, []string{"README.md=README"}},
		"rules":                     {[]string{"people", "posts.jsonl", "shop.orders.json"}, []CollectionRule{{"first", "**/people/1.json"}, {"second", "people/1.json"}, {"orders", "shop.*.json"}}, []string{"people/1.json=first", "people/2.json=people", "people/3.json=people", "people/empty.json=people", "posts.jsonl=posts", "shop.orders.json=orders"}},
		"several, one file twice":   {[]string{"lines/a.jsonl", "lines/b.jsonl", "lines", "lines/*"}, nil, []string{"lines/a.jsonl=a", "lines/b.jsonl=b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := write(t, tree)
			require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o755))
			inputs := make([]string, len(tt.inputs))
			for i, input := range tt.inputs {
				inputs[i] = dir + "/" + input
			}
			s := open(t, Options{Collections: tt.rules}, inputs...)
			assert.Equal(t, tt.want, names(t, dir, s))
			assert.Empty(t, s.Problems())
		})
	}
	t.Run("everything", func(t *testing.T) {
		t.Parallel()
		dir := write(t, tree)
		s := open(t, Options{}, dir)
		got := strings.Join(names(t, dir, s), " ")
		for _, absent := range []string{"node_modules", "deep/er", "hidden", ".cache", "README", "notes.txt", "drop.json"} {
			assert.NotContains(t, got, absent)
		}
		assert.Len(t, s.Files, 117)
		for _, f := range s.Files {
			assert.Equal(t, strings.HasSuffix(f.Path, "z") || strings.HasSuffix(f.Path, "zst") || strings.HasSuffix(f.Path, "people/2.json"), f.Compressed, f.Path)
		}
	})
}

func TestFindInWorkingDirectory(t *testing.T) {
	tree := map[string]string{}
	for _, dir := range []string{"ant", "bee", "cat"} {
		tree["drinks/"+dir+"/data.json"], tree["drinks/parts/"+dir+"/data.json"] = "{}", "{}"
	}
	dir := write(t, tree)
	t.Chdir(filepath.Join(dir, "drinks"))
	s := open(t, Options{}, ".")
	assert.ElementsMatch(t, []string{
		"ant/data.json=drinks", "bee/data.json=drinks", "cat/data.json=drinks", "parts/ant/data.json=parts", "parts/bee/data.json=parts", "parts/cat/data.json=parts",
	}, names(t, ".", s))
}

func TestDatabasesNamedAsLanguages(t *testing.T) {
	t.Parallel()
	tree := map[string]string{}
	for _, database := range []string{"cs", "de", "ko"} {
		tree["dump/"+database+"/quests.bson"], tree["dump/"+database+"/quests.metadata.json"] = "\x05\x00\x00\x00\x00", "{}"
	}
	dir := write(t, tree)
	s := open(t, Options{}, dir+"/dump")
	assert.Equal(t, []string{"dump/cs/quests.bson=cs.quests", "dump/de/quests.bson=de.quests", "dump/ko/quests.bson=ko.quests"}, names(t, dir, s))
}

func TestMetadataBesideDocuments(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"dump/users.json": `[{"a":1}]`, "dump/users.metadata.json": `{"indexes":[]}`, "songs/b.metadata.json": `{"a":1}`})
	assert.Equal(t, []string{"dump/users.json=users", "songs/b.metadata.json=b.metadata"}, names(t, dir, open(t, Options{}, dir)))
}

func TestFindProblems(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"posts.jsonl": "{}", "comments.json": "{}", "empty/x.txt": "", "empty/.x.json": "{}"})
	require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, "empty", "link.txt")))
	for name, tt := range map[string]struct{ input, message, hint string }{
		"misspelt":            {"post.jsonl", "no such file or directory", "did you mean " + filepath.ToSlash(dir) + "/posts.jsonl?"},
		"other extension":     {"comments.jsonl.gz", "no such file", "/comments.json?"},
		"without extension":   {"posts", "no such file", "/posts.jsonl?"},
		"nothing like it":     {"zebra", "no such file", "check the path"},
		"no directory":        {"dir/posts.jsonl", "no such file", "dir does not exist either"},
		"empty directory":     {"empty", "the directory holds no documents", "*.jsonl"},
		"glob without match":  {"*.ndjson", "no file matches this glob", "quote it"},
		"glob that is no one": {"[", "not a valid glob", "backslash"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, Options{}, dir+"/"+tt.input, dir+"/posts.jsonl", dir+"/"+tt.input)
			require.Len(t, s.Files, 1, "the others are read all the same")
			require.Len(t, s.Problems(), 1)
			p := s.Problems()[0]
			assert.Contains(t, p.Message, tt.message)
			assert.Contains(t, p.Hint, tt.hint)
			assert.Equal(t, filepath.ToSlash(dir)+"/"+tt.input, p.Location.File)
		})
	}
}

func TestFlagForInput(t *testing.T) {
	t.Parallel()
	problems := open(t, Options{}, "--output").Problems()
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0].Hint, "looks like a flag")
}

func TestDirectoryLoop(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"a/posts.jsonl": "{}"})
	require.NoError(t, os.Symlink("..", filepath.Join(dir, "a", "up")))
	require.NoError(t, os.Symlink("gone", filepath.Join(dir, "a", "gone.json")))
	s := open(t, Options{}, dir)
	assert.Equal(t, []string{"a/posts.jsonl=posts"}, names(t, dir, s))
	require.Len(t, s.Problems(), 1)
	assert.Contains(t, s.Problems()[0].Location.File, "gone.json")
}

func TestVanishedFile(t *testing.T) {
	t.Parallel()
	large := "{}" + strings.Repeat(" ", smallFile)
	dir := write(t, map[string]string{"a.json": large, "b.json": large})
	s := open(t, Options{}, dir)
	require.NoError(t, os.Remove(filepath.Join(dir, "a.json")))
	assert.Len(t, read(t, s, 2), 1)
	require.Len(t, s.Problems(), 1)
	assert.Contains(t, s.Problems()[0].Message, "no such file")
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]CollectionRule{"name": {"", "*.json"}, "glob": {"a", "["}} {
		_, err := Open(t.Context(), nil, Options{Collections: []CollectionRule{rule}})
		assert.Error(t, err, name)
	}
}

func TestReportedPath(t *testing.T) {
	t.Parallel()
	wd, err := os.Getwd()
	require.NoError(t, err)
	for given, want := range map[string]string{
		"a.json":                          "a.json",
		"./x/../a.json":                   "a.json",
		"../a.json":                       "../a.json",
		filepath.Join(wd, "x", "a.json"):  "x/a.json",
		filepath.Join(wd, "..", "a.json"): filepath.ToSlash(filepath.Join(filepath.Dir(wd), "a.json")),
		filepath.FromSlash("/etc/a.json"): "/etc/a.json",
	} {
		assert.Equal(t, want, reportedPath(given))
	}
}

func TestGitignore(t *testing.T) {
	t.Parallel()
	for line, tt := range map[string]struct{ ignored, kept []string }{
		"*.json":      {[]string{"a.json", "x/a.json"}, []string{"a.jsonl"}},
		"/a.json":     {[]string{"a.json"}, []string{"x/a.json"}},
		"x/a.json":    {[]string{"x/a.json"}, []string{"y/x/a.json"}},
		"**/x/a.json": {[]string{"x/a.json", "y/x/a.json"}, []string{"x/b.json"}},
		"x/**":        {[]string{"x/a.json", "x/y/a.json"}, []string{"x", "y/x/a.json"}},
		"{a}.json":    {[]string{"{a}.json"}, []string{"a.json"}},
		"[ab].json":   {[]string{"a.json"}, []string{"c.json"}},
		"build/":      {nil, []string{"build"}},
		"a.json  ":    {[]string{"a.json"}, []string{"b.json"}},
		"#a.json":     {nil, []string{"#a.json"}},
		`\#a.json`:    {[]string{"#a.json"}, []string{"a.json"}},
		"":            {nil, []string{"a.json"}},
		"/":           {nil, []string{"a.json"}},
		"?.json\r\n":  {[]string{"a.json"}, []string{"ab.json"}},
	} {
		base := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(base, ".gitignore"), []byte(line), 0o600))
		for _, name := range tt.ignored {
			assert.True(t, weIgnore(base, name), "%q ignores %s", line, name)
		}
		for _, name := range tt.kept {
			assert.False(t, weIgnore(base, name), "%q keeps %s", line, name)
		}
	}
}

// TestGeoJSON checks that a walk reads GeoJSON, and keeps it apart from the same
// things in another form.
func TestGeoJSON(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"shops.geojson": `{"type":"FeatureCollection","features":[]}`, "stops.geojson": `{}`, "stops.json": `[{}]`})
	assert.ElementsMatch(t, []string{"shops.geojson=shops", "stops.geojson=stops.geojson", "stops.json=stops"}, names(t, dir, open(t, Options{}, dir)))
}

// TestDirectoryOfDifferentThings checks that files with one object each are one
// collection only if they have something in common.
func TestDirectoryOfDifferentThings(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"order.json": `{"order":{"id":1}}`, "blog.json": `{"blog":{"id":1,"tags":["a"]}}`, "shop.json": `{"shop":{}}`})
	assert.Equal(t, []string{"blog.json=blog", "order.json=order", "shop.json=shop"}, names(t, dir, open(t, Options{}, dir)))
	dir = write(t, map[string]string{"audit.json": `{"120363406525":[{"actor":"a"}]}`, "firewall.json": `{"120363406525":{"on":true}}`})
	assert.Equal(t, []string{"audit.json=audit", "firewall.json=firewall"}, names(t, dir, open(t, Options{}, dir)), "ids in common say nothing")
	dir = write(t, map[string]string{"bread.json": `{"id":1,"flour":2}`, "cake.json": `{"id":2,"eggs":[3]}`, "note.json": `{"text":"x"}`})
	own := filepath.Base(dir)
	assert.Equal(t, []string{"bread.json=" + own, "cake.json=" + own, "note.json=" + own}, names(t, dir, open(t, Options{}, dir)))
	dir = write(t, map[string]string{"cod.json": `{"cod":{"sea":1,"cm":90}}`, "eel.json": `{"eel":{"sea":2,"cm":70,"rare":true}}`, "ray.json": `{"skate":{"sea":2,"cm":99}}`})
	own = filepath.Base(dir)
	assert.Equal(t, []string{"cod.json=" + own, "eel.json=" + own, "ray.json=" + own}, names(t, dir, open(t, Options{}, dir)), "one document each, under the name of most files")
	// A list of them is among the files that tell more about each.
	tree, want := map[string]string{"list.json": `[{"id":1},{"id":2}]`}, []string{"list.json=list"}
	for i := range 9 {
		file := fmt.Sprintf("m%d.json", i)
		tree[file], want = fmt.Sprintf(`{"id":%d,"name":"x"}`, i), append(want, file+"=")
	}
	dir = write(t, tree)
	for i := range want[1:] {
		want[i+1] += filepath.Base(dir)
	}
	assert.Equal(t, want, names(t, dir, open(t, Options{}, dir)))
	tree["other.json"] = `[{"id":3}]`
	dir = write(t, tree)
	assert.Contains(t, names(t, dir, open(t, Options{}, dir)), "m1.json=m1", "two lists among so few")
	tree = map[string]string{"pets/pets.json": `[{"id":1}]`}
	for i := range 9 {
		tree[fmt.Sprintf("pets/m%d.json", i)] = `{"id":1,"name":"x"}`
	}
	dir = write(t, tree)
	assert.Contains(t, names(t, dir, open(t, Options{}, dir)), "pets/m1.json=m1", "a list with the name of the directory")
}
