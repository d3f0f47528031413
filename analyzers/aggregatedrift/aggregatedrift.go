// Package aggregatedrift reports stored counts and totals that code lets drift
// away from the list they are made of.
//
// A count next to a list saves a query as long as every write that changes the
// list changes the count too. The rule pairs the two by name, looks at every
// append and every update of the list, and reports the count if one of them
// does not change it.
package aggregatedrift

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports counts and totals that are not kept in step with their list.
var Rule = check.Rule{Name: "aggregate-drift", Run: run}

func run(p *check.Pass) {
	for _, count := range p.Fields() {
		if count.Kind != docmodel.Number || !count.Scalar() {
			continue
		}
		for _, list := range count.Siblings() {
			if !list.List() || capped(list) {
				continue
			}
			switch {
			case refs.Counts(count, list), tallies(p, count, list):
			case sums(p.Words(), count, list):
				if !raises(p, count, list) {
					continue // only code that maintains the total shows that it belongs to this list
				}
			default:
				continue
			}
			if f, ok := judge(p, count, list); ok {
				p.Report(f)
				break
			}
		}
	}
}

// capped reports whether the list holds only part of what is counted.
func capped(list *docmodel.Field) bool {
	return slices.ContainsFunc(list.Updates, func(u *docmodel.Update) bool { return u.Sliced || u.Op == "$pop" }) ||
		slices.ContainsFunc(list.Writes, func(w *docmodel.FieldWrite) bool { return w.Guarded })
}

// tallies reports whether code shows that a number counts a list, whatever its
// name: one update adds an element and increments the number, and another
// removes an element and decrements it. A version number only ever increases.
func tallies(p *check.Pass, count, list *docmodel.Field) bool {
	up, down := false, false
	for _, u := range list.Updated(listOps...) {
		for _, s := range u.Siblings() {
			if s.Op == "$inc" && s.Path == path(u, count) {
				by := s.Constant()
				up = up || by == step(u) && by == "1"
				down = down || by == step(u) && by == "-1"
			}
		}
	}
	return up && down
}

// sums reports whether a number may be a sum over the elements of a list: a
// total next to a list of objects that contain numbers.
func sums(words *lexicon.Lexicon, total, list *docmodel.Field) bool {
	tokens := lexicon.Tokens(total.GoName())
	if !slices.ContainsFunc(tokens, func(t string) bool { return slices.Contains(sumsWords(), t) }) {
		return false
	}
	return slices.ContainsFunc(list.Fields, func(f *docmodel.Field) bool {
		return f.Scalar() && f.Kind == docmodel.Number && !words.Has(lexicon.Metadata, f.GoName()) && !words.Has(lexicon.LookupValue, f.GoName()) // nobody adds up codes
	})
}

// raises reports whether code that changes the list changes the total by something, or
// computes it from the list. What only sets both may take them from anywhere.
func raises(p *check.Pass, total, list *docmodel.Field) bool {
	in := places(p)
	listChanges := changes(in, list)
	return slices.ContainsFunc(total.Updates, func(u *docmodel.Update) bool { return u.Op == "$inc" && listChanges[in(u.Pos, u.Func)] }) ||
		slices.ContainsFunc(total.Writes, func(w *docmodel.FieldWrite) bool {
			return listChanges[in(w.Pos, w.Func)] && (w.Kind == docmodel.Adds || w.Reads(total) || w.Reads(list))
		})
}

// A place is a function in which a field changes.
type place struct {
	file, function string
}

// places returns what tells in which function a position is.
func places(p *check.Pass) func(pos token.Pos, function string) place {
	return func(pos token.Pos, function string) place { return place{p.Program.File(pos), function} }
}

// A history records how code changes a list and its count.
type history struct {
	both     []token.Pos            // the list and the count change
	split    []*docmodel.Update     // the list changes, and the count in a separate write
	missing  []*docmodel.Update     // updates that change the list alone
	appends  []*docmodel.FieldWrite // statements that change the list alone
	alone    []token.Pos            // the count changes and the list does not
	twice    []*docmodel.Update     // the count changes even if the list stays the same
	stale    []*docmodel.Update     // the list changes, and the count is set to the number read before plus one
	measured []token.Pos            // the count is set to the length of the list
	compared []token.Pos            // the count is compared with the length of the list
}

