package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/quantity"
)

// OneWriter is the number of fields or collections from which the same mistake
// comes from one program.
const OneWriter = 3

// wholeDatabase is the number of places in a database from which findings that a
// rule gives one cause are reported as one.
const wholeDatabase = 6

// mostRelated is how many further places a finding names. People mend the same mistake in
// many places at once, so it names all that a person would read.
const mostRelated = 50

// A grouping is one way in which findings of a rule have one cause.
type grouping struct {
	within func(*Raw) string        // what all of them are in; "" for the database
	at     func(*Raw) string        // the place that they share; "" for a finding that is not grouped
	differ func(r, first *Raw) bool // whether r is at another place than the finding that is shown
	others string                   // the noun for the other places
	name   func(*Raw) string        // names one of them
	least  int                      // from this many findings on they are reported as one
	fixes  bool                     // also findings with edits: each fix is applied at its own place
}

func inDatabase(*Raw) string     { return "" }
func inCollection(r *Raw) string { return r.about.Collection.Name }
func inKind(r *Raw) string       { return r.about.Collection.Name + "\x00" + r.about.Kind }

func atHolder(r *Raw) string { return r.holder }

// atWhole is the object that has the field, if such findings about its fields have one cause.
func atWhole(r *Raw) string {
	if !r.Whole {
		return ""
	}
	return r.within
}

func atBeside(r *Raw) string { return r.beside }
func atPath(r *Raw) string   { return cmp.Or(r.Subject.Path, ".") }
func atCause(r *Raw) string  { return r.Cause }

// atSureCause is a cause that findings have in common even if there are few of them.
func atSureCause(r *Raw) string {
	if !r.Sure {
		return ""
	}
	return r.Cause
}

// atPart is a place deep within documents. Collections that have it in common were
// written by one program, even if their documents are not alike in all else.
func atPart(r *Raw) string {
	if strings.Count(r.Subject.Path, ".") < 2 {
		return ""
	}
	return r.Subject.Path
}

// atFirst is the first document with the mistake. If most documents have it, the
// first one shows nothing; then the counts must be the same.
func atFirst(r *Raw) string {
	if !r.At.Known() {
		return ""
	}
	said := evidence(r)
	if first := r.about.Root().FirstAny(); r.At.File == first.File && r.At.Doc == first.Doc {
		if said = shares(r); said == nil {
			return ""
		}
	}
	return fmt.Sprint(r.within, r.At.File, r.At.Doc, said)
}

// shares returns how many values a field has of each sort, such as encodings.date and
// encodings.native, or nil if the finding does not count two sorts.
func shares(r *Raw) (counts []any) {
	first := ""
	for _, e := range r.Evidence {
		whole, _, part := strings.Cut(e.Name, ".")
		if n, ok := e.Value.(int64); ok && part && (first == "" || whole == first) {
			first = whole
			counts = append(counts, e.Name, n)
		}
	}
	if len(counts) < 4 {
		return nil
	}
	return counts
}

// atSpelling is the field of a finding about spellings.
func atSpelling(r *Raw) string {
	if len(r.Spellings) == 0 {
		return ""
	}
	return atPath(r)
}

// atTexts is the object whose field has a value in two spellings, for example one that
// holds the translations of a text.
func atTexts(r *Raw) string {
	if len(r.Spellings) == 0 {
		return ""
	}
	return r.within
}

// spelt is the value that the finding shows in two spellings.
func (r *Raw) spelt() string { return strings.Join(r.Spellings[:min(2, len(r.Spellings))], " and ") }

func (r *Raw) path() string  { return r.Subject.Path }
func (r *Raw) label() string { return r.about.Label() }
func (r *Raw) place() string { return r.about.Label() + "." + r.Subject.Path }

func otherPath(r, first *Raw) bool { return r.Subject.Path != first.Subject.Path }
func otherKind(r, first *Raw) bool { return r.about.Kind != first.about.Kind }
func anyOther(_, _ *Raw) bool      { return true }

// alikeElsewhere reports whether r is about another collection with similar
// documents.
func alikeElsewhere(r, first *Raw) bool {
	return r.about.Collection != first.about.Collection && r.about.Alike(first.about)
}

func inOther(r, first *Raw) bool { return r.about.Collection != first.about.Collection }

func inBackup(r, first *Raw) bool {
	return r.about.Collection != first.about.Collection && r.about.Repeats(first.about)
}

