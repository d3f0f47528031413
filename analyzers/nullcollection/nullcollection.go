// Package nullcollection reports lists and maps that are stored as null while
// they are nil.
package nullcollection

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
)

// Rule reports lists and maps without omitempty, especially those that updates
// add to.
var Rule = check.Rule{Name: "null-collection", Run: run}

func run(p *check.Pass) {
	for _, f := range p.Fields() {
		if !f.Document.Written || !nullable(p, f) {
			continue
		}
		found := check.Finding{
			Field: f, Severity: finding.Info, Confidence: 0.4,
			Message: fmt.Sprintf("%s is stored as null while it is nil, and as %s once it has elements", f.Path, article(f)),
			Advice:  fmt.Sprintf("Leave it out while it is empty, or store an empty %s.", noun(f)),
			Evidence: []finding.Evidence{
				{Name: "stored as", Value: f.Path}, check.TypeOf(f),
			},
		}
		initialised, empty := literals(p, f)
		if u := added(p, f); u != nil {
			if initialised {
				continue
			}
			found.Severity = finding.Warning // it may never be nil
			found.Message = fmt.Sprintf("%s is stored as null while it is nil, but %s fails on null", f.Path, operation(f, u))
			found.Related = append(found.Related, check.Related{Pos: u.Pos, Message: operation(f, u) + " expects " + article(f)})
			found.Evidence = append(found.Evidence, finding.Evidence{Name: "updated by", Value: u.Op})
			if empty != nil {
				found.Confidence = 0.85
				found.Related = append(found.Related, check.Related{Pos: empty.Node.Pos(), Message: fmt.Sprintf("this %s is made without %s", f.OwnerName(), f.GoName())})
			}
		} else if initialised || f.Parent != nil {
			continue
		}
		if o := p.Program.ClientOptions(); o.Unknown || !p.Program.Whole() {
			found.Confidence = min(found.Confidence, 0.5)
		}
		found.Fix = fix(p, f)
		p.Report(found)
	}
}

// nullable reports whether the codec stores a nil field as null.
func nullable(p *check.Pass, f *docmodel.Field) bool {
	if f.Lists+f.Maps == 0 || f.Array > 0 || f.Tag.Has("omitempty") || f.Tag.Has("omitzero") || f.Tag.Has("inline") || f.WritesItself() {
		return false
	}
	t := docmodel.Pointed(f.Type).Underlying()
	_, isMap := t.(*types.Map)
	if _, isSlice := t.(*types.Slice); !isMap && !isSlice {
		return false
	}
	o := p.Program.ClientOptions()
	switch f.Document.Codec {
	case docmodel.BSON:
		return !o.OmitEmpty && !p.Program.ByMgo(f.Document) && !(isMap && o.NilMapAsEmpty) && !(!isMap && o.NilSliceAsEmpty)
	case docmodel.DynamoDB, docmodel.DynamoDB1:
		return true
	case docmodel.JSON:
		return added(p, f) != nil
	}
	return false // Firestore replaces null by the added list
}

// added returns an update that needs the field to be a list or an object.
func added(p *check.Pass, f *docmodel.Field) *docmodel.Update {
	for _, occurrence := range p.Program.Occurrences(f.Var) {
		for _, u := range occurrence.Updates {
			switch u.Op {
			case "$push", "$addToSet", "$pushAll":
				if f.Maps == 0 && !p.Program.AsksEmpty(u, f.Var) && !made(occurrence, u) {
					return u
				}
			case "$pull", "$pullAll", "$pop":
				if f.Maps == 0 && !p.Program.AsksEmpty(u, f.Var) && !selects(u, occurrence.Dotted) {
					return u
				}
			case "$set", "$inc", "$max", "$min", "$mul":
				// such as {$set: {scores.<key>: 1}}
				if f.Maps > 0 && f.Lists == 0 && strings.HasPrefix(u.Path, occurrence.Dotted+".") {
					return u
				}
			}
		}
	}
	return nil
}

