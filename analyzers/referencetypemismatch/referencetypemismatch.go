// Package referencetypemismatch reports references that are stored as another
// kind of value than the ids they refer to.
package referencetypemismatch

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// Rule reports references whose stored kind differs from that of the id.
var Rule = check.Rule{Name: "reference-type-mismatch", Run: run}

func run(p *check.Pass) {
	for _, f := range p.Fields() {
		m := mismatchOf(p, f)
		target, id, kind := m.target, m.id, m.kind
		if target == nil {
			continue
		}
		if id == nil {
			madeByDriver(p, f, target)
			continue
		}
		severity, confidence, match := finding.Warning, min(0.9, target.Confidence), "they never match"
		sign := signOf(p, f, id)
		if sign == named && p.Program.Joins(f.Dotted, f.Dotted) {
			continue // a key that collections share, such as the number of a chip, and no Chip's id
		}
		switch sign {
		case joined: // the join finds nothing; other code may convert the text
			severity = finding.Error
		case converted:
			severity, match = finding.Info, "they match only where code converts them"
		case named:
			severity, confidence, match = finding.Info, min(confidence, 0.7), match+" (only the name says what it refers to)"
		}
		related := []check.Related{{Pos: id.Var.Pos(), Message: fmt.Sprintf("%s.%s is stored as %s", target.Name, id.GoName(), kind)}}
		if first := firstOf(p, f, m, sign); first != nil {
			severity = finding.Info
			related = append(related, check.Related{Pos: first.Var.Pos(), Message: fmt.Sprintf("as in %s.%s", first.Document.Name, first.GoName())})
		}
		p.Report(check.Finding{
			Field: f, Severity: severity, Confidence: confidence,
			Message: fmt.Sprintf("%s is stored as %s, but the %s of %s that it refers to as %s: %s", f.Path, f.Kind, id.Name, target.Name, kind, match),
			Advice:  fmt.Sprintf("Store the reference in the type of %s.%s, %s.", target.Name, id.GoName(), typeOf(id, kind)),
			Evidence: []finding.Evidence{
				{Name: "reference", Value: f.Type.String()}, {Name: "id", Value: typeOf(id, kind)}, {Name: "refers to documents", Value: target.Name},
			},
			Fix:     fix(p, f, target, id),
			Related: related,
		})
	}
}

// A mismatch is the documents that a field refers to, their id and its kind. The id is
// nil if the database makes it.
type mismatch struct {
	target *docmodel.Document
	id     *docmodel.Field
	kind   docmodel.Kind
}

// mismatchOf returns the mismatch of a field, without a target if it has none.
func mismatchOf(p *check.Pass, f *docmodel.Field) mismatch {
	type question struct{ field *docmodel.Field }
	return docmodel.Remember(p.Program, question{f}, func() mismatch { return findMismatch(p, f) })
}

// kindOf returns how the values of a field are stored. A text or a number that writes itself
// may become anything, unlike a type whose name says that it is an ObjectID.
func kindOf(f *docmodel.Field) docmodel.Kind {
	if (f.Kind == docmodel.String || f.Kind == docmodel.Number) && f.Document.Codec.Marshals(f.Elem) {
		return docmodel.Unknown
	}
	return f.Kind
}

func findMismatch(p *check.Pass, f *docmodel.Field) mismatch {
	if f.Map() || !kindOf(f).IsID() || f.Name == "_id" || p.Program.WrittenByHand(f) {
		return mismatch{}
	}
	stem := reference(p, f)
	if stem == "" || f.Directive("ref") == nil && (f.Has(p.Words(), lexicon.ExternalID) || !f.List() && refs.Names(stem, f.OwnerName())) {
		return mismatch{}
	}
	target := refs.Target(p.Program, stem, f.Document)
	if target == nil || target == f.Document && !f.List() || p.Program.Unset(f) || made(p, f) {
		return mismatch{}
	}
	id, kind := idOf(p, target)
	if kind != docmodel.UUID && byNaturalKey(f) {
		return mismatch{}
	}
	if id != nil && (kind == docmodel.Unknown || kind == f.Kind || means(p, f, target, id) || emptyID(p, f, target, id) || ownPart(p, f, stem)) {
		return mismatch{}
	}
	return mismatch{target, id, kind}
}

