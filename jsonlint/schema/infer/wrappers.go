package infer

import (
	"encoding/json"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/schema/bson"
)

// definitionNames are the definitions that describe Extended JSON wrappers.
// Wrappers that write the same type share one.
var definitionNames = [bson.NumWrappers]string{
	bson.WrapOID: "$oid", bson.WrapInt: "$numberInt", bson.WrapLong: "$numberLong", bson.WrapDouble: "$numberDouble",
	bson.WrapDecimal: "$numberDecimal", bson.WrapDateText: "$date", bson.WrapDateNumber: "$date", bson.WrapDateLong: "$date",
	bson.WrapTimestamp: "$timestamp", bson.WrapBinary: "$binary", bson.WrapOldBinary: "$binary", bson.WrapUUID: "$uuid",
	bson.WrapRegex: "$regularExpression", bson.WrapOldRegex: "$regex", bson.WrapMinKey: "$minKey", bson.WrapMaxKey: "$maxKey",
	bson.WrapSymbol: "$symbol", bson.WrapCode: "$code", bson.WrapCodeScope: "$code", bson.WrapUndefined: "$undefined",
}

var definitions = map[string]string{
	"$oid":           `{"type":"object","required":["$oid"],"properties":{"$oid":{"type":"string","pattern":"^[0-9A-Fa-f]{24}$"}},"additionalProperties":false}`,
	"$numberInt":     `{"type":"object","required":["$numberInt"],"properties":{"$numberInt":{"type":"string","pattern":"^-?[0-9]+$"}},"additionalProperties":false}`,
	"$numberLong":    `{"type":"object","required":["$numberLong"],"properties":{"$numberLong":{"type":"string","pattern":"^-?[0-9]+$"}},"additionalProperties":false}`,
	"$numberDouble":  `{"type":"object","required":["$numberDouble"],"properties":{"$numberDouble":{"type":"string"}},"additionalProperties":false}`,
	"$numberDecimal": `{"type":"object","required":["$numberDecimal"],"properties":{"$numberDecimal":{"type":"string"}},"additionalProperties":false}`,
	"$date":          `{"type":"object","required":["$date"],"properties":{"$date":{"type":["string","integer","object"],"required":["$numberLong"]}},"additionalProperties":false}`,
	"$timestamp":     `{"type":"object","required":["$timestamp"],"properties":{"$timestamp":{"type":"object","required":["t","i"]}},"additionalProperties":false}`,
	"$binary": `{"type":"object","required":["$binary"],"properties":{"$binary":{"type":["string","object"],"required":["base64","subType"]},` +
		`"$type":{"type":"string"}},"additionalProperties":false}`,
	"$uuid":              `{"type":"object","required":["$uuid"],"properties":{"$uuid":{"type":"string"}},"additionalProperties":false}`,
	"$regularExpression": `{"type":"object","required":["$regularExpression"],"properties":{"$regularExpression":{"type":"object","required":["pattern","options"]}},"additionalProperties":false}`,
	"$regex":             `{"type":"object","required":["$regex","$options"],"properties":{"$regex":{"type":"string"},"$options":{"type":"string"}},"additionalProperties":false}`,
	"$minKey":            `{"type":"object","required":["$minKey"],"properties":{"$minKey":{"const":1}},"additionalProperties":false}`,
	"$maxKey":            `{"type":"object","required":["$maxKey"],"properties":{"$maxKey":{"const":1}},"additionalProperties":false}`,
	"$symbol":            `{"type":"object","required":["$symbol"],"properties":{"$symbol":{"type":"string"}},"additionalProperties":false}`,
	"$code":              `{"type":"object","required":["$code"],"properties":{"$code":{"type":"string"},"$scope":{"type":"object"}},"additionalProperties":false}`,
	"$undefined":         `{"type":"object","required":["$undefined"],"properties":{"$undefined":{"const":true}},"additionalProperties":false}`,
}

// wrapperNames lists the definitions of a set of wrappers, sorted.
func wrapperNames(set bson.WrapperSet) []string {
	var names []string
	for w := range bson.NumWrappers {
		if set.Has(w) {
			names = append(names, definitionNames[w])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// definitions returns the definitions that are referred to, or nil.
func (w *writer) definitions() *object {
	names := wrapperNames(w.used)
	if len(names) == 0 {
		return nil
	}
	defs := &object{}
	for _, name := range names {
		defs.set(name, json.RawMessage(definitions[name]))
	}
	return defs
}