// groupings are tried in this order.
var groupings = []grouping{
	// One program makes a mistake in the fields of one free-form object, in those of
	// the objects of a map, or in several fields from one document on.
	{inKind, atHolder, otherPath, "field", (*Raw).path, OneWriter, true},
	{inKind, atBeside, otherPath, "field", (*Raw).path, OneWriter, true},
	{inKind, atFirst, otherPath, "field", (*Raw).path, OneWriter, true},
	{inKind, atWhole, otherPath, "field", (*Raw).path, 2, true},
	{inKind, atSpelling, anyOther, "value", (*Raw).spelt, 2, true},
	{inCollection, (*Raw).path, otherKind, "kind", (*Raw).label, OneWriter, true},
	{inCollection, atTexts, anyOther, "field", (*Raw).path, wholeDatabase, true},
	// A directory of files has one model, for example a collection for each year.
	{inDatabase, atHolder, alikeElsewhere, "collection", (*Raw).label, OneWriter, false},
	{inDatabase, atBeside, alikeElsewhere, "collection", (*Raw).label, OneWriter, false},
	{inDatabase, atPath, alikeElsewhere, "collection", (*Raw).label, OneWriter, false},
	{inDatabase, atPath, alikeElsewhere, "collection", (*Raw).label, wholeDatabase, true},
	{inDatabase, atPart, inOther, "collection", (*Raw).label, wholeDatabase, true},
	// A backup has the mistakes of its original.
	{inDatabase, atPath, inBackup, "collection", (*Raw).label, 2, false},
	// A value that is misspelt was copied to the fields beside it, and to those of other collections.
	{inKind, (*Raw).spelt, otherPath, "field", (*Raw).path, 2, true},
	{inDatabase, (*Raw).spelt, anyOther, "place", (*Raw).place, OneWriter, true},
	// The rule itself says that there is one cause.
	{inDatabase, atSureCause, anyOther, "place", (*Raw).place, OneWriter, true},
	{inDatabase, atCause, anyOther, "place", (*Raw).place, wholeDatabase, true},
}

// others are findings that one finding represents.
type others struct {
	noun string // for their places
	n    int64
}

// represent adds findings to those that r represents.
func (r *Raw) represent(more others) {
	for i := range r.alike {
		if r.alike[i].noun == more.noun {
			r.alike[i].n += more.n
			return
		}
	}
	r.alike = append(r.alike, more)
}

// together merges findings that have one cause. The most serious one represents
// all.
func together(found []Raw) []Raw {
	for _, g := range groupings {
		found = g.apply(found)
	}
	for i := range found {
		r := &found[i]
		r.Related = r.Related[:min(mostRelated, len(r.Related))]
		for _, o := range r.alike {
			same := "; the same in " + quantity.Of(o.n, "more "+o.noun)
			r.Message += same
			if len(r.Edits) > 0 {
				r.Fixes[0].Title += same
			}
		}
	}
	return found
}

// evidence is the evidence of a finding without its figures: the names and, for a
// rule that finds several kinds of mistake, the kind.
func evidence(r *Raw) (names []any) {
	for _, e := range r.Evidence {
		names = append(names, e.Name)
		if e.Name == "kind" {
			names = append(names, e.Value)
		}
	}
	return names
}

// apply merges each group into one finding.
func (g grouping) apply(found []Raw) []Raw {
	sets := map[[4]string][]int{}
	for i := range found {
		if r := &found[i]; g.at(r) != "" && (len(r.Edits) == 0 || g.fixes) {
			cause := [4]string{r.Rule, g.within(r), g.at(r), fmt.Sprint(len(r.Edits) > 0)}
			sets[cause] = append(sets[cause], i)
		}
	}
	told := map[int]bool{}
	for _, set := range sets {
		slices.SortStableFunc(set, func(a, b int) int { return worse(found[a], found[b]) })
		for len(set) >= g.least {
			first, alike, rest := set[0], []int(nil), []int(nil)
			for _, i := range set[1:] {
				if g.differ(&found[i], &found[first]) {
					alike = append(alike, i)
				} else {
					rest = append(rest, i)
				}
			}
			if set = rest; len(alike)+1 < g.least {
				continue
			}
			r := &found[first]
			for _, i := range alike {
				r.represent(others{g.others, 1})
				for _, o := range found[i].alike {
					if o.noun == g.others {
						r.represent(o)
					}
				}
				r.Edits = append(r.Edits, found[i].Edits...)
				told[i] = true
				r.Related = append(r.Related, RawRelated{Message: "the same in " + g.name(&found[i]), At: found[i].At})
			}
		}
	}
	kept := found[:0:0]
	for i, r := range found {
		if !told[i] {
			kept = append(kept, r)
		}
	}
	return kept
}

// worse sorts the finding first that represents the others.
func worse(a, b Raw) int {
	shown := func(r Raw) int { return int(2 * r.Confidence) }
	return cmp.Or(
		cmp.Compare(shown(b), shown(a)),
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(b.Confidence, a.Confidence),
		cmp.Compare(b.about.N(), a.about.N()),
		cmp.Compare(b.values, a.values),
		cmp.Compare(len(b.Spellings), len(a.Spellings)),
		cmp.Compare(a.about.Collection.Name, b.about.Collection.Name),
		cmp.Compare(a.about.Kind, b.about.Kind),
		cmp.Compare(a.Subject.Path, b.Subject.Path),
		a.At.Compare(b.At),
	)
}
