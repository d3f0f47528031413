package awkwardfieldname

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
)

// awkward is what is wrong with a name.
type awkward struct {
	kind       string // groups names that have the same fault
	fault      string
	advice     string
	severity   finding.Severity
	confidence float64
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
func damagedName(n *profile.Node) (awkward, bool) {
	name := n.Step.Name
	typed := strings.TrimRight(name, ":,;=")
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
	case typed != name && n.Parent.Object.Field(typed) != nil:
		return awkward{
			kind: "punctuation", fault: fmt.Sprintf("ends with %q, and there is %q too", name[len(typed):], typed),
			advice:   "Move the value to the field without the mark, which somebody typed or pasted as part of the name, and remove this one.",
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

// quotedName finds names that must be quoted wherever they are used. The queries of
// MongoDB and the paths of Firestore have no operators that a name could contain. A
// space comes from the header of a table, and nobody means it.
func quotedName(p *check.Pass, name string) (awkward, bool) {
	if name[0] == '$' && len(name) > 1 {
		return awkward{
			kind: "dollar", fault: "begins with '$', like an operator", advice: "Rename the field: MongoDB and similar databases read such a name as an operator.",
			severity: finding.Warning, confidence: 0.7,
		}, true
	}
	quotes := p.Limits.Name == "mongodb" || p.Limits.Name == "firestore" // each name is in quotes anyway
	for _, bad := range []struct {
		chars, kind, fault string
		severity           finding.Severity
		harmless           bool
	}{
		{".[]", "path", "contains %q, which is part of the syntax of paths", finding.Warning, false},
		{"*`", "quote", "contains %q, so queries must quote it", finding.Info, quotes},
		{"-", "hyphen", "contains %q, which queries and code read as a minus sign", finding.Info, quotes},
		{" ", "space", "contains a space", finding.Info, false},
	} {
		r, found := firstOf(name, bad.chars)
		if !found || bad.harmless {
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
	if unicode.IsDigit(rune(name[0])) && !quotes {
		return awkward{
			kind: "digit", fault: "begins with a digit, so queries must quote it and code needs a mapping", severity: finding.Info, confidence: 0.6,
			advice: "Put a letter in front.",
		}, true
	}
	return awkward{}, false
}
