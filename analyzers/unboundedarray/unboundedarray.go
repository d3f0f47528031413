// Package unboundedarray reports lists in documents that keep growing.
//
// A list that gains an element with every comment, event or order makes its
// document grow forever: reads and writes slow down, and one day the document
// hits the size limit of the database. The rule adds up what the code shows: an
// append or a $push that nothing bounds, elements with their own id and time, a
// name for things that keep coming.
package unboundedarray

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports lists that grow without bound.
var Rule = check.Rule{Name: "unbounded-array", Run: run, Ask: ask, Declared: declared}

// guess is the probability from which a list is reported; below one half it is
// reported only as a guess.
const guess = 0.3

// warned is the probability from which it is a warning. Readers welcomed none of the
// findings in fresh programs that were less sure: docs/accuracy.md.
const warned = 0.7

func run(p *check.Pass) {
	weights := p.Weights()
	for _, f := range p.Fields() {
		if f.Lists == 0 || exempt(p, f) || projected(p, f) {
			continue
		}
		s := weigh(p, weights, f)
		if f.Map() && (s.growth == nil || s.growth.Kept != docmodel.IsKept) { // lists below its keys
			continue
		}
		confidence := s.Probability()
		if p.Suspected(f) {
			s.grows, confidence = true, max(confidence, 0.7)
		}
		if confidence < guess || !s.grows {
			continue
		}
		severity := finding.Warning
		if confidence < warned {
			severity = finding.Info
		}
		p.Report(check.Finding{
			Field: f, Severity: severity, Confidence: confidence,
			Message: message(f, s), Advice: advice(f, s), Evidence: s.Evidence, Related: s.Related, Fix: fix(p, f, s),
		})
	}
}

// projected reports whether the document type only reads a selection of
// another's fields: it is never written, no code changes the list, nobody
// declared it, and a type written to the same place has all of its fields. The
// list is reported there.
func projected(p *check.Pass, f *docmodel.Field) bool {
	d := f.Document
	adds := func(w *docmodel.FieldWrite) bool { return w.Kind == docmodel.Appends }
	if d.Written || d.Confidence == 1 || f.Changed() || slices.ContainsFunc(f.Writes, adds) {
		return false
	}
	return slices.ContainsFunc(p.Program.Documents(), func(other *docmodel.Document) bool {
		return (other.Written || other.Confidence >= d.Confidence) && !other.View && !docmodel.Disjoint(d.Collections, other.Collections) && d.Selects(other)
	})
}

// limitTag matches a validator's limit on the length. max=0 says who must not
// fill the list, not how long it gets.
var limitTag = lazyregexp.New(`\b(max|lte|len|lt)=[1-9]`)

// exempt reports whether something declares the list bounded.
func exempt(p *check.Pass, f *docmodel.Field) bool {
	return f.Array > 0 || f.Directive("bounded") != nil || limitTag.MatchString(f.RawTag) ||
		p.Program.Retired(f)
}

// A score is the evidence for a list that grows.
type score struct {
	check.Score
	weights    check.Weights
	grows      bool             // there is evidence beyond the structure of the elements
	growth     *docmodel.Growth // code that adds elements one by one
	content    bool             // elements are entities with an id and a time
	named      bool             // its name is one of things that keep coming
	added      bool             // and one of things that are only added to
	losses     []docmodel.Loss  // code that removes elements, except entities
	references bool
	back       *docmodel.Field // of the documents that it lists, which refer to its owner
}

func (s *score) weigh(name string, value any) { s.Weigh(s.weights, name, value) }

