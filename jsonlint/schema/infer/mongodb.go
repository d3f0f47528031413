package infer

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/schema/bson"
)

// MongoDBValidators returns a validator for each collection, ordered by name,
// as collMod and createCollection take it in "validator". The validators use
// MongoDB's keywords and describe the stored types of values.
func (db *Database) MongoDBValidators(o Options) ([]Schema, error) {
	var out []Schema
	for _, c := range db.collections {
		text, err := print(validator(c, o))
		if err != nil {
			return nil, err
		}
		out = append(out, Schema{c.name, c.documents(), text})
	}
	return out, nil
}

// MongoDBValidator returns the validators of all collections as members of one
// object.
func (db *Database) MongoDBValidator(o Options) ([]byte, error) {
	all := &object{}
	for _, c := range db.collections {
		all.set(c.name, validator(c, o))
	}
	return print(all)
}

func validator(c *collection, o Options) *object {
	w := &writer{options: o, collection: c.name, mongodb: true}
	out := &object{}
	out.set("$jsonSchema", w.document(c))
	return out
}

func (w *writer) typeKeyword() string {
	if w.mongodb {
		return "bsonType"
	}
	return "type"
}

// stored describes values by their stored MongoDB types.
func (w *writer) stored(s *shape, path profile.Path) *object {
	out := &object{}
	if s.stored == 0 {
		return out
	}
	out.set("bsonType", one(s.bsonNames()))
	w.contents(out, s, path)
	return out
}

// bsonNames lists types. Later integers may need 64 bits, so int and long go
// together. Later doubles may be whole, so double brings all numbers.
func (s *shape) bsonNames() []string {
	var names []string
	number := s.stored.Has(bson.Double) || s.stored.Has(bson.Decimal)
	for t := range bson.NumTypes {
		switch t {
		case bson.Int:
			if number {
				names = append(names, "number")
				continue
			} else if s.stored.Has(bson.Int) || s.stored.Has(bson.Long) {
				names = append(names, "int", "long")
			}
		case bson.Long, bson.Double, bson.Decimal:
		default:
			if s.stored.Has(t) {
				names = append(names, t.String())
			}
		}
	}
	return names
}

// constants lists values of a discriminator, in relaxed Extended JSON for a
// validator.
func (w *writer) constants(set map[string]bool) []any {
	var out []any
	for _, raw := range sortedKeys(set) {
		if w.mongodb {
			raw = relaxed(raw)
		}
		out = append(out, json.RawMessage(raw))
	}
	return slices.CompactFunc(out, func(a, b any) bool { return string(a.(json.RawMessage)) == string(b.(json.RawMessage)) })
}

// relaxed returns a number without its wrapper.
func relaxed(raw string) string {
	if !strings.HasPrefix(raw, "{") {
		return raw
	}
	var p scan.Parser
	d, err := p.Parse([]byte(raw))
	if err != nil || d.Tokens[0].Kind != scan.Number || !json.Valid(d.Text(0)) {
		return raw
	}
	return string(d.Text(0))
}