func (h history) together() bool { return len(h.both) > 0 }

var listOps = []string{"$push", "$addToSet", "$pushAll", "$pull", "$pullAll"}

func watch(p *check.Pass, count, list *docmodel.Field) history {
	h := alongside(p, count, list)
	if by := byTwo(p, count, list); by != nil && len(h.split) == 0 {
		h.split, h.both = append(h.split, by), append(h.both, by.Pos)
	}
	return h
}

// alongside returns what code does to a list and to its count within each
// function.
func alongside(p *check.Pass, count, list *docmodel.Field) history {
	var h history
	h.measured, h.compared = measures(p, count, list)
	in := places(p)
	countChanges, listChanges, computed := changes(in, count), changes(in, list), map[string]bool{}
	for _, u := range count.Updates {
		if u.Sized {
			computed[p.Program.File(u.Pos)] = true
		}
	}
	for _, u := range list.Updated(listOps...) {
		switch {
		case u.Ambiguous || computed[p.Program.File(u.Pos)]: // perhaps of other documents, or the count is computed afterwards
		case !countChanges[in(u.Pos, u.Func)]:
			h.missing = append(h.missing, u)
		default:
			h.changes(p, u, count, list)
		}
	}
	for _, w := range list.Writes {
		switch {
		case w.Kind != docmodel.Appends || w.Fresh:
		case !countChanges[in(w.Pos, w.Func)]:
			h.appends = append(h.appends, w)
		default:
			h.both = append(h.both, w.Pos)
		}
	}
	for _, u := range count.Updates {
		if !u.Sized && !listChanges[in(u.Pos, u.Func)] {
			h.alone = append(h.alone, u.Pos)
		}
	}
	for _, w := range count.Writes {
		if !w.Fresh && !listChanges[in(w.Pos, w.Func)] && !slices.Contains(h.measured, w.Pos) && w.Kind == docmodel.Adds {
			h.alone = append(h.alone, w.Pos)
		}
	}
	return h
}

// changes records an update of the list in a function that also changes the count.
func (h *history) changes(p *check.Pass, u *docmodel.Update, count, list *docmodel.Field) {
	h.both = append(h.both, u.Pos)
	if separately(p, u, count, list) {
		h.split = append(h.split, u)
	}
	if increments(u, count) && (u.Op == "$addToSet" || u.Op == "$pull") && unconditional(u, list) && !p.Program.Looks(u, list) {
		h.twice = append(h.twice, u)
	}
	if overwrites(p, u, count) {
		h.stale = append(h.stale, u)
	}
}

// byTwo returns the update that sets a list, if one function calls both its
// function and another that sets the count.
func byTwo(p *check.Pass, count, list *docmodel.Field) *docmodel.Update {
	for _, u := range list.Updated("$set") {
		for _, c := range count.Updated("$set", "$inc") {
			if fn := p.Program.CallsBoth(u, c); fn != nil && c.In != u.In && !p.Program.InTransaction(u) {
				by := *u
				by.Func = fn.Name()
				return &by
			}
		}
	}
	return nil
}

// measures returns where the count is set to the length of the list, and where
// the two are compared.
func measures(p *check.Pass, count, list *docmodel.Field) (set, compared []token.Pos) {
	for _, m := range p.Program.Measures(count.Var) {
		switch {
		case m.List != list.Var:
		case m.Sets:
			set = append(set, m.Pos)
		default:
			compared = append(compared, m.Pos)
		}
	}
	return set, compared
}

// changes returns the functions that change a field.
func changes(in func(pos token.Pos, function string) place, f *docmodel.Field) map[place]bool {
	found := map[place]bool{}
	for _, u := range f.Updates {
		found[in(u.Pos, u.Func)] = true
	}
	for _, w := range f.Writes {
		found[in(w.Pos, w.Func)] = true
	}
	return found
}