func weigh(p *check.Pass, weights check.Weights, f *docmodel.Field) *score {
	s := &score{weights: weights, references: f.Kind == docmodel.ObjectID || f.Kind.IsID() && refs.Stem(f) != ""}
	s.Points = weights.Start()
	words := p.Words()
	growths := p.Program.Growths(f)
	if len(growths) > 0 {
		s.growth = &growths[0]
	}
	if !s.references && (f.Kind == docmodel.String || f.Kind == docmodel.Number) {
		addedIDs(s, p, f, growths)
	}
	if f.Kind == docmodel.Object {
		elements(s, p, f)
	}
	// Deleting a comment does not stop the next. If the name is not one of things
	// that keep coming, such as credentials, whoever removes elements keeps the
	// list small.
	losses := p.Program.Losses(f)
	if !s.content && !endsIn(relations(), f.GoName()) {
		s.losses = losses
	}
	named(s, words, f)
	if !s.grows {
		s.losses = losses
	}
	if f.Kind.IsID() {
		references(s, p, f)
	}
	growth(s, p, f, growths)
	if f.Kind == docmodel.String && !s.references && !s.added {
		s.weigh("elements are texts", true)
	}
	if f.Kind == docmodel.Number && !s.references || f.Kind == docmodel.Bool {
		s.weigh("elements are numbers", true)
	}
	siblings := f.Siblings()
	if i := slices.IndexFunc(siblings, func(n *docmodel.Field) bool { return n.Kind == docmodel.Number && n.Scalar() && refs.Counts(n, f) }); i >= 0 {
		s.weigh("counter", siblings[i].GoName())
	}
	bounds(s, p, f, growths)
	return s
}

var (
	onlyAdded   = rulebook.WordSet("unbounded-array", "only-added")
	talk        = rulebook.WordSet("unbounded-array", "talk")
	relations   = rulebook.WordSet("unbounded-array", "relations")
	formerTypes = rulebook.WordSet("unbounded-array", "former-types")
	people      = rulebook.WordSet("unbounded-array", "people")
	beginnings  = rulebook.WordSet("unbounded-array", "beginnings")
	endings     = rulebook.WordSet("unbounded-array", "endings")

	expiries      = rulebook.Words("unbounded-array", "expiries")
	laterWords    = rulebook.Words("unbounded-array", "later-times")
	passingStates = rulebook.Words("unbounded-array", "passing-states")
)

// endsIn reports whether the last word of a name, or the last two, are among words.
func endsIn(words map[string]bool, name string) bool {
	tokens := lexicon.Tokens(name)
	last := len(tokens) - 1
	if last < 0 {
		return false
	}
	tokens[last] = lexicon.Singular(tokens[last])
	return words[tokens[last]] || last > 0 && words[tokens[last-1]+tokens[last]]
}

func named(s *score, words *lexicon.Lexicon, f *docmodel.Field) {
	for _, name := range []string{f.GoName(), f.Name, f.OwnerName() + f.GoName()} { // the Lines of a TestLog are log lines
		if !words.HasIn(lexicon.Unbounded, name, f.OwnerName()) && !endsIn(relations(), name) && !(f.Kind == docmodel.Object && words.HasIn(lexicon.Unbounded, lexicon.Plural(name), f.OwnerName())) {
			continue
		}
		if ownNoun(name, f.OwnerName()) {
			continue
		}
		s.grows, s.named = true, true
		s.weigh("name", name)
		onlyAdds := endsIn(onlyAdded(), name)
		if onlyAdds || f.Kind == docmodel.Object && endsIn(talk(), name) {
			s.added = true
			// What is stored without code that adds to it is written as a whole: the log of a
			// finished build, the messages of a game. What says who added it and when was
			// added by many.
			if len(s.losses) == 0 && (s.growth != nil || onlyAdds && f.Parent == nil ||
				(f.Parent == nil || f.Parent.Lists > 0) && (!f.Document.Written || contributed(f))) {
				s.weigh("only added to", name)
			}
		}
		return
	}
}

// contributed reports whether the elements of a list say who added each and when.
func contributed(f *docmodel.Field) bool {
	return docmodel.Timestamp(f.Fields) != nil && slices.ContainsFunc(f.Fields, func(by *docmodel.Field) bool {
		return by.Scalar() && people()[lexicon.Singular(refs.Stem(by))]
	})
}

// ownNoun reports whether a list is named after its holder: the order_list of
// an order holds what was ordered.
func ownNoun(name, owner string) bool {
	tokens := lexicon.Tokens(name)
	if len(tokens) > 1 && tokens[len(tokens)-1] == "list" {
		tokens = tokens[:len(tokens)-1]
	}
	return len(tokens) == 1 && strings.EqualFold(lexicon.Singular(tokens[0]), owner)
}

