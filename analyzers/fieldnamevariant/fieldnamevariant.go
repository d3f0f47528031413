// Package fieldnamevariant reports a field that is stored under two names.
package fieldnamevariant

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports a field under two names.
var Rule = check.Rule{Name: "field-name-variant", Run: run, SamePlace: samePlace}

func run(p *check.Pass) {
	siblings(p)
	structs(p)
	updates(p)
}

// shortest is the length from which names that differ only in case and
// separators are the same: e and E may differ.
const shortest = 3

// variant reports whether two names differ only in case and separators. A
// leading mark makes a name different.
func variant(a, b string) bool {
	return a != b && len(lexicon.Fold(a)) >= shortest && lexicon.Fold(a) == lexicon.Fold(b) && marked(a) == marked(b)
}

func marked(name string) bool { return name != "" && strings.ContainsRune("_$@", rune(name[0])) }

var (
	kept       = rulebook.Words("field-name-variant", "kept")
	migrations = rulebook.Words("field-name-variant", "migrations")
)

// isKept reports whether a field exists for old documents.
func isKept(f *docmodel.Field) bool { return says(kept(), f.GoName()) || says(kept(), f.Comment()) }

// says reports whether a word of a text begins with one of words: migrateNames and
// migrations with migrat.
func says(words []string, text string) bool {
	return slices.ContainsFunc(lexicon.Tokens(text), func(token string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(token, word) })
	})
}

// siblings reports two fields of one object.
func siblings(p *check.Pass) {
	for _, f := range p.Fields() {
		for _, other := range f.Siblings() {
			if other.Var == f.Var || !variant(f.Name, other.Name) || other.Var.Pos() > f.Var.Pos() || f.WritesItself() {
				continue
			}
			confidence := 0.8
			if isKept(f) || isKept(other) {
				confidence = 0.4
			}
			p.Report(check.Finding{
				Field: f, Confidence: confidence,
				Message:  fmt.Sprintf("%s is stored next to %s: readers that ignore case or separators treat them as one field", f.Path, other.Name),
				Advice:   fmt.Sprintf("Keep one of %s and %s, or rename them to say how they differ.", other.Name, f.Name),
				Evidence: []finding.Evidence{{Name: "names", Value: []string{other.Name, f.Name}}},
				Related:  []check.Related{{Pos: other.Var.Pos(), Message: fmt.Sprintf("stored as %s", other.Name)}},
				Fix:      check.Plan("merge %s into %s", f.Name, other.Name),
			})
		}
	}
}

// structs reports fields of types in one collection that store the same value
// under two names.
func structs(p *check.Pass) {
	type respelling struct {
		by   *docmodel.Document
		kept bool
	}
	for _, d := range p.Documents() {
		var order []respelling
		pairs := map[respelling][][2]*docmodel.Field{}
		for _, f := range d.Fields {
			other := spelt(p.Program, d, f)
			if other == nil {
				continue
			}
			r := respelling{other.Document, isKept(f) || isKept(other)}
			if pairs[r] == nil {
				order = append(order, r)
			}
			pairs[r] = append(pairs[r], [2]*docmodel.Field{f, other})
		}
		for _, r := range order {
			reportSpelt(p, d, pairs[r], r.kept)
		}
	}
}

// reportSpelt reports the fields that two types spell in two ways. They are one mistake,
// told at the first.
func reportSpelt(p *check.Pass, d *docmodel.Document, pairs [][2]*docmodel.Field, kept bool) {
	first, other := pairs[0][0], pairs[0][1]
	found := check.Finding{
		Field: first, Confidence: 0.8,
		Message: fmt.Sprintf("%s.%s is stored as %s, and as %s by %s in the same collection", d.Name, first.GoName(), first.Name, other.Name, other.Document.Name),
		Advice:  fmt.Sprintf("Store it as %s in both: a query for one name misses the documents with the other.", other.Name),
		Evidence: []finding.Evidence{
			{Name: "names", Value: []string{other.Name, first.Name}}, {Name: "collections", Value: common(d, other.Document)},
		},
		Related: []check.Related{{Pos: other.Var.Pos(), Message: fmt.Sprintf("stored as %s by %s", other.Name, other.Document.Name)}},
		Fix:     p.Retag(first, fmt.Sprintf("store %s as %s", first.GoName(), other.Name), first.TagKey(), other.Name, first.Tag.Options...),
	}
	if more := pairs[1:]; len(more) > 0 {
		like := ", like " + quantity.Of(int64(len(more)), "more field")
		found.Message += like
		found.Fix.Title += like
		for _, pair := range more {
			f, name := pair[0], pair[1].Name
			found.Related = append(found.Related, check.Related{Pos: f.Var.Pos(), Message: fmt.Sprintf("stored as %s", f.Name)})
			found.Fix.Edits = append(found.Fix.Edits, p.Retag(f, "", f.TagKey(), name, f.Tag.Options...).Edits...)
		}
	}
	if kept {
		found.Confidence = 0.4
	}
	if kept || len(found.Fix.Edits) < len(pairs) {
		found.Fix = found.Fix.Plan()
	}
	p.Report(found)
}

// spelt returns the field of another type in the collection that is the same as a field
// but for the spelling of its name, if neither type has both names.
func spelt(p *docmodel.Program, d *docmodel.Document, f *docmodel.Field) *docmodel.Field {
	other := elsewhere(p, d, f)
	if other == nil || f.WritesItself() || other.WritesItself() || has(d, other.Name) || has(other.Document, f.Name) {
		return nil
	}
	return other
}

