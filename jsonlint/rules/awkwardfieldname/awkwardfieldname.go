// Package awkwardfieldname reports names that a query, an update or a
// connector cannot take as they are, and objects whose names are written in
// two styles.
package awkwardfieldname

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/schema/bson"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is awkward-field-name on documents.
var Rule = check.Rule{Name: "awkward-field-name", Run: func(p *check.Pass) {
	var names []*awkwardName
	for _, c := range p.DB.Collections {
		names = append(names, awkwardNames(p, c)...)
		styles := false
		for _, e := range c.Entities {
			styles = styles || mixedStyles(p, e)
		}
	}
	reportNames(p, names)
}}

// awkward is what is wrong with a name.
type awkward struct {
	kind       string // groups names that have the same fault
	fault      string
	advice     string
	severity   finding.Severity
	confidence float64
}

// awkwardName is a name at its first place.
type awkwardName struct {
	entity *model.Entity
	node   *profile.Node
	name   string
	places int
	awkward
}

// awkwardNames returns the awkward names of a collection.
func awkwardNames(p *check.Pass, c *model.Collection) []*awkwardName {
	byName := map[string]*awkwardName{}
	var names []*awkwardName
	for _, e := range c.Entities {
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Step.Kind != profile.Field || n.Parent == nil {
				return true
			}
			name := n.Step.Name
			if e.MapElsewhere(n.Parent) {
				return true
			}
			fault, ok := faultOf(p, n)
			if !ok {
				return true
			}
			a := byName[name]
			if a == nil {
				a = &awkwardName{name: name}
				byName[name], names = a, append(names, a)
			}
			if a.places++; a.node == nil || usual(n, a.node) < 0 {
				a.entity, a.node, a.awkward = e, n, fault
			}
			return true
		})
	}
	return names
}

// reportNames reports names. Those with the same fault in one collection, or in
// the collections of one file, are one finding.
func reportNames(p *check.Pass, names []*awkwardName) {
	type fault struct {
		file     uint32 // in which the collection begins
		kind     string
		severity finding.Severity
	}
	groups := map[fault][]*awkwardName{}
	var faults []fault
	for _, a := range names {
		same := fault{a.entity.Collection.Profile.Root.FirstAny().File, a.kind, a.severity}
		if groups[same] == nil {
			faults = append(faults, same)
		}
		groups[same] = append(groups[same], a)
	}
	for _, same := range faults {
		group := groups[same]
		slices.SortStableFunc(group, func(a, b *awkwardName) int { return usual(a.node, b.node) })
		seen := map[string]bool{}
		apart := slices.DeleteFunc(slices.Clone(group), func(a *awkwardName) bool {
			known := seen[a.name]
			seen[a.name] = true
			return known
		})
		if float64(len(apart)) > p.Threshold("names-apart") {
			reportName(p, apart)
			continue
		}
		for _, a := range group {
			reportName(p, []*awkwardName{a})
		}
	}
}

// usual has the field first that most objects have.
func usual(a, b *profile.Node) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Path().String(), b.Path().String()))
}

// faultOf says what is wrong with the name of a field.
func faultOf(p *check.Pass, n *profile.Node) (awkward, bool) {
	name := n.Step.Name
	if p.Lexicon.Has(lexicon.System, name) || slices.Contains(p.Limits.SystemKeys, name) || strings.HasPrefix(name, "$") && inDBRef(n) ||
		bson.IsName(name) { // a value that is not an ObjectId is an input-error
		return awkward{}, false
	}
	if fault, ok := headerName(n); ok {
		return fault, true
	}
	if fault, ok := damagedName(p, name); ok {
		return fault, true
	}
	if namesAreData(p, n) {
		return awkward{}, false
	}
	if fault, ok := refusedName(p, name, n.Depth == 1); ok {
		return fault, true
	}
	if name[0] == '$' && (inQuery(n) || slices.Contains(standardNames(), name)) {
		return awkward{}, false
	}
	if hasVariant(n) {
		return awkward{}, false
	}
	return quotedName(p, name)
}

