// Package duplicateid reports ids that more than one document of a collection
// has.
package duplicateid

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is duplicate-id on documents.
var Rule = check.Rule{Name: "duplicate-id", Run: func(p *check.Pass) {
	for _, c := range p.DB.Collections {
		id := identity.Node(p, c)
		if id != nil {
			watchSameIDs(p, c, id, nil)
		}
		keys := referencedKeys(p, c)
		keyed := false // what repeats a key is reported by the key
		for _, n := range c.Profile.Root.Object.Fields() {
			if n != id && (slices.Contains(keys, n) || looksUp(p, c, n)) {
				watchSameIDs(p, c, n, cmp.Or(id, n))
				keyed = true
			}
		}
		if !keyed {
			watchCopies(p, c, id)
		}
	}
}}

// watchSameIDs looks for documents that share a value of the key n. other is the
// collection's own id: documents that differ in it are different documents. It is
// nil if n is that id.
func watchSameIDs(p *check.Pass, c *model.Collection, n, other *profile.Node) {
	if n.Scalars == nil || n.Duplicated > 0 { // if a document has two ids, duplicate-key reports it
		return
	}
	var within []profile.Path
	id := other == nil
	if id {
		if n.Step.Name != "_id" && (float64(n.Count) > perGroup*n.Scalars.Values.Distinct() || hasOwnKey(c)) {
			return // the id of what the rows belong to
		}
		within = identifiedWithin(p, c, n)
	} else {
		within = parents(c)
	}
	if !n.Scalars.Values.Exact() {
		ids := identity.WatchIDs(p, c, n)
		p.After(func() {
			switch probe, err := ids.Shared(p, within); {
			case err != nil:
				p.Fail(err)
			case probe != nil:
				reportSameIDs(p, c, n, probe, id)
			}
		})
		return
	}
	probe := identity.NewSameIDProbe(c, n, within)
	if probe == nil {
		return
	}
	if !id && other != n {
		probe.Watch = other.Path()
	}
	check.Watch(p, places.Whole(c), probe)
	p.After(func() { reportSameIDs(p, c, n, probe, id) })
}

// perGroup is the mean number of documents with one id above which the id names a
// group of documents. A document stored by mistake is there twice. Databases keep
// an _id unique, so it never names a group.
const perGroup = 2

// hasOwnKey reports whether a key that is named after the collection is different in each
// document: assignmentId of assignments. A document stored twice has it twice.
func hasOwnKey(c *model.Collection) bool {
	return !slices.ContainsFunc(c.Entities, func(e *model.Entity) bool {
		k := e.OwnKey()
		return k == nil || k.Unique < 1
	})
}

// identifiedWithin returns what identifies a document together with its id:
// the partition key, in DynamoDB the sort key, in Elasticsearch's hits the index and the type.
func identifiedWithin(p *check.Pass, c *model.Collection, id *profile.Node) []profile.Path {
	var paths []profile.Path
	if key := identity.PartitionPath(p.Collections[c.Name].PartitionKey); len(key) > 0 {
		paths = append(paths, key)
	}
	var beside []string
	switch {
	case id.Step.Name == "pk", id.Step.Name == "PK":
		beside = []string{"sk", "SK"}
	case model.SearchHit(id):
		beside = []string{"_index", "_type"}
	}
	for _, name := range beside {
		paths = append(paths, profile.Path{{Kind: profile.Field, Name: name}})
	}
	return paths
}

// parents returns the fields that refer to a parent: parent, parentId. In a tree a name may
// be different only among the children of one parent. A parentName says nothing of a tree.
func parents(c *model.Collection) (paths []profile.Path) {
	for _, f := range c.Profile.Root.Object.Fields() {
		stem, _, refers := lexicon.ReferenceStem(f.Step.Name)
		if named := func(word string) bool { return slices.Contains(above(), word) }; refers && slices.ContainsFunc(lexicon.Tokens(stem), named) || named(lexicon.Fold(f.Step.Name)) {
			paths = append(paths, f.Path())
		}
	}
	return paths
}

