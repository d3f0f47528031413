package lexicon

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHas(t *testing.T) {
	t.Parallel()
	for list, names := range map[List]struct{ in, out string }{
		Unbounded: {
			in:  "comments comment userComments Comments COMMENTS user_comments replies orders orderHistory versionHistory versions logEntries children commentIds orderIDs commentList order_list activities audit telemetry",
			out: "commentCount version orderId order commentId point view tags recent tasks holdings addresses books",
		},
		Bounded: {
			in:  "addresses address tags tagIds roleIds authorIds phoneNumbers lineItems billingAddresses address1 photos emailAddresses",
			out: "comments items item tagCount addressBook holdings",
		},
		NeutralBounded: {in: "members teamMembers participantIds", out: "memberCount memberships"},
		BoundMarker: {
			in:  "recentComments commentsRecent latest lastLogins top10Comments mostViewed topProducts previewImages featured comments_top_5",
			out: "comments samples topics lasting stopwords recents bloodSamples",
		},
		VolatileStrong: {
			in:  "price stockPrice unit_price lastPrice mktCap mkt-cap balance accountBalance open high lastSeenAt viewCount currentSpeed latestVersion inStock",
			out: "isOpen accessLevel jobPosition name currency priceList deadlineClose speedLimit recurrent",
		},
		VolatileMedium: {in: "status commentCount totalQuantity updatedAt rating", out: "statusCode apiVersion accessToken name"},
		Slow:           {in: "name authorName firstName first_name thumbnailUrl currency createdAt productCategory", out: "price balance nameCount"},
		HistoricalParent: {
			in:  "orders Order purchaseOrders InvoiceV2 OrderDocument order_items events auditLog invoice_record systemlogs userlogs",
			out: "cart carts playlist orderStatus portfolio person blogs catalogs",
		},
		SnapshotField:     {in: "priceAtPurchase nameAtOrder valueAtTime snapshot priceSnapshot capturedAt lockedPrice asOf originalName price_at_purchase", out: "locked frozen isLocked atom price"},
		FreeFormMap:       {in: "metadata labels customFields userPreferences featureFlags httpHeaders i18n contactInfo names", out: "scores firstNames byUser comments"},
		Discriminator:     {in: "type Type _type kind _t $type docType doc_type __typename entity _class", out: "t types bookType vehicleType status"},
		OptionalReference: {in: "parentId parent managerId replyToId parentCommentId approvedById deletedBy assignedTo assignedUserId previousId organizationId nextRef", out: "userId authorId transparentId bookId"},
		ExternalID:        {in: "stripeId stripeCustomerId googleId traceId externalId userSessionId sessionIds deviceId externalRef provider_user_id", out: "userId providerId deviceTypeId sessions bookId tracerId"},
		LookupValue:       {in: "email e-mail contactEmail username userName slug sku code", out: "emailCount name slugged"},
		OptionalByNature:  {in: "withdrawn deletedAt deleted isDeleted middleName middle_name error nickname replacedBy", out: "errors deletion name"},
		NumericIdentifier: {in: "zip zipCode billing_zip postalCode phone phoneNumber homePhone isbn13 ssn taxId account_number accountNo serialNo ean", out: "phoneId houseNumber year extension vat vatAmount cardCount accountId count"},
		BlobExempt:        {in: "hash passwordHash publicKey token cipherData ciphertext embedding iv", out: "data content keyword tokenData image"},
		Tenant:            {in: "tenantId tenant org_id orgId organizationId accountId partitionKey", out: "userId accountNumber organizerId"},
		Metadata:          {in: "id _id pk SK GSI1PK createdAt created_at updatedBy lastModified schemaVersion _etag ttl expiresAt tenantId", out: "creator createdFrom content ids versions title"},
		System:            {in: "_rid _self _etag _ts __v _class @metadata _createdAt", out: "ts etag id _id v class createdAt"},
	} {
		for _, name := range strings.Fields(names.in) {
			assert.True(t, Default().Has(list, name), "%s should have %s", list, name)
		}
		for _, name := range strings.Fields(names.out) {
			assert.False(t, Default().Has(list, name), "%s should not have %s", list, name)
		}
		assert.False(t, Default().Has(list, ""), list)
		assert.False(t, Default().Has(list, "…"), list)
	}
	assert.False(t, Default().Has(List(200), "comments"))
}

