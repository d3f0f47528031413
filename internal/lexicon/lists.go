package lexicon

// List is one of the word lists.
type List uint8

const (
	Unbounded         List = iota // things that keep coming: comments, events, orders
	Bounded                       // things a parent has a handful of: addresses, tags
	NeutralBounded                // things that may go either way: members, participants
	BoundMarker                   // says that a list is a selection: recentComments
	VolatileStrong                // values that change within minutes: price, balance, lastSeen
	VolatileMedium                // values that change now and then: status, total
	Slow                          // values that rarely change: name, currency
	HistoricalParent              // documents that record what was: orders, invoices
	SnapshotField                 // values captured on purpose: priceAtPurchase
	FreeFormMap                   // objects whose keys users choose: labels, settings
	Discriminator                 // fields that give the kind of a document
	OptionalReference             // references a document may lack: parentId, deletedBy
	ExternalID                    // ids issued by other systems: stripeId, traceId
	LookupValue                   // values by which people look up a document: email, slug
	OptionalByNature              // fields that only some documents have: deletedAt, nickname
	NumericIdentifier             // digits that are not a number: zip, phone
	BlobExempt                    // long opaque values that belong in a document: hash, embedding
	Tenant                        // the owner of the data: tenantId, orgId
	Metadata                      // fields about the document itself: createdAt, version
	System                        // fields added by the database or a framework: _rid, __v
	Role                          // words that relate a document to another of the same kind: parent, next
	Amount                        // first words in names of numbers: total, average
	KeyName                       // keys whose name does not say so: title, url
	PersonName                    // parts of a person's name: firstName, surname
	Personal                      // words in ids that belong to a person: ssn, passport
	BucketCount                   // words for the number of things in a bucket: count, size
	BucketPlace                   // words for the position of a bucket: page, day
	Clock                         // times of the last change: updatedAt, lastSynced
	Moment                        // last words in names of times: at, date
	DocumentNumber                // last words in names of document numbers: no, number
	Notice                        // documents that tell somebody the state of things: reminder, email
	PriceRange                    // prices of a period, meaningful only together: open, close
	ValueKey                      // first words in names of ids of simple values: zip, currency
	Edition                       // words for when an edition appeared or was valid: released, valid
	MessageType                   // last words in names of types that are sent, not stored: request, response
	PartialType                   // last words in names of types that hold a part of a document: patch, options
	PageField                     // words in names of what comes with a page of a list: total, cursor
	listCount
)

// An anchor says where in a name the words of a list must be.
type anchor uint8

const (
	whole  anchor = iota // the name is the word
	head                 // the word ends the name: "userComments" for comment
	marker               // the word begins or ends the name: recentComments, commentsRecent
	token                // the word is one of the name's words; see [Lexicon.HasWord]
)

// A list's words are written in the singular and match both numbers, unless
// exact is set or the word is written in the plural: then only that form
// matches. Some words say themselves where they must stand:
//
//	=word   the whole name            word*   the name begins with it
//	*word   the name ends with it     word+   it begins the name and more follows
//	word@a,b  only in an owner whose head noun is a or b
//	_word, $word, @word  the name exactly so, but for case
type list struct {
	name   string
	anchor anchor
	exact  bool // singular and plural differ
	shape  shape
	words  string
}

// A shape is what to strip from a name before looking at its head noun.
type shape uint8

const (
	plain      shape = iota
	collection       // commentIds, commentList → comment
	reference        // parentId, parentRef → parent
	number           // zipCode, phoneNumber → zip, phone
	document         // OrderDocument, order_record → order
)

