package catalog

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	t.Parallel()
	c, err := Parse("users", "users.metadata.json", []byte(`{
		"options": {"capped": true, "validator": {"$jsonSchema": {"bsonType": "object", "maxProperties": {"$numberInt": "7"}}}},
		"indexes": [
			{"v": {"$numberInt": "2"}, "key": {"_id": {"$numberInt": "1"}}, "name": "_id_"},
			{"key": {"email": 1}, "name": "email_1", "unique": true, "collation": {"locale": "en", "strength": {"$numberInt": "2"}}},
			{"key": {"login": 1}, "name": "login_1", "unique": true, "partialFilterExpression": {"login": {"$exists": true}}},
			{"key": {"b": 1, "a": -1}, "name": "pair", "unique": true},
			{"key": {"at": 1}, "name": "at_1", "expireAfterSeconds": {"$numberInt": "60"}}
		], "uuid": "00", "collectionName": "users"}`))
	require.NoError(t, err)
	assert.True(t, c.Capped)
	assert.JSONEq(t, `{"bsonType": "object", "maxProperties": 7}`, string(c.Validator))
	unique := func(i Index) bool { return i.Unique }
	holds := func(path string, what func(Index) bool) bool {
		_, ok := c.Index(path, what)
		return ok
	}
	assert.True(t, holds("_id", unique))
	assert.True(t, holds("email", UniqueInAnyCase))
	assert.False(t, holds("login", unique), "only some documents")
	assert.False(t, holds("b", unique), "only with the other field")
	assert.Equal(t, []string{"b", "a"}, c.Indexes[3].Fields)
	assert.True(t, holds("at", Expires))
	assert.False(t, holds("at", unique))

	var none *Collection
	_, ok := none.Index("a", unique)
	assert.False(t, ok)
}

func TestCollationOfTheCollection(t *testing.T) {
	t.Parallel()
	c, err := Parse("users", "", []byte(`{"options":{"collation":{"locale":"de","strength":1}},"indexes":[
		{"key":{"a":1},"name":"a","unique":true},{"key":{"b":1},"name":"b","unique":true,"collation":{"strength":3}}]}`))
	require.NoError(t, err)
	_, ok := c.Index("a", UniqueInAnyCase)
	assert.True(t, ok)
	_, ok = c.Index("b", UniqueInAnyCase)
	assert.False(t, ok)
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{``, `[]`, `{"indexes":[{"key":7}]`, `{"indexes":[{"name":"a"}]}`} {
		_, err := Parse("users", "", []byte(text))
		assert.ErrorContains(t, err, "metadata of users", text)
	}
}
