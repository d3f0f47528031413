package identity

import (
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A sameIDRole is what a member's name says about the versions of a thing.
type sameIDRole uint8

const (
	sameIDOther    sameIDRole = iota
	sameIDKey                 // the id itself
	sameIDVersion             // the version
	sameIDCreation            // when the thing was created
	sameIDDate                // when the document may have been written
)

type sameIDName struct {
	hash uint64
	role sameIDRole
}

// sameIDNames caches the roles of names. Documents repeat few names, and
// analysing a name costs more than looking it up.
type sameIDNames struct {
	key    profile.Path // of the id
	judged map[string]sameIDName
}

// sameIDNamesKept bounds the cached names, because names may be data.
const sameIDNamesKept = 1 << 10

func newSameIDNames(key profile.Path) sameIDNames {
	return sameIDNames{key, map[string]sameIDName{}}
}

// of returns the entry for the name at token k.
func (n *sameIDNames) of(d *profile.Document, k int) sameIDName {
	if d.Tokens[k].Flags&scan.Escaped == 0 {
		if judged, ok := n.judged[string(d.Text(k))]; ok {
			return judged
		}
	}
	name := d.String(k)
	judged := sameIDName{xxh3.HashString(name), n.role(name)}
	if len(n.judged) < sameIDNamesKept {
		n.judged[name] = judged
	}
	return judged
}

func (n *sameIDNames) role(name string) sameIDRole {
	switch {
	case len(n.key) == 1 && name == n.key[0].Name:
		return sameIDKey
	case isVersionName(name):
		return sameIDVersion
	case isCreationName(name):
		return sameIDCreation
	case isDateName(name):
		return sameIDDate
	}
	return sameIDOther
}

// isVersionName reports whether a field gives the version of a document.
func isVersionName(name string) bool {
	switch name {
	case "_ts", "_lsn", "_etag", "_rev", "__v", "etag", "rev", "seq", "asOf", "as_of":
		return true
	}
	tokens := lexicon.Tokens(name)
	if len(tokens) == 0 {
		return false
	}
	switch tokens[0] {
	case "updated", "modified", "changed", "effective", "snapshot", "exported", "fetched", "scraped":
		return true
	}
	switch tokens[len(tokens)-1] {
	case "updated", "modified", "changed", "version", "revision", "update", "modification":
		return true
	}
	return len(tokens) > 1 && (slices.Contains(tokens, "updated") || slices.Contains(tokens, "modified") ||
		tokens[0] == "valid" && (tokens[1] == "from" || tokens[1] == "to" || tokens[1] == "until"))
}

// isCreationName reports whether a field gives the time of creation, which is
// the same in all versions.
func isCreationName(name string) bool {
	tokens := lexicon.Tokens(name)
	return slices.Contains(tokens, "created") || slices.Contains(tokens, "creation")
}

// isDateName reports whether a field may give the time when the document was
// written.
func isDateName(name string) bool {
	tokens := lexicon.Tokens(name)
	if len(tokens) == 0 {
		return false
	}
	switch tokens[len(tokens)-1] {
	case "date", "time", "timestamp", "ts", "at", "day", "month", "year", "hour":
		return true
	}
	return false
}
