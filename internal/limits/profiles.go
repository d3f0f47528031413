package limits

const (
	kb  = 1000
	mb  = 1000 * kb
	kib = 1024
	mib = 1024 * kib
	gib = 1024 * mib
)

const (
	cosmosLimits    = "learn.microsoft.com/azure/cosmos-db/concepts-limits"
	cosmosAnalytics = "learn.microsoft.com/azure/cosmos-db/analytical-store-introduction"
	cosmosLarge     = "devblogs.microsoft.com/cosmosdb/4-design-patterns-to-deal-with-large-item-sizes"
	cosmosRules     = "github.com/AzureCosmosDB/cosmosdb-agent-kit, rules model-* and partition-*"
	mongoLimits     = "mongodb.com/docs/manual/reference/limits"
	mongoDesign     = "mongodb.com/docs/manual/data-modeling/design-antipatterns"
	dynamoLimits    = "docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas"
	dynamoBlobs     = "docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-use-s3-too"
	firestoreLimits = "firebase.google.com/docs/firestore/quotas"
	firestoreAdvice = "firebase.google.com/docs/firestore/best-practices"
	couchbaseLimits = "docs.couchbase.com/server/current/learn/clusters-and-availability/size-limitations"
	interoperable   = "RFC 8259 section 6: integers up to 2^53 are interoperable"
	ownThreshold    = "threshold of this tool, below the limit of the vendor"
)

// profiles lists the profiles in the order of [Names].
var profiles = []Profile{
	{
		Name: "generic", Title: "any document database",
		SizeInfo: 200 * kb, SizeWarning: mb,
		IDKeys:            []string{"id", "_id"},
		NumbersAreDoubles: true, ArraysInArrays: true,
		SystemKeys: []string{
			"_rid", "_self", "_etag", "_attachments", "_ts", "_lsn", "__v", "_class", "@metadata", "_rev", "_createdAt", "_updatedAt",
		},
		Sources: []Source{
			{"SizeInfo SizeWarning", "github.com/mongodb/agent-skills, schema design: think again above about 200 KB, aim under 1 MB"},
			{"NumbersAreDoubles", interoperable},
		},
	},
	{
		Name: "cosmosdb", Title: "Azure Cosmos DB for NoSQL",
		DocumentBytes: 2 * mib, // "2 MB" of UTF-8
		SizeInfo:      100 * kb, SizeWarning: mb, SizeError: 1900 * kb,
		Nesting:        128,
		IDKeys:         []string{"id"},
		IDBytes:        1023,
		IDMustBeString: true,
		// '#' and '?' are stored, but reads in gateway mode then fail with 401.
		IDForbidden: `/\#?`, IDDiscouraged: " %", IDASCII: true,
		PartitionKeyBytes: 2048, PartitionKeyShortBytes: 101, PartitionBytes: 20 * gib,
		FieldNameDiscouraged: ":`,;{}()\n\t=\"",
		FieldsPerDocument:    1000,
		NumbersAreDoubles:    true, ArraysInArrays: true,
		SystemKeys: []string{"_rid", "_self", "_etag", "_attachments", "_ts", "_lsn"},
		Sources: []Source{
			{"DocumentBytes Nesting IDBytes IDMustBeString IDForbidden IDKeys PartitionKeyBytes PartitionKeyShortBytes PartitionBytes NumbersAreDoubles", cosmosLimits},
			{"IDDiscouraged IDASCII", cosmosRules},
			{"SizeInfo SizeWarning", cosmosLarge},
			{"SizeError", ownThreshold},
			{"FieldNameDiscouraged FieldsPerDocument", cosmosAnalytics},
		},
	},
	{
		Name: "mongodb", Title: "MongoDB",
		DocumentBytes: 16 * mib, SizeInfo: 200 * kb, SizeWarning: 2 * mb, SizeError: 10 * mb,
		Nesting:            100,
		IDKeys:             []string{"_id"},
		FieldNameForbidden: ".$",
		ArraysInArrays:     true,
		SystemKeys:         []string{"__v", "_class"},
		Sources: []Source{
			{"DocumentBytes Nesting IDKeys FieldNameForbidden", mongoLimits},
			{"SizeInfo", "github.com/mongodb/agent-skills, schema design: think again above about 200 KB"},
			{"SizeWarning", "Atlas Schema Advice: documents over 2 MB, " + mongoDesign},
			{"SizeError", "MongoDB Compass: documents over 10,000,000 bytes"},
		},
	},
	{
		Name: "dynamodb", Title: "Amazon DynamoDB",
		DocumentBytes: 400 * kib, SizeInfo: 40 * kb, SizeWarning: 200 * kb, SizeError: 380 * kb,
		Nesting:           32,
		IDKeys:            []string{"pk", "PK", "id"},
		IDBytes:           2048,
		PartitionKeyBytes: 2048, SortKeyBytes: 1024,
		FieldNameBytes: 64 * kib,
		ArraysInArrays: true,
		Sources: []Source{
			{"DocumentBytes Nesting IDBytes PartitionKeyBytes SortKeyBytes FieldNameBytes", dynamoLimits},
			{"SizeInfo SizeWarning", "a tenth and a half of the limit; large values belong in S3, " + dynamoBlobs},
			{"SizeError", ownThreshold},
			{"IDKeys", "names by convention; a table's key attributes are its own"},
		},
	},
	{
		Name: "firestore", Title: "Cloud Firestore",
		DocumentBytes: mib, SizeInfo: 100 * kb, SizeWarning: 512 * kib, SizeError: mb,
		Nesting:     20,
		IDKeys:      []string{"id", "_id"},
		IDBytes:     1500,
		IDForbidden: "/",
		IDReserved:  func(id string) bool { return id == "." || id == ".." || Dunder(id) },

		FieldNameBytes: 1500, FieldNameDiscouraged: ".[]*`",
		Sources: []Source{
			{"DocumentBytes Nesting IDBytes IDForbidden IDReserved FieldNameBytes ArraysInArrays", firestoreLimits},
			{"FieldNameDiscouraged", firestoreAdvice},
			{"SizeInfo SizeWarning", "a tenth and a half of the limit, " + firestoreLimits},
			{"SizeError", ownThreshold},
			{"IDKeys", "the id is part of the document's name; exports write it as one of these"},
		},
	},
	{
		Name: "couchbase", Title: "Couchbase",
		DocumentBytes: 20 * mib, // "20 MB"
		SizeInfo:      mb, SizeWarning: 5 * mb, SizeError: 19 * mb,
		Nesting:           32, // for sub-document paths
		IDKeys:            []string{"id", "_id"},
		IDBytes:           250,
		NumbersAreDoubles: true, // exact up to 2^63 in the server, but not in every SDK and service that reads the JSON
		ArraysInArrays:    true,
		SystemKeys:        []string{"_class"},
		Sources: []Source{
			{"DocumentBytes Nesting IDBytes", couchbaseLimits},
			{"NumbersAreDoubles", interoperable},
			{"SizeInfo", ownThreshold},
			{"SizeWarning", "RavenDB hints at huge documents from 5 MB; " + ownThreshold},
			{"SizeError", ownThreshold},
			{"IDKeys", "the key is outside the document; exports write it as one of these"},
		},
	},
}