// separately reports whether the function of a list update changes the count in
// another update, outside a transaction, and no update or statement changes
// both.
func separately(p *check.Pass, u *docmodel.Update, count, list *docmodel.Field) bool {
	if slices.ContainsFunc(count.Writes, func(w *docmodel.FieldWrite) bool { return w.In == u.In }) {
		return false
	}
	found := false
	for _, c := range count.Updates {
		if c.In != u.In || c.Op != "$inc" || c.Outer == nil || u.Outer == nil { // operations of one call happen at once
			continue
		}
		if slices.ContainsFunc(c.Siblings(), func(s *docmodel.Update) bool { return s.PlainPath() == list.Dotted }) {
			return false
		}
		found = true
	}
	return found && u.In != nil && !p.Program.InTransaction(u)
}

// increments reports whether the update that changes a list also changes the
// count with $inc.
func increments(u *docmodel.Update, count *docmodel.Field) bool {
	return slices.ContainsFunc(u.Siblings(), func(s *docmodel.Update) bool { return s.Op == "$inc" && s.Path == path(u, count) })
}

// overwrites reports whether the update that changes a list sets the count to a
// number that was read before. In a transaction, or if the filter names a field
// that the update changes, nobody can have changed it in between.
func overwrites(p *check.Pass, u *docmodel.Update, count *docmodel.Field) bool {
	return !p.Program.InTransaction(u) && slices.ContainsFunc(u.Siblings(), func(s *docmodel.Update) bool {
		return s.Op == "$set" && s.Path == path(u, count) && p.Program.Steps(s, count)
	}) && !slices.ContainsFunc(u.Siblings(), func(s *docmodel.Update) bool { return slices.Contains(u.Filters, s.Path) })
}

// unconditional reports whether an update selects its document without a
// condition on the list.
func unconditional(u *docmodel.Update, list *docmodel.Field) bool {
	return len(u.Filters) > 0 && !slices.ContainsFunc(u.Filters, func(path string) bool {
		return strings.HasPrefix(path, list.Dotted) || strings.HasPrefix(path, "$")
	})
}