// referencedKeys returns fields that act as an id in addition to the id itself:
// fields that other documents refer to by name, fields named after the collection
// (account_id of accounts), and a second id next to one that is different in each
// document.
func referencedKeys(p *check.Pass, c *model.Collection) (nodes []*profile.Node) {
	for _, e := range c.Entities {
		ids := slices.ContainsFunc(e.Keys, func(k *model.Key) bool { return k.ID && k.Unique >= 1 })
		for _, k := range e.Keys {
			if len(k.Path) != 1 || k.Unique >= 1 {
				continue
			}
			referred := slices.ContainsFunc(p.DB.References, func(r *model.Reference) bool {
				return r.Key == k && k.Named && r.Stem && r.From != r.To && r.Found >= 3
			})
			if k.Own || referred || ids && identity.IsIDName(k.Node.Step.Name) {
				nodes = append(nodes, c.Profile.Root.At(k.Path))
			}
		}
	}
	return nodes
}

var (
	above    = rulebook.Words("duplicate-id", "above")
	lookedUp = rulebook.Words("duplicate-id", "looked-up")
	secrets  = rulebook.Words("duplicate-id", "secrets")
)

// looksUp reports whether documents are found one at a time by a field other
// than the id: a user by the name used to sign in, an order by its number, or by an
// orderId beside the id.
// Except for errors, all its values would differ. Records of events also have
// such values, those of the people who took part.
func looksUp(p *check.Pass, c *model.Collection, n *profile.Node) bool {
	if n.Scalars == nil || len(c.Entities) != 1 || n.Types[profile.Object]+n.Types[profile.Array]+n.Types[profile.Double]+n.Types[profile.Date] > 0 || !n.Scalars.Values.Exact() || repeatsReference(n, c.Name) {
		return false
	}
	words := lexicon.Tokens(n.Step.Name)
	last := max(0, len(words)-1)
	own := lexicon.MatchStem(strings.Join(words[:min(1, last)], " "), c.Name) == lexicon.SameName // the e-mail address of a user
	switch recorded := func(l lexicon.List) bool { return p.Lexicon.Has(l, c.Name) }; {
	case last > 0 && (p.Lexicon.HasWord(lexicon.DocumentNumber, words[last]) || words[last] == "id" && identity.Node(p, c) != nil):
		if lexicon.MatchStem(strings.Join(words[:last], " "), c.Name) != lexicon.SameName {
			return false
		}
	case !slices.Contains(lookedUp(), strings.Join(words, "")) && !(own && slices.Contains(lookedUp(), strings.Join(words[1:], ""))),
		recorded(lexicon.HistoricalParent), recorded(lexicon.Unbounded), recorded(lexicon.Notice):
		return false
	}
	values, repeats := n.ScalarCount(), int64(0)
	for _, v := range n.Scalars.Values.Values() {
		if v.HasText && v.Text == "" {
			values -= v.Count
		} else {
			repeats += v.Count - 1
		}
	}
	if 2*values < c.Profile.Root.Count {
		return false // most documents are found by something else
	}
	odds := model.UniqueOdds(values, repeats)
	if len(p.DB.ReferencesTo(c.Entities[0])) > 0 {
		odds += thing
	}
	if slices.ContainsFunc(n.Parent.Object.Fields(), func(f *profile.Node) bool { return slices.Contains(secrets(), lexicon.Fold(f.Step.Name)) }) {
		odds += thing
	}
	return repeats > 0 && odds > 0
}

// repeatsReference reports whether a field describes what another field of the documents
// refers to: the user_name beside a user_id, of a collection that has not that name.
func repeatsReference(n *profile.Node, collection string) bool {
	return slices.ContainsFunc(n.Parent.Object.Fields(), func(f *profile.Node) bool {
		stem, _, ok := lexicon.ReferenceStem(f.Step.Name)
		return ok && strings.HasPrefix(lexicon.Fold(n.Step.Name), lexicon.Fold(stem)) && lexicon.MatchStem(stem, collection) != lexicon.SameName
	})
}

// thing is the log-odds that documents which others refer to, or with which people
// sign in, are things with values of their own, and not events.
const thing = 2.0