// growth looks for code that adds to the list from one save to the next, for
// what runs that code, and for code that shortens or maintains the list.
func growth(s *score, p *check.Pass, f *docmodel.Field, growths []docmodel.Growth) {
	for _, g := range growths {
		if g.Bound {
			s.weigh("capped", g.Op+" in "+g.Func)
			s.At(g.Pos, "here its length is limited")
			return
		}
	}
	if limited := p.Program.Limited(f); limited.IsValid() {
		s.weigh("capped", "by other code")
		s.At(limited, "its length is limited here")
		return
	}
	if closedSet(p, f, growths) {
		s.weigh("a closed set", growths[0].Op+" in "+growths[0].Func)
	}
	own := slices.ContainsFunc(growths, func(g docmodel.Growth) bool { return p.Program.ByRequester(g, f) })
	if len(s.losses) > 0 && !own {
		removals(s, f)
	}
	if len(growths) == 0 {
		if outdated(f.Document) {
			s.weigh("an old form", f.Document.Name)
		}
		if p.Program.Emptied(f) || p.Program.Unset(f) {
			s.weigh("only emptied", true)
		}
		return
	}
	s.grows = true
	g := growths[0]
	if g.Kept == docmodel.IsKept {
		s.weigh("grows", g.Op+" in "+g.Func)
		if s.references {
			s.weigh("grows by references", true)
		}
	} else {
		s.weigh("may grow", g.Op+" in "+g.Func)
	}
	for _, g := range growths {
		s.At(g.Pos, "%s adds to it: %s", g.Op, g.Actor)
	}
	switch g.Actor.Kind {
	case docmodel.Request, docmodel.Requests:
		s.weigh("grows with requests", g.Actor.String())
		if strings.HasPrefix(g.Actor.Name, "GET ") {
			s.weigh("grows by reading", g.Actor.Name)
		}
	case docmodel.Job:
		s.weigh("grows in a loop", g.Actor.String())
	}
	if own {
		s.weigh("each user adds one", true)
		return
	}
	// A loop that looks first wants to know what is new, and there is always something new.
	if g.Actor.Kind != docmodel.Job && !slices.ContainsFunc(growths, func(other docmodel.Growth) bool { return !other.Looks && other.Kept == g.Kept }) {
		s.weigh("looks first", true)
	}
	if !slices.ContainsFunc(growths, func(other docmodel.Growth) bool { return !other.OneKind && other.Kept == g.Kept }) {
		s.weigh("one of a kind", true)
	}
	if !slices.ContainsFunc(growths, func(other docmodel.Growth) bool { return !other.Swaps && other.Kept == g.Kept }) {
		s.weigh("replaces", g.Actor.String())
	}
}

// lapse reports whether the elements of a list say when they expire, but code only takes out
// one that it is given: the token of who logs out. The others stay when they have expired.
func lapse(f *docmodel.Field, losses []docmodel.Loss) bool {
	return slices.ContainsFunc(f.Fields, func(at *docmodel.Field) bool { return at.Kind == docmodel.Time && hasWord(at, expiries()) }) &&
		!slices.ContainsFunc(losses, func(l docmodel.Loss) bool { return l.Op != "$pull" || l.Many || l.Moves })
}

// removals weighs the code that removes elements.
func removals(s *score, f *docmodel.Field) {
	if lapse(f, s.losses) {
		return
	}
	s.weigh("removes too", s.losses[0].Op+" in "+s.losses[0].Func)
	s.At(s.losses[0].Pos, "%s takes elements out", s.losses[0].Op)
	if i := slices.IndexFunc(s.losses, func(l docmodel.Loss) bool { return l.Many }); i >= 0 {
		s.weigh("removes what is done", s.losses[i].Func)
	}
	if i := slices.IndexFunc(s.losses, func(l docmodel.Loss) bool { return l.Moves }); i >= 0 {
		s.weigh("moves on", s.losses[i].Func)
	}
}

// closedSet reports whether code adds only what it spells out or the document names, each once.
func closedSet(p *check.Pass, f *docmodel.Field, growths []docmodel.Growth) bool {
	return len(growths) > 0 && !slices.ContainsFunc(growths, func(g docmodel.Growth) bool {
		return !g.Looks || !p.Program.SpellsOut(g) && !p.Program.Names(g, f)
	})
}

// outdated reports whether a type is a former form of documents: its name says
// so, or it is among migrations.
func outdated(d *docmodel.Document) bool {
	tokens := lexicon.Tokens(d.Name)
	return len(tokens) > 0 && formerTypes()[tokens[0]] || strings.Contains(strings.ToLower(d.PkgPath), "migration")
}

