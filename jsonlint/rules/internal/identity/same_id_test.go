package identity

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

func loaded(t *testing.T, text string, base int64) *profile.Document {
	t.Helper()
	parsed, err := new(scan.Parser).Parse([]byte(text))
	require.NoError(t, err)
	d := &profile.Document{}
	d.Load(parsed, 0, base)
	return d
}

// What is known of the documents with one id does not depend on which came
// first to the probe, and only the earliest are kept.
func TestSameIDOrder(t *testing.T) {
	t.Parallel()
	key := profile.Path{{Kind: profile.Field, Name: "id"}}
	var documents []*profile.Document
	for i := range 6 {
		documents = append(documents, loaded(t, fmt.Sprintf(`{"id":7,"n":%d,"updatedAt":%d}`, i, i), int64(100*i)))
	}
	seen := func(order []int) sameID {
		settings := &SameIDProbe{collection: &model.Collection{}, key: profile.NewTrail(key), wanted: map[uint64]struct{}{documents[0].Hash(2): {}}}
		b := settings.New().(*SameIDProbe)
		for _, i := range order {
			b.Visit(documents[i])
		}
		require.Equal(t, 1, b.ids.Len())
		only, _ := b.ids.Get(b.ids.Hashes()[0])
		return only
	}
	want := seen([]int{0, 1, 2, 3, 4, 5})
	require.Len(t, want.First, sameIDFirst)
	assert.EqualValues(t, 6, want.N)
	for i, d := range want.First {
		assert.EqualValues(t, 100*i, d.At.Doc)
	}
	for _, order := range [][]int{{5, 4, 3, 2, 1, 0}, {3, 0, 5, 1, 4, 2}, {0, 5, 1, 4, 2, 3}} {
		assert.Equal(t, want, seen(order), order)
	}
}

func TestSameIDRoles(t *testing.T) {
	t.Parallel()
	names := newSameIDNames(profile.Path{{Kind: profile.Field, Name: "version"}})
	d := loaded(t, `{"version":1,"updatedAt":1,"created":1,"birthDate":1,"name":1,"up\u0064atedAt":1,"":1}`, 0)
	var roles []sameIDRole
	for range 2 { // the second time they are remembered
		roles = roles[:0]
		for k := range d.Members(0) {
			roles = append(roles, names.of(d, k).role)
		}
		assert.Equal(t, []sameIDRole{sameIDKey, sameIDVersion, sameIDCreation, sameIDDate, sameIDOther, sameIDVersion, sameIDOther}, roles)
	}
	assert.NotContains(t, names.judged, `up\u0064atedAt`)
}