// made reports whether the function that adds to a list sets it first, perhaps
// only if it is null.
func made(f *docmodel.Field, u *docmodel.Update) bool {
	return slices.ContainsFunc(f.Updated("$set"), func(set *docmodel.Update) bool { return set.In == u.In && set.Pos < u.Pos })
}

// selects reports whether an update that removes elements only selects
// documents by the contents of the list, so that none in which it is null
// matches.
func selects(u *docmodel.Update, list string) bool {
	return slices.ContainsFunc(u.Filters, func(path string) bool { return path == list || strings.HasPrefix(path, list+".") })
}

// operation returns the database's name for an update.
func operation(f *docmodel.Field, u *docmodel.Update) string {
	switch f.Document.Codec {
	case docmodel.BSON:
		return u.Op
	case docmodel.DynamoDB, docmodel.DynamoDB1:
		if u.Op == "$push" {
			return "list_append"
		}
	}
	return "the update"
}

func noun(f *docmodel.Field) string {
	if f.Maps > 0 {
		return "object"
	}
	return "list"
}

func article(f *docmodel.Field) string {
	return map[string]string{"object": "an object", "list": "a list"}[noun(f)]
}

// literals reports whether code makes sure that new values never have nil in
// the field. If not, it returns a literal that leaves it nil.
func literals(p *check.Pass, f *docmodel.Field) (initialised bool, empty *docmodel.Literal) {
	if f.Owner == nil {
		return false, nil
	}
	var assigned []*docmodel.FieldWrite
	for _, w := range f.Writes {
		if w.Kind == docmodel.Assigns && !docmodel.IsNil(w.Value) || w.Kind == docmodel.Appends && w.Fresh {
			assigned = append(assigned, w)
		}
	}
	set := 0
	for _, l := range p.Program.Literals(f.Owner) {
		switch {
		case len(l.Node.Elts) == 0 || l.Asks() || p.Program.Idle(l): // decoded into, filled below, a filter, or for tests
		case !l.Keyed || sets(l, f.GoName()):
			set++
		case slices.ContainsFunc(assigned, func(w *docmodel.FieldWrite) bool { return p.Program.Runs(l, w.In) }):
			set++
		case empty == nil || !p.Program.Inserted(empty):
			empty = l
		}
	}
	// If it is set elsewhere, the literal may have another purpose, such as an
	// update, or be completed before it is stored.
	return len(assigned) > 0 && !beside(p, f, empty) || set > 0 && (empty == nil || !p.Program.Inserted(empty) && !beside(p, f, empty)), empty
}

// beside reports whether the function that contains a literal inserts a
// document of the field's type.
func beside(p *check.Pass, f *docmodel.Field, l *docmodel.Literal) bool {
	if l == nil {
		return false
	}
	return slices.ContainsFunc(p.Program.Inserts(f.Document), func(insert docmodel.Insert) bool {
		return insert.Func != nil && insert.Func.Pos() <= l.Node.Pos() && l.Node.Pos() < insert.Func.End()
	})
}

// sets reports whether a literal gives a field a value other than nil.
func sets(l *docmodel.Literal, field string) bool {
	value := docmodel.SetTo(l.Node, field)
	return value != nil && !docmodel.IsNil(value)
}

// fix omits the field while it is empty. Only MongoDB creates a missing list on
// a push.
func fix(p *check.Pass, f *docmodel.Field) *check.Fix {
	if f.Document.Codec == docmodel.BSON {
		options := append(slices.Clip(f.Tag.Options), "omitempty")
		if found := p.Retag(f, "leave "+f.GoName()+" out while it is empty", "bson", f.Tag.Name, options...); found.Edits != nil {
			return found
		}
	}
	return check.Plan("set %s to an empty %s before it is stored", f.GoName(), noun(f))
}
