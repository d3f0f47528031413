package referencetypemismatch

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// A foreign is a field that refers to documents by its name, and whose values have
// another form than all of their ids: they were made for another database.
type foreign struct {
	from *model.Entity
	node *profile.Node
	to   *model.Entity
	form profile.Form
}

// reportForeign reports such fields, those that refer to one collection once.
func reportForeign(p *check.Pass) {
	var found []*foreign
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if _, _, ok := lexicon.ReferenceStem(naming.ListName(n)); !ok || n.Scalars == nil || p.DB.ReferenceAt(n) != nil {
				return true
			}
			to := relations.NamedBy(p, e, n)
			if f := (&foreign{e, n, to, relations.IDForm(n)}); to != nil && f.form != profile.FormText && !f.byService() && !f.own() && f.of(to.Collection) {
				found = append(found, f)
			}
			return true
		})
	}
	slices.SortStableFunc(found, func(a, b *foreign) int { return int(b.node.Present() - a.node.Present()) })
	for len(found) > 0 {
		f := found[0]
		var same, others []*foreign
		for _, o := range found[1:] {
			if o.to.Collection == f.to.Collection && o.form == f.form {
				same = append(same, o)
			} else {
				others = append(others, o)
			}
		}
		f.report(p, same)
		found = others
	}
}

// ofService is the number of digits in ids that no database counts up to: a service
// with documents of many databases made them.
const ofService = 15

// of reports whether the ids in a collection have all one form, and that another.
func (f *foreign) of(c *model.Collection) bool {
	for _, e := range c.Entities {
		for _, k := range e.Keys {
			switch form := relations.IDForm(k.Node); {
			case form == f.form, form == profile.FormText && (k.ID || k.Own):
				return false
			}
		}
	}
	return true
}

// byService reports whether most known values are so long, or random: many services
// make such ids.
func (f *foreign) byService() bool {
	if f.form != profile.FormInteger {
		return f.form == profile.FormRandom
	}
	long, known := 0, 0
	for v := range f.node.Scalars.Values.Texts() {
		known++
		if len(v.Text) >= ofService {
			long++
		}
	}
	return 2*long > known
}

// own reports whether the documents that the field would refer to have it too, in an
// object of the same name. Then it is an attribute of what the object stands for, such as
// the user of a payment service.
func (f *foreign) own() bool {
	at := f.node.Path()
	return len(at) > 1 && f.to.Root().At(at) != nil
}

var formNames = map[profile.Form]string{profile.FormHex24: "ObjectId", profile.FormUUID: "UUID", profile.FormRandom: "random id", profile.FormInteger: "number"}

func (f *foreign) report(p *check.Pass, same []*foreign) {
	key := f.to.ID()
	have, want := f.node.TypeClasses()[0], key.Node.TypeClasses()[0]
	raw := check.Raw{At: have.At, Finding: finding.Finding{
		Severity: finding.Warning, Confidence: 0.7,
		Message: fmt.Sprintf("%s holds %s, but in %s.%s are %s: by its name it refers to %s, and %s nothing",
			f.node.Path(), formNames[f.form]+"s", f.to.Collection.Name, key.Path, formNames[relations.IDForm(key.Node)]+"s", f.to.Collection.Name, matching(f.node.Present())),
		Advice: fmt.Sprintf("Store in %s the ids that %s has now. If it refers to something else, give it a name that says so.", f.node.Path(), f.to.Collection.Name),
		Evidence: []finding.Evidence{
			{Name: "references", Value: f.node.Present()},
			{Name: "type", Value: have.Class.TypeName()},
			{Name: "target.type", Value: want.Class.TypeName()},
		},
	}, Related: []check.RawRelated{{Message: fmt.Sprintf("%s.%s", f.to.Collection.Name, key.Path), At: want.At}}}
	if len(same) > 0 {
		raw.Message += fmt.Sprintf("; the same in %s", wording.Count(int64(len(same)), "more field"))
	}
	for _, o := range same {
		raw.Related = append(raw.Related, check.RawRelated{Message: "the same at " + o.from.Collection.Name + "." + o.node.Path().String(), At: o.node.FirstAny()})
	}
	p.Report(f.from, f.node.Path(), raw)
}