// byNaturalKey reports whether the name of a text says what it holds, such as a GUID or an
// SKU, and so no id of another kind: the ownerGuid of a book, whose owner has an ObjectID, too.
func byNaturalKey(f *docmodel.Field) bool {
	tokens := lexicon.Tokens(f.GoName())
	return f.Kind == docmodel.String && lexicon.NaturalKey(lexicon.Singular(tokens[len(tokens)-1]))
}

// made reports whether code fills a field only with ids that it makes there. What has just
// been made is no reference to something that was there before.
func made(p *check.Pass, f *docmodel.Field) bool {
	values := p.Program.Values(f)
	return len(values) > 0 && !slices.ContainsFunc(values, func(v docmodel.Value) bool { return !docmodel.NewID(v.Expr) })
}

// firstOf returns the first field that refers to the same documents by the same other
// kind of value, if that is not f, and the same says of both that they refer to them. One
// decision that shows in many types is reported in full once; the rest is information.
func firstOf(p *check.Pass, f *docmodel.Field, m mismatch, sign sign) *docmodel.Field {
	for _, other := range refs.To(p.Program, m.target) {
		if !other.Document.View && other.Kind == f.Kind && mismatchOf(p, other).target == m.target && signOf(p, other, m.id) == sign {
			if other.Var == f.Var {
				return nil
			}
			return other
		}
	}
	return nil
}

// A sign is what says that a field refers to documents.
type sign int

const (
	named     sign = iota // only its name
	filled                // code fills it with their ids, or a directive names them
	converted             // code makes an id from it
	joined                // a $lookup compares the two
)

// signOf returns what says that a field refers to documents with an id.
func signOf(p *check.Pass, f, id *docmodel.Field) sign {
	switch {
	case p.Program.Converted(f):
		return converted
	case p.Program.Joins(f.Dotted, id.Path):
		return joined
	case f.Directive("ref") != nil || p.Program.ComesFrom(f, func(v *types.Var) bool { return v == id.Var }):
		return filled
	}
	return named
}

// reference returns the name of what a field refers to, or "". Texts in a list that
// code makes ids from are references, whatever the list is named after.
func reference(p *check.Pass, f *docmodel.Field) string {
	stem := refs.Stem(f)
	if stem == "" && f.List() && f.Kind == docmodel.String && p.Program.Converted(f) {
		return refs.Plural(f)
	}
	return stem
}

// idOf returns the field that identifies documents, and how its values are stored.
// The kind is unknown if the field can hold any value and code does not set it to
// values of one kind.
func idOf(p *check.Pass, d *docmodel.Document) (*docmodel.Field, docmodel.Kind) {
	id := docmodel.ID(d.Fields, d.Name)
	if id == nil {
		i := slices.IndexFunc(d.Fields, func(f *docmodel.Field) bool { return f.Name == "_id" })
		if i < 0 {
			return nil, docmodel.Unknown
		}
		id = d.Fields[i]
	}
	if kind := kindOf(id); kind.IsID() {
		return id, kind
	}
	kind := docmodel.Unknown
	for _, value := range p.Program.Values(id) {
		stored := docmodel.Interface
		if t := value.Pkg.Info.TypeOf(value.Expr); id.Kind == docmodel.Interface && t != nil {
			stored = docmodel.KindOf(t, d.Codec)
		}
		if stored == docmodel.Interface || kind != docmodel.Unknown && stored != kind {
			return id, docmodel.Unknown
		}
		kind = stored
	}
	return id, kind
}

// typeOf names the type of ids. If it is any type, the kind of the values says more.
func typeOf(id *docmodel.Field, kind docmodel.Kind) string {
	if id.Kind == docmodel.Interface {
		return kind.String()
	}
	return id.Type.String()
}

