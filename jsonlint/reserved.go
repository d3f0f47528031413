package jsonlint

import (
	"bytes"
	"strings"

	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// reservedIDs are the prefixes of the ids of documents that a database keeps
// for itself: views and checkpoints of CouchDB
// (https://docs.couchdb.org/en/stable/ddocs/ddocs.html,
// https://docs.couchdb.org/en/stable/api/local.html), and what Sync Gateway
// stores beside the documents of Couchbase
// (https://docs.couchbase.com/sync-gateway/current/app-integration.html).
var reservedIDs = [][]byte{[]byte("_design/"), []byte("_local/"), []byte("_sync:")}

// reserved reports whether a document belongs to the database itself. The
// database defines the meaning of its fields, so the rules do not apply.
// MongoDB reserves the names of collections that begin with "system."
// (https://www.mongodb.com/docs/manual/reference/system-collections/).
func reserved(collection string, d *profile.Document) bool {
	if strings.HasPrefix(collection, "system.") {
		return true
	}
	if d.Len(0) == 0 {
		return false
	}
	if action(d) {
		return true
	}
	i, ok := d.Get(0, "_id")
	if !ok || d.Class(i) != profile.String {
		return false
	}
	id := d.Text(i)
	if len(id) == 0 || id[0] != '_' {
		return false
	}
	for _, prefix := range reservedIDs {
		if bytes.HasPrefix(id, prefix) {
			return true
		}
	}
	return false
}

// action reports whether a document is a line of the bulk format of
// Elasticsearch and OpenSearch that says what to do with the next line. Its
// only member is named after an action, and all names in that member begin with
// an underscore
// (https://opensearch.org/docs/latest/api-reference/document-apis/bulk/).
func action(d *profile.Document) bool {
	if d.Len(0) != 1 {
		return false
	}
	for k, v := range d.Members(0) {
		switch string(d.Text(k)) {
		case "index", "create", "update", "delete":
		default:
			return false
		}
		if d.Tokens[v].Kind != scan.Object {
			return false
		}
		for name := range d.Members(v) {
			if text := d.Text(name); len(text) == 0 || text[0] != '_' {
				return false
			}
		}
	}
	return true
}

// givesID matches an action with the id of the document in the next line.
var givesID = lazyregexp.New(`^\{ *"\w+" *: *\{[^{}]*"_id"[^{}]*\} *\}\s*$`)

// namedByAction reports whether the document in a span has its id in the action before
// it. Before the first document of a batch it is unknown, but the action after it shows
// how its file is written.
func namedByAction(b *source.Batch, n int) bool {
	action := n - 1
	if n == 0 && b.Base > 0 {
		action = 1
	}
	if action < 0 || action >= len(b.Spans) {
		return false
	}
	text := b.Data[b.Spans[action].Start:b.Spans[action].End]
	first := bytes.TrimLeft(text, "{ ") // most documents begin with another name
	return (bytes.HasPrefix(first, []byte(`"index"`)) || bytes.HasPrefix(first, []byte(`"create"`))) && givesID.MatchString(string(text))
}