// judge decides whether the count drifts.
func judge(p *check.Pass, count, list *docmodel.Field) (check.Finding, bool) {
	h := watch(p, count, list)
	if len(h.measured) > 0 {
		h.appends = nil // the whole document is written back with a new count
	}
	s := &check.Score{}
	s.Add(0, "list", list.Path)
	f := check.Finding{Field: count, Severity: finding.Warning}
	name := count.Document.Name
	switch {
	case len(h.missing) > 0:
		u := h.missing[0]
		f.Message = fmt.Sprintf("%s drifts from %s: %s changes %s but not the %s", count.Path, list.Path, where(u.Func, u.Op), list.Name, count.Name)
		f.Advice = fmt.Sprintf("Change both in one update: add {$inc: {%s: %s}} next to the %s.", path(u, count), step(u), u.Op)
		f.Confidence = 0.7
		f.Fix = increment(p, u, count)
		if sums(p.Words(), count, list) && !refs.Counts(count, list) {
			f.Advice = fmt.Sprintf("Change both in one update: %s must change by what the %s adds.", path(u, count), u.Op)
			f.Fix = check.Plan("change %s in the same update", count.Path)
		}
	case len(h.appends) > 0 && (h.together() || len(h.compared) > 0 || len(h.alone) == 0):
		w := h.appends[0]
		f.Message = fmt.Sprintf("%s drifts from %s: %s adds to %s but does not change the %s", count.Path, list.Path, w.Func, list.Name, count.Name)
		f.Advice = fmt.Sprintf("Set %s where %s changes, or take the length of %s when the %s is read.", count.GoName(), list.GoName(), list.GoName(), name)
		f.Confidence = 0.6
	case len(h.twice) > 0:
		u := h.twice[0]
		what := "adds nothing when the list holds the value"
		if u.Op == "$pull" {
			what = "removes nothing when no element matches"
		}
		f.Message = fmt.Sprintf("%s drifts from %s: %s (%s) %s, but the %s changes all the same", count.Path, list.Path, u.Func, u.Op, what, count.Name)
		f.Advice = fmt.Sprintf("Check in the filter of the update whether %s contains the value, so that both change or neither does.", list.Dotted)
		f.Confidence = 0.7
	case len(h.stale) > 0:
		u, sum := h.stale[0], "plus one"
		if step(u) == "-1" {
			sum = "minus one"
		}
		f.Message = fmt.Sprintf("%s drifts from %s: %s sets the %s to the number it read %s, so two requests at the same time count once", count.Path, list.Path, where(u.Func, u.Op), count.Name, sum)
		f.Advice = fmt.Sprintf("Let the database count: replace the $set of %s by {$inc: {%s: %s}} next to the %s.", count.Name, path(u, count), step(u), u.Op)
		f.Confidence = 0.7
	case len(h.split) > 0:
		u := h.split[0]
		f.Message = fmt.Sprintf("%s drifts from %s: %s changes them in two writes, and one may fail", count.Path, list.Path, u.Func)
		f.Advice = fmt.Sprintf("Change both in one update: put the %s of %s and the change of %s into one document.", u.Op, list.Name, count.Name)
		f.Confidence = 0.7
	case len(h.compared) > 0 && len(h.measured) == 0:
		f.Message = fmt.Sprintf("%s is stored next to %s and must equal its length", count.Path, list.Path)
		f.Advice = fmt.Sprintf("Take the length of %s when the %s is read, unless queries sort or filter by %s.", list.GoName(), name, count.Name)
		f.Confidence, f.Severity = 0.4, finding.Info
	default:
		return f, false
	}
	if len(h.alone) > 0 && !h.together() && len(h.compared) == 0 {
		return f, false // other code changes it, so it counts something else
	}
	evidence(s, h, list)
	if f.Confidence >= 0.6 && (h.together() || len(h.compared) > 0) && len(h.twice)+len(h.stale) == 0 {
		f.Confidence = 0.85
	}
	f.Evidence, f.Related = s.Evidence, s.Related
	return f, true
}

func where(function, op string) string {
	if function == "" {
		return "an update by " + op
	}
	return function + " (" + op + ")"
}

func step(u *docmodel.Update) string {
	if u.Op == "$pull" || u.Op == "$pullAll" {
		return "-1"
	}
	return "1"
}

func evidence(s *check.Score, h history, list *docmodel.Field) {
	for _, u := range h.missing {
		s.Add(0, "changes the list alone", u.Op+" in "+u.Func)
		s.At(u.Pos, "%s changes %s, but not the count", u.Op, list.Name)
	}
	for _, w := range h.appends {
		s.Add(0, "changes the list alone", "append in "+w.Func)
		s.At(w.Pos, "append to %s without the count", list.GoName())
	}
	for _, u := range h.split {
		s.Add(0, "changes in two writes", u.Func)
		s.At(u.Pos, "%s changes here, the count in a write of its own", list.Name)
	}
	for _, u := range h.twice {
		s.Add(0, "counts what may not change", u.Op+" in "+u.Func)
		s.At(u.Pos, "%s may leave %s as it is", u.Op, list.Name)
	}
	for _, u := range h.stale {
		s.Add(0, "counts what was read", u.Op+" in "+u.Func)
		s.At(u.Pos, "%s changes here, and the count is set to a number that was read before", list.Name)
	}
	if len(h.both) > 0 {
		s.Add(0, "kept in step elsewhere", len(h.both))
		s.At(h.both[0], "here both change")
	}
	if len(h.compared) > 0 {
		s.Add(0, "compared with the length", len(h.compared))
		s.At(h.compared[0], "here the two have to be equal")
	}
}

var sumsWords = rulebook.Words("aggregate-drift", "sums")