// madeByDriver reports a text that refers to documents whose type has no id. Each
// of them gets an ObjectID when it is inserted. What somebody types to log in is a login
// id, and refers to nothing.
func madeByDriver(p *check.Pass, f *docmodel.Field, target *docmodel.Document) {
	if f.Kind != docmodel.String || !target.Written || target.Codec != docmodel.BSON || target.Open() || p.Words().Has(lexicon.LookupValue, refs.Stem(f)) || told(p, f) || byOther(p, f, target, nil) || alsoStored(p, target, f.Kind) {
		return
	}
	p.Report(check.Finding{
		Field: f, Severity: finding.Warning, Confidence: min(0.7, target.Confidence),
		Message:  fmt.Sprintf("%s is stored as %s, but each %s that it refers to gets an ObjectID as its _id when it is inserted", f.Path, f.Kind, target.Name),
		Advice:   fmt.Sprintf("Store the reference as an ObjectID, or give %s an id of its own.", target.Name),
		Evidence: []finding.Evidence{{Name: "reference", Value: f.Type.String()}, {Name: "refers to documents", Value: target.Name}},
		Fix:      check.Plan("store %s as an ObjectID and convert the stored references", f.Path),
		Related:  []check.Related{{Pos: target.Pos, Message: target.Name + " has no field for its id"}},
	})
}

// means reports whether the reference and the id differ for a reason, or are reported
// elsewhere. Where only a natural key tells documents apart, such as a symbol, a reference of
// another kind means an id that the type leaves out.
func means(p *check.Pass, f *docmodel.Field, target *docmodel.Document, id *docmodel.Field) bool {
	name := lexicon.Fold(id.Name)
	return lexicon.NaturalKey(name) && !lexicon.IDName(name) || p.Program.WrittenByHand(id) || alsoStored(p, target, f.Kind) || byKey(p, f, target) || byOther(p, f, target, id) || told(p, f) || foreign(p, f, target, id) ||
		elsewhereByOther(p, f, target, id)
}

// emptyID reports whether an ObjectID refers to documents whose id is a text only in their
// type: code leaves it empty, so that each gets an ObjectID, and finds them by that.
func emptyID(p *check.Pass, f *docmodel.Field, target *docmodel.Document, id *docmodel.Field) bool {
	return f.Kind == docmodel.ObjectID && id.Tag.Has("omitempty") && p.Program.ByObjectID(target)
}

// ownPart reports whether the document of a reference holds objects of that name, with
// ids of its kind: answers refer to the questions of their form, not to the documents
// that are named so too.
func ownPart(p *check.Pass, f *docmodel.Field, stem string) (found bool) {
	docmodel.All(f.Document.Fields, func(parts *docmodel.Field) {
		if found || parts.Lists == 0 || parts.Struct == nil || !refs.Names(stem, refs.Plural(parts)) {
			return
		}
		id := docmodel.ID(parts.Fields, parts.Struct.Obj().Name())
		found = id != nil && id != f && id.Kind == f.Kind
	})
	return found
}

// byKey reports whether a text refers to documents by the key under which they are
// stored. In these databases it is a text, whatever the id among the fields is.
func byKey(p *check.Pass, f *docmodel.Field, target *docmodel.Document) bool {
	return f.Kind == docmodel.String && slices.Contains([]string{"couchbase", "firestore"}, p.DB(target))
}

// elsewhereByOther reports whether another reference to the same documents means
// another value of them than their id. A program refers to documents in one way.
func elsewhereByOther(p *check.Pass, f *docmodel.Field, target *docmodel.Document, id *docmodel.Field) bool {
	return slices.ContainsFunc(refs.To(p.Program, target), func(other *docmodel.Field) bool {
		return other.Var != f.Var && other.Kind == f.Kind && byOther(p, other, target, id)
	})
}

// byOther reports whether the reference means another value of the target than
// its id, such as the address of a user: code sets it to that value, or joins
// or queries the two by it.
func byOther(p *check.Pass, f *docmodel.Field, target *docmodel.Document, id *docmodel.Field) bool {
	found := false
	docmodel.All(target.Fields, func(other *docmodel.Field) {
		found = found || other != id && (p.Program.Joins(f.Path, other.Path) || other.Kind == f.Kind && asks(p, other, f))
	})
	other := func(v *types.Var) bool {
		return slices.ContainsFunc(target.Fields, func(other *docmodel.Field) bool { return other.Var == v && other != id && other.Kind == f.Kind })
	}
	return found || p.Program.ComesFrom(f, other) && !p.Program.ComesFrom(f, func(v *types.Var) bool { return id != nil && v == id.Var })
}

