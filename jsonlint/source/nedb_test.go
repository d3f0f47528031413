package source

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReadLog(t *testing.T) {
	t.Parallel()
	log := `{"_id":"a","n":1}
{"_id":"b","n":1}
{"$$indexCreated":{"fieldName":"n"}}
{"_id":"a","n":2}
{"$$deleted":true,"_id":"b"}
damaged
{"n":3}
`
	dir := write(t, map[string]string{
		"users.db": log, "last.db": `{"_id":"a"}` + "\n" + `{"_id":"a"}`, "binary.db": "SQLite format 3\x00", "empty.db": "", "posts.json": log,
	})
	assert.Equal(t, "                 \n                 \n                                    \n"+`{"_id":"a","n":2}`+"\n                            \ndamaged\n"+`{"n":3}`+"\n", string(readLog(filepath.Join(dir, "users.db"))))
	assert.Equal(t, "           \n"+`{"_id":"a"}`, string(readLog(filepath.Join(dir, "last.db"))))
	for _, other := range []string{"binary.db", "empty.db", "posts.json", "missing.db"} {
		assert.Nil(t, readLog(filepath.Join(dir, other)), other)
	}
	s := open(t, Options{Defaults: true}, dir)
	assert.Equal(t, []string{"last.db=last", "posts.json=posts", "users.db=users"}, names(t, dir, s))
	assert.Equal(t, 2, len(s.LeftOut().Unread), "those of other programs")
}
