package relations

import (
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
)

// NamedBy returns the documents of another collection, with ids of some sort, that a
// field refers to by its name alone, and which none of its values leads to; nil if
// there are none, or several.
func NamedBy(p *check.Pass, from *model.Entity, n *profile.Node, sort func(id *model.Key) bool) *model.Entity {
	if n.Scalars == nil || p.DB.ReferenceAt(n) != nil {
		return nil
	}
	name := naming.ListName(n)
	if stem, _, ok := lexicon.ReferenceStem(name); ok {
		name = stem
	}
	database := from.Collection.Name[:strings.LastIndexByte(from.Collection.Name, '.')+1]
	var to *model.Entity
	for _, e := range p.DB.Entities() {
		called := strings.TrimPrefix(e.Collection.Name, database)
		if e.Collection == from.Collection || lexicon.MatchStem(name, called) != lexicon.SameName || e.ID() == nil || !sort(e.ID()) {
			continue
		}
		if to != nil && to.Collection != e.Collection {
			return nil
		}
		to = e
		if _, found, _ := n.Scalars.Values.Inclusion(&e.ID().Node.Scalars.Values); found > 0 {
			return nil
		}
	}
	return to
}

// IDForm is the form that all values at a node have in common, if it is one of ids;
// FormText if it is none.
func IDForm(n *profile.Node) profile.Form {
	hex, _ := n.Scalars.FormCount(profile.FormHex24)
	uuids, _ := n.Scalars.FormCount(profile.FormUUID)
	integers, _ := n.Scalars.FormCount(profile.FormInteger)
	switch n.Present() {
	case 0:
	case n.Types[profile.ObjectID] + hex:
		return profile.FormHex24
	case uuids:
		return profile.FormUUID
	case n.Types[profile.Int] + integers:
		return profile.FormInteger
	}
	return profile.FormText
}
