package limits

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNames(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"generic", "cosmosdb", "mongodb", "dynamodb", "firestore", "couchbase"}, Names())
	_, ok := For("sqlite")
	assert.False(t, ok)
}

func TestEveryFigureIsCited(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		p, ok := For(name)
		require.True(t, ok)
		value := reflect.ValueOf(p)
		for i := range value.NumField() {
			field := value.Type().Field(i)
			if number := field.Type.Kind() == reflect.Int || field.Type.Kind() == reflect.Int64; number && !value.Field(i).IsZero() {
				assert.NotEmpty(t, p.Source(field.Name), "%s.%s", name, field.Name)
			}
		}
		for _, source := range p.Sources {
			for _, figure := range strings.Fields(source.Figure) {
				_, ok := value.Type().FieldByName(figure)
				assert.True(t, ok, "%s cites %s", name, figure)
			}
		}
		assert.NotEmpty(t, p.IDKeys, name)
		assert.NotEmpty(t, p.Title, name)
	}
}

func TestSoftLimitsRise(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		p, _ := For(name)
		assert.Less(t, p.SizeInfo, p.SizeWarning, name)
		if p.DocumentBytes > 0 {
			assert.Less(t, p.SizeWarning, p.SizeError, name)
			assert.Less(t, p.SizeError, p.DocumentBytes, name)
		}
	}
}

func TestForReturnsItsOwnCopy(t *testing.T) {
	t.Parallel()
	p, _ := For("cosmosdb")
	p.IDKeys[0] = "changed"
	again, _ := For("cosmosdb")
	assert.Equal(t, "id", again.IDKeys[0])
}

func TestCheckID(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		db, id string
		want   IDProblem
	}{
		{"generic", "any/thing é", IDFine},
		{"generic", "", IDEmpty},
		{"cosmosdb", "order-1", IDFine},
		{"cosmosdb", "a/b", IDForbidden},
		{"cosmosdb", `a\b`, IDForbidden},
		{"cosmosdb", "a#b", IDForbidden},
		{"cosmosdb", "a b", IDDiscouraged},
		{"cosmosdb", "é", IDDiscouraged},
		{"cosmosdb", strings.Repeat("x", 1023), IDFine},
		{"cosmosdb", strings.Repeat("x", 1024), IDTooLong},
		{"mongodb", "a/b é", IDFine},
		{"firestore", ".", IDReserved},
		{"firestore", "..", IDReserved},
		{"firestore", "__x__", IDReserved},
		{"firestore", "__x", IDFine},
		{"firestore", "a/b", IDForbidden},
		{"couchbase", strings.Repeat("x", 251), IDTooLong},
		{"dynamodb", strings.Repeat("x", 2049), IDTooLong},
	} {
		p, ok := For(c.db)
		require.True(t, ok)
		assert.Equal(t, c.want, p.CheckID(c.id), "%s %.20s", c.db, c.id)
	}
	assert.False(t, Dunder("___"))
	assert.True(t, Dunder("____"))
}
