package source

import (
	"encoding/json"
	"strings"
)

// shellID returns the _id that the text of a document begins with, as the
// MongoDB shell writes it: so it can be copied into a query. MongoDB keeps _id
// first; "" if it is not, or longer than the text shows.
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