// inDBRef reports whether an object refers as MongoDB's drivers write it: by a
// collection ($ref) and an id ($id).
func inDBRef(n *profile.Node) bool {
	return n.Parent.Object.Field("$ref") != nil && n.Parent.Object.Field("$id") != nil
}

// hasVariant reports whether another field of the object has the name of n in
// another spelling. The rule field-name-variant says which one is right.
func hasVariant(n *profile.Node) bool {
	fold := lexicon.Fold(n.Step.Name)
	return slices.ContainsFunc(n.Parent.Object.Fields(), func(f *profile.Node) bool { return f != n && lexicon.Fold(f.Step.Name) == fold })
}

// inQuery reports whether a field is in a stored query, where names that begin with
// '$' are operators on purpose.
func inQuery(n *profile.Node) bool {
	for o := n.Parent; o != nil; o = o.Parent {
		if slices.Contains(queryWords(), naming.Head(o.Step.Name)) {
			return true
		}
	}
	return false
}

// namesAreData reports whether users choose the names in the object that holds a
// field: headers, labels, translations, attached files. Paths and names without a
// letter are data too, and dynamic-keys checks them.
func namesAreData(p *check.Pass, n *profile.Node) bool {
	if strings.IndexFunc(n.Step.Name, unicode.IsLetter) < 0 || n.Step.Name[0] == '/' {
		return true
	}
	for o := n.Parent; o != nil && o.Parent != nil; o = o.Parent {
		if o.Step.Kind == profile.Field && (p.Lexicon.Has(lexicon.FreeFormMap, o.Step.Name) || p.Lexicon.Has(lexicon.System, o.Step.Name)) {
			return true
		}
	}
	if o := n.Parent.Object; o != nil && n.Object != nil && len(o.Fields()) >= 3 && model.Alike(o.Fields()) >= 0.8 {
		return true // values of one shape under different names: those name things, not fields
	}
	for o := n.Parent; o != nil; o = o.Parent {
		if o.Object != nil && namesThings(o.Object.Fields()) {
			return true
		}
	}
	return isLocale(n.Step.Name) || rareName(n) || model.IsDataName(n.Step.Name) || besideData(n) || inIndexKey(n)
}

// besideData reports whether names on the path to a field are data, or names that
// vary between objects while their values are alike. Then users choose the field's
// name too, such as a category or an attribute of a product.
func besideData(n *profile.Node) bool {
	const namesMin, usual, similar = 2, 0.9, 0.8
	for o := n.Parent; o != nil && o.Parent != nil; o = o.Parent {
		if o.Step.Kind == profile.MapValues || o.Step.Kind == profile.Field && model.IsDataName(o.Step.Name) {
			return true
		}
		if o.Object == nil || o.Step.Kind != profile.Field {
			continue
		}
		fields := o.Object.Fields()
		optional := slices.ContainsFunc(fields, func(f *profile.Node) bool { return float64(f.Count) < usual*float64(o.Types[profile.Object]) })
		if len(fields) >= namesMin && optional && model.Alike(fields) >= similar && len(fieldsSpaced(fields)) > 0 {
			return true
		}
	}
	return false
}

// namesThings reports whether the names are names of things, as people write them,
// each with a value or an object: regions of countries.
func namesThings(fields []*profile.Node) bool {
	return len(fields) >= 3 && mostlyWritten(fields) &&
		(model.Alike(fields) >= 0.8 || !slices.ContainsFunc(fields, func(f *profile.Node) bool { return f.Types[profile.Object]+f.Types[profile.Array] < f.Present() }))
}

