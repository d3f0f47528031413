package check

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/quantity"
)

// OneWriter is the number of fields or collections from which the same mistake has
// one writer.
const OneWriter = 3

// wholeDatabase is the number of places all over a database from which what a rule
// says has one cause is told once.
const wholeDatabase = 6

// shownBeside is how many of the others a finding shows.
const shownBeside = 5

// together makes one finding of those that have one cause: the same mistake in
// several fields of one free object or of the objects of a map, or that begins with
// one document in several fields beside each other, as one writer leaves it; at one
// path in several kinds of document; and the same in several collections with alike documents, as a directory of files that hold
// one model or a collection for each year. So it is with what a rule says has one cause. The worst one stands for all.
func together(found []Raw) []Raw {
	at := []func(*Raw) string{
		func(r *Raw) string { return r.holder },
		func(r *Raw) string { return r.beside },
		func(r *Raw) string { return cmp.Or(r.Subject.Path, ".") },
	}
	begins := func(r *Raw) string {
		if first := r.about.Root().FirstAny(); !r.At.Known() || r.At.File == first.File && r.At.Doc == first.Doc {
			return "" // what most documents have begins with the first of them
		}
		return fmt.Sprint(r.within, r.At.File, r.At.Doc, evidence(r))
	}
	for _, at := range append([]func(*Raw) string{begins}, at[:2]...) {
		found = one(found, func(r *Raw) string { return r.about.Collection.Name + "\x00" + r.about.Kind }, at,
			func(r, first *Raw) bool { return r.Subject.Path != first.Subject.Path },
			"field", func(r *Raw) string { return r.Subject.Path })
	}
	found = one(found, func(r *Raw) string { return r.about.Collection.Name }, func(r *Raw) string { return r.Subject.Path },
		func(r, first *Raw) bool { return r.about.Kind != first.about.Kind }, "kind", func(r *Raw) string { return r.about.Label() })
	for _, at := range at {
		found = one(found, func(*Raw) string { return "" }, at,
			func(r, first *Raw) bool {
				return r.about.Collection != first.about.Collection && r.about.Alike(first.about)
			},
			"collection", func(r *Raw) string { return r.about.Label() })
	}
	return one(found, func(*Raw) string { return "" }, func(r *Raw) string { return r.Cause }, func(_, _ *Raw) bool { return true },
		"place", func(r *Raw) string { return r.about.Label() + "." + r.Subject.Path })
}

// evidence is what a finding rests on, without the figures: the names and, for a
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

// one makes one finding of those of a rule that are of one thing and at one place,
// and go with the worst of them; others is what they are in, and name says which
// one that is. Findings that are at no place stay.
func one(found []Raw, of, at func(*Raw) string, with func(r, first *Raw) bool, others string, name func(*Raw) string) []Raw {
	sets := map[[4]string][]int{}
	for i := range found {
		if r := &found[i]; at(r) != "" && (len(r.Edits) == 0 || others != "collection") { // a fix is applied in the collection where it is told
			cause := [4]string{r.Rule, of(r), at(r), fmt.Sprint(len(r.Edits) > 0)}
			sets[cause] = append(sets[cause], i)
		}
	}
	told := map[int]bool{}
	for _, set := range sets {
		slices.SortStableFunc(set, func(a, b int) int { return worse(found[a], found[b]) })
		least := OneWriter
		if others == "place" {
			least = wholeDatabase
		}
		for len(set) >= least {
			first, alike, rest := set[0], []int(nil), []int(nil)
			for _, i := range set[1:] {
				if with(&found[i], &found[first]) {
					alike = append(alike, i)
				} else {
					rest = append(rest, i)
				}
			}
			if set = rest; len(alike)+1 < least {
				continue
			}
			r := &found[first]
			same := "; the same in " + quantity.Of(int64(len(alike)), "more "+others)
			r.Message += same
			if len(r.Edits) > 0 {
				r.Fixes[0].Title += same
			}
			for n, i := range alike {
				r.Edits = append(r.Edits, found[i].Edits...)
				if told[i] = true; n < shownBeside {
					r.Related = append(r.Related, RawRelated{Message: "the same in " + name(&found[i]), At: found[i].At})
				}
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

// worse has the finding first that stands for others.
func worse(a, b Raw) int {
	shown := func(r Raw) int { return int(2 * r.Confidence) }
	return cmp.Or(
		cmp.Compare(shown(b), shown(a)),
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(b.Confidence, a.Confidence),
		cmp.Compare(b.about.N(), a.about.N()),
		cmp.Compare(b.values, a.values),
		cmp.Compare(a.about.Collection.Name, b.about.Collection.Name),
		cmp.Compare(a.about.Kind, b.about.Kind),
		cmp.Compare(a.Subject.Path, b.Subject.Path),
		a.At.Compare(b.At),
	)
}
