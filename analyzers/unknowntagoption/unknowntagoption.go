// Package unknowntagoption reports struct tags that the codec does not read as
// intended.
package unknowntagoption

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports options, keys and separators in struct tags that have no
// effect on what is stored.
var Rule = check.Rule{Name: "unknown-tag-option", Run: run}

// codecs lists, per tag key, the options that its codec understands.
var codecs = map[string]func() []string{
	"bson":       rulebook.Words("unknown-tag-option", "bson-options"),
	"json":       rulebook.Words("unknown-tag-option", "json-options"),
	"dynamodbav": rulebook.Words("unknown-tag-option", "dynamodbav-options"),
	"dynamo":     rulebook.Words("unknown-tag-option", "dynamo-options"),
	"firestore":  rulebook.Words("unknown-tag-option", "firestore-options"),
}

// demands are options by which people ask for an index or a check. No codec makes one.
var demands = rulebook.Words("unknown-tag-option", "demands")

func run(p *check.Pass) {
	for _, f := range p.Fields() {
		if f.RawTag == "" || f.WritesItself() {
			continue
		}
		key := f.TagKey()
		if codecs[key] == nil {
			continue
		}
		switch {
		case unread(p, f, key):
		case repeated(p, f, key):
		case doubled(p, f, key):
		case misspeltKey(p, f, key):
		case f.Tag.Key == key:
			separator(p, f, key)
			known(p, f, key)
		}
	}
}

// known checks the options one by one.
func known(p *check.Pass, f *docmodel.Field, key string) {
	if len(f.Tag.Options) == 0 {
		if slices.Contains(emptyOptionsWords(), f.Tag.Name) && slices.Contains(codecs[key](), f.Tag.Name) {
			report(p, f, key, problem{
				confidence: 0.9, meant: "," + f.Tag.Name, safety: finding.Unsafe,
				message: fmt.Sprintf("the tag names the field %q: an option needs a comma before it", f.Tag.Name),
				advice:  fmt.Sprintf("Write `%s:\",%s\"`.", key, f.Tag.Name),
			})
		}
		return
	}
	for i, option := range f.Tag.Options {
		if option == "" || slices.Contains(codecs[key](), option) || key == "json" && (strings.HasPrefix(option, "format:") || strings.HasPrefix(option, "case:")) {
			continue
		}
		meant, sure := nearest(key, option)
		lender, lent := lenderOf(key, option)
		demand := slices.Contains(demands(), option) || key != "json" && strings.Contains(option, "=") // as in max=80
		problem := problem{message: fmt.Sprintf("%s does not know the option %q and ignores it", docmodel.Codec(key).Library(), option), safety: finding.Unsafe}
		if key == "firestore" {
			problem.message, problem.severity = fmt.Sprintf("firestore does not know the option %q and fails to write the document", option), finding.Error
		}
		changed := slices.Clone(f.Tag.Options)
		switch {
		case meant != "" && sure >= lent:
			problem.confidence = sure
			changed[i] = meant
			problem.advice = fmt.Sprintf("Write %s. It then takes effect: %s.", meant, cmp.Or(effects[meant], "new documents are stored in another form"))
			if meant == "inline" {
				problem.severity = finding.Error
			}
		case lender != "" || demand || key == "firestore":
			problem.confidence, problem.safety = 0.7, finding.Safe
			if key == "firestore" {
				problem.confidence = 0.95
			}
			changed = slices.Delete(changed, i, i+1)
			problem.advice = "Drop it."
			if lender != "" {
				problem.advice = fmt.Sprintf("It is an option of %s. Drop it, or do in code what it should do.", docmodel.Codec(lender).Library())
			} else if demand {
				problem.advice = "Drop it, and create the index or check the value in code."
			}
		default: // another package may read it
			problem.confidence, problem.safety = 0.4, finding.Safe
			changed = slices.Delete(changed, i, i+1)
			problem.advice = "Drop it if nothing else reads the tag."
		}
		problem.meant = strings.Join(append([]string{f.Tag.Name}, changed...), ",")
		report(p, f, key, problem)
		return
	}
}

// effects say what options do.
var effects = map[string]string{
	"omitempty": "empty values are no longer stored", "omitzero": "empty values are no longer stored",
	"inline":          "the fields inside are stored next to the others",
	"unixtime":        "the time is stored as a number of seconds",
	"serverTimestamp": "a zero time is set by the server",
}

// nearest returns the intended option and the confidence in it.
func nearest(key, option string) (string, float64) {
	plain := strings.TrimSpace(option)
	for _, known := range codecs[key]() {
		if strings.EqualFold(plain, known) {
			return known, 0.95
		}
	}
	for _, known := range codecs[key]() {
		if len(known) > 5 && lexicon.Damerau(strings.ToLower(plain), strings.ToLower(known), 2) <= 2 {
			return known, 0.9
		}
	}
	return "", 0
}

// lenderOf returns the other codec that knows an option best, and how sure that is.
func lenderOf(key, option string) (lender string, sure float64) {
	for _, other := range slices.Backward(slices.Sorted(maps.Keys(codecs))) { // where several know it, json is the likeliest
		if _, lent := nearest(other, option); other != key && lent > sure {
			lender, sure = other, lent
		}
	}
	return lender, sure
}