// asks reports whether queries compare a field with something that has the name
// of the reference: {"userId": authorID}.
func asks(p *check.Pass, field, reference *docmodel.Field) bool {
	return slices.ContainsFunc(p.Program.Mentions(field.Path), func(m docmodel.Mention) bool {
		return m.By != "" && lexicon.Fold(m.By) == lexicon.Fold(reference.GoName())
	})
}

// foreign reports whether a number is another thing than the id, such as an id that
// another service assigns or a number of its own: nothing joins it to an ObjectID, it
// comes from a response of that service, or the document also refers to the same
// documents by the type of their id. Unlike the text of an ObjectID, Go does not let
// code confuse a number with such an id.
func foreign(p *check.Pass, f *docmodel.Field, target *docmodel.Document, id *docmodel.Field) bool {
	if f.Kind != docmodel.Number || f.Directive("ref") != nil {
		return false
	}
	return id.Kind == docmodel.ObjectID && !p.Program.Joins(f.Path, id.Path) || p.Program.Answered(f) || slices.ContainsFunc(f.Siblings(), func(other *docmodel.Field) bool {
		return other.Kind == id.Kind && refs.Stem(other) != "" && refs.Target(p.Program, refs.Stem(other), f.Document) == target
	})
}

// told reports whether a reference is only read, and what is stored is a field of
// another type that has all these fields, and more. The mistake is reported there.
func told(p *check.Pass, f *docmodel.Field) bool {
	d := f.Document
	return d.OnlyRead() && slices.ContainsFunc(p.Program.Documents(), func(other *docmodel.Document) bool {
		return d.Selects(other) || other.Written && len(other.Fields) > len(d.Fields) && !slices.ContainsFunc(d.Fields, func(own *docmodel.Field) bool {
			return !slices.ContainsFunc(other.Fields, func(there *docmodel.Field) bool { return there.Name == own.Name })
		})
	})
}

// alsoStored reports whether the target has a second identity of the kind: a string
// copy of its ObjectID, a key of its own, which may be among its metadata, or the id of
// what it is, such as the user who takes part. A user in the role of its author is only
// part of it. The TaskID of a BuildTask is such an identity, unless there are Tasks.
func alsoStored(p *check.Pass, target *docmodel.Document, kind docmodel.Kind) bool {
	for _, f := range target.Fields {
		if f.Struct != nil && f.Lists+f.Maps == 0 {
			id, own := docmodel.ID(f.Fields, f.Struct.Obj().Name()), ownData(p, f, target)
			if id != nil && id.Kind == kind && (own && lexicon.IDName(lexicon.Fold(id.GoName())) || refs.Names(f.GoName(), f.Struct.Obj().Name()) && lexicon.Fold(id.GoName()) == "id") {
				return true
			}
		}
		if f.Scalar() && f.Kind == kind && f.Name != "_id" {
			stem := refs.Stem(f)
			if stem != "" && (refs.Names(stem, target.Name) || noun(p, stem, target)) || lexicon.Fold(f.GoName()) == "id" || lexicon.Fold(f.GoName()) == "uuid" {
				return true
			}
		}
	}
	return false
}

// ownData reports whether an object holds what a document says of itself, such as the
// HostMetadata of a Host, and is no other thing.
func ownData(p *check.Pass, f *docmodel.Field, d *docmodel.Document) bool {
	return f.Struct.Obj().Name() == d.Name+f.GoName() && refs.Target(p.Program, strings.ToLower(f.GoName()), d) == nil
}

// noun reports whether a stem is the last word of a type's name, and that of no
// other type.
func noun(p *check.Pass, stem string, d *docmodel.Document) bool {
	return lexicon.MatchStem(stem, refs.Noun(d.Name)) == lexicon.SameNoun && refs.Target(p.Program, stem, d) == nil
}
