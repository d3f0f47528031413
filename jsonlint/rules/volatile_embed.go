package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// volatileEmbed reports embedded copies of things that change. Three questions
// decide: is it the same thing in many documents, does it change, and is the
// copy meant to be frozen.
var volatileEmbed = Rule{Name: "volatile-embed", Run: func(p *Pass) {
	all := p.allCopies()
	if len(all) == 0 {
		return
	}
	p.After(func() {
		for _, v := range p.volatileCopies(all) {
			p.reportVolatile(v)
		}
	})
}}

// volatileCopies judges the places, outermost first: what is embedded in a
// copy goes where the copy goes, and is not reported again. whole-entity-embed
// asks too, so as not to say the same.
func (p *Pass) volatileCopies(all []*copies) []*volatileCopy {
	return once(p, "volatile copies", func() []*volatileCopy {
		limits := volatileThresholds(p)
		sorted := slices.Clone(all)
		slices.SortStableFunc(sorted, func(a, b *copies) int { return cmp.Compare(a.holder.Depth, b.holder.Depth) })
		var found []*volatileCopy
		for _, c := range sorted {
			if c.flat || c.probe == nil || slices.ContainsFunc(found, func(v *volatileCopy) bool { return v.holds(c) }) {
				continue
			}
			v := &volatileCopy{copies: c, m: c.measure(p), limits: limits}
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

// volatileThresholds are those of the rule, whichever rule asks.
func volatileThresholds(p *Pass) volatileLimits {
	t := p.thresholdsOf("volatile-embed")
	return volatileLimits{
		score: t("score"), meanFanOut: t("mean-fan-out"), maxFanOut: t("max-fan-out"), duplicates: t("duplicate-share"),
		strength: t("entity-strength"), stale: t("stale-share"),
	}
}

// A volatileCopy is a place judged.
type volatileCopy struct {
	*copies
	m      *measures
	limits volatileLimits

	score      int
	points     []string      // what the score is made of
	changes    changes       // measured between versions of the documents
	speaking   *fieldMeasure // the field that shows change best, nil if only names speak
	named      []string      // volatile names
	fewDocs    bool
	confidence float64
}

func (v *volatileCopy) holds(c *copies) bool {
	if v.entity != c.entity {
		return false
	}
	for n := c.holder; n != nil; n = n.Parent {
		if n == v.holder {
			return true
		}
	}
	return false
}

func (v *volatileCopy) add(points int, why string, args ...any) {
	if points != 0 {
		v.score += points
		v.points = append(v.points, fmt.Sprintf("%+d %s", points, fmt.Sprintf(why, args...)))
	}
}

// Points of the evidence.
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
	ownValues    = 0.5 // copies with a value that no other thing has
	inStepCopies = 20
	inStepShare  = 0.01
	ordinalShare = 0.8
)

func (v *volatileCopy) judge(p *Pass) bool {
	if len(v.m.things) == 0 || v.ordinal() {
		return false
	}
	v.fewDocs = v.entity.N() < sampleMode
	repeated := v.fanOut()
	strong := v.names(p)
	drift := v.change()
	measured := v.measuredChange()
	ownClock := v.probe.clocks > 0 && !hasQuantity(v.holder) && // the clock of a line is not the thing's
		(v.probe.later > 0 || 2*v.probe.differing >= v.probe.clocks)
	if ownClock {
		v.add(clockPoints, "the copies have a clock of their own")
	}
	if !slices.ContainsFunc(v.m.fields, func(f *fieldMeasure) bool { return f.volatile != slow && !f.constant }) {
		v.add(slowPoints, "only names and labels")
	}
	if float64(v.score) < v.limits.score || !repeated {
		v.confidence = 0.6
		return v.fewDocs && strong && (v.linked() || v.m.maxFanOut >= 2) && !digitsOnly(v.id)
	}
	switch {
	case !measured && v.editions(p):
		v.confidence = 0.4 // each document says what was so at its time
	case v.fewDocs:
		v.confidence = 0.6
	case !strong && drift <= unclearPoints && !ownClock && !measured:
		v.confidence = 0.4 // "status" or "total" alone: a guess
	case !measured && !ownClock && drift == driftPoints && v.speaking.pooled():
		v.confidence = 0.6
	case measured || v.score >= 7 || v.speaking != nil && v.speaking.stale > 0:
		v.confidence = 0.9
	case v.score >= 6:
		v.confidence = 0.8
	default:
		v.confidence = 0.7
	}
	return true
}

// worthFollowing reports whether a rule may have something to say of copies, by
// what is known of them before they are followed. Where originals have nothing
// that they can be compared with, and there are no clocks and no versions of a
// document, only volatile-embed may, and whether they can score enough for it
// depends on the names of the fields and on how many values they have.
func (p *Pass) worthFollowing(c *copies) bool {
	if c.original != nil && len(c.original.settings.leaves) > 0 || c.snapshots != nil || c.settings().clock != "" {
		return true
	}
	score, change := wideFanOutPoints, 0
	named := notVolatile
	for _, f := range c.fields {
		volatile := p.volatility(f)
		if volatile > slow {
			named = max(named, volatile)
		}
		if mayDrift(f, volatile) {
			change = driftPoints
		}
	}
	switch named {
	case strongVolatile:
		if c.entity.N() < sampleMode {
			return true // names are enough there
		}
		score += strongPoints
	case mediumVolatile:
		score += mediumPoints
	}
	return float64(score+change) >= volatileThresholds(p).score
}

// mayDrift reports whether a field can get points for copies that disagree
// (see [volatileCopy.change]). One with a single value tells nothing, and where
// there are two, things that have both share them.
func mayDrift(f *profile.Node, volatile volatility) bool {
	values := &f.Scalars.Values
	switch {
	case volatile == slow || values.Exact() && values.Distinct() < 2:
		return false
	case volatile == strongVolatile:
		return true
	}
	return !values.Exact() || values.Distinct() > 2
}

// measuredChange looks at documents that are there at several times: the
// copies change, the documents do not, and one change arrives in several.
func (v *volatileCopy) measuredChange() bool {
	if v.snapshots == nil {
		return false
	}
	v.changes = v.snapshots.changesAt(v.snapshotIndex)
	if v.changes.pairs < changePairs || v.changes.rate() < changeRate || v.changes.rate() < changeFactor*v.changes.others {
		return false
	}
	v.add(changePoints, "changed in %s of the intervals, other fields in %s", percent(v.changes.rate()), percent(v.changes.others))
	if v.changes.spread >= spreadAtLeast {
		v.add(spreadPoints, "one change of one %s rewrote %s", v.noun(), count(int64(v.changes.spread), "document"))
	}
	return true
}

// editions reports whether the documents are dated editions of one list: each
// has a date of its own, of when it was in force or came out, and a thing
// stands in many of them. An edition keeps what it said.
func (v *volatileCopy) editions(p *Pass) bool {
	n := v.entity.N()
	if n < leastEditions || !v.holder.Inside() || editionShare*float64(n) > v.m.meanFanOut {
		return false
	}
	return slices.ContainsFunc(v.entity.Root().Object.Fields(), func(f *profile.Node) bool {
		return f.Present() == n && !p.Lexicon.Has(lexicon.Metadata, f.Step.Name) && !isClock(f) && holdsDates(f) &&
			f.Scalars.Values.Distinct() >= 0.99*float64(n) &&
			slices.ContainsFunc(lexicon.Tokens(f.Step.Name), func(word string) bool { return slices.Contains(editionWords, word) })
	})
}

// Editions of a list.
const (
	leastEditions = 3
	editionShare  = 1.0 / 3 // of the documents that hold a thing, on average
)

var editionWords = []string{"date", "day", "start", "from", "since", "effective", "valid", "edition", "released", "release", "published", "publication", "issued"}

// linked reports whether each object stands alone inside an element of a list,
// as the stock of a holding does: the element is the link, the object what it
// links to.
func (v *volatileCopy) linked() bool {
	n := len(v.path)
	return n > 1 && v.path[n-1].Kind == profile.Field && v.holder.Parent.Step.Kind == profile.Element
}

// ordinal reports whether the identities are no identities: they number the
// elements of each list, or are small numbers that determine nothing.
func (v *volatileCopy) ordinal() bool {
	if v.probe.elements > 0 && float64(v.probe.ordinals) >= ordinalShare*float64(v.probe.elements) && v.probe.ordinals > 1 {
		return true
	}
	if v.ref != nil || !digitsOnly(v.id) {
		return false
	}
	return !slices.ContainsFunc(v.m.fields, func(f *fieldMeasure) bool { return f.ofThing(v.limits.strength) })
}

// digitsOnly reports whether the values of a field are whole numbers, however
// they are written.
func digitsOnly(n *profile.Node) bool {
	if n.Types[profile.Int] > 0 {
		return true
	}
	digits, _ := n.Scalars.FormCount(profile.FormInteger)
	return digits > 0 && digits == n.Present()
}

// fanOut answers the first question.
func (v *volatileCopy) fanOut() bool {
	duplicates := 1 - float64(len(v.m.things))/float64(v.m.copies)
	wide, mean := float64(v.m.maxFanOut) >= v.limits.maxFanOut, v.m.meanFanOut >= v.limits.meanFanOut
	switch {
	case wide:
		v.add(wideFanOutPoints, "one %s in up to %s", v.noun(), count(v.m.maxFanOut, "document"))
	case mean:
		v.add(fanOutPoints, "one %s in %.1f documents on average", v.noun(), v.m.meanFanOut)
	}
	return wide || mean || duplicates >= v.limits.duplicates && v.m.copies >= judgedOccurrences
}

// names lets the names speak, except of fields whose values show that they
// belong to the link: a score that has nothing to do with the player.
func (v *volatileCopy) names(p *Pass) (strong bool) {
	var medium []string
	inStep := true
	for _, f := range v.m.fields {
		if f.constant || f.judged && !f.ofThing(v.limits.strength) && !v.presence(f) {
			continue
		}
		switch f.volatile {
		case strongVolatile:
			v.named = append(v.named, f.node.Step.Name)
			inStep = inStep && f.inStep()
		case mediumVolatile:
			medium = append(medium, f.node.Step.Name)
		}
	}
	switch {
	case p.Lexicon.CountVolatile(v.named) > 0:
		v.add(strongPoints, "%s by name a value that moves", strings.Join(v.named, ", "))
		switch {
		case inStep && p.Lexicon.CountVolatile(v.named) > 1: // somebody pays for keeping all of that in step
			v.add(inStepPoints/2, "all copies agree with the original")
		case inStep:
			v.add(inStepPoints, "all copies agree with the original")
		}
		return true
	case len(medium) > 0:
		v.named = medium
		v.add(mediumPoints, "%s by name a value that may change", strings.Join(medium, ", "))
	}
	return false
}

// presence reports whether a field says when the thing itself was last seen:
// the only object of its kind in a document, the sender of a message, has no
// such time of its own.
func (v *volatileCopy) presence(f *fieldMeasure) bool {
	return f.volatile == strongVolatile && holdsDates(f.node) && !v.holder.Inside() && v.holder.Depth == 1
}

// change looks for the field that shows best that copies drift.
func (v *volatileCopy) change() int {
	best, why := 0, ""
	for _, f := range v.m.fields {
		points, reason := 0, ""
		stale := float64(f.stale) / float64(max(1, f.compared))
		switch {
		case f.ofLink():
		case f.volatile == slow || f.inStep(): // a name that differs was mended in one place; stale-copy knows more
		case f.compared > 0 && stale >= v.limits.stale && (f.stale > 1 || v.fewDocs):
			points, reason = stalePoints, "differ from the original in "+percent(stale)+" of the copies"
		case f.judged && f.lambda >= v.limits.strength && f.disagree >= driftShare && f.drifted >= 2 && v.movesByItself(f):
			points, reason = driftPoints, "belong to the "+v.noun()+" and disagree in "+percent(f.disagree)+" of the copies"
		case f.volatile == strongVolatile && f.varies() && f.eta >= entityEta:
			points, reason = driftPoints, "keep to a level of their "+v.noun()+" and disagree in "+percent(f.disagree)+" of the copies"
		case f.volatile == strongVolatile && f.judged && f.lambda >= unclearLevel && f.disagree >= driftShare:
			points, reason = unclearPoints, "depend on the "+v.noun()+" to some degree"
		}
		if points > best || points == best && points > 0 && f.volatile > v.speaking.volatile {
			best, why, v.speaking = points, "values of "+f.node.Step.Name+" "+reason, f
		}
	}
	v.add(best, "%s", why)
	return best
}

// inStep reports whether there are originals and practically all copies agree
// with them.
func (f *fieldMeasure) inStep() bool {
	return f.compared >= inStepCopies && float64(f.stale) < inStepShare*float64(f.compared)
}

// movesByItself guards against attributes of the link that merely depend on
// the thing, as the size of a shirt does: its values are shared by many
// things, those of an attribute are a thing's own, or its name tells.
func (v *volatileCopy) movesByItself(f *fieldMeasure) bool {
	return f.volatile == strongVolatile || f.volatile == mediumVolatile && f.specific >= ownValues/2 || f.specific >= ownValues
}

func (p *Pass) reportVolatile(v *volatileCopy) {
	bytes := float64(v.entity.Profile.Bytes) / float64(max(1, v.entity.N()))
	evidence := []finding.Evidence{
		{Name: "copies", Value: v.holder.Types[profile.Object]},
		{Name: "things", Value: int64(math.Round(max(float64(len(v.m.things)), v.id.Scalars.Values.Distinct())))},
		{Name: "fanOut.mean", Value: math.Round(10*v.m.meanFanOut) / 10},
		{Name: "fanOut.max", Value: v.m.maxFanOut},
		{Name: "rewrite.bytes", Value: int64(v.m.meanFanOut * bytes)},
		{Name: "identity", Value: v.id.Step.Name},
	}
	if len(v.named) > 0 {
		evidence = append(evidence, finding.Evidence{Name: "volatile.names", Value: v.named})
	}
	if f := v.speaking; f != nil {
		evidence = append(evidence, finding.Evidence{Name: "field", Value: f.node.Step.Name})
		if f.judged {
			evidence = append(evidence, finding.Evidence{Name: "lambda", Value: math.Round(100*f.lambda) / 100},
				finding.Evidence{Name: "disagree", Value: math.Round(1000*f.disagree) / 1000})
		}
		if f.compared > 0 {
			evidence = append(evidence, finding.Evidence{Name: "stale", Value: math.Round(1000*float64(f.stale)/float64(f.compared)) / 1000})
		}
	}
	if v.changes.changed > 0 {
		evidence = append(evidence, finding.Evidence{Name: "changes", Value: v.changes.changed},
			finding.Evidence{Name: "change.rate", Value: math.Round(100*v.changes.rate()) / 100},
			finding.Evidence{Name: "change.rate.others", Value: math.Round(100*v.changes.others) / 100},
			finding.Evidence{Name: "change.documents.max", Value: v.changes.spread})
		if v.changes.days > 0 {
			evidence = append(evidence, finding.Evidence{Name: "changes.perDay", Value: math.Round(100*float64(v.changes.changed)/v.changes.days) / 100})
		}
	}
	evidence = append(evidence, finding.Evidence{Name: "score", Value: v.score}, finding.Evidence{Name: "points", Value: v.points})

	shows, related := p.showChange(v)
	if v.changes.spread >= spreadAtLeast {
		shows += fmt.Sprintf(", and one change of one %s rewrote %s", v.noun(), count(int64(v.changes.spread), "document"))
	}
	message := fmt.Sprintf("%s is copied %s; %s", v.subject(), v.spread(), shows)
	fix, err := p.volatileFix(v)
	if err != nil {
		fix = nil
	}
	p.Report(v.entity, v.path, Raw{
		At: v.at(), Related: related,
		Finding: finding.Finding{
			Severity: finding.Warning, Confidence: v.confidence, Message: message, Advice: v.advice(p, bytes),
			Evidence: evidence, Fixes: fix,
		},
	})
}

// subject names what is copied: the field, and the thing if the field is called
// after something else.
func (v *volatileCopy) subject() string {
	field, noun := label(v.path, v.noun()), v.noun()
	if lexicon.StemMatches(noun, field) {
		return field
	}
	return "the " + noun + " in " + field
}

func label(path profile.Path, noun string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].Kind == profile.Field {
			return path[i].Name
		}
	}
	return noun
}

func (v *volatileCopy) spread() string {
	if v.m.maxFanOut <= 1 {
		return fmt.Sprintf("into every document that refers to it (%s of %s here)",
			count(v.holder.Types[profile.Object], "copy"), count(int64(len(v.m.things)), v.noun()))
	}
	return fmt.Sprintf("into %s: one %s stands in %s on average, %s at most",
		count(v.holder.Docs, "document"), v.noun(), meanText(v.m.meanFanOut), quantity.Grouped(v.m.maxFanOut))
}

func meanText(f float64) string {
	if f >= 10 {
		return fmt.Sprintf("%.0f", f)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0")
}

// showChange quotes copies that disagree, or the names.
func (p *Pass) showChange(v *volatileCopy) (string, []RawRelated) {
	f := v.speaking
	if f == nil {
		for _, g := range v.m.fields {
			if slices.Contains(v.named, g.node.Step.Name) && len(g.conflicts) > 0 {
				f = g
				break
			}
		}
	}
	if f == nil {
		if len(v.named) == 0 {
			return "it is updated apart from the documents that hold it", nil
		}
		verb := "changes"
		if len(v.named) > 1 {
			verb = "change"
		}
		by := "by its name"
		if len(v.named) > 1 {
			by = "by their names"
		}
		return fmt.Sprintf("%s, %s %s while the documents do not", by, strings.Join(v.named, ", "), verb), nil
	}
	name := f.node.Step.Name
	if f.stale > 0 {
		s := f.staleCopies[0]
		return fmt.Sprintf("%s of %s differ from the original in %s (%s %s: %s, the original has %s)",
				quantity.Grouped(f.stale), count(f.compared, "copy"), name, v.id.Step.Name, p.quoted(s.thing.at), p.quoted(s.value.places[0]), p.quoted(s.original.at)),
			[]RawRelated{{"the original " + name, s.original.at}, {"a copy that differs", s.value.places[0]}}
	}
	if len(f.conflicts) == 0 {
		return fmt.Sprintf("by its name, %s changes while the documents do not", name), nil
	}
	c := f.conflicts[0]
	for _, o := range f.conflicts {
		if o.thing.docs > c.thing.docs || o.thing.docs == c.thing.docs && o.thing.at.Compare(c.thing.at) < 0 {
			c = o
		}
	}
	return fmt.Sprintf("copies of %s disagree in %s (%s %s: %s and %s)",
			count(int64(f.drifted), v.noun()), name, v.id.Step.Name, p.quoted(c.thing.at), p.quoted(c.often.places[0]), p.quoted(c.other.places[0])),
		[]RawRelated{{fmt.Sprintf("one copy of %s", name), c.often.places[0]}, {"another copy of the same " + v.noun(), c.other.places[0]}}
}

func (v *volatileCopy) advice(p *Pass, bytes float64) string {
	var b strings.Builder
	noun, home := v.noun(), v.home()
	if v.ref != nil {
		fmt.Fprintf(&b, "Keep only the reference to %s (%s, of the same type as %s there)", home, v.refName(), v.targetKey().Path)
	} else {
		fmt.Fprintf(&b, "Store each %s once, in %s, and keep %s in its place, of the same type as the id there", noun, home, v.refName())
	}
	if own := v.linkFields(); len(own) > 0 {
		fmt.Fprintf(&b, "; %s belong%s to the link and stay%s", strings.Join(own, ", "), plural(own), plural(own))
	}
	if keep := v.slowFields(p); len(keep) > 0 {
		fmt.Fprintf(&b, "; %s may stay as %s for display, since such values rarely change", strings.Join(keep, ", "), copyWord(keep))
	}
	b.WriteString(". ")
	if v.m.meanFanOut > 1.05 {
		fmt.Fprintf(&b, "Now each change of one %s rewrites %s documents on average (%s at most), about %s. ",
			noun, meanText(v.m.meanFanOut), quantity.Grouped(v.m.maxFanOut), size(int64(v.m.meanFanOut*bytes)))
	}
	b.WriteString("If the copies are meant to stay as they were, say so with a field such as capturedAt or asOf.")
	return b.String()
}

func plural(words []string) string {
	if len(words) == 1 {
		return "s"
	}
	return ""
}

func copyWord(words []string) string {
	if len(words) == 1 {
		return "a copy"
	}
	return "copies"
}

// home is the collection in which the things should live.
func (v *volatileCopy) home() string {
	if v.ref != nil {
		return v.ref.To.Collection.Name
	}
	words := strings.Fields(v.noun())
	if len(words) == 0 {
		return "a collection of their own"
	}
	words[len(words)-1] = lexicon.Plural(words[len(words)-1])
	return lexicon.StyleCamel.Join(words...)
}

// refName is the field that takes the place of the copy.
func (v *volatileCopy) refName() string {
	if _, _, ok := lexicon.ReferenceStem(v.id.Step.Name); ok || v.holder.Step.Kind != profile.Field {
		return v.id.Step.Name
	}
	return nameStyle(v.holder.Parent).Join(append(strings.Fields(v.noun()), "id")...)
}

// linkFields are the fields that belong to the link, not to the thing.
func (v *volatileCopy) linkFields() []string {
	var names []string
	for _, f := range v.m.fields {
		mixed := !f.judged && f.drifted > 0 && f != v.speaking && !slices.Contains(v.named, f.node.Step.Name) // too few copies to tell why they disagree
		apart := f.judged && !f.ofThing(v.limits.strength)
		if (mixed || apart) && f.volatile != slow && f.stale == 0 && f.compared == 0 {
			names = append(names, f.node.Step.Name)
		}
	}
	return names
}

// slowFields are the fields worth keeping for display.
func (v *volatileCopy) slowFields(p *Pass) []string {
	var names []string
	for _, f := range v.m.fields {
		if p.Lexicon.Has(lexicon.Slow, f.node.Step.Name) && !f.constant && f.stale == 0 && f.volatile == slow {
			names = append(names, f.node.Step.Name)
		}
	}
	return names[:min(3, len(names))]
}
