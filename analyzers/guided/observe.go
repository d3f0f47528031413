package guided

import (
	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// Observe returns the documents of a type.
func (e *Evidence) Observe(p *docmodel.Program, d *docmodel.Document) *check.Observed {
	b := e.bind(p, d)
	if b.Collection == "" || !b.ofOneKind(d) {
		return nil
	}
	return &check.Observed{
		Collection: b.Collection, Documents: b.Documents, Until: b.Until, Stale: b.stale, Confidence: b.Confidence, Kind: b.kind,
		Typed: typed(b.root),
	}
}

// ofOneKind reports whether the documents compared with a type are of one kind,
// or of several that all have most fields of the type.
func (b *Binding) ofOneKind(d *docmodel.Document) bool {
	if len(b.collection.Kinds) < 2 {
		return true
	}
	for _, k := range b.collection.Kinds {
		if k == b.kind {
			return true
		}
	}
	for _, k := range b.collection.Kinds {
		if share, _ := alike(d, k.Root); share < sameShape {
			return false
		}
	}
	return true
}

// typed reports whether documents distinguish types that plain JSON writes as
// strings.
func typed(n *evidence.Node) bool {
	if n == nil {
		return false
	}
	if n.Types[profile.ObjectID]+n.Types[profile.Date]+n.Types[profile.Binary]+n.Types[profile.Special]+n.Decimals > 0 {
		return true
	}
	for _, f := range n.Fields {
		if typed(f) {
			return true
		}
	}
	return typed(n.Elem) || typed(n.Rest)
}