// mostlyWritten reports whether most names are written as people write and
// programmers do not, with a capital or a sign, and occur in only one object. Then
// nothing shows that they are field names.
func mostlyWritten(fields []*profile.Node) bool {
	written := 0
	for _, f := range fields {
		name := f.Step.Name
		if f.Count > 1 {
			return false
		}
		if name == "" || unicode.IsUpper([]rune(name)[0]) || strings.ContainsFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			written++
		}
	}
	return 2*written > len(fields)
}

// fieldsSpaced are the fields with a space in their names, as people write
// them and programmers do not.
func fieldsSpaced(fields []*profile.Node) []*profile.Node {
	return slices.DeleteFunc(slices.Clone(fields), func(f *profile.Node) bool { return !strings.Contains(f.Step.Name, " ") })
}

// inIndexKey reports whether a field is in the definition of an index,
// whose names are the paths that it covers: {"key": {"a.b": 1}, "name": "a.b_1"}.
func inIndexKey(n *profile.Node) bool {
	key := n.Parent
	if key.Step.Kind != profile.Field || key.Step.Name != "key" || key.Parent == nil || key.Parent.Object == nil {
		return false
	}
	return key.Parent.Object.Field("name") != nil && key.Parent.Object.Field("v") != nil
}

// rareName reports whether hardly any of the objects around it has the name:
// then it is one of a user, or of a map with few entries.
func rareName(n *profile.Node) bool {
	const enough, rare = 500, 0.002
	objects := n.Parent.Types[profile.Object]
	return n.Parent.Parent != nil && objects >= enough && float64(n.Count) <= rare*float64(objects)
}

// isLocale reports whether a name is a language tag: pt-BR, zh-Hans.
func isLocale(name string) bool {
	language, region, ok := strings.Cut(name, "-")
	if !ok || len(language) < 2 || len(language) > 3 || len(region) < 2 || len(region) > 4 {
		return false
	}
	letters := func(s string) bool {
		return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) }) < 0
	}
	return letters(language) && strings.ToLower(language) == language && letters(region) && unicode.IsUpper(rune(region[0]))
}

// headerName finds the first line of a table as the name of a single field: the table
// was imported with another separator than its own. Then the values have as many parts
// as the name, of which long ones are not kept.
func headerName(n *profile.Node) (awkward, bool) {
	const columns, rows, whole = 3, 3, 0.8
	if n.Scalars == nil || n.Types[profile.String] < n.Present() {
		return awkward{}, false
	}
	for _, separator := range []string{";", "\t", "|", ","} {
		parts := strings.Count(n.Step.Name, separator) + 1
		if parts < columns {
			continue
		}
		texts, alike := 0, 0
		for v := range n.Scalars.Values.Texts() {
			has := strings.Count(v.Text, separator) + 1
			if texts++; has == parts || len(v.Text) == profile.TextLength && columns <= has && has < parts {
				alike++
			}
		}
		if alike >= rows && float64(alike) >= whole*float64(texts) {
			return awkward{
				kind: "header", fault: fmt.Sprintf("is the header of a table with %d columns, and its values are the lines", parts),
				advice:   fmt.Sprintf("Import the table again with %q as the separator, so that each column becomes a field.", separator),
				severity: finding.Warning, confidence: 0.95,
			}, true
		}
	}
	return awkward{}, false
}

// damagedName finds names that nobody wrote on purpose.
func damagedName(p *check.Pass, name string) (awkward, bool) {
	switch {
	case name == "":
		return awkward{
			kind: "empty", fault: "a field has an empty name", advice: "Give the field a name: most query languages cannot write an empty one, and some databases reject it.",
			severity: finding.Warning, confidence: 0.9,
		}, true
	case strings.ContainsRune(name, '\ufeff'):
		return awkward{
			kind: "bom", fault: "begins with an invisible byte order mark, so no query for the name finds it",
			advice:   "Strip the byte order mark (U+FEFF) when you import: it belongs to the start of the file, not to the first name in it.",
			severity: finding.Warning, confidence: 0.95,
		}, true
	case strings.IndexFunc(name, unicode.IsControl) >= 0:
		return awkward{
			kind: "control", fault: "contains a control character", advice: "Remove the character where the documents are written: nobody can type it in a query.",
			severity: finding.Warning, confidence: 0.95,
		}, true
	case strings.TrimSpace(name) != name:
		return awkward{
			kind: "padded", fault: "begins or ends with white space", advice: "Trim names where the documents are written: queries see the space, people do not.",
			severity: finding.Warning, confidence: 0.9,
		}, true
	}
	return awkward{}, false
}

