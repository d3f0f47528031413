package source_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint/source"
)

// texts opens inputs and returns the documents of each file.
func texts(t *testing.T, inputs []string, o source.Options) map[string][]string {
	t.Helper()
	set, err := source.Open(context.Background(), inputs, o)
	require.NoError(t, err)
	defer func() { require.NoError(t, set.Close()) }()
	found := map[string][]string{}
	var mutex sync.Mutex
	require.NoError(t, set.Read(context.Background(), nil, 2, func(_ int, b *source.Batch) error {
		mutex.Lock()
		defer mutex.Unlock()
		name := filepath.Base(b.File.Path)
		for _, s := range b.Spans {
			found[name] = append(found[name], string(b.Data[s.Start:s.End]))
			again, err := set.Bytes(context.Background(), b.File, b.Base+int64(s.Start), b.Base+int64(s.End))
			require.NoError(t, err)
			assert.Equal(t, string(b.Data[s.Start:s.End]), string(again))
		}
		return nil
	}))
	require.Empty(t, set.Problems())
	return found
}

func TestUnsavedTextIsReadInsteadOfFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	saved, changed, created := filepath.Join(dir, "saved.jsonl"), filepath.Join(dir, "changed.jsonl"), filepath.Join(dir, "new.jsonl")
	require.NoError(t, os.WriteFile(saved, []byte(`{"id":1}`), 0o600))
	require.NoError(t, os.WriteFile(changed, []byte(`{"id":2}`), 0o600))
	o := source.Options{Unsaved: map[string][]byte{changed: []byte("{\"id\":3}\n{\"id\":4}"), created: []byte(`{"id":5}`)}}
	assert.Equal(t, map[string][]string{
		"saved.jsonl": {`{"id":1}`}, "changed.jsonl": {`{"id":3}`, `{"id":4}`}, "new.jsonl": {`{"id":5}`},
	}, texts(t, []string{dir, created}, o))
	o.Unsaved[changed] = nil
	assert.Equal(t, map[string][]string{"saved.jsonl": {`{"id":1}`}}, texts(t, []string{dir}, o), "everything was deleted")
}

func TestShallow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "below"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.json"), []byte(`{"id":1}`), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "below", "b.json"), []byte(`{"id":2}`), 0o600))
	assert.Len(t, texts(t, []string{dir}, source.Options{}), 2)
	assert.Equal(t, map[string][]string{"a.json": {`{"id":1}`}}, texts(t, []string{dir}, source.Options{Shallow: true}))
}

func TestMaxTotal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a.json", "b.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(`{"id":1}`), 0o600))
	}
	set, err := source.Open(context.Background(), []string{dir}, source.Options{MaxTotal: 16})
	require.NoError(t, err)
	require.NoError(t, set.Close())
	_, err = source.Open(context.Background(), []string{dir}, source.Options{MaxTotal: 15})
	var tooLarge *source.TooLargeError
	require.ErrorAs(t, err, &tooLarge)
	assert.Equal(t, int64(15), tooLarge.Limit)
	_, err = source.Open(context.Background(), []string{dir}, source.Options{
		MaxTotal: 20, Unsaved: map[string][]byte{filepath.Join(dir, "a.json"): make([]byte, 13)},
	})
	require.ErrorAs(t, err, &tooLarge, "what is unsaved counts as it is")
}
