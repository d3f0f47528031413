package scan

import "strings"

// An extended describes the content of a wrapper of Extended JSON.
type extended struct {
	wants   string // what it must contain
	example string
	beside  string // name that may occur next to it
}

// wrappers are the names that only Extended JSON uses. Others, such as "$ref",
// "$type" and "$regex", also occur in schemas and queries.
var wrappers = map[string]extended{
	"$oid":               {wants: "24 hexadecimal digits in quotes", example: `{"$oid": "507f1f77bcf86cd799439011"}`},
	"$numberInt":         {wants: "an integer of 32 bits in quotes", example: `{"$numberInt": "42"}`},
	"$numberLong":        {wants: "an integer of 64 bits in quotes", example: `{"$numberLong": "42"}`},
	"$numberDouble":      {wants: "a number in quotes", example: `{"$numberDouble": "1.5"}`},
	"$numberDecimal":     {wants: "a number of up to 34 digits in quotes", example: `{"$numberDecimal": "1.10"}`},
	"$date":              {wants: "a date", example: `{"$date": "2026-01-31T12:00:00Z"}`},
	"$binary":            {wants: "base64 with a subtype", example: `{"$binary": {"base64": "QQ==", "subType": "00"}}`, beside: "$type"},
	"$uuid":              {wants: "a UUID", example: `{"$uuid": "00112233-4455-6677-8899-aabbccddeeff"}`},
	"$timestamp":         {wants: "the whole numbers t and i", example: `{"$timestamp": {"t": 1700000000, "i": 1}}`},
	"$regularExpression": {wants: "the strings pattern and options", example: `{"$regularExpression": {"pattern": "^a", "options": "i"}}`},
	"$minKey":            {wants: "1", example: `{"$minKey": 1}`},
	"$maxKey":            {wants: "1", example: `{"$maxKey": 1}`},
	"$undefined":         {wants: "true", example: `{"$undefined": true}`},
	"$symbol":            {wants: "a string", example: `{"$symbol": "a"}`},
	"$code":              {wants: "a string", example: `{"$code": "f()", "$scope": {}}`, beside: "$scope"},
	"$dbPointer":         {wants: "$ref and $id", example: `{"$dbPointer": {"$ref": "users", "$id": {"$oid": "507f1f77bcf86cd799439011"}}}`},
}

// dollar reports whether the object at toks[i] may be a wrapper or an attempt
// at one: its first name, or the second of two, begins with a dollar sign.
func dollar(src []byte, toks []Token, i uint32) bool {
	n := toks[i].B
	if n == 0 {
		return false
	}
	if k := &toks[i+1]; n != 2 || k.A < k.B && src[k.A] == '$' {
		return k.A < k.B && src[k.A] == '$'
	}
	next := i + 3
	if v := &toks[i+2]; v.Kind >= Object {
		next = v.A
	}
	k := &toks[next]
	return k.A < k.B && src[k.A] == '$'
}

// reserved reports whether only Extended JSON uses the name.
func reserved(src []byte, name Token) bool {
	if name.A == name.B || src[name.A] != '$' {
		return false
	}
	_, ok := wrappers[string(src[name.A:name.B])]
	return ok
}

// malformed returns what is wrong with the object at toks[open], whose members
// are the last tokens, if it was meant as a wrapper but is not one.
func malformed(src []byte, toks []Token, open uint32) (d Diagnostic, bad bool) {
	var name, value, other *Token
	for k := open + 1; k < uint32(len(toks)); {
		key, val := &toks[k], &toks[k+1]
		if k += 2; val.Kind >= Object {
			k = val.A
		}
		switch {
		case name == nil && reserved(src, *key):
			name, value = key, val
		case other == nil || key.A < key.B && src[key.A] == '$': // prefer a name with a dollar
			other = key
		}
	}
	if name == nil {
		return d, false
	}
	wrap := string(src[name.A:name.B])
	rule := wrappers[wrap]
	about := value
	switch {
	case other == nil:
		if fits(src, toks, open+2, wrap) {
			return d, false
		}
		d.Message = wrap + " must be " + rule.wants + ", not " + valueText(src, value)
	case string(src[other.A:other.B]) == rule.beside:
		about = &toks[open]
		d.Message = wrap + " and " + rule.beside + " are not a valid value together"
	case strings.HasPrefix(string(src[other.A:other.B]), "$"):
		return d, false // another language with such names
	default:
		about = other
		d.Message = excerpt(src[other.A:other.B]) + " is beside " + wrap + ", which must be alone in its object"
	}
	d.Code, d.Start, d.End, d.Opened = CodeExtended, int(about.Start), int(about.End), -1
	d.Hint = "write " + rule.example
	return d, true
}

// fits reports whether the value at toks[i] suits the wrapper although the
// parser did not make it one token.
func fits(src []byte, toks []Token, i uint32, wrap string) bool {
	value := &toks[i]
	switch {
	case wrap == "$binary":
		return isBase64(src, value) // Meteor's EJSON has no subtype
	case wrap == "$dbPointer":
		pair := members(toks, i)
		ref, id := pair.get(src, "$ref"), pair.get(src, "$id")
		return isPlainString(ref) && id != nil && id.Kind == ObjectID
	case value.Kind == String && value.Flags&(Escaped|Wrapped) == Escaped:
		kind, _ := scalarWrapper(wrap[1:], true, AppendUnescaped(nil, src[value.A:value.B]))
		return kind != Invalid
	}
	return false
}

// valueText returns a value as messages show it.
func valueText(src []byte, t *Token) string {
	switch {
	case t.Kind == Object || t.Flags&Wrapped != 0:
		return "an object"
	case t.Kind == Array:
		return "an array"
	case t.Kind == String:
		return excerpt(src[t.A:t.B])
	}
	return strings.Trim(excerpt(src[t.A:t.B]), `"`)
}

// notWrapped records what is wrong with the object at toks[open] if it was
// meant as a wrapper. It skips objects that already contain a mistake, and text
// that is read again.
func (p *Parser) notWrapped(src []byte, toks []Token, open uint32) {
	t := &toks[open]
	if p.judged > t.Start {
		return
	}
	if d, bad := malformed(src, toks, open); bad {
		p.judged = t.End
		p.malformed.most = maxPerDocument
		p.malformed.add(d)
	}
}

// tellMalformed reports what was recorded in the document that ends at end.
func (p *Parser) tellMalformed(end int) {
	if p.judged > 0 {
		p.doc.Malformed = p.malformed.appendTo(nil, end)
	}
}