// refusedName finds names that the database refuses or cannot address.
func refusedName(p *check.Pass, name string, atRoot bool) (awkward, bool) {
	switch bad, found := firstOf(name, p.Limits.FieldNameForbidden); {
	case p.Limits.Name == "firestore" && limits.Dunder(name):
		return awkward{
			kind: "reserved", fault: "is of the form __x__, which " + p.Limits.Title + " reserves", advice: "Leave out the underscores.",
			severity: finding.Error, confidence: 0.95,
		}, true
	case found && (bad == '.' || name[0] == '$'):
		severity := finding.Warning
		if atRoot {
			severity = finding.Error
		}
		return awkward{
			kind: fmt.Sprintf("forbidden %q", bad), fault: fmt.Sprintf("contains %q, which %s reads as part of a path or an operator", bad, p.Limits.Title),
			advice:   "Rename the field: updates and queries read the character as a path or an operator, and miss the field.",
			severity: severity, confidence: 0.9,
		}, true
	}
	if bad, found := firstOf(name, p.Limits.FieldNameDiscouraged); found && bad != ' ' {
		why := "must be quoted in field paths"
		if p.Limits.Name == "cosmosdb" {
			why = "breaks the columns of the analytical store and of Spark"
		}
		return awkward{
			kind: fmt.Sprintf("discouraged %q", bad), fault: fmt.Sprintf("contains %q, which %s", bad, why), advice: "Rename the field to letters, digits and '_'.",
			severity: finding.Warning, confidence: 0.6,
		}, true
	}
	return awkward{}, false
}

func firstOf(name, bad string) (rune, bool) {
	i := strings.IndexAny(name, bad)
	if i < 0 {
		return 0, false
	}
	for _, r := range name[i:] {
		return r, true
	}
	return 0, false
}

// quotedName finds names that must be quoted wherever they are used.
func quotedName(p *check.Pass, name string) (awkward, bool) {
	if name[0] == '$' && len(name) > 1 {
		return awkward{
			kind: "dollar", fault: "begins with '$', like an operator", advice: "Rename the field: MongoDB and similar databases read such a name as an operator.",
			severity: finding.Warning, confidence: 0.7,
		}, true
	}
	for _, bad := range []struct {
		chars, kind, fault string
		severity           finding.Severity
	}{
		{".[]", "path", "contains %q, which is part of the syntax of paths", finding.Warning},
		{"*`", "quote", "contains %q, so queries must quote it", finding.Info},
		{"-", "hyphen", "contains %q, which queries and code read as a minus sign", finding.Info},
		{" ", "space", "contains a space", finding.Info},
	} {
		r, found := firstOf(name, bad.chars)
		if !found {
			continue
		}
		fault := bad.fault
		if strings.Contains(fault, "%q") {
			fault = fmt.Sprintf(fault, r)
		}
		return awkward{
			kind: bad.kind, fault: fault, severity: bad.severity, confidence: 0.7,
			advice: fmt.Sprintf("Rename it to %s. Until then queries must write c[%q], and code needs a mapping.", plainName(p, name), name),
		}, true
	}
	if unicode.IsDigit(rune(name[0])) {
		return awkward{
			kind: "digit", fault: "begins with a digit, so queries must quote it and code needs a mapping", severity: finding.Info, confidence: 0.6,
			advice: "Put a letter in front.",
		}, true
	}
	return awkward{}, false
}