// separator reports a tag without a comma between name and options.
func separator(p *check.Pass, f *docmodel.Field, key string) {
	i := strings.IndexAny(f.Tag.Name, "; |")
	if i <= 0 {
		return
	}
	option := strings.TrimSpace(f.Tag.Name[i+1:])
	if !slices.Contains(codecs[key](), option) {
		return
	}
	report(p, f, key, problem{
		confidence: 0.95, safety: finding.Unsafe, meant: strings.Join(append([]string{f.Tag.Name[:i], option}, f.Tag.Options...), ","),
		message: fmt.Sprintf("the field is stored under the name %q: options are separated by commas", f.Tag.Name),
		advice:  fmt.Sprintf("Write `%s:\"%s,%s\"` and rename the field in stored documents.", key, f.Tag.Name[:i], option),
	})
}

// unread reports a tag in the text that reflection does not find, because of an
// extra space or comma.
func unread(p *check.Pass, f *docmodel.Field, key string) bool {
	name, ok := f.Unread()
	if !ok {
		return false
	}
	stored := f.GoName()
	if key == "bson" {
		stored = strings.ToLower(stored)
	}
	if name == stored || name == "" {
		return true
	}
	severity, message := finding.Severity(0), fmt.Sprintf("the %s tag is malformed and ignored: the field is stored as %q, not as %q", key, stored, name)
	if name == "-" {
		severity, message = finding.Error, fmt.Sprintf("the %s tag is malformed and ignored: the field is stored, as %q", key, stored)
	}
	report(p, f, key, problem{
		severity: severity, confidence: 0.95, message: message, safety: finding.Plan,
		advice: "A struct tag is a list of key:\"value\" pairs separated by single spaces, with nothing between key, colon and value.",
	})
	return true
}

// repeated reports a key that occurs twice; the first one counts.
func repeated(p *check.Pass, f *docmodel.Field, key string) bool {
	var values []string
	for _, pair := range pairsOf(f.RawTag) {
		if pair.key == key {
			values = append(values, pair.value)
		}
	}
	if len(values) < 2 || values[0] == values[1] {
		return false
	}
	report(p, f, key, problem{
		confidence: 0.95, safety: finding.Plan,
		message: fmt.Sprintf("the tag has the key %s twice: %q counts, %q is ignored", key, values[0], values[1]),
		advice:  "Keep the one under which the documents are stored.",
	})
	return true
}

// doubled reports a field with the stored name of an earlier one.
func doubled(p *check.Pass, f *docmodel.Field, key string) bool {
	for _, other := range f.Siblings() {
		if other == f {
			return false
		}
		if other.Owner != f.Owner || other.Name != f.Name || other.Tag.Name == "" || f.Tag.Name == "" {
			continue
		}
		consequence := "neither is stored"
		if key == "bson" {
			consequence = "bson fails to write and to read it"
		}
		report(p, f, key, problem{
			confidence: 0.95, safety: finding.Plan,
			message: fmt.Sprintf("%s and %s of %s have the same name %q: %s", other.GoName(), f.GoName(), f.OwnerName(), f.Name, consequence),
			advice:  "Give each field a name of its own.",
		})
		return true
	}
	return false
}

// foreignKeys are tag keys of other packages that resemble a codec's.
var foreignKeys = rulebook.Words("unknown-tag-option", "foreign-keys")

// misspeltKey reports a tag whose key is almost the codec's.
func misspeltKey(p *check.Pass, f *docmodel.Field, key string) bool {
	if f.Tag.Key == key {
		return false
	}
	for _, pair := range pairsOf(f.RawTag) {
		if slices.Contains(foreignKeys(), pair.key) || pair.key == p.Program.ClientOptions().TagKey {
			continue
		}
		if !strings.EqualFold(pair.key, key) && lexicon.Damerau(pair.key, key, 1) > 1 {
			continue
		}
		name, _, _ := strings.Cut(pair.value, ",")
		problem := problem{
			confidence: 0.95, safety: finding.Plan,
			message: fmt.Sprintf("the tag key %s is unknown: the field is stored as %q", pair.key, f.Name),
			advice:  fmt.Sprintf("Write %s:%q; documents that hold %q have to be renamed.", key, pair.value, f.Name),
		}
		if name == f.Name && !strings.Contains(pair.value, ",") {
			problem.confidence = 0.4
		}
		report(p, f, key, problem)
		return true
	}
	return false
}

type pair struct{ key, value string }

// pairsOf parses the pairs of a tag like reflection.
func pairsOf(raw string) []pair {
	var pairs []pair
	for raw != "" {
		raw = strings.TrimLeft(raw, " ")
		key, rest, ok := strings.Cut(raw, `:"`)
		if !ok || strings.ContainsAny(key, " \"") {
			break
		}
		value, after, ok := strings.Cut(rest, `"`)
		if !ok {
			break
		}
		pairs = append(pairs, pair{key, value})
		raw = after
	}
	return pairs
}

type problem struct {
	severity        finding.Severity
	confidence      float64
	message, advice string
	meant           string // value of the tag
	safety          finding.Safety
}

func report(p *check.Pass, f *docmodel.Field, key string, x problem) {
	found := check.Finding{
		Field: f, Severity: x.severity, Confidence: x.confidence, Message: x.message, Advice: x.advice,
		Evidence: []finding.Evidence{{Name: "tag", Value: f.RawTag}, {Name: "stored as", Value: f.Path}},
		Fix:      check.Plan("write the tag so that it is understood"),
	}
	if x.safety != finding.Plan {
		if fix := p.Retag(f, fmt.Sprintf("write `%s:%q`", key, x.meant), key, x.meant); fix.Edits != nil {
			fix.Safety, found.Fix = x.safety, fix
		}
	}
	p.Report(found)
}

var emptyOptionsWords = rulebook.Words("unknown-tag-option", "empty-options")
