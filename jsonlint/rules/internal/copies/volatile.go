package copies

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
)

// Reported returns the places that volatile-embed reports as more than a guess, so
// that other rules need not report them again. There are none if it does not run.
func Reported(p *check.Pass, all []*Site) map[*Site]*Volatile {
	reported := map[*Site]*Volatile{}
	if p.Runs("volatile-embed") {
		for _, v := range AllVolatile(p, all) {
			if v.Confidence >= finding.Probable {
				reported[v.Site] = v
			}
		}
	}
	return reported
}

// Stale reports whether copies in the field that shows change differ from their
// originals, which is what volatile-embed then says.
func (v *Volatile) Stale() bool { return v != nil && v.Speaking != nil && v.Speaking.Stale > 0 }

// AllVolatile judges the places, outermost first. Objects embedded in a copy
// move with it and are not reported again.
func AllVolatile(p *check.Pass, all []*Site) []*Volatile {
	return check.Once(p, "volatile copies", func() []*Volatile {
		limits := VolatileThresholds(p)
		sorted := slices.Clone(all)
		slices.SortStableFunc(sorted, func(a, b *Site) int { return cmp.Compare(a.Holder.Depth, b.Holder.Depth) })
		var found []*Volatile
		for _, c := range sorted {
			if c.Flat || c.probe == nil || slices.ContainsFunc(found, func(v *Volatile) bool { return v.holds(c) }) {
				continue
			}
			v := &Volatile{Site: c, M: c.Measure(p), Limits: limits}
			if v.judge(p) {
				found = append(found, v)
			}
		}
		return found
	})
}

type volatileLimits struct {
	score, meanFanOut, maxFanOut, duplicates, strength, stale float64
}

// VolatileThresholds returns the thresholds of volatile-embed, for any rule.
func VolatileThresholds(p *check.Pass) volatileLimits {
	threshold := p.ThresholdsOf("volatile-embed")
	return volatileLimits{
		score: threshold("score"), meanFanOut: threshold("mean-fan-out"), maxFanOut: threshold("max-fan-out"), duplicates: threshold("duplicate-share"),
		strength: threshold("entity-strength"), stale: threshold("stale-share"),
	}
}

// A Volatile is a place with its verdict.
type Volatile struct {
	*Site
	M      *Measures
	Limits volatileLimits

	Score      int
	Points     []string      // what the score consists of
	Changes    changes       // measured between versions of the documents
	Speaking   *FieldMeasure // the field that shows change best; nil if only names indicate it
	Named      []string      // volatile names
	fewDocs    bool
	Confidence float64
}

func (v *Volatile) holds(c *Site) bool {
	if v.Entity != c.Entity {
		return false
	}
	for n := c.Holder; n != nil; n = n.Parent {
		if n == v.Holder {
			return true
		}
	}
	return false
}

func (v *Volatile) add(points int, why string, args ...any) {
	if points != 0 {
		v.Score += points
		v.Points = append(v.Points, fmt.Sprintf("%+d %s", points, fmt.Sprintf(why, args...)))
	}
}

// Points for each piece of evidence.
const (
	fanOutPoints     = 2
	wideFanOutPoints = 3
	stalePoints      = 4
	driftPoints      = 3
	unclearPoints    = 1
	inStepPoints     = -2
	clockPoints      = 2
	strongPoints     = 2
	mediumPoints     = 1
	slowPoints       = -4
)

// Shares from which disagreement counts.
const (
	driftShare   = 0.005
	unclearLevel = 0.2
	ownValues    = 0.5 // share of the copies with a value that no other thing has
	inStepCopies = 20
	inStepShare  = 0.01
	ordinalShare = 0.8
)