// plainWords splits a name at what is no letter or digit. Capitals inside a
// word (IoT) are how it is written and no new word, single letters next to
// each other (I/O) are one, and a percent sign is said in full.
func plainWords(name string) []string {
	if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) }) {
		return lexicon.Tokens(name)
	}
	name = strings.ReplaceAll(name, "%", " percent ")
	var words []string
	letter := false
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		single := len(word) == 1 && unicode.IsLetter(rune(word[0]))
		if single && letter {
			words[len(words)-1] += strings.ToLower(word)
		} else {
			words = append(words, strings.ToLower(word))
		}
		letter = single
	}
	return words
}

// plainName writes a name in camel case.
func plainName(p *check.Pass, name string) string {
	plain := lexicon.StyleCamel.Join(plainWords(name)...)
	if plain == "" || unicode.IsDigit(rune(plain[0])) {
		return "a name of letters, digits and '_'"
	}
	return plain
}

// reportName reports one name, or many with the same fault.
func reportName(p *check.Pass, group []*awkwardName) {
	a, e := group[0], group[0].entity
	at := places.NameOf(p, a.node.FirstAny())
	message := fmt.Sprintf("%s %s", strconv.QuoteToGraphic(a.name), a.fault)
	if a.name == "" {
		message = a.fault
	}
	advice := a.advice
	var related []check.RawRelated
	fixes := renamed(p, e, a)
	path := a.node.Path()
	if len(group) > 1 {
		quoted := make([]string, 0, 4)
		for _, other := range group[:min(3, len(group))] {
			quoted = append(quoted, strconv.QuoteToGraphic(other.name))
		}
		if len(group) > len(quoted) {
			quoted = append(quoted, "…")
		}
		message = fmt.Sprintf("%s have the same fault (%s): %s %s", wording.Count(int64(len(group)), "name"), strings.Join(quoted, ", "), quoted[0], a.fault)
		for _, other := range group[1:min(len(group), places.Shown)] {
			related = append(related, check.RawRelated{At: places.NameOf(p, other.node.FirstAny()), Message: strconv.QuoteToGraphic(other.name)})
		}
	}
	p.Report(e, path, check.Raw{
		At: at,
		Finding: finding.Finding{
			Severity: a.severity, Confidence: a.confidence, Message: message, Advice: advice,
			Evidence: []finding.Evidence{
				{Name: "kind", Value: a.kind}, {Name: "names", Value: len(group)}, {Name: "paths", Value: a.places}, {Name: "values", Value: a.node.Count},
			},
			Fixes: fixes,
		},
		Related: related,
	})
}

// renamed shows the document that has the name first with a plain one.
func renamed(p *check.Pass, e *model.Entity, a *awkwardName) []finding.Fix {
	plain := lexicon.StyleCamel.Join(plainWords(strings.ReplaceAll(a.name, "\ufeff", ""))...)
	if a.kind == "bom" {
		plain = strings.ReplaceAll(a.name, "\ufeff", "")
	}
	if plain == "" || unicode.IsDigit(rune(plain[0])) {
		return nil
	}
	path := a.node.Path()
	title := fmt.Sprintf("%s renamed to %s", strconv.QuoteToGraphic(a.name), plain)
	return plans.Changed(p, e.Collection.Name, title, a.node.FirstAny(), func(document *reshape.Value) bool {
		for _, holder := range document.Select(path[:len(path)-1]) {
			if holder.Has(a.name) && !holder.Rename(a.name, plain) {
				return false // the plain name is taken
			}
		}
		return true
	})
}

// styleCount is how many names of an object are written in a style.
type styleCount struct {
	style lexicon.Style
	nodes []*profile.Node
}

