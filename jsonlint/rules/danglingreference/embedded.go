package danglingreference

import (
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
)

// embedded returns the ids of objects that are embedded in documents and are not
// copies of other documents.
func embedded(p *check.Pass) []*profile.Sample {
	var out []*profile.Sample
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Depth > 1 && n.Scalars != nil && n.Types[profile.ObjectID] == n.Present() && n.Step.Name == "_id" && p.DB.ReferenceAt(n) == nil {
				out = append(out, &n.Scalars.Values)
			}
			return true
		})
	}
	return out
}

// embeddedWhole returns, by collection, the ids of its documents that are embedded as a
// whole, such as the resources of a bundle. The collection need not have these as well.
func embeddedWhole(p *check.Pass) map[*model.Collection][]*profile.Sample {
	out := map[*model.Collection][]*profile.Sample{}
	for _, r := range p.DB.References {
		if r.Node.Step.Name == r.Key.Node.Step.Name && r.Node.Depth > 1 && whole(r.Node.Parent, r.To.Collection.Profile.Root) {
			out[r.To.Collection] = append(out[r.To.Collection], &r.Node.Scalars.Values)
		}
	}
	return out
}

// wholeShare is the share of the fields of a document that make an object one.
const wholeShare = 0.7

// whole reports whether embedded objects have the fields of the documents, on average.
func whole(holder, root *profile.Node) bool {
	if root.Object.Sampled() || holder.Object == nil {
		return false
	}
	fields, shared := int64(0), int64(0)
	for _, f := range root.Object.Fields() {
		fields += f.Present()
		if g := holder.Object.Field(f.Step.Name); g != nil {
			shared += g.Present()
		}
	}
	return float64(shared)*float64(root.Types[profile.Object]) >= wholeShare*float64(fields)*float64(holder.Types[profile.Object])
}