// defaults has the lists in the order of their constants.
var defaults = [listCount]list{
	Unbounded: {name: "unbounded", anchor: head, shape: collection, words: `
		comment reply message chat conversation post event log logEntry logLine entry history audit activity notification alert review rating vote like
		favorite favourite reaction follower following friend subscriber viewer visitor views click impression sessions login
		visits transaction payment orders purchase invoice reading measurement sample metric telemetry points ticks trade bid
		snapshot revisions versions changes edits attempt errors feedback record bookmark download upload checkin transcript
		utterance runs jobs task@user,project child`},
	Bounded: {name: "bounded", anchor: head, shape: collection, words: `
		address phone phoneNumber email contact role permission scope tag category label language locale genre author variant
		size color colour option feature weekday hour shift coordinate bbox dimension ancestor breadcrumb step choice answer currency
		unit image photo thumbnail lineItem item@order,invoice,cart,receipt`},
	NeutralBounded: {name: "neutral-bounded", anchor: head, shape: collection, words: `attendee member participant`},
	BoundMarker: {name: "bound-marker", anchor: marker, exact: true, words: `
		recent latest last top newest featured preview sample first best popular highlighted pinned current most`},
	VolatileStrong: {name: "volatile-strong", anchor: head, words: `
		price bid ask =open =high =low =close =vol volume mktCap marketCap =pe peRatio =quote exchangeRate balance available
		inventory stockLevel onHand inStock temperature humidity pressure =speed =heading =position battery batteryLevel rssi =signal =online
		=presence lastSeen lastSeenAt lastActive lastActiveAt lastLogin lastLoginAt lastActivity lastActivityAt heartbeat
		viewCount likeCount followerCount =followersCount score =rank =elo =mmr =xp =level =progress unreadCount =cpu =memory =load =remaining queueLength =eta
		current* latest* live* realtime*`},
	VolatileMedium: {name: "volatile-medium", anchor: head, words: `
		=status =state count total quantity rating points updatedAt =version =token =location =position`},
	Slow: {name: "slow", anchor: head, words: `
		name title displayName firstName lastName display label slug avatar thumbnail image url icon color colour description category type currency unit
		country isbn sku symbol code createdAt birthDate`},
	HistoricalParent: {name: "historical-parent", anchor: head, shape: document, words: `
		order orderItem orderLine lineItem invoice invoiceLine receipt payment transaction trade fill booking reservation shipment statement
		quote contract sale purchase rental delivery bill refund claim event log logger audit history revision snapshot version backup archive report ledger
		notice notification notify reminder
		accessLog activityLog auditLog changeLog errorLog eventLog loginHistory loginLog requestLog systemLog userLog`},
	SnapshotField: {name: "snapshot-field", anchor: marker, exact: true, words: `
		*atPurchase *atOrder *atTime snapshot captured* frozen+ original+ locked+ historical asOf`},
	FreeFormMap: {name: "free-form-map", anchor: head, words: `
		metadata meta attribute attr attrs property prop label annotation header config setting preference context detail extra info
		param parameter variable option customField claim translation i18n l10n =locales =names feature flag facet`},
	Discriminator: {name: "discriminator", anchor: whole, exact: true, words: `
		type _type kind _t $type docType documentType entityType entity __typename typename _class class discriminator recordType
		itemType objectType resourceType modelType eventType productType jsonType schema`},
	OptionalReference: {name: "optional-reference", anchor: marker, exact: true, shape: reference, words: `
		parent manager replyTo *reply previous prev next *deletedBy *approvedBy assigned* assignee referrer referredBy coupon
		organization organisation thread root required* needed* prerequisite*`},
	ExternalID: {name: "external-id", anchor: marker, exact: true, shape: reference, words: `
		external remote upstream thirdParty legacy
		stripe google facebook twitter github gitlab apple microsoft azure aws amazon paypal shopify twilio slack discord telegram
		providerUser providerAccount idp oauth oidc sso linkedin auth0 okta firebase cognito salesforce hubspot zendesk intercom plaid xero spotify youtube instagram tiktok
		*trace *span *request *correlation *session *device *cronEntry *resourceGroup *subnet *vpc *idempotency *imdb *tmdb *wikidata *doi *orcid`},
	LookupValue: {name: "lookup-value", anchor: head, words: `email emailAddress username login handle slug sku code`},
	OptionalByNature: {name: "optional-by-nature", anchor: whole, exact: true, words: `
		withdrawn isWithdrawn deleted* isDeleted deprecated isDeprecated archived isArchived archivedAt error note notes suffix
		middleName nickname reason *Reason replacedBy updatedBy updatedAt modifiedBy modifiedAt`},
	NumericIdentifier: {name: "numeric-identifier", anchor: head, shape: number, words: `
		zip postal postcode phone telephone mobile fax ssn nin passport iban accountNumber accountNo accountNr accountNum =card cardNumber cardNo cardNum
		isbn ean upc gtin barcode vatNumber vatNo vatId taxId taxNumber routing swift plate serial`},
	BlobExempt: {name: "blob-exempt", anchor: head, words: `
		hash thumbhash blurhash salt digest checksum signature key token nonce iv etag cipher* ciphertext embedding`},
	Tenant: {name: "tenant", anchor: head, shape: reference, words: `tenant org organization organisation account partition workspace`},
	Metadata: {name: "metadata", anchor: whole, exact: true, words: `
		id pk sk gsi* lsi* version schemaVersion etag rev tenantId partitionKey ttl expiresAt
		created createdAt createdOn createdBy createdDate dateCreated creationDate creationTime
		updated updatedAt updatedOn updatedBy updatedDate dateUpdated lastUpdated lastUpdatedAt
		modified modifiedAt modifiedOn modifiedBy modifiedDate dateModified lastModified lastModifiedAt lastModifiedBy
		deleted deletedAt deletedOn deletedBy deletedDate dateDeleted`},
	System: {name: "system", anchor: whole, exact: true, words: `
		_rid _self _etag _attachments _ts _lsn __v _class @metadata _rev _createdAt _updatedAt`},
	Role: {name: "role", anchor: token, words: `
		parent ancestor child previous prev next root predecessor successor sibling`},
	Amount: {name: "amount", anchor: token, words: `total num number count sum max min avg average no`},
	KeyName: {name: "key-name", anchor: token, words: `
		index name title label url uri href path file filename hash domain host hostname`},
	PersonName: {name: "person-name", anchor: head, words: `
		=first =last firstName lastName givenName familyName middleName surname forename`},
	Personal: {name: "personal", anchor: token, words: `
		ssn nin passport iban card tax phone telephone mobile fax address`},
	BucketCount: {name: "bucket-count", anchor: token, words: `count size length nsamples`},
	BucketPlace: {name: "bucket-place", anchor: token, words: `
		seq sequence page bucket batch part index number no nr chunk shard
		day date hour week month start end from to first last min max begin until ts time`},
	Clock: {name: "clock", anchor: whole, exact: true, words: `
		updatedAt updated lastUpdated lastUpdatedAt updatedOn updateDate updatedDate modifiedAt modified lastModified lastModifiedAt modifiedOn
		modifiedDate refreshedAt syncedAt lastSync lastSynced lastSyncedAt`},
	Moment:         {name: "moment", anchor: token, exact: true, words: `date at on time timestamp ts when`},
	DocumentNumber: {name: "document-number", anchor: token, exact: true, words: `no nr number`},
	Notice:         {name: "notice", anchor: token, words: `notice notification notify reminder alert message email mail`},
	PriceRange:     {name: "price-range", anchor: whole, exact: true, words: `open high low close`},
	ValueKey:       {name: "value-key", anchor: token, words: `zip postal postcode phone area country state city currency language locale`},
	Edition: {name: "edition", anchor: token, exact: true, words: `
		date day start from since effective valid edition released release published publication issued`},
	MessageType: {name: "message-type", anchor: token, exact: true, words: `
		request response resp req params input output dto payload filter query options config event command view args reply result results list`},
	PartialType: {name: "partial-type", anchor: token, exact: true, words: `update updates filter patch changes params opts options`},
	PageField: {name: "page-field", anchor: token, words: `
		count total page limit offset cursor token next prev previous size more resource pagination`},
}

func (l List) String() string {
	if l < listCount {
		return defaults[l].name
	}
	return "unknown"
}

// ListNames returns the names of all lists as in the configuration, in kebab
// case.
func ListNames() []string {
	names := make([]string, 0, listCount)
	for _, l := range defaults {
		names = append(names, l.name)
	}
	return names
}
