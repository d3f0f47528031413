// Package structdrift reports Go types that disagree with stored documents.
package structdrift

import (
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/decode"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/quantity"
)

// Rule compares types with the documents of their collection. Without
// evidence it reports nothing.
var Rule = check.Rule{Name: "struct-drift", Run: run, Cause: "mixed-types"}

func run(p *check.Pass) {
	for _, d := range p.Documents() {
		options, ok := settings(p, d)
		if !ok {
			continue
		}
		seen := p.Observed(d)
		if seen == nil {
			continue
		}
		options.Typed = seen.Typed
		c := &comparison{Pass: p, document: d, seen: seen, options: options, result: decode.Compare(d.Named, seen.Kind.Root, options), claimed: map[string]bool{}}
		c.mismatches()
		c.bounds()
		c.constants()
		c.unseen()
		c.lost()
	}
}

// settings returns the codec settings of a document. ok is false if they are
// unknown: for mgo, the first AWS SDK, and custom decoders.
func settings(p *check.Pass, d *docmodel.Document) (options decode.Options, ok bool) {
	o := p.Program.ClientOptions()
	options = decode.Options{Codec: d.Codec, JSONTags: o.JSONTags}
	switch d.Codec {
	case docmodel.JSON, docmodel.Firestore:
		return options, true
	case docmodel.DynamoDB:
		return options, o.TagKey == ""
	case docmodel.BSON:
	default:
		return options, false
	}
	if p.Program.ByMgo(d) || p.Program.RegistersDecoders() {
		return options, false
	}
	options.Hex, options.Truncate = set(o.HexIDs, o.Unknown), set(o.Truncates, o.Unknown)
	switch v2 := p.Program.Imports("mongo-driver/v2"); {
	case !v2 && p.Program.Imports("mongo-driver"): // the default in the first version
		options.Hex = decode.Yes
	case !v2 || p.Program.Imports("mongo-driver/bson") || p.Program.Imports("mongo-driver/mongo"):
		options.Hex = decode.Maybe
	}
	return options, true
}

func set(option, unknown bool) decode.Knowledge {
	switch {
	case option:
		return decode.Yes
	case unknown:
		return decode.Maybe
	}
	return decode.No
}

// A comparison is a type with its documents.
type comparison struct {
	*check.Pass
	document *docmodel.Document
	seen     *check.Observed
	options  decode.Options
	result   *decode.Result
	claimed  map[string]bool // paths whose names are close to a field's
}

// field returns the field at the end of a chain, or the last known one on the
// way, or nil.
func (c *comparison) field(chain []*types.Var) *docmodel.Field {
	var found *docmodel.Field
	fields := c.document.Fields
	for _, v := range chain {
		i := slices.IndexFunc(fields, func(f *docmodel.Field) bool { return f.Var == v })
		if i < 0 {
			break
		}
		found = fields[i]
		fields = found.Fields
	}
	return found
}

// leads reports whether a chain ends in a field.
func leads(f *docmodel.Field, chain []*types.Var) bool {
	return f != nil && len(chain) > 0 && f.Var == chain[len(chain)-1]
}

// report reports a finding with what is known about the documents.
func (c *comparison) report(f check.Finding) {
	f.Document = c.document
	f.Confidence = min(f.Confidence, c.seen.Confidence)
	if c.seen.Stale != "" {
		f.Message += ", in old evidence of " + c.seen.Until
	}
	f.SeenIn(c.seen.Collection, c.seen.Documents, c.seen.Until)
	c.Report(f)
}

// share returns a text that says how many of how many values: of documents, if
// each holds at most one.
func share(count, values, documents, all int64) string {
	of := quantity.Of(values, "value")
	if values == documents {
		of = quantity.Of(all, "document")
	}
	return quantity.Grouped(count) + " of " + of
}

// spell returns the source form of a type in the package.
func (c *comparison) spell(t types.Type) string {
	return types.TypeString(t, func(pkg *types.Package) string {
		if pkg == c.Package.Types {
			return ""
		}
		return pkg.Name()
	})
}

// system reports whether a name is reserved by the database or a library and so
// not for the type to hold.
func (c *comparison) system(name string) bool {
	switch name {
	case "_id", "id", "__v":
		return true
	}
	return strings.HasPrefix(name, "_") && c.document.Codec == docmodel.JSON
}
