package source

import (
	"fmt"
	"path"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDatabasesApart checks that files of one name are one collection if their documents
// are alike, and else of a database for each form.
func TestDatabasesApart(t *testing.T) {
	t.Parallel()
	const stored, typed = `[{"id":1,"title":"a","body":"b","tags":[]},{"id":2,"title":"c","body":"d"}]`, `[{"title":"a","body":"b","tags":[]}]`
	for name, tt := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"alike": {
			map[string]string{"east/posts.json": stored, "west/posts.json": `[{"id":3,"title":"e","body":"f","likes":1}]`},
			[]string{"east/posts.json=posts", "west/posts.json=posts"},
		},
		"without ids": {
			map[string]string{"data/posts.json": stored, "data/users.json": `[{"id":1},{"id":2}]`, "raw/posts.json": typed, "raw/users.json": `[{"id":1},{"id":2}]`},
			[]string{"data/posts.json=posts", "data/users.json=users", "raw/posts.json=raw.posts", "raw/users.json=raw.users"},
		},
		"in directories of their own": {
			map[string]string{"data/posts.json": stored, "data/users.json": `[{"id":1}]`, "raw/posts/posts.json": typed},
			[]string{"data/posts.json=posts", "data/users.json=users", "raw/posts/posts.json=raw.posts"},
		},
		"other members": {
			map[string]string{"a/data/tops.jsonl": `{"Id":1,"Name":"x"}` + "\n" + `{"Id":2,"Name":"y"}`, "b/data/tops.jsonl": `{"id":1,"label":"x","price":2}` + "\n" + `{"id":2}`, "b/data/bags.jsonl": `{}`},
			[]string{"a/data/tops.jsonl=a.data.tops", "b/data/tops.jsonl=tops", "b/data/bags.jsonl=bags"},
		},
		"parts": {
			map[string]string{"log/2024-01/hits.json": `[{"id":1,"url":"x"}]`, "log/2024-02/hits.json": `[{"id":2,"path":"x","query":"y","status":3}]`},
			[]string{"log/2024-01/hits.json=hits", "log/2024-02/hits.json=hits"},
		},
		"single documents": {
			map[string]string{"cod/data.json": `{"id":1,"sea":2,"cm":3}`, "fox/data.json": `{"wood":4}`},
			[]string{"cod/data.json=data", "fox/data.json=data"},
		},
		"nothing inside": {
			map[string]string{"a/posts.json": stored, "b/posts.json": `[]`, "c/posts.json": `[1,2]`},
			[]string{"a/posts.json=posts", "b/posts.json=posts", "c/posts.json=posts"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := write(t, tt.files)
			assert.ElementsMatch(t, tt.want, names(t, dir, open(t, Options{}, dir)))
		})
	}
}

// TestDatabasesHaveOtherNames checks that no two databases get the same name.
func TestDatabasesHaveOtherNames(t *testing.T) {
	t.Parallel()
	files, want := map[string]string{}, []string{}
	for _, where := range []string{"a/data", "b/data", "c/data", "d/raw"} {
		files[where+"/tops.json"] = fmt.Sprintf(`[{"id":1,"%[1]s1":1,"%[1]s2":2,"%[1]s3":3}]`, where[:1])
	}
	want = append(want, "a/data/tops.json=tops", "b/data/tops.json=b.data.tops", "c/data/tops.json=c.data.tops", "d/raw/tops.json=raw.tops")
	dir := write(t, files)
	assert.ElementsMatch(t, want, names(t, dir, open(t, Options{}, dir)))
}

// TestDatabaseDirectoryOfRoot checks that the search ends at the top of a file system and
// of a relative path, also for a file whose name has no letters.
func TestDatabaseDirectoryOfRoot(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"/", "."} {
		assert.Equal(t, filepath.FromSlash(dir), databaseDirectory(&File{Path: path.Join(dir, "_.json")}))
	}
}
