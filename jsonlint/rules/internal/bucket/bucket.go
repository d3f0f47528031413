// Package bucket recognises documents that each hold a page of their parent's
// list: the parent, the list, and the count or number of the pages.
package bucket

import (
	"slices"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
)

// A Bucket is a kind of document that holds one page of its parent's list.
type Bucket struct {
	Parent *profile.Node // the reference to the parent
	List   *profile.Node // the array
	Count  *profile.Node // the stored number of elements; may be nil
	Place  *profile.Node // the page or time span; may be nil
}

// Of recognises buckets among the documents of e. Next to ids, metadata and the
// page, they have a reference to a parent and one list, and several share a
// parent or each has its page.
func Of(p *check.Pass, e *model.Entity) *Bucket {
	root := e.Root()
	if root.Object.Sampled() {
		return nil
	}
	var b Bucket
	for _, f := range root.Object.Fields() {
		switch {
		case f.Types[profile.Array] > 0 && 10*f.Types[profile.Array] >= 9*e.N():
			if b.List != nil || f.Array.Elem.Present() == 0 {
				return nil
			}
			b.List = f
		case f.Types[profile.Object]+f.Types[profile.Array] > 0:
			return nil
		case f.Scalars == nil, identity.IsIDName(f.Step.Name), p.Lexicon.Has(lexicon.System, f.Step.Name):
		case b.Parent == nil && isParentReference(p, e, f):
			b.Parent = f
		case b.Count == nil && isBucketCount(p.Lexicon, f.Step.Name) && f.Scalars.Ints == f.ScalarCount():
			b.Count = f
		case isBucketPlace(p.Lexicon, f.Step.Name):
			if b.Place == nil || times.Is(f) && !times.Is(b.Place) {
				b.Place = f
			}
		case p.Lexicon.Has(lexicon.Metadata, f.Step.Name), p.Lexicon.Has(lexicon.Discriminator, f.Step.Name):
		default:
			return nil // it has its own content
		}
	}
	if b.Parent == nil || b.List == nil {
		return nil
	}
	shared := b.Parent.Scalars.Values.Repeated() > 0
	if !shared && b.Place == nil && b.Count == nil {
		return nil
	}
	return &b
}

func isParentReference(p *check.Pass, e *model.Entity, f *profile.Node) bool {
	if r := p.DB.ReferenceAt(f); r != nil && r.To != e {
		return true
	}
	_, many, ok := lexicon.ReferenceStem(f.Step.Name)
	return ok && !many
}

func isBucketCount(lex *lexicon.Lexicon, name string) bool {
	tokens := lexicon.Tokens(name)
	return len(tokens) > 0 && (lex.HasWord(lexicon.BucketCount, tokens[len(tokens)-1]) || lex.HasWord(lexicon.BucketCount, tokens[0]))
}

func isBucketPlace(lex *lexicon.Lexicon, name string) bool {
	tokens := lexicon.Tokens(name)
	return slices.ContainsFunc(tokens, func(t string) bool { return lex.HasWord(lexicon.BucketPlace, t) })
}

// PagesOf returns what the documents of e are buckets of, or nil. The list of
// an order's lines is not a page of a longer list.
func PagesOf(p *check.Pass, e *model.Entity) *Bucket {
	b := Of(p, e)
	if b == nil || b.Parent.Scalars.Values.Repeated() < 1 || 2*b.List.Array.Elem.Types[profile.Object] < b.List.Array.Elem.Present() ||
		p.Lexicon.Has(lexicon.HistoricalParent, naming.EntityName(e)) {
		return nil
	}
	return b
}

// CountsPages reports whether the numbers at n count the elements of buckets,
// which bucket-hygiene checks.
func CountsPages(p *check.Pass, e *model.Entity, n *profile.Node) bool {
	b := PagesOf(p, e)
	return b != nil && b.Count == n
}

// CountsNeeded is the number of counts from which one of them can be called
// wrong.
const CountsNeeded = 3
