package structdrift

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/decode"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/rulebook"
)

const (
	sureLost = 0.85
	mostTold = 3 // missing names that a message lists
)

// lost reports what is lost when a document is read into the type and written
// back as a whole.
func (c *comparison) lost() {
	if c.document.Replaced == nil {
		return
	}
	reported := map[string]bool{} // structs by type, because one may be stored at several paths
	for _, o := range c.result.Objects {
		key := o.Type.String()
		f := c.field(o.Chain)
		if reported[key] || len(o.Chain) > 0 && !leads(f, o.Chain) || c.document.Codec.Marshals(o.Type) {
			continue
		}
		names := slices.DeleteFunc(slices.Clone(o.Extra), func(name string) bool {
			return c.system(name) || c.claimed[place(o, name)] || o.Node.Fields[name].Present() == 0
		})
		if len(names) == 0 {
			continue
		}
		reported[key] = true
		slices.SortStableFunc(names, func(a, b string) int {
			return cmp.Compare(o.Node.Fields[b].Present(), o.Node.Fields[a].Present())
		})
		c.loses(o, f, names)
	}
}

func (c *comparison) loses(o decode.Object, f *docmodel.Field, names []string) {
	told := list(names, "name", func(name string) string {
		return fmt.Sprintf("%s (in %s)", name, quantity.Grouped(o.Node.Fields[name].Present()))
	})
	owner := c.document.Name
	if named := docmodel.Named(o.Type); named != nil {
		owner = named.Obj().Name()
	}
	c.report(check.Finding{
		Field: f, Path: place(o, names[0]), Severity: finding.Warning, Confidence: sureLost,
		Message: fmt.Sprintf("%s has no field for %s of %s: %s drops them",
			owner, told, c.objects(o), c.document.Replaced.Call),
		Advice:    "Add the fields, or update single fields instead of whole documents.",
		Evidence:  []finding.Evidence{{Name: "lost", Value: names}, {Name: "objects", Value: o.Node.Objects()}},
		Sightings: []check.Sighting{{Message: names[0] + " stands here", At: o.Node.Fields[names[0]].FirstAny()}},
		Related:   []check.Related{{Pos: c.document.Replaced.Pos, Message: "writes whole documents"}},
		Fix:       c.add(o, f, names),
	})
}

// list names the first of several things and counts the others, for a sentence.
func list(all []string, thing string, say func(string) string) string {
	var words []string
	for _, name := range all[:min(mostTold, len(all))] {
		words = append(words, say(name))
	}
	if more := len(all) - len(words); more > 0 {
		words = append(words, quantity.Of(int64(more), "more "+thing))
	}
	last := len(words) - 1
	if last < 1 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// add makes fields for names whose types are clear and whose Go names are free.
func (c *comparison) add(o decode.Object, f *docmodel.Field, names []string) *check.Fix {
	siblings := c.document.Fields
	if f != nil {
		siblings = f.Fields
	}
	i := slices.IndexFunc(siblings, func(s *docmodel.Field) bool { return s.Owner != nil && types.Identical(s.Owner, o.Type) })
	if i < 0 {
		return nil
	}
	var fields []check.NewField
	for _, name := range names {
		field, ok := c.newField(name, o.Node.Fields[name])
		if !ok {
			continue
		}
		if _, ok := c.AddFields(siblings[i], field); ok && !slices.ContainsFunc(fields, func(other check.NewField) bool { return other.Name == field.Name }) {
			fields = append(fields, field)
		}
	}
	if len(fields) == 0 {
		return nil
	}
	edit, ok := c.AddFields(siblings[i], fields...)
	if !ok {
		return nil
	}
	return c.Edit("add "+quantity.Of(int64(len(fields)), "field")+" for what is stored", finding.Safe, edit)
}

// newField returns a field that can read all values at a path and write them
// back unchanged. That includes zero values and empty lists, which omitempty
// omits unless the field is a pointer.
func (c *comparison) newField(name string, n *evidence.Node) (check.NewField, bool) {
	field := check.NewField{Name: goName(name), Type: c.typeOf(n), Stored: name}
	return field, field.Name != "" && !strings.ContainsAny(name, "`\"\\,")
}

// typeOf returns the source form of a type for values.
func (c *comparison) typeOf(n *evidence.Node) string {
	class, _ := only(n)
	switch {
	case class == profile.Bool: // a pointer, because omitempty drops false and 0
		return "*bool"
	case class == profile.Int && n.Ints.Above < 64:
		if c.document.Codec == docmodel.BSON { // an int is stored in 32 bits if it fits
			return "*int"
		}
		return "*int64"
	case class == profile.Double && n.Decimals == 0:
		return "*float64"
	case class == profile.String && (c.seen.Typed || c.document.Codec == docmodel.JSON || !writtenOut(n)):
		if n.Forms[profile.FormEmpty] > 0 {
			return "*string"
		}
		return "string"
	}
	return "any" // keeps any stored value
}

// only returns the only class of all values at a path. Null counts as a value.
func only(n *evidence.Node) (class profile.Class, ok bool) {
	for k := profile.Null; k < profile.NumClasses; k++ {
		if n.Types[k] > 0 && n.Types[k] == n.Values {
			return k, true
		}
	}
	return class, false
}

// writtenOut reports whether strings may be dates or ids that a plain export
// wrote as strings.
func writtenOut(n *evidence.Node) bool {
	k := n.Forms[profile.FormHex24] + n.Forms[profile.FormUUID]
	for form := profile.FormDate; form <= profile.FormRFC1123; form++ {
		k += n.Forms[form]
	}
	return k > 0
}

// initialisms are words that Go writes in capitals.
var initialisms = rulebook.WordSet("struct-drift", "initialisms")

// goName returns a Go name for a stored name, or "".
func goName(stored string) string {
	var b strings.Builder
	for _, word := range lexicon.Tokens(stored) {
		if initialisms()[word] {
			b.WriteString(strings.ToUpper(word))
		} else {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	name := b.String()
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return ""
	}
	return name
}