func (v *Volatile) judge(p *check.Pass) bool {
	if v.Holder.Types[profile.Object] < 2 || v.ordinal() {
		return false // a single copy cannot diverge from others
	}
	v.fewDocs = v.Entity.N() < places.EnoughDocuments
	repeated := v.fanOut()
	strong := v.names(p)
	drift := v.change()
	measured := v.measuredChange()
	ownClock := v.ownClock(p)
	if !slices.ContainsFunc(v.M.Fields, func(f *FieldMeasure) bool { return f.Volatile != slow && !f.Constant }) {
		v.add(slowPoints, "only names and labels")
	}
	if float64(v.Score) < v.Limits.score || !repeated {
		v.Confidence = 0.6
		return v.fewDocs && strong && (v.linked() || v.shared() >= leastShared)
	}
	switch {
	case !measured && v.editions(p):
		v.Confidence = 0.4 // each document records the state at its time
	case v.fewDocs:
		v.Confidence = 0.6
	case !measured && !ownClock && !strong && (drift <= unclearPoints || drift < stalePoints && v.Path[len(v.Path)-1].Kind != profile.Field):
		v.Confidence = 0.4 // "status" or "total" alone: a guess; what an element holds may belong to the list, as the amount of an ingredient does
	case !measured && !ownClock && drift == driftPoints && v.Speaking.pooled():
		v.Confidence = 0.6
	default:
		v.Confidence = v.sureByPoints(measured)
	}
	return true
}

// sureByPoints returns the confidence of a finding without counter-evidence.
func (v *Volatile) sureByPoints(measured bool) float64 {
	switch {
	case measured || v.Score >= 7 || v.Speaking != nil && v.Speaking.Stale > 0:
		return 0.9
	case v.Score >= 6:
		return 0.8
	}
	return 0.7
}

// ownClock looks for a clock in the copies that differs from the document's.
func (v *Volatile) ownClock(p *check.Pass) bool {
	if v.probe.clocks == 0 || hasQuantity(p, v.Holder) || // the clock of a line is not the thing's
		v.probe.later == 0 && 2*v.probe.differing < v.probe.clocks {
		return false
	}
	v.add(clockPoints, "the copies have a clock of their own")
	return true
}

// worthFollowing reports whether a rule may report copies, by what is known
// before they are followed. If they cannot be compared with originals, and
// there are no clocks and no versions of a document, only volatile-embed may,
// and whether the score can be high enough depends on the names of the fields
// and on their number of values.
func worthFollowing(p *check.Pass, c *Site) bool {
	if c.Original != nil && len(c.Original.settings.leaves) > 0 || c.snapshots != nil || c.settings(p).clock != "" || slices.ContainsFunc(c.fields, c.mayContradict) {
		return true
	}
	score, change := wideFanOutPoints, 0
	named := notVolatile
	for _, f := range c.fields {
		volatile := VolatilityOf(p, f)
		if volatile > slow {
			named = max(named, volatile)
		}
		if mayDrift(f, volatile) {
			change = driftPoints
		}
	}
	switch named {
	case StrongVolatile:
		if c.Entity.N() < places.EnoughDocuments {
			return true // names are enough evidence there
		}
		score += strongPoints
	case mediumVolatile:
		score += mediumPoints
	}
	return float64(score+change) >= VolatileThresholds(p).score
}

// mayDrift reports whether a field can score points for copies that disagree
// (see [Volatile.Change]). A field with one value cannot, and one with two
// values shares them among things that have both.
func mayDrift(f *profile.Node, volatile volatility) bool {
	values := &f.Scalars.Values
	switch {
	case volatile == slow || values.Exact() && values.Distinct() < 2:
		return false
	case volatile == StrongVolatile:
		return true
	}
	return !values.Exact() || values.Distinct() > 2
}

// measuredChange checks documents that occur at several times: the copies
// change, the documents do not, and one change reaches several documents.
func (v *Volatile) measuredChange() bool {
	if v.snapshots == nil {
		return false
	}
	v.Changes = v.snapshots.changesAt(v.snapshotIndex)
	if v.Changes.pairs < changePairs || v.Changes.Rate() < changeRate || v.Changes.Rate() < changeFactor*v.Changes.Others {
		return false
	}
	v.add(changePoints, "changed in %s of the intervals, other fields in %s", quantity.Percent(v.Changes.Rate()), quantity.Percent(v.Changes.Others))
	if v.Changes.Spread >= SpreadAtLeast {
		v.add(spreadPoints, "one change of one %s rewrote %s", v.Noun(), wording.Count(int64(v.Changes.Spread), "document"))
	}
	return true
}

