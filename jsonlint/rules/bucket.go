package rules

import (
	"slices"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A bucket is a kind of document that holds one page of its parent's list.
type bucket struct {
	parent *profile.Node // the reference to the parent
	list   *profile.Node // the array
	count  *profile.Node // the number of elements, as stored; nil if it is not
	place  *profile.Node // which page, or which span of time; nil if nothing says
}

var (
	bucketCounts = []string{"count", "size", "length", "nsamples"}
	bucketPlaces = []string{
		"seq", "sequence", "page", "bucket", "batch", "part", "index", "number", "no", "nr", "chunk", "shard",
		"day", "date", "hour", "week", "month", "start", "end", "from", "to", "first", "last", "min", "max", "begin", "until", "ts", "time",
	}
)

// bucketOf tells whether the documents of e are buckets: beside ids, metadata
// and what says which page they are, they have a reference to a parent and one
// list, and several of them share a parent or each says its place.
func bucketOf(p *Pass, e *model.Entity) *bucket {
	root := e.Root()
	if root.Object == nil || root.Object.Sampled() {
		return nil
	}
	var b bucket
	for _, f := range root.Object.Fields() {
		switch {
		case f.Types[profile.Array] > 0 && 10*f.Types[profile.Array] >= 9*e.N():
			if b.list != nil || f.Array.Elem.Present() == 0 {
				return nil
			}
			b.list = f
		case f.Types[profile.Object]+f.Types[profile.Array] > 0:
			return nil
		case f.Scalars == nil, isIDName(f.Step.Name), p.Lexicon.Has(lexicon.System, f.Step.Name):
		case b.parent == nil && isParentReference(p, e, f):
			b.parent = f
		case b.count == nil && isBucketCount(f.Step.Name) && f.Scalars.Ints == f.ScalarCount():
			b.count = f
		case isBucketPlace(f.Step.Name):
			if b.place == nil || isTime(f) && !isTime(b.place) {
				b.place = f
			}
		case p.Lexicon.Has(lexicon.Metadata, f.Step.Name), p.Lexicon.Has(lexicon.Discriminator, f.Step.Name):
		default:
			return nil // it has content of its own
		}
	}
	if b.parent == nil || b.list == nil {
		return nil
	}
	shared := b.parent.Scalars.Values.Repeated() > 0
	if !shared && b.place == nil && b.count == nil {
		return nil
	}
	return &b
}

func isIDName(name string) bool { return name == "id" || name == "_id" }

func isParentReference(p *Pass, e *model.Entity, f *profile.Node) bool {
	if r := p.DB.ReferenceAt(f); r != nil && r.To != e {
		return true
	}
	_, many, ok := lexicon.ReferenceStem(f.Step.Name)
	return ok && !many
}

func isBucketCount(name string) bool {
	tokens := lexicon.Tokens(name)
	return len(tokens) > 0 && (slices.Contains(bucketCounts, tokens[len(tokens)-1]) || slices.Contains(bucketCounts, tokens[0]))
}

func isBucketPlace(name string) bool {
	tokens := lexicon.Tokens(name)
	return slices.ContainsFunc(tokens, func(t string) bool { return slices.Contains(bucketPlaces, t) })
}
