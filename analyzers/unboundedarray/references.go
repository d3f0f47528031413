package unboundedarray

import (
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// references examines what the ids in the list refer to.
func references(s *score, p *check.Pass, f *docmodel.Field) {
	stem := refs.Plural(f)
	target, members := refs.Target(p.Program, stem, f.Document), []*docmodel.Field(nil)
	if target != nil {
		s.references, members = true, target.Fields
		s.weigh("refers to documents", target.Name)
	} else if i := slices.IndexFunc(f.Document.Fields, func(part *docmodel.Field) bool {
		return part.Struct != nil && refs.Names(stem, part.Struct.Obj().Name())
	}); i >= 0 {
		members = f.Document.Fields[i].Fields
	}
	// Each person is in a few groups, so each group has many people.
	if people()[stem] && slices.ContainsFunc(members, func(back *docmodel.Field) bool {
		group := refs.Plural(back)
		return target != nil && refs.Target(p.Program, group, target) == f.Document || target == nil && refs.Names(group, f.OwnerName())
	}) {
		s.grows, s.losses = true, nil // one who leaves does not stop the next
		s.weigh("people who list it too", stem)
	}
	if back := backReference(p.Program, f.Document, target, stem); back != nil {
		s.grows, s.references, s.back = true, true, back
		s.weigh("the reference is also stored the other way", back.Document.Name+"."+back.GoName())
		s.At(back.Var.Pos(), "%s refers back to %s", back.Document.Name, f.Document.Name)
		if relates(back.Document, f.Document, stem) {
			s.weigh("a document is stored for each", back.Document.Name)
		}
	}
}

// addedIDs examines what added texts or numbers refer to. They may be ids of documents to
// whose lists the same code adds the id of this one.
func addedIDs(s *score, p *check.Pass, f *docmodel.Field, growths []docmodel.Growth) {
	for _, g := range growths {
		stem := p.Program.AddedStem(g)
		if stem == "" {
			continue
		}
		s.references = true
		for _, other := range p.Fields() {
			if other.Document == f.Document || !other.List() || other.Kind != docmodel.String || !about(other.Document, stem) {
				continue
			}
			for _, back := range p.Program.Growths(other) {
				if back.In() == g.In() && about(f.Document, p.Program.AddedStem(back)) {
					s.weigh("the reference is also stored the other way", other.Document.Name+"."+other.GoName())
					s.At(back.Pos, "%s refers back to %s", other.Document.Name, f.Document.Name)
					return
				}
			}
		}
	}
}

// about reports whether a document is what a stem names, or is kept for it.
func about(d *docmodel.Document, stem string) bool {
	return stem != "" && (refs.Names(stem, d.Name) || slices.ContainsFunc(d.Fields, func(f *docmodel.Field) bool { return f.Scalar() && refs.Stem(f) == stem }))
}

// relates reports whether documents are the relation between the owner of a
// list and its elements, one per element: DeviceDeployment.
func relates(d, owner *docmodel.Document, stem string) bool {
	name := lexicon.Fold(d.Name)
	noun, self := lexicon.Fold(stem), lexicon.Fold(owner.Name)
	return d.Written && noun != self && (name == noun+self || name == self+noun)
}

// connects returns the field by which a document refers to the owner of a list, and whether
// another of its fields holds what the list does.
func connects(d, owner *docmodel.Document, stem string) (back *docmodel.Field, tied bool) {
	for _, f := range d.Fields {
		if !f.Scalar() || !f.Kind.IsID() {
			continue
		}
		switch reference := refs.Stem(f); {
		case reference == "":
		case refs.Names(reference, owner.Name):
			back = f
		case reference == stem:
			tied = true
		}
	}
	return back, tied
}

// backReference returns the field by which the documents that a list refers to,
// or documents that connect the two, refer to the owner of the list.
func backReference(p *docmodel.Program, owner, target *docmodel.Document, stem string) *docmodel.Field {
	var best *docmodel.Field
	for _, d := range p.Documents() {
		near := d.PkgPath == owner.PkgPath
		if d == owner || d.View || d.Confidence < finding.Probable || !near && !refs.Beside(d.PkgPath, owner.PkgPath) || strings.Contains(d.Doc, "Deprecated:") {
			continue
		}
		if d == target && slices.ContainsFunc(owner.Fields, func(f *docmodel.Field) bool {
			return f.Scalar() && slices.Equal(lexicon.Tokens(refs.Stem(f)), lexicon.Tokens(target.Name))
		}) {
			continue // the field that refers back is the other half of this one
		}
		back, tied := connects(d, owner, stem)
		own := d == target && near || tied && endsIn(map[string]bool{stem: true}, d.Name) // the InfraID of a ChaosInfra
		related := relates(d, owner, stem)
		if back != nil && (own || near && (related || tied && len(d.Fields) <= maxRelation)) && (best == nil || related) {
			best = back
		}
	}
	return best
}
