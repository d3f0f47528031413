package lexicon

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReferenceStem(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		stem string
		many bool
	}{
		"stockId": {"stock", false}, "pub-id": {"pub", false}, "tagIds": {"tag", true}, "tagIDs": {"tag", true},
		"bookRef": {"book", false}, "bookRefs": {"book", true}, "user_key": {"user", false}, "countryCode": {"country", false},
		"userUUID": {"user", false}, "userGuid": {"user", false}, "ownerUserId": {"owner user", false}, "POST_ID": {"post", false},
		"user.id": {"user", false}, "authorUids": {"author", true}, "card_unique_id": {"card", false},
	} {
		stem, many, ok := ReferenceStem(name)
		assert.True(t, ok, name)
		assert.Equal(t, want.stem, stem, name)
		assert.Equal(t, want.many, many, name)
	}
	for _, name := range strings.Fields("id _id ID Id ids uuid valid paid android identifier userid monkey keyboard idCode codeName userId2 refsTo unique_id uniqueKey") {
		_, _, ok := ReferenceStem(name)
		assert.False(t, ok, name)
	}
}

func TestMatchStem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stem, collection string
		want             Match
	}{
		{"stock", "stocks", SameName}, {"stock", "Stock", SameName}, {"person", "people", SameName}, {"order item", "orderItems", SameName},
		{"order item", "orderitems", SameName}, {"category", "categories", SameName}, {"series", "series", SameName},
		{"owner user", "users", SameNoun}, {"book", "author_books", SameNoun}, {"book", "author books", SameNoun}, {"item", "order-items", SameNoun},
		{"pub", "publishers", Abbreviation}, {"org", "organizations", Abbreviation}, {"parent org", "organizations", Abbreviation},
		{"order item", "cartItems", NoMatch}, {"pu", "publishers", NoMatch}, {"book", "authors", NoMatch}, {"book", "bookmarkers", Abbreviation},
		{"", "books", NoMatch}, {"book", "", NoMatch}, {"author", "author_books", NoMatch}, {"publisher", "pubs", NoMatch},
	} {
		assert.Equal(t, c.want, MatchStem(c.stem, c.collection), "%s %s", c.stem, c.collection)
		assert.Equal(t, c.want != NoMatch, StemMatches(c.stem, c.collection))
	}
}

func TestIdentityName(t *testing.T) {
	t.Parallel()
	for _, name := range strings.Fields("id _id symbol ticker sku isbn isbn13 email userName username slug uuid productId product_key orderNo invoice_nr pageNum countryCode idCliente pk numClient contactEmail") {
		assert.True(t, IdentityName(name), name)
	}
	for _, name := range strings.Fields("name url numItems noOfPages keyFeatures price valid number ids keys symbols idle") {
		assert.False(t, IdentityName(name), name)
	}
	assert.False(t, IdentityName(""))
}