// elements examines the list's elements.
func elements(s *score, p *check.Pass, f *docmodel.Field) {
	name := ""
	if f.Struct != nil {
		name = f.Struct.Obj().Name()
	}
	later := func(at *docmodel.Field) bool { return hasWord(at, laterWords()) } // it was confirmed, it is due
	id, at := docmodel.ID(f.Fields, name), docmodel.Timestamp(slices.DeleteFunc(slices.Clone(f.Fields), later))
	switch {
	case id == nil, refersElsewhere(p, id, name, f.Document):
	case own(id):
		s.weigh("elements have an id", id.GoName())
		s.content = at != nil
	default:
		s.weigh("elements have a key", id.GoName())
	}
	// If elements come one by one, a time says when. In a list that is only
	// written as a whole, such as a request body, it is just another property. If
	// code searches for the element first, it is the time of the last change.
	if at != nil && s.growth != nil && !s.growth.Looks {
		s.weigh("elements have a time", at.GoName())
	}
	if d := p.Program.Document(f.Struct); d != nil && d.Confidence >= finding.Probable && d != f.Document {
		if f.Document.OnlyRead() && s.growth == nil {
			s.weigh("elements are read from elsewhere", d.Name)
		} else {
			s.weigh("elements are documents too", d.Name)
		}
	}
	for _, inner := range f.Fields {
		if inner.List() && inner.Has(p.Words(), lexicon.Unbounded) {
			s.weigh("elements hold a growing list", inner.GoName())
			break
		}
	}
}

// hasWord reports whether one of the words is in the name of a field.
func hasWord(f *docmodel.Field, words []string) bool {
	return slices.ContainsFunc(lexicon.Tokens(f.GoName()), func(word string) bool { return slices.Contains(words, word) })
}

// refersElsewhere reports whether a field is the id of another document, like
// the task of a dependency.
func refersElsewhere(p *check.Pass, id *docmodel.Field, element string, from *docmodel.Document) bool {
	stem := refs.Stem(id)
	return stem != "" && !refs.Names(stem, element) && refs.Target(p.Program, stem, from) != nil
}

// own reports whether a field is an id made for the element rather than the
// name or number of something else.
func own(id *docmodel.Field) bool {
	return strings.HasSuffix(lexicon.Fold(id.Name), "id") || strings.HasSuffix(lexicon.Fold(id.GoName()), "id") ||
		id.Kind == docmodel.ObjectID || id.Kind == docmodel.UUID
}

// maxRelation is the largest number of fields of a document that does little
// more than connect two others, unless it is named after both.
const maxRelation = 8

var lastN = lazyregexp.New(`(?i)\b(last|latest|most recent|first|top|up to|at most)\s+(\d+|n|ten|five|few)\b`)

// long matches comments that say a list has no end.
var long = lazyregexp.New(`(?i)\b(can|may|could|might|will) (be|get|become|grow) (very |quite |too )?(large|huge|big|long)\b|\bunbounded\b|\bwithout (limit|bound)`)

// bounds looks for signs that the list stays small.
func bounds(s *score, p *check.Pass, f *docmodel.Field, growths []docmodel.Growth) {
	words := p.Words()
	switch {
	case f.Has(words, lexicon.BoundMarker):
		s.weigh("a selection by name", f.GoName())
	case long.MatchString(f.Comment()):
		s.weigh("comment", strings.TrimSpace(f.Comment()))
	case lastN.MatchString(f.Comment()):
		s.weigh("a selection by its comment", strings.TrimSpace(f.Comment()))
	}
	if f.Has(words, lexicon.Bounded) {
		s.weigh("few by name", f.GoName())
	}
	if end := ends(f); end != nil && !s.references && !long.MatchString(f.Comment()) {
		s.weigh("its owner ends", end.GoName())
	}
	if g := s.growth; g != nil && g.Update != nil && slices.ContainsFunc(f.Document.Fields, func(by *docmodel.Field) bool {
		return slices.Contains(g.Update.Exactly, by.Name) && docmodel.Timestamp([]*docmodel.Field{by}) != nil
	}) {
		s.weigh("a document of one time", strings.Join(g.Update.Exactly, ", "))
	}
	if s.growth != nil && waits(p, f, growths) {
		s.weigh("adds while it waits", f.Document.Name)
	}
	if state := stateOf(p, f, growths); s.growth != nil && state != nil && !s.content {
		s.weigh("elements record a state", state.GoName())
	}
	if s.growth != nil && s.growth.Kept == docmodel.IsKept {
		return // code keeps adding to it, whatever its name
	}
	for _, owner := range []string{f.Document.Name, f.OwnerName()} {
		if words.Has(lexicon.HistoricalParent, owner) && !s.named {
			s.weigh("fixed when it was recorded", owner)
			break
		}
	}
}