func TestHasIn(t *testing.T) {
	t.Parallel()
	l := Default()
	assert.True(t, l.HasIn(Bounded, "items", "orders"))
	assert.True(t, l.HasIn(Bounded, "items", "shoppingCart"))
	assert.False(t, l.HasIn(Bounded, "items", "feeds"))
	assert.True(t, l.HasIn(Unbounded, "tasks", "projects"))
	assert.False(t, l.HasIn(Unbounded, "tasks", "checklists"))
	assert.True(t, l.HasIn(Discriminator, "petType", "pets"))
	assert.True(t, l.HasIn(Discriminator, "contact_kind", "Contact"))
	assert.False(t, l.HasIn(Discriminator, "petType", "owners"))
	assert.True(t, l.HasIn(Unbounded, "comments", "anything"))
}

func TestCountVolatile(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 1, Default().CountVolatile([]string{"symbol", "open", "high", "low"}))
	assert.Equal(t, 0, Default().CountVolatile([]string{"open", "name"}))
	assert.Equal(t, 3, Default().CountVolatile([]string{"Open", "Close", "vol", "mkt-cap", "name"}))
}

func TestWith(t *testing.T) {
	t.Parallel()
	extended, err := Default().With(map[string][]string{
		"unbounded":       {"sighting", "lap@race"},
		"volatile-strong": {"=gust"},
		"system":          {"_house"},
		"discriminator":   {"sort"},
		"bucket-place":    {"sheet"},
	})
	require.NoError(t, err)
	assert.True(t, extended.Has(Unbounded, "birdSightings"))
	assert.True(t, extended.Has(Unbounded, "comments"), "built-in words stay")
	assert.True(t, extended.HasIn(Unbounded, "laps", "races"))
	assert.False(t, extended.Has(Unbounded, "laps"))
	assert.True(t, extended.Has(VolatileStrong, "gust"))
	assert.False(t, extended.Has(VolatileStrong, "windGust"))
	assert.True(t, extended.Has(System, "_house"))
	assert.True(t, extended.Has(Discriminator, "sort"))
	assert.True(t, extended.HasWord(BucketPlace, "sheet"))
	assert.False(t, Default().HasWord(BucketPlace, "sheet"))
	assert.False(t, Default().Has(Unbounded, "birdSightings"), "the receiver does not change")

	_, err = Default().With(map[string][]string{"unbound": {"x"}})
	require.ErrorContains(t, err, `unknown word list "unbound"`)
	_, err = Default().With(map[string][]string{"slow": {"--"}})
	require.ErrorContains(t, err, "not a word")
	_, err = Default().With(map[string][]string{"slow": {""}})
	require.Error(t, err)
}

func TestListNames(t *testing.T) {
	t.Parallel()
	names := ListNames()
	require.Len(t, names, int(listCount))
	seen := map[string]bool{}
	for i, name := range names {
		assert.Regexp(t, `^[a-z]+(-[a-z]+)*$`, name)
		assert.False(t, seen[name], name)
		seen[name] = true
		assert.Equal(t, name, List(i).String())
	}
	assert.Equal(t, "unknown", List(200).String())
}

// Every listed word must be found on its own list, so that none is misspelt
// in the little language of the lists.
func TestEveryWordMatchesItself(t *testing.T) {
	t.Parallel()
	for i, l := range defaults {
		for _, word := range strings.Fields(l.words) {
			name, owners, _ := strings.Cut(word, "@")
			if name == "" {
				name, owners = word, ""
			}
			if strings.HasSuffix(name, "+") {
				name = strings.TrimSuffix(name, "+") + "Price"
			}
			owner, _, _ := strings.Cut(owners, ",")
			if l.anchor == token {
				assert.True(t, Default().HasWord(List(i), word), "%s: %s", l.name, word)
				assert.False(t, Default().Has(List(i), word), "%s: %s", l.name, word)
				continue
			}
			assert.True(t, Default().HasIn(List(i), strings.Trim(name, "=*"), owner), "%s: %s", l.name, word)
		}
	}
}
