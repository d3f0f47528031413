package jsonlint

import (
	"bytes"
	"strings"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
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