// elsewhere returns the field of another type in the collection that stores the
// same value under another name. Of two types, the one that is written is
// right, otherwise the first.
func elsewhere(p *docmodel.Program, d *docmodel.Document, f *docmodel.Field) *docmodel.Field {
	for _, other := range p.Documents() {
		if other == d || other.View || other.Codec != d.Codec || other.DB != d.DB || !d.Beside(other) || !docmodel.Overlap(d.Collections, other.Collections) || !before(other, d) {
			continue
		}
		for _, g := range other.Fields {
			if variant(f.Name, g.Name) && f.Kind == g.Kind && f.Lists == g.Lists && f.Maps == g.Maps {
				return g
			}
		}
	}
	return nil
}

func before(a, b *docmodel.Document) bool {
	if a.Written != b.Written {
		return a.Written
	}
	return a.Key < b.Key
}

func common(a, b *docmodel.Document) []string {
	return slices.DeleteFunc(slices.Clone(a.Collections), func(c string) bool { return !slices.Contains(b.Collections, c) })
}

func has(d *docmodel.Document, name string) bool {
	return slices.ContainsFunc(d.Fields, func(f *docmodel.Field) bool { return f.Name == name })
}

// migrates reports whether code changes stored names on purpose.
func migrates(u *docmodel.Update) bool {
	return says(migrations(), u.Func) || says(migrations(), u.Pkg.Path)
}

// updates reports literals that change a path that no type of the collection
// has, while one has it in another spelling. Those of one update are one mistake.
func updates(p *check.Pass) {
	type respelling struct {
		first *docmodel.Update // of those that happen at once
		of    *docmodel.Document
	}
	found := map[respelling]*check.Finding{}
	var order []*check.Finding
	for _, u := range p.Program.Updates() {
		if u.Pkg != p.Package || u.Dynamic || u.Op == "$addFields" || u.Op == "$unset" || migrates(u) {
			continue
		}
		f := misspelt(p.Program, u)
		if f == nil || f.WritesItself() {
			continue
		}
		r := respelling{u, f.Document}
		if all := u.Siblings(); len(all) > 0 {
			r.first = all[0]
		}
		one := found[r]
		if one == nil {
			one = &check.Finding{
				Document: f.Document, At: u.Pos, End: u.Pos, Confidence: 0.8,
				Message:  fmt.Sprintf("%s changes %s, which %s stores as %s", u.Op, u.PlainPath(), f.Document.Name, f.Dotted),
				Advice:   fmt.Sprintf("Write %s here.", f.Dotted),
				Evidence: []finding.Evidence{{Name: "names", Value: []string{f.Dotted, u.PlainPath()}}},
				Fix:      respell(u, f),
			}
			found[r], order = one, append(order, one)
		} else if fix := respell(u, f); len(fix.Edits) > 0 {
			one.Fix.Edits = append(one.Fix.Edits, fix.Edits...)
		} else {
			one.Fix = one.Fix.Plan()
		}
		one.Related = append(one.Related, check.Related{Pos: f.Var.Pos(), Message: fmt.Sprintf("stored as %s", f.Dotted)})
	}
	for _, one := range order {
		what := ": documents get another field"
		if more := len(one.Related) - 1; more > 0 {
			what = ", and " + quantity.Of(int64(more), "more such field") + ": documents get other fields"
		}
		one.Message += what
		p.Report(*one)
	}
}

// misspelt returns the field that an update means by a path that does not
// exist. Types of unknown collections may be stored there too. A tag that cannot be
// read may have the name in the path: unknown-tag-option reports it.
func misspelt(p *docmodel.Program, u *docmodel.Update) *docmodel.Field {
	collections, path := p.UpdatedCollections(u), u.PlainPath()
	if len(collections) == 0 {
		return nil
	}
	var meant *docmodel.Field
	for _, d := range p.Documents() {
		if !docmodel.OneService(d.PkgPath, u.Pkg.Path) {
			continue
		}
		there := docmodel.Overlap(d.Collections, collections)
		if !there && len(d.Collections) > 0 {
			continue
		}
		candidate := there && !d.View && d.Confidence >= 0.5
		exact := false
		docmodel.All(d.Fields, func(f *docmodel.Field) {
			if !variant(f.Dotted, path) {
				exact = exact || f.Dotted == path
				return
			}
			name, unread := f.Unread()
			exact = exact || unread && strings.HasSuffix("."+path, "."+name)
			if candidate && meant == nil {
				meant = f
			}
		})
		if exact {
			return nil
		}
	}
	return meant
}

// respell corrects the path in the literal.
func respell(u *docmodel.Update, f *docmodel.Field) *check.Fix {
	fix := check.Plan("write %s", f.Dotted)
	if u.Path != u.PlainPath() || u.Entries == nil {
		return fix
	}
	for n := range ast.Preorder(u.Entries) {
		lit, ok := n.(*ast.BasicLit)
		if ok && lit.Pos() < u.Pos && lit.Value == strconv.Quote(u.Path) {
			fix = check.Rewrite(lit, strconv.Quote(f.Dotted), "write %s", f.Dotted)
		}
	}
	return fix
}

// samePlace reports whether a finding on documents has another spelling of the
// same path. Either may be the subject.
func samePlace(code, documents profile.Path) bool {
	last := len(code) - 1
	if last < 0 || len(documents) != len(code) || !evidence.SamePath(code[:last], documents[:last]) {
		return false
	}
	a, b := code[last], documents[last]
	return a.Kind == profile.Field && b.Kind == profile.Field && lexicon.Fold(a.Name) == lexicon.Fold(b.Name)
}
