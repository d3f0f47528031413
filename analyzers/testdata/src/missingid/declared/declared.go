// Package declared says itself what is stored.
package declared

//shapevet:document collection=comments
type Comment struct { // want `Comment has no field that identifies a document`
	Author  string `json:"author"`
	Content string `json:"content"`
}

//shapevet:document collection=countries
type Country struct {
	Code string `json:"code"`
	Area int    `json:"area"`
}
