package mongodb

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/live/sampling"
)

// TestArchiveIsRead writes the documents of two collections by turns, and has
// the core read them: it compares the checksums.
func TestArchiveIsRead(t *testing.T) {
	t.Parallel()
	unique, err := bson.Marshal(bson.D{{Key: "name", Value: "email_1"}, {Key: "key", Value: bson.D{{Key: "email", Value: 1}}}, {Key: "unique", Value: true}})
	require.NoError(t, err)
	namespaces := []*namespace{
		{database: "shop", collection: "orders"}, {database: "shop", collection: "users", indexes: []bson.Raw{unique}}, {database: "shop", collection: "empty"},
	}
	path := filepath.Join(t.TempDir(), "a.archive")
	file, err := os.Create(path)
	require.NoError(t, err)
	a, err := newArchive(file, namespaces)
	require.NoError(t, err)
	for i := range 3000 {
		raw, err := bson.Marshal(bson.D{{Key: "_id", Value: i}, {Key: "note", Value: fmt.Sprintf("%01000d", i)}})
		require.NoError(t, err)
		require.NoError(t, a.write([]string{"shop.orders", "shop.users"}[i/7%2], raw))
	}
	require.NoError(t, a.close(namespaces))
	require.NoError(t, file.Close())
	report, err := jsonlint.Check(context.Background(), []string{path}, jsonlint.Options{})
	require.NoError(t, err)
	assert.Empty(t, report.Problems)
	assert.EqualValues(t, 3000, report.Summary.Documents)
	assert.Equal(t, []string{"orders", "users"}, report.Collections)
	assert.Equal(t, "mongodb", report.DB)
}

func TestKeys(t *testing.T) {
	t.Parallel()
	raw, err := bson.Marshal(bson.D{
		{Key: "_id", Value: int32(7)}, {Key: "long", Value: int64(7)}, {Key: "text", Value: "7"},
		{Key: "list", Value: bson.A{bson.D{{Key: "ref", Value: bson.ObjectID{1}}}, bson.A{"x"}}}, {Key: "real", Value: 7.5}, {Key: "none", Value: nil},
	})
	require.NoError(t, err)
	found := map[string]sampling.Key{}
	d := document(raw)
	d.Values(func(path string, k sampling.Key) { found[path] = k })
	assert.Equal(t, d.ID, found[".long"], "numbers are the same whatever their width")
	assert.NotEqual(t, d.ID, found[".text"])
	assert.Contains(t, found, ".list.ref", "positions in lists do not count")
	assert.Contains(t, found, ".list")
	assert.NotContains(t, found, ".real")
	assert.Len(t, found, 5)
	assert.Equal(t, bson.ObjectID{1}, value(found[".list.ref"]).ObjectID())
}

func TestBetween(t *testing.T) {
	t.Parallel()
	of := func(v any) bson.RawValue {
		raw, err := bson.Marshal(bson.D{{Key: "v", Value: v}})
		require.NoError(t, err)
		return bson.Raw(raw).Lookup("v")
	}
	for range 100 {
		id, ok := between(of(bson.ObjectID{0x60}), of(bson.ObjectID{0x61}))
		require.True(t, ok)
		assert.Equal(t, byte(0x60), id.(bson.ObjectID)[0])
		n, ok := between(of(int32(5)), of(int32(9)))
		require.True(t, ok)
		assert.True(t, n.(int64) >= 5 && n.(int64) <= 9)
	}
	_, ok := between(of("a"), of("b"))
	assert.False(t, ok)
	_, ok = between(of(int32(1)), of("b"))
	assert.False(t, ok)
}