// mixedStyles reports the object whose names are written most evenly in two
// styles, and reports whether there is one. Kebab names are reported one by
// one.
func mixedStyles(p *check.Pass, e *model.Entity) bool {
	type mix struct {
		node       *profile.Node
		most, less styleCount
	}
	var worst *mix
	e.Root().Walk(func(n *profile.Node) bool {
		if n.Object == nil || n.Object.Sampled() || n.Step.Kind == profile.MapValues {
			return true
		}
		if n.Step.Kind == profile.Field && n.Parent != nil && p.Lexicon.Has(lexicon.FreeFormMap, n.Step.Name) {
			return false
		}
		camel, snake, all := styleCount{style: lexicon.StyleCamel}, styleCount{style: lexicon.StyleSnake}, 0
		for _, f := range n.Object.Fields() {
			name := f.Step.Name
			if name == "" || name[0] == '_' || hasVariant(f) || p.Lexicon.Has(lexicon.Metadata, name) || p.Lexicon.Has(lexicon.System, name) {
				continue
			}
			all++
			switch lexicon.StyleOf(name) {
			case lexicon.StyleCamel:
				camel.nodes = append(camel.nodes, f)
			case lexicon.StyleSnake:
				snake.nodes = append(snake.nodes, f)
			}
		}
		most, less := camel, snake
		if len(snake.nodes) > len(camel.nodes) {
			most, less = snake, camel
		}
		if float64(len(less.nodes)) < p.Threshold("style-names") || float64(len(less.nodes)) < p.Threshold("style-share")*float64(all) || marked(less.nodes) {
			return true
		}
		if worst == nil || len(less.nodes) > len(worst.less.nodes) {
			worst = &mix{n, most, less}
		}
		return true
	})
	if worst == nil {
		return false
	}
	styles := [...]string{lexicon.StyleCamel: "camelCase", lexicon.StyleSnake: "snake_case"}
	odd := slices.MinFunc(worst.less.nodes, func(a, b *profile.Node) int {
		return cmp.Or(a.FirstAny().Compare(b.FirstAny()), strings.Compare(a.Step.Name, b.Step.Name))
	})
	common := worst.most.nodes[0]
	p.Report(e, worst.node.Path(), check.Raw{
		At: places.NameOf(p, odd.FirstAny()),
		Finding: finding.Finding{
			Severity: finding.Info, Confidence: 0.6,
			Message: fmt.Sprintf("field names mix two styles: %s in %s (%q) and %s in %s (%q)", quantity.Grouped(int64(len(worst.most.nodes))), styles[worst.most.style],
				common.Step.Name, quantity.Grouped(int64(len(worst.less.nodes))), styles[worst.less.style], odd.Step.Name),
			Advice: fmt.Sprintf("Write new names in %s, and rename the others when you rewrite the documents: a query with the wrong style finds nothing "+
				"and gives no error.", styles[worst.most.style]),
			Evidence: []finding.Evidence{
				{Name: "names." + worst.most.style.String(), Value: len(worst.most.nodes)},
				{Name: "names." + worst.less.style.String(), Value: len(worst.less.nodes)},
			},
			Fingerprint: "awkward-field-name:" + e.Collection.Name + ":" + worst.node.Path().String() + ":style:" + e.Kind,
		},
		Related: []check.RawRelated{{At: places.NameOf(p, common.FirstAny()), Message: fmt.Sprintf("%q", common.Step.Name)}},
	})
	return true
}

var (
	queryWords    = rulebook.Words("awkward-field-name", "query-words")
	standardNames = rulebook.Words("awkward-field-name", "standard-names")
)

// marked reports whether a word marks fields that a program derives from others,
// in whatever style these are: title_search, text_search, tag_search. Two names
// end alike by accident, as created_at and updated_at do, and "id" says what a
// field is.
func marked(nodes []*profile.Node) bool {
	last := func(n *profile.Node) string {
		words := lexicon.Tokens(n.Step.Name)
		return words[len(words)-1]
	}
	return len(nodes) > 2 && !slices.ContainsFunc(nodes, func(n *profile.Node) bool {
		_, _, refers := lexicon.ReferenceStem(n.Step.Name)
		return refers || last(n) != last(nodes[0])
	})
}
