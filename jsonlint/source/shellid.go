package source

import (
	"encoding/json"
	"strings"
)

// shellID returns the _id at the start of a document's text as the MongoDB
// shell writes it, so that users can paste it into a query. It is "" if _id is
// not first, as MongoDB keeps it, or is longer than the text.
func shellID(text string) string {
	rest, found := strings.CutPrefix(text, `{"_id":`)
	if !found {
		return ""
	}
	d := json.NewDecoder(strings.NewReader(rest))
	d.UseNumber()
	var raw json.RawMessage
	if d.Decode(&raw) != nil {
		return ""
	}
	var wrapped struct {
		OID  string `json:"$oid"`
		Date string `json:"$date"`
	}
	if json.Unmarshal(raw, &wrapped) == nil {
		switch {
		case wrapped.OID != "":
			return `ObjectId("` + wrapped.OID + `")`
		case wrapped.Date != "":
			return `ISODate("` + wrapped.Date + `")`
		}
	}
	return string(raw)
}
