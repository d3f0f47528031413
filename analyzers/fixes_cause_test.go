package analyzers

import (
	"go/scanner"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/internal/finding"
)

// removes says how the fixes of a rule take its cause away: what is stored
// afterwards that was not before, or the other way round. A rule that is not
// listed has plans only.
var removes = map[string]string{
	"aggregate-drift":            "the count changes in the same update as the list",
	"awkward-field-name":         "the field is stored under another name",
	"bson-not-inlined":           "the struct is stored in place",
	"duplicate-reference":        "an operator that keeps a set takes the place of the push",
	"field-name-variant":         "the field is stored under the name that the others have",
	"id-tag":                     "the id is stored under the name that the database reads",
	"inconsistent-discriminator": "the constant has the spelling of the others",
	"invalid-id":                 "the id is made without the characters that the database refuses",
	"missing-discriminator":      "the field is there and set wherever a document is made",
	"nested-array":               "the inner list is a field of an object",
	"null-collection":            "an empty list is left out or is stored as one",
	"numeric-identifier":         "the id is stored as a text",
	"numeric-precision":          "the number is stored in a type that holds it",
	"partition-key":              "the key is stored under the path that the container has",
	"reference-type-mismatch":    "the reference has the type of the id",
	"struct-drift":               "the struct holds the field that documents have",
	"tag-codec-mismatch":         "the name is in the tag that the codec reads",
	"ttl-type":                   "the date is stored in the type that expires",
	"unbounded-array":            "the push keeps a number of elements",
	"unknown-tag-option":         "the tag has no option that the codec ignores",
	"zero-object-id":             "the zero id is left out",
}

// TestFixesRemoveTheCause applies the fixes of each rule to its fixtures, with
// the comments in them left out, and runs the rule again: it is silent because
// of what the code does now and not because of a mark on it.
func TestFixesRemoveTheCause(t *testing.T) {
	if testing.Short() {
		t.Skip("loads all fixtures twice")
	}
	t.Parallel()
	plain := testdataStage(t)
	var all []string
	of := map[string][]string{}
	for _, rule := range Rules() {
		of[rule.Name] = fixtures(t, plain, rule)
		all = append(all, of[rule.Name]...)
	}
	before := plain.load(t, all...)
	after := testdataStage(t)
	type gone struct {
		rule check.Rule
		path string
		keys []string
	}
	var expected []gone
	for _, rule := range Rules() {
		fixed := false
		for _, path := range of[rule.Name] {
			found := before.only(func(other string) bool { return other == path }).check(false, rule)
			g := gone{rule: rule, path: path}
			var edits []finding.Finding
			for _, f := range found {
				for i := range f.Fixes {
					for j := range f.Fixes[i].Edits {
						f.Fixes[i].Edits[j].NewText = withoutComments(f.Fixes[i].Edits[j].NewText)
					}
					fixed = fixed || len(f.Fixes[i].Edits) > 0
				}
				edits = append(edits, f)
			}
			result := after.fix(t, edits, finding.Safe, finding.Unsafe)
			if result.Applied == 0 || result.Conflicts > 0 {
				continue
			}
			for _, f := range found {
				if len(f.Fixes) > 0 && len(f.Fixes[0].Edits) > 0 {
					g.keys = append(g.keys, f.Subject.Symbol+" "+f.Message)
				}
			}
			expected = append(expected, g)
		}
		assert.Equal(t, removes[rule.Name] != "", fixed, "%s: say in the table above how its fixes remove the cause; none may leave it", rule.Name)
	}
	require.NotEmpty(t, expected)
	scene := after.load(t, all...)
	for _, g := range expected {
		again := map[string]bool{}
		for _, f := range scene.only(func(other string) bool { return other == g.path }).check(false, g.rule) {
			again[f.Subject.Symbol+" "+f.Message] = true
		}
		for _, key := range g.keys {
			assert.False(t, again[key], "%s: a fix leaves the cause: %s", g.rule.Name, key)
		}
	}
}

// withoutComments is code without its comments.
func withoutComments(code string) string {
	if !strings.Contains(code, "//") {
		return code
	}
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(code)), []byte(code), nil, scanner.ScanComments)
	var b strings.Builder
	last := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.COMMENT {
			at := int(pos) - 1
			b.WriteString(code[last:at])
			last = at + len(lit)
		}
	}
	b.WriteString(code[min(last, len(code)):])
	return b.String()
}