func reportSameIDs(p *check.Pass, c *model.Collection, n *profile.Node, b *identity.SameIDProbe, id bool) {
	ids := b.Sorted()
	within := b.Within(c.Profile.Root)
	if within != nil && !slices.Contains(p.Limits.IDKeys, n.Step.Name) {
		return // the id consists of both
	}
	h := b.History(n.Scalars.Values.Distinct())
	var same, different, kinds []identity.SameIDPair
	versions := 0
	for _, copies := range ids {
		for i := 1; i < len(copies.First); i++ {
			pair := identity.SameIDPair{N: copies.N, A: &copies.First[i-1], B: &copies.First[i]}
			if pair.B.At.Off < pair.B.At.Doc {
				continue // the name that a document is stored under: another object has its own
			}
			if !p.SameStore(pair.A.At, pair.B.At) {
				continue
			}
			switch likeness := h.Between(pair.A, pair.B); {
			case pair.A.Watched != 0 && pair.A.Watched == pair.B.Watched:
				continue // one document twice
			case !id && pair.A.Kind != pair.B.Kind:
				continue // each kind may have numbers of its own
			case likeness == identity.SameBody:
				same = append(same, pair)
			case likeness == identity.LaterVersion:
				versions++
				continue
			case likeness == identity.OtherKind && id:
				kinds = append(kinds, pair)
			default:
				different = append(different, pair)
			}
			break // one pair for each id
		}
	}
	if within != nil && p.Limits.Name == "generic" { // each has its own ids, like the tables of a dump
		kinds, different = append(kinds, different...), nil
	}
	if len(different) > 0 {
		reportCollisions(p, c, n, different, b, id)
	} else if len(same) > versions && id && !h.ByFile {
		reportSame(p, c, n, same, b)
	}
	if len(kinds) > 0 {
		reportKinds(p, c, n, kinds, b, within)
	}
}

func reportCollisions(p *check.Pass, c *model.Collection, n *profile.Node, pairs []identity.SameIDPair, b *identity.SameIDProbe, id bool) {
	first := pairs[0]
	severity, confidence := finding.Error, 0.95
	advice := "Give the later document an id of its own and change the references to it: the database keeps only one of the two, usually the one " +
		"written last. If they are versions of one thing, store the version or the time and make it part of the id."
	if !id {
		severity, confidence = finding.Warning, 0.6
		advice = fmt.Sprintf("Find out which document is meant, give the other its own %s and put a unique index on it: "+
			"a look-up or a reference by this field leads to more than one document.", n.Step.Name)
	}
	ids := wording.Count(b.Estimate(len(pairs)), "value")
	message := fmt.Sprintf("%s %s occurs in %s%s", n.Path(), places.Quote(p, first.B.At), wording.Count(first.N, "different document"), difference(p, first))
	if len(pairs) > 1 {
		message = fmt.Sprintf("%[2]s has %[1]s in more than one document: %[3]s in %[4]s%[5]s", ids, n.Path(), places.Quote(p, first.B.At), quantity.Grouped(first.N), difference(p, first))
	}
	p.Report(places.Whole(c), n.Path(), check.Raw{
		At: first.B.At,
		Finding: finding.Finding{
			Severity: severity, Confidence: confidence, Message: message, Advice: advice,
			Evidence: []finding.Evidence{
				{Name: "documents", Value: n.Count},
				{Name: "ids.repeated", Value: b.Estimate(len(pairs))},
			},
		},
		Related: sameIDPlaces(p, pairs),
	})
}

// sameIDPlaces returns the first document with the id, and the next ids.
func sameIDPlaces(p *check.Pass, pairs []identity.SameIDPair) []check.RawRelated {
	related := []check.RawRelated{{At: pairs[0].A.At, Message: fmt.Sprintf("the first document with %s", places.Quote(p, pairs[0].A.At))}}
	for _, pair := range pairs[1:min(len(pairs), places.Shown)] {
		related = append(related, check.RawRelated{At: pair.B.At, Message: fmt.Sprintf("%s again, in %s", places.Quote(p, pair.B.At), wording.Count(pair.N, "document"))})
	}
	return related
}