// editions reports whether the documents are dated editions of one list: each
// has the date when it was valid or published, and a thing is in many of them.
// An edition does not change.
func (v *Volatile) editions(p *check.Pass) bool {
	n := v.Entity.N()
	if n < leastEditions || !v.Holder.Inside() || editionShare*float64(n) > v.M.MeanFanOut {
		return false
	}
	return slices.ContainsFunc(v.Entity.Root().Object.Fields(), func(f *profile.Node) bool {
		return f.Present() == n && !p.Lexicon.Has(lexicon.Metadata, f.Step.Name) && !isClock(p, f) && HoldsDates(f) &&
			f.Scalars.Values.Distinct() >= 0.99*float64(n) &&
			slices.ContainsFunc(lexicon.Tokens(f.Step.Name), func(word string) bool { return p.Lexicon.HasWord(lexicon.Edition, word) })
	})
}

// Editions of a list.
const (
	leastEditions = 3
	editionShare  = 1.0 / 3 // of the documents with a thing, on average
)

// linked reports whether each object is alone in an element of a list, like the
// stock of a holding. The element is then the link, and the object its target. An
// element with nothing else only wraps the object.
func (v *Volatile) linked() bool {
	return v.Holder.Inside() && v.Holder.Step.Kind == profile.Field && len(v.Holder.Parent.Object.Fields()) > 1
}

// leastShared is how many things must be in several documents. A single one
// that was written twice is an accident.
const leastShared = 2

// shared counts the things that are in several documents.
func (v *Volatile) shared() (n int) {
	for _, t := range v.M.Things {
		if t.Docs > 1 {
			n++
		}
	}
	return n
}

// ordinal reports whether the identities are not identities: they number the
// elements of each list, or are small numbers that determine nothing.
func (v *Volatile) ordinal() bool {
	if v.numbered() {
		return true
	}
	if v.Ref != nil || !digitsOnly(v.ID) {
		return false
	}
	return !slices.ContainsFunc(v.M.Fields, func(f *FieldMeasure) bool { return f.OfThing(v.Limits.strength) })
}

// numbered reports whether the identities number the elements of each list.
func (c *Site) numbered() bool {
	return c.probe.elements > 0 && float64(c.probe.ordinals) >= ordinalShare*float64(c.probe.elements) && c.probe.ordinals > 1
}

// digitsOnly reports whether all values of a field are integers, in any
// notation.
func digitsOnly(n *profile.Node) bool {
	if n.Types[profile.Int] > 0 {
		return true
	}
	digits, _ := n.Scalars.FormCount(profile.FormInteger)
	return digits > 0 && digits == n.Present()
}

// fanOut measures whether things are copied into several documents.
func (v *Volatile) fanOut() bool {
	duplicates := 1 - float64(len(v.M.Things))/float64(v.M.copies)
	wide, mean := float64(v.M.MaxFanOut) >= v.Limits.maxFanOut, v.M.MeanFanOut >= v.Limits.meanFanOut
	switch {
	case wide:
		v.add(wideFanOutPoints, "one %s in up to %s", v.Noun(), wording.Count(v.M.MaxFanOut, "document"))
	case mean:
		v.add(fanOutPoints, "one %s in %.1f documents on average", v.Noun(), v.M.MeanFanOut)
	}
	return wide || mean || duplicates >= v.Limits.duplicates && v.M.copies >= judgedOccurrences
}

// names uses the names as evidence, except those of fields whose values show
// that they belong to the link, or which the documents of the things lack: a score
// that has nothing to do with the player.
func (v *Volatile) names(p *check.Pass) (strong bool) {
	var medium []string
	inStep := true
	for _, f := range v.M.Fields {
		if f.Constant || f.lacking || f.Judged && !f.OfThing(v.Limits.strength) && !v.presence(f) {
			continue
		}
		switch f.Volatile {
		case StrongVolatile:
			v.Named = append(v.Named, f.Node.Step.Name)
			inStep = inStep && f.inStep()
		case mediumVolatile:
			if !f.Judged || f.Drifted > 0 { // a value that is the same in all copies of a thing does not change
				medium = append(medium, f.Node.Step.Name)
			}
		}
	}
	switch {
	case p.Lexicon.CountVolatile(v.Named) > 0:
		v.add(strongPoints, "the name of %s means a value that changes often", strings.Join(v.Named, ", "))
		switch {
		case inStep && p.Lexicon.CountVolatile(v.Named) > 1: // the copies are kept consistent
			v.add(inStepPoints/2, "all copies agree with the original")
		case inStep:
			v.add(inStepPoints, "all copies agree with the original")
		}
		return true
	case len(medium) > 0:
		v.Named = medium
		v.add(mediumPoints, "the name of %s means a value that may change", strings.Join(medium, ", "))
	}
	return false
}

