// Package awkwardfieldname reports stored names that queries, updates and
// connectors cannot use unchanged.
package awkwardfieldname

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports awkward names.
var Rule = check.Rule{Name: "awkward-field-name", Run: names}

// A group is the fields of a struct whose names have the same fault.
type group struct {
	fault
	fields []*docmodel.Field
}

// names reports all fields of a struct with the same fault once.
func names(p *check.Pass) {
	var groups []*group
	byKey := map[string]*group{}
	for _, f := range p.Fields() {
		if f.WritesItself() {
			continue
		}
		found := faultOf(p, f)
		if found == nil {
			continue
		}
		key := fmt.Sprintf("%s %s %d", holder(f), found.kind, found.severity)
		if byKey[key] == nil {
			byKey[key] = &group{fault: *found}
			groups = append(groups, byKey[key])
		}
		byKey[key].fields = append(byKey[key].fields, f)
	}
	for _, g := range groups {
		report(p, g)
	}
}

// holder returns the name of the object that holds a field.
func holder(f *docmodel.Field) string {
	if f.Owner != nil {
		return docmodel.TypeKey(f.Owner)
	}
	if f.Parent != nil {
		return f.Document.Key + " " + f.Parent.Path
	}
	return f.Document.Key
}

func report(p *check.Pass, g *group) {
	first := g.fields[0]
	better := plain(first)
	found := check.Finding{
		Field: first, Severity: g.severity, Confidence: g.confidence,
		Message:  fmt.Sprintf("the name %q %s", first.Name, g.what),
		Advice:   fmt.Sprintf("%s Store it as %s.", g.why, better),
		Evidence: []finding.Evidence{{Name: "name", Value: first.Name}},
		Fix:      rename(p, g.fields),
	}
	if n := len(g.fields) - 1; n > 0 {
		found.Message = fmt.Sprintf("the names %q and %d more of %s have the same fault: each %s", first.Name, n, first.OwnerName(), g.what)
		found.Advice = fmt.Sprintf("%s Store them as %s and so on.", g.why, better)
		all := make([]string, len(g.fields))
		for i, f := range g.fields {
			all[i] = f.Name
		}
		found.Evidence = []finding.Evidence{{Name: "names", Value: all}}
		for _, f := range g.fields[1:] {
			found.Related = append(found.Related, check.Related{Pos: f.Var.Pos(), Message: fmt.Sprintf("%q", f.Name)})
		}
	}
	if g.confidence < 0.5 {
		found.Fix = found.Fix.Plan()
	}
	p.Report(found)
}

// A fault is what is wrong with a name.
type fault struct {
	kind, what, why string
	severity        finding.Severity
	confidence      float64
}

var standardNames = rulebook.Words("awkward-field-name", "standard-names")

// faultOf returns what is wrong with the name of a field.
func faultOf(p *check.Pass, f *docmodel.Field) *fault {
	name := f.Name
	if name == "" || f.Has(p.Words(), lexicon.System) || slices.Contains(standardNames(), name) {
		return nil
	}
	profile, _ := p.Limits(f.Document)
	if strings.TrimSpace(name) != name {
		return &fault{"padded", "begins or ends with white space", "Queries see the space, people do not.", finding.Warning, 0.9}
	}
	if profile.Name == "firestore" && limits.Dunder(name) {
		return &fault{"reserved", "is of the form __x__, which Cloud Firestore reserves", "Writing the document fails.", finding.Error, 0.95}
	}
	if i := strings.IndexAny(name, profile.FieldNameForbidden); i >= 0 && (name[i] == '.' || name[0] == '$') {
		return forbidden(f, profile)
	}
	if i := strings.IndexAny(name, profile.FieldNameDiscouraged); i >= 0 {
		why := "Field paths of queries and updates must quote it."
		if profile.Name == "cosmosdb" {
			why = "It breaks the columns of the analytical store and of Spark."
		}
		return &fault{fmt.Sprintf("discouraged %q", name[i]), fmt.Sprintf("contains %q", name[i]), why, finding.Warning, 0.6}
	}
	switch i := strings.IndexAny(name, ".[]*`- "); {
	case name[0] == '$' && len(name) > 1:
		return &fault{"dollar", "begins with '$', like an operator", "Databases with operators read the name as one.", finding.Warning, 0.6}
	case i < 0:
		return nil
	case strings.IndexByte(".[]", name[i]) >= 0:
		return &fault{"path", fmt.Sprintf("contains %q, which is part of the syntax of paths", name[i]), "Queries and patches read it as a step into the document.", finding.Warning, 0.6}
	case name[i] == '-' && profile.Name == "cosmosdb":
		return &fault{"hyphen", "contains '-', which queries read as a minus", fmt.Sprintf("Every query must write [%q].", name), finding.Info, 0.6}
	case name[i] == '-' && profile.Name == "couchbase":
		return &fault{"hyphen", "contains '-', which queries read as a minus", fmt.Sprintf("Every query must write `%s`.", name), finding.Info, 0.6}
	default:
		return &fault{"quoted", fmt.Sprintf("contains %q", name[i]), "Queries and code need to quote it.", finding.Info, 0.4}
	}
}

// forbidden returns the fault of a name that the database takes for a path or
// an operator. It applies only to written documents, because filters and
// updates may have such names.
func forbidden(f *docmodel.Field, profile limits.Profile) *fault {
	found := &fault{"forbidden", fmt.Sprintf("contains a character that %s reads as part of a path or an operator", profile.Title),
		"Updates and queries by this name reach another field, or none.", finding.Warning, 0.8}
	switch {
	case !f.Document.Written:
		found.confidence = 0.4
	case f.Parent == nil:
		found.severity, found.confidence = finding.Error, 0.9
	}
	return found
}

// plain returns a name of letters and digits in the style of those beside it.
func plain(f *docmodel.Field) string {
	words := strings.FieldsFunc(f.Name, func(r rune) bool { return strings.ContainsRune(".[]*`- $:,;{}()=\"\n\t_", r) })
	var tokens []string
	for _, word := range words {
		tokens = append(tokens, lexicon.Tokens(word)...)
	}
	if len(tokens) == 0 {
		return f.GoName()
	}
	return f.NameLike(tokens...)
}

// rename stores the fields under better names.
func rename(p *check.Pass, fields []*docmodel.Field) *check.Fix {
	title := fmt.Sprintf("store %s as %s", fields[0].GoName(), plain(fields[0]))
	if len(fields) > 1 {
		title = fmt.Sprintf("store %d fields of %s under plain names", len(fields), fields[0].OwnerName())
	}
	fix := &check.Fix{Title: title, Safety: finding.Unsafe}
	for _, f := range fields {
		name := plain(f)
		taken := slices.ContainsFunc(f.Siblings(), func(sibling *docmodel.Field) bool {
			return sibling != f && lexicon.Fold(sibling.Name) == lexicon.Fold(name)
		})
		edit, ok := p.SetTag(f, f.Tag.Key, strings.Join(append([]string{name}, f.Tag.Options...), ","))
		if !ok || taken || f.Tag.Key == "" {
			return fix.Plan()
		}
		fix.Edits = append(fix.Edits, edit)
	}
	return fix
}