// difference quotes the first short value in which two documents differ, or
// names the first field. It compares values and not their spelling: white space
// and the zone of a date make no difference.
func difference(p *check.Pass, pair identity.SameIDPair) string {
	d, _, ok := places.TokenOf(p, pair.A.At)
	if !ok {
		return ""
	}
	type value struct {
		hash  uint64
		class profile.Class
		quote string
	}
	values := map[string]value{}
	for k, v := range d.Members(0) {
		seen := value{hash: d.Hash(v), class: d.Class(v)}
		if d.Tokens[v].Kind < scan.Object {
			seen.quote = places.QuoteToken(d, v)
		}
		values[d.String(k)] = seen
	}
	d, _, ok = places.TokenOf(p, pair.B.At)
	if !ok {
		return ""
	}
	differing := ""
	for k, v := range d.Members(0) {
		name := d.String(k)
		was, ok := values[name]
		ok = ok && !identity.IsIDName(name)
		if !ok || was.hash == d.Hash(v) && was.class == d.Class(v) {
			continue
		}
		if quote := places.QuoteToken(d, v); d.Tokens[v].Kind < scan.Object && was.quote != "" && was.quote != quote {
			return fmt.Sprintf(": %s is %s in one and %s in the other", name, was.quote, quote)
		}
		differing = cmp.Or(differing, name)
	}
	if differing == "" {
		return ""
	}
	return fmt.Sprintf(": %s differs", differing)
}

func reportSame(p *check.Pass, c *model.Collection, n *profile.Node, pairs []identity.SameIDPair, b *identity.SameIDProbe) {
	first := pairs[0]
	documents := wording.Count(b.Estimate(len(pairs)), "document")
	message := fmt.Sprintf("%s %s: the same document occurs %s times", n.Path(), places.Quote(p, first.B.At), quantity.Grouped(first.N))
	if len(pairs) > 1 {
		message = fmt.Sprintf("%s occur more than once with the same %s and the same content, the first is %s", documents, n.Path(), places.Quote(p, first.B.At))
	}
	p.Report(places.Whole(c), n.Path(), check.Raw{
		At: first.B.At,
		Finding: finding.Finding{
			Severity: finding.Warning, Confidence: 0.7, Message: message,
			Advice: "Remove the copies: an import stops at the second document with an id or replaces the first, and every count made from " +
				"this file is wrong.",
			Evidence: []finding.Evidence{{Name: "documents", Value: n.Count}, {Name: "ids.repeated", Value: b.Estimate(len(pairs))}},
		},
		Related: sameIDPlaces(p, pairs),
	})
}

// reportKinds reports kinds of document that each count their ids from the
// start: one finding with a place for each pair of kinds.
func reportKinds(p *check.Pass, c *model.Collection, n *profile.Node, pairs []identity.SameIDPair, b *identity.SameIDProbe, within *profile.Node) {
	type twoKinds struct{ a, b int }
	seen := map[twoKinds]int64{}
	var order []identity.SameIDPair
	for _, pair := range pairs {
		two := twoKinds{min(pair.A.Kind, pair.B.Kind), max(pair.A.Kind, pair.B.Kind)}
		if seen[two] == 0 {
			order = append(order, pair)
		}
		seen[two]++
	}
	first := order[0]
	label := func(kind int) string {
		if len(c.Entities) < 2 {
			return "another kind"
		}
		return c.Entities[kind].Kind
	}
	between := fmt.Sprintf("a document %s and one %s", label(first.A.Kind), label(first.B.Kind))
	switch {
	case len(c.Entities) > 1 && first.A.Kind != first.B.Kind:
	case within != nil:
		between = fmt.Sprintf("two documents that differ in %q", within.Step.Name)
	default:
		between = "two documents with hardly a field in common"
	}
	message := fmt.Sprintf("%s has %s that more than one kind of document uses: %s is the id of %s", n.Path(), wording.Count(b.Estimate(len(pairs)), "value"),
		places.Quote(p, first.B.At), between)
	related := []check.RawRelated{{At: first.A.At, Message: "the other document"}}
	advice := "Put the kind in front of the id (post:1, user:1), or keep each kind in a collection of its own: " +
		"a document is found by its id alone, so that of two with the same id the later replaces the earlier."
	if p.Limits.Name == "cosmosdb" {
		advice += " If the partition key differs between the kinds, they can stay; name the key in the configuration."
	}
	p.Report(places.Whole(c), n.Path(), check.Raw{
		At: first.B.At,
		Finding: finding.Finding{
			Severity: finding.Warning, Confidence: 0.6, Message: message, Advice: advice,
			Evidence: []finding.Evidence{
				{Name: "documents", Value: n.Count},
				{Name: "ids.repeated", Value: b.Estimate(len(pairs))},
				{Name: "kinds.pairs", Value: int64(len(order))},
			},
			Fingerprint: "duplicate-id:" + c.Name + ":" + n.Path().String() + ":kinds",
		},
		Related: related,
	})
}