// stateOf returns a field beside a list from whose closed set of values the elements hold
// one, too, such as the status to which an order changed, or nil. The list is then as
// long as the way of its owner through these states. What has an id and a time of its own
// has a state of its own: a comment is deleted, as a post is. The elements may also be the
// states themselves, as texts.
func stateOf(p *check.Pass, f *docmodel.Field, growths []docmodel.Growth) *docmodel.Field {
	if f.Kind == docmodel.String {
		return p.Program.OwnState(f, growths)
	}
	for _, state := range f.Siblings() {
		if state.Scalar() && docmodel.Enumeration(state.Elem) && slices.ContainsFunc(f.Fields, func(inner *docmodel.Field) bool {
			return inner.Scalar() && types.Identical(inner.Elem, state.Elem)
		}) {
			return state
		}
	}
	return nil
}

// waits reports whether all code that adds to a list requires a state that its document
// soon leaves. What answers a proposal until it is accepted are few elements.
func waits(p *check.Pass, f *docmodel.Field, growths []docmodel.Growth) bool {
	return !slices.ContainsFunc(growths, func(g docmodel.Growth) bool {
		states := p.Program.Requires(g, f)
		return len(states) == 0 || slices.ContainsFunc(states, func(state string) bool {
			return !slices.ContainsFunc(lexicon.Tokens(state), func(word string) bool { return slices.Contains(passingStates(), word) })
		})
	})
}

// ends returns the time at which the owner of a list ended, if it also has a
// start time. It is then a run, during which the list grows.
func ends(f *docmodel.Field) (end *docmodel.Field) {
	around := f.Siblings()
	for _, sibling := range f.Siblings() {
		if sibling.Lists+sibling.Maps == 0 {
			around = slices.Concat(around, sibling.Fields) // the status
		}
	}
	start := slices.ContainsFunc(around, func(f *docmodel.Field) bool { return beginnings()[moment(f)] })
	for _, f := range around {
		if start && endings()[moment(f)] && docmodel.Timestamp([]*docmodel.Field{f}) != nil {
			end = f
		}
	}
	return end
}

// moment is the name of a field in small letters, without what ran.
func moment(f *docmodel.Field) string {
	name := strings.Join(lexicon.Tokens(f.GoName()), "")
	return strings.TrimPrefix(strings.TrimPrefix(name, "execution"), "run")
}

// message names the collection and the path, quotes the line that adds to the
// list and says what runs it.
func message(f *docmodel.Field, s *score) string {
	what := "grows without bound"
	if s.Points < 0 {
		what = "may grow without bound"
	}
	if g := s.growth; g != nil {
		return fmt.Sprintf("%s %s: %s adds to the list in %s (%s)", f.Path, what, g.Actor, stored(f), g.Line())
	}
	kind := "elements"
	if s.references {
		kind = "references"
	}
	return fmt.Sprintf("%s %s: each %s keeps all its %s in one document", f.Path, what, stored(f), kind)
}

// stored returns the type of a document, with its collection if known.
func stored(f *docmodel.Field) string {
	if len(f.Document.Collections) == 1 && f.Document.Collections[0] != f.Document.Name {
		return fmt.Sprintf("%s (collection %s)", f.Document.Name, f.Document.Collections[0])
	}
	return f.Document.Name
}

func advice(f *docmodel.Field, s *score) string {
	if s.back != nil {
		return fmt.Sprintf("%s.%s says so already: remove %s from %s, and query by that.", s.back.Document.Name, s.back.GoName(), f.Name, f.Document.Name)
	}
	if s.references {
		return fmt.Sprintf("Store the reference on the other side: give each one the id of its %s, and query by that.", f.Document.Name)
	}
	return fmt.Sprintf("Keep the few most recent in the %s, and store each one as a document with the id of the %s.", f.Document.Name, f.Document.Name)
}
