package relations

import (
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
)

// NamedBy returns the documents of another collection to which only the name of a
// field refers, while none of its values leads there. It returns nil if there are none
// or several.
func NamedBy(p *check.Pass, from *model.Entity, n *profile.Node) *model.Entity {
	return named(p, from, n, func(e *model.Entity) ([]*model.Key, bool) {
		id := e.ID()
		return []*model.Key{id}, id != nil && (id.ID || id.Own)
	})
}

// Awaited returns a field of another collection whose name says that it holds the ids
// of documents that have none: userId, where users only have an address as their
// natural key. It returns nil if there is none.
func Awaited(p *check.Pass, to *model.Entity, natural *profile.Node) (from *model.Entity, field *profile.Node) {
	for _, f := range awaitedFields(p)[to] {
		if !leads(f.node, natural) {
			return f.entity, f.node
		}
	}
	return nil, nil
}

type awaitedField struct {
	entity *model.Entity
	node   *profile.Node
}

// awaitedFields returns the fields that by their names refer to documents without ids.
func awaitedFields(p *check.Pass) map[*model.Entity][]awaitedField {
	return check.Once(p, "awaited", func() map[*model.Entity][]awaitedField {
		found := map[*model.Entity][]awaitedField{}
		for _, e := range p.DB.Entities() {
			e.Root().Walk(func(n *profile.Node) bool {
				if n.Scalars == nil || IDForm(n) == profile.FormText {
					return true
				}
				if _, _, keyed := lexicon.ReferenceStem(naming.ListName(n)); !keyed {
					return true
				}
				to := named(p, e, n, func(e *model.Entity) ([]*model.Key, bool) { return e.Keys, true })
				if to != nil && !slices.ContainsFunc(to.Keys, func(k *model.Key) bool { return k.ID || k.Own }) {
					found[to] = append(found[to], awaitedField{e, n})
				}
				return true
			})
		}
		return found
	})
}

// leads reports whether one of the values of a field is a value of the key.
func leads(n, key *profile.Node) bool {
	if key == nil || key.Scalars == nil {
		return false
	}
	_, found, _ := n.Scalars.Values.Inclusion(&key.Scalars.Values)
	return found > 0
}

// named returns the documents that a field refers to by its name, if none of its
// values is one of their keys. It returns nil if there are none or several.
func named(p *check.Pass, from *model.Entity, n *profile.Node, keys func(*model.Entity) ([]*model.Key, bool)) *model.Entity {
	if r := p.DB.ReferenceAt(n); n.Scalars == nil || r != nil && (r.Stem || r.Declared) {
		return nil
	}
	name := naming.ListName(n)
	if stem, _, ok := lexicon.ReferenceStem(name); ok {
		name = stem
	}
	database := from.Collection.Name[:strings.LastIndexByte(from.Collection.Name, '.')+1]
	var to *model.Entity
	for _, c := range p.DB.Named(name) {
		for _, e := range c.Entities {
			match := lexicon.MatchStem(name, strings.TrimPrefix(e.Collection.Name, database))
			if e.Collection == from.Collection || match < lexicon.SameNoun {
				continue
			}
			own, ok := keys(e)
			if !ok {
				continue
			}
			if match < lexicon.SameName { // employeeId may lead to staffEmployees, though there are employees
				if slices.ContainsFunc(own, func(k *model.Key) bool { return leads(n, k.Node) }) {
					return nil
				}
				continue
			}
			if to != nil && to.Collection != e.Collection {
				return nil
			}
			to = e
			if slices.ContainsFunc(own, func(k *model.Key) bool { return leads(n, k.Node) }) || leads(n, e.Root().Object.Field(n.Step.Name)) {
				return nil // a field of the same name may be a part of the key: the currency of a day
			}
		}
	}
	return to
}

// IDForm returns the form that all values at a node have in common if it is a
// form of ids, and otherwise FormText.
func IDForm(n *profile.Node) profile.Form {
	if form := CommonForm(n); form.IsGenerated() || form == profile.FormInteger {
		return form
	}
	return profile.FormText
}

// CommonForm returns the form that all values at a node have in common if values of
// that form may be ids: those that programs make, numbers, and codes such as p-7 and
// kX3b9Q. Otherwise it returns FormText.
func CommonForm(n *profile.Node) profile.Form {
	for _, form := range []profile.Form{profile.FormHex24, profile.FormUUID, profile.FormInteger, profile.FormPrefixNumber, profile.FormRandom, profile.FormToken} {
		if n.Present() > 0 && n.Present() == CountForm(n, form) {
			return form
		}
	}
	return profile.FormText
}

// CountForm returns how many values have a form, as texts or in a type of their own.
func CountForm(n *profile.Node, form profile.Form) int64 {
	texts, _ := n.Scalars.FormCount(form)
	switch form {
	case profile.FormHex24:
		texts += n.Types[profile.ObjectID]
	case profile.FormInteger:
		texts += n.Types[profile.Int]
	case profile.FormRandom:
		words, _ := n.Scalars.FormCount(profile.FormWord)
		tokens, _ := n.Scalars.FormCount(profile.FormToken)
		if texts > fewByChance*(words+tokens) {
			texts += words + tokens
		}
	}
	return texts
}

// fewByChance is how many random ids there are for one that looks like a word or a code
// by accident.
const fewByChance = 3
