package docmodel

import (
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Codec turns Go values into stored documents. It decides which struct tag
// names a field and whether an embedded struct is flattened.
type Codec string

const (
	BSON      Codec = "bson"       // mongo-driver, mgo and libraries built on them
	JSON      Codec = "json"       // azcosmos, gocb, kivik: encoding/json
	DynamoDB  Codec = "dynamodbav" // aws-sdk-go-v2 attributevalue
	DynamoDB1 Codec = "dynamodb1"  // aws-sdk-go dynamodbattribute and guregu/dynamo, which know json tags or their own
	Firestore Codec = "firestore"  // cloud.google.com/go/firestore
)

// tagKeys returns the struct tags of a codec. The first one present counts.
func (c Codec) tagKeys() []string {
	switch c {
	case DynamoDB1:
		return []string{"dynamodbav", "dynamo", "json"}
	case BSON, JSON, DynamoDB, Firestore:
		return []string{string(c)}
	}
	return []string{"bson", "json"}
}

// allTagKeys returns the struct tags of all codecs.
func allTagKeys() (keys []string) {
	for _, c := range []Codec{BSON, JSON, DynamoDB, DynamoDB1, Firestore} {
		for _, key := range c.tagKeys() {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// DB returns the database that the codec usually writes to, "" if several use
// it.
func (c Codec) DB() string {
	switch c {
	case BSON:
		return "mongodb"
	case DynamoDB, DynamoDB1:
		return "dynamodb"
	case Firestore:
		return "firestore"
	}
	return ""
}

// TagKey returns the struct tag that a fix writes for the codec.
func (c Codec) TagKey() string { return c.tagKeys()[0] }

// Library returns what programmers call the package that contains the codec.
func (c Codec) Library() string {
	switch c {
	case JSON:
		return "encoding/json"
	case DynamoDB:
		return "attributevalue"
	case "dynamo":
		return "guregu/dynamo"
	}
	return string(c)
}

// A Tag is what a codec reads from a field's struct tag.
type Tag struct {
	Key     string   // of the tag that was found, "" if there is none
	Name    string   // "" unless the tag names the field
	Options []string // omitempty, inline, …
}

// Has reports whether the tag carries an option.
func (t Tag) Has(option string) bool { return slices.Contains(t.Options, option) }

// Skips reports whether the field is not stored.
func (t Tag) Skips() bool { return t.Name == "-" && len(t.Options) == 0 }

// Tag reads a field's raw tag as the codec does.
func (c Codec) Tag(raw string) Tag {
	for _, key := range c.tagKeys() { // a malformed tag is not found by codecs either
		if value, ok := reflect.StructTag(raw).Lookup(key); ok {
			return parseTag(key, value)
		}
	}
	// The bson package takes a tag without any key as its own.
	if c == BSON && raw != "" && !strings.Contains(raw, ":") {
		return parseTag("", raw)
	}
	return Tag{}
}

func parseTag(key, value string) Tag {
	name, rest, found := strings.Cut(value, ",")
	tag := Tag{Key: key, Name: name}
	if found {
		tag.Options = strings.Split(rest, ",")
	}
	return tag
}

// Unread returns the name that a field's tag is meant to give it, if the codec does not
// find the tag because of an extra space or comma.
func (f *Field) Unread() (name string, ok bool) {
	if _, found := reflect.StructTag(f.RawTag).Lookup(f.TagKey()); found || f.Document.Codec == DynamoDB1 {
		return "", false
	}
	value, ok := written(f.RawTag, f.TagKey())
	name, _, _ = strings.Cut(value, ",")
	return strings.TrimSpace(name), ok
}

// written finds a key with a value in a tag, however it is spaced.
func written(raw, key string) (string, bool) {
	for at := 0; ; {
		i := strings.Index(raw[at:], key)
		if i < 0 {
			return "", false
		}
		start := at + i
		at = start + len(key)
		if start > 0 && !strings.ContainsRune(" ,;\t\"", rune(raw[start-1])) {
			continue
		}
		rest, ok := strings.CutPrefix(strings.TrimLeft(raw[at:], " "), ":")
		if !ok {
			continue
		}
		rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), `"`)
		if !ok {
			continue
		}
		value, _, ok := strings.Cut(rest, `"`)
		return value, ok
	}
}

// LookupTag finds the value of a key, even if the tag as a whole does not
// follow the convention of space-separated pairs.
func LookupTag(raw, key string) (string, bool) {
	if value, ok := reflect.StructTag(raw).Lookup(key); ok {
		return value, true
	}
	for at := 0; ; {
		i := strings.Index(raw[at:], key+`:"`)
		if i < 0 {
			return "", false
		}
		start := at + i
		if start > 0 && isTagKeyByte(raw[start-1]) {
			at = start + len(key)
			continue
		}
		quoted, err := strconv.QuotedPrefix(raw[start+len(key)+1:])
		if err != nil {
			return "", false
		}
		value, err := strconv.Unquote(quoted)
		return value, err == nil
	}
}

func isTagKeyByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// StoredName returns the name under which a field with a tag is stored.
func (c Codec) StoredName(v *types.Var, tag Tag) string {
	switch {
	case tag.Name != "":
		return tag.Name
	case c == BSON:
		return strings.ToLower(v.Name())
	}
	return v.Name()
}

// inlines reports whether the fields of an embedded or tagged field are stored
// next to the fields around it.
func (c Codec) inlines(v *types.Var, tag Tag) bool {
	if c == BSON {
		return tag.Has("inline") || tag.Name == "inline"
	}
	return v.Embedded() && tag.Name == "" || tag.Has("inline") && tag.Name == ""
}

// marshallers are the methods by which a type encodes itself.
var marshallers = map[Codec][]string{
	BSON:      {"MarshalBSON", "MarshalBSONValue", "GetBSON"},
	JSON:      {"MarshalJSON"},
	DynamoDB:  {"MarshalDynamoDBAttributeValue"},
	DynamoDB1: {"MarshalDynamoDBAttributeValue", "MarshalDynamo", "MarshalDynamoItem"},
}

var unmarshallers = map[Codec][]string{
	BSON:      {"UnmarshalBSON", "UnmarshalBSONValue", "SetBSON"},
	JSON:      {"UnmarshalJSON"},
	DynamoDB:  {"UnmarshalDynamoDBAttributeValue"},
	DynamoDB1: {"UnmarshalDynamoDBAttributeValue", "UnmarshalDynamo", "UnmarshalDynamoItem"},
}

// Marshals reports whether a type or a pointer to it encodes itself.
func (c Codec) Marshals(t types.Type) bool { return hasMethod(t, marshallers[c]...) }

// Unmarshals reports whether a type or a pointer to it decodes itself.
func (c Codec) Unmarshals(t types.Type) bool { return hasMethod(t, unmarshallers[c]...) }

func hasMethod(t types.Type, names ...string) bool {
	named := Named(t)
	if named == nil || types.IsInterface(named) {
		return false
	}
	for method := range named.Methods() {
		if slices.Contains(names, method.Name()) {
			return true
		}
	}
	return false
}