// presence reports whether a field says when the thing itself was last seen.
// The only object of its kind in a document, such as the sender of a message,
// has no such time.
func (v *Volatile) presence(f *FieldMeasure) bool {
	return f.Volatile == StrongVolatile && HoldsDates(f.Node) && !v.Holder.Inside()
}

// change looks for the field that shows best that copies diverge.
func (v *Volatile) change() int {
	best, why := 0, ""
	for _, f := range v.M.Fields {
		points, reason := 0, ""
		stale := float64(f.Stale) / float64(max(1, f.Compared))
		switch {
		case f.ofLink():
		case f.Volatile == slow || f.inStep(): // a differing name was corrected in one place; stale-copy knows more
		case f.Compared > 0 && stale >= v.Limits.stale && (f.Stale > 1 || v.fewDocs):
			points, reason = stalePoints, "differ from the original in "+quantity.Percent(stale)+" of the copies"
		case f.Judged && f.Lambda >= v.Limits.strength && f.Disagree >= driftShare && f.Drifted >= 2 && v.movesByItself(f):
			points, reason = driftPoints, "belong to the "+v.Noun()+" and disagree in "+quantity.Percent(f.Disagree)+" of the copies"
		case f.Volatile == StrongVolatile && f.varies() && f.eta >= entityEta:
			points, reason = driftPoints, "keep to a level of their "+v.Noun()+" and disagree in "+quantity.Percent(f.Disagree)+" of the copies"
		case f.Volatile == StrongVolatile && f.Judged && f.Lambda >= unclearLevel && f.Disagree >= driftShare:
			points, reason = unclearPoints, "depend on the "+v.Noun()+" to some degree"
		}
		if points > best || points == best && points > 0 && f.Volatile > v.Speaking.Volatile {
			best, why, v.Speaking = points, "values of "+f.Node.Step.Name+" "+reason, f
		}
	}
	v.add(best, "%s", why)
	return best
}

// inStep reports whether there are originals and nearly all copies agree with
// them.
func (f *FieldMeasure) inStep() bool {
	return f.Compared >= inStepCopies && float64(f.Stale) < inStepShare*float64(f.Compared)
}

// movesByItself excludes attributes of the link that merely depend on the
// thing, like the size of a shirt, whose values many things share. The values
// of a thing's own attribute are distinct, or its name shows it.
func (v *Volatile) movesByItself(f *FieldMeasure) bool {
	return f.Volatile == StrongVolatile || f.Volatile == mediumVolatile && f.specific >= ownValues/2 || f.specific >= ownValues
}

// Home returns the collection where the things belong.
func (v *Volatile) Home() string {
	if v.Ref != nil {
		return v.Ref.To.Collection.Name
	}
	words := strings.Fields(v.Noun())
	if len(words) == 0 {
		return "a collection of their own"
	}
	words[len(words)-1] = lexicon.Plural(words[len(words)-1])
	return lexicon.StyleCamel.Join(words...)
}

// RefName returns the field that replaces the copy.
func (v *Volatile) RefName() string {
	if _, _, ok := lexicon.ReferenceStem(v.ID.Step.Name); ok || v.Holder.Step.Kind != profile.Field {
		return v.ID.Step.Name
	}
	return naming.StyleOf(v.Holder.Parent).Join(append(strings.Fields(v.Noun()), "id")...)
}

// LinkFields returns the fields that belong to the link rather than the thing.
func (v *Volatile) LinkFields() []string {
	var names []string
	for _, f := range v.M.Fields {
		mixed := !f.Judged && f.Drifted > 0 && f != v.Speaking && !slices.Contains(v.Named, f.Node.Step.Name) // too few copies to say why they disagree
		apart := f.Judged && !f.OfThing(v.Limits.strength)
		if (mixed || apart) && f.Volatile != slow && f.Stale == 0 {
			names = append(names, f.Node.Step.Name)
		}
	}
	return names
}

// SlowFields returns the fields worth keeping for display.
func (v *Volatile) SlowFields(p *check.Pass) []string {
	var names []string
	for _, f := range v.M.Fields {
		if p.Lexicon.Has(lexicon.Slow, f.Node.Step.Name) && !f.Constant && f.Stale == 0 {
			names = append(names, f.Node.Step.Name)
		}
	}
	return names[:min(3, len(names))]
}
