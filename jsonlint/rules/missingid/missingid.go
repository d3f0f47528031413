// Package missingid reports documents without an id.
package missingid

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Rule is missing-id on documents.
var Rule = check.Rule{Name: "missing-id", Run: func(p *check.Pass) {
	var found []lacking
	for _, c := range p.DB.Collections {
		for _, e := range c.Entities {
			missingID(p, c, e, &found)
		}
	}
	p.After(func() { reportFound(p, found) }) // after the checks that missingID deferred
}}

// A lacking kind has documents without an id.
type lacking struct {
	entity *model.Entity
	all    bool
	check.Raw
}

// reportFound reports the kinds that lack ids. If no collection has ids, or several
// have none, that is one mistake: of the export that left them out, or of the
// program that writes them all.
func reportFound(p *check.Pass, found []lacking) {
	none := !slices.ContainsFunc(p.DB.Collections, func(c *model.Collection) bool { return identity.Node(p, c) != nil })
	var together, others []lacking
	for _, l := range found {
		if l.all && l.Confidence > unsure {
			together = append(together, l)
		} else {
			others = append(others, l)
		}
	}
	if !none && len(together) < check.OneWriter {
		others, together = append(others, together...), nil
	}
	for _, l := range others {
		p.Report(l.entity, nil, l.Raw)
	}
	if len(together) == 0 {
		return
	}
	slices.SortStableFunc(together, func(a, b lacking) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.entity.N(), a.entity.N()))
	})
	first := together[0]
	if len(together) > 1 {
		var names []string
		for _, l := range together[1:] {
			names = append(names, l.entity.Label())
			first.Related = append(first.Related, check.RawRelated{Message: "the same in " + l.entity.Label(), At: l.At})
		}
		first.Message = fmt.Sprintf("none of %s has an id, nor has any of %s", wording.Count(first.entity.N(), "document"), wording.JoinNames(wording.FirstFew(names)))
		first.Advice = "If the database has ids, export them with the documents: without ids nothing can refer to them. " + first.Advice
	}
	p.Report(first.entity, nil, first.Raw)
}

// unsure is the confidence if the documents may not be a collection, or may have an
// id that is not recognised.
const unsure = 0.4

func missingID(p *check.Pass, c *model.Collection, e *model.Entity, found *[]lacking) {
	settings := p.Collections[c.Name]
	if (p.Limits.Name == "firestore" || p.Limits.Name == "dynamodb") && settings.ID == "" && settings.PartitionKey == "" {
		return // the key is outside the document, or the attribute with the key was not named
	}
	root := e.Root()
	if identity.IsMap(e) || keyedInside(e) {
		return
	}
	names := identity.Names(p, c)
	having := e.Profile.Identified
	for _, name := range names {
		if n := root.Object.Field(name); n != nil {
			if at := n.FirstAny(); at.Off < at.Doc {
				return // the name that a document is stored under: other files have none
			}
			having = max(having, n.Present())
		}
	}
	if having >= e.N() {
		return
	}
	natural := identity.NaturalKey(p, e)
	named := natural != nil || e.OwnKey() != nil // duplicate-id reports its duplicates
	if named && 2*having < e.N() && p.Limits.Name != "cosmosdb" && awaited(p, e, natural) == "" {
		return // this key is the id; if most documents have another id, the rest lacks that
	}
	siblings := identity.Node(p, c) != nil // of another kind, if not of this one
	if e.N() == 1 && !siblings {
		return // there is no other document
	}
	probe := &idlessProbe{names: names, files: map[uint32]uint8{}}
	if having == 0 && natural == nil {
		probe.pairs = pairs(p, e)
	}
	check.Watch(p, e, probe)
	p.After(func() {
		if l, ok := describe(p, c, e, probe, natural, having); ok {
			*found = append(*found, l)
		}
	})
}

// keyedInside reports whether the documents have an object of ids with the id in it, or one
// with a name that is different in each and takes the place of an id: {"users": {"ann": {…}}}.
func keyedInside(e *model.Entity) bool {
	different := func(n *profile.Node, names float64) bool {
		return n.Object.Keys.Max == 1 && n.Types[profile.Object] == e.N() && names >= 0.95*float64(e.N())
	}
	return slices.ContainsFunc(e.Maps, func(m *model.Map) bool { return m.Node.Depth == 1 && different(m.Node, m.Distinct) }) ||
		slices.ContainsFunc(e.Root().Object.Fields(), func(f *profile.Node) bool {
			return f.Object != nil && (different(f, f.Object.Distinct()) ||
				model.HoldsIDs(f.Step.Name) && f.Object.Field("id") != nil && f.Object.Field("id").Present() == e.N())
		})
}

// idlessProbe finds the documents without an id.
type idlessProbe struct {
	names []string
	pairs []pair

	docs    int64
	without places.Earliest
	files   map[uint32]uint8        // documents by file, up to 2
	full    uint32                  // the number of a file of which there are two, plus one
	example places.SmallestDocument // the smallest document without an id
}

func (b *idlessProbe) New() check.Probe {
	o := &idlessProbe{names: b.names, files: map[uint32]uint8{}}
	for _, p := range b.pairs {
		o.pairs = append(o.pairs, p.fresh())
	}
	return o
}

func (b *idlessProbe) Visit(d *profile.Document) {
	b.docs++
	for i := range b.pairs {
		b.pairs[i].visit(d)
	}
	if d.File+1 != b.full {
		if n := b.files[d.File] + 1; n <= 2 {
			b.files[d.File] = n
		} else {
			b.full = d.File + 1
		}
	}
	if d.Ident.Kind != scan.Invalid {
		return // the dialect keeps the id outside the document's members
	}
	if slices.ContainsFunc(b.names, func(name string) bool {
		i, ok := d.Get(0, name)
		return ok && d.Tokens[i].Kind != scan.Null
	}) {
		return
	}
	b.without.AddDocument(d)
	b.example.AddDocument(d)
}

func (b *idlessProbe) Merge(other check.Probe) {
	o := other.(*idlessProbe)
	b.docs += o.docs
	b.without.Merge(&o.without)
	b.example.Add(o.example.At)
	for i := range b.pairs {
		b.pairs[i].merge(&o.pairs[i])
	}
	for file, n := range o.files {
		b.files[file] = min(2, b.files[file]+n)
	}
}

// pair returns the first pair that is different in each document, or nil.
func (b *idlessProbe) pair() *pair {
	i := slices.IndexFunc(b.pairs, func(p pair) bool { return p.seen != nil })
	if i < 0 {
		return nil
	}
	return &b.pairs[i]
}

// fewDistinct is the number of documents below which words are different by
// accident.
const fewDistinct = 10

// namedByFiles reports whether every file is one document, and its name says
// which.
func (b *idlessProbe) namedByFiles() bool {
	for _, n := range b.files {
		if n != 1 {
			return false
		}
	}
	return len(b.files) > 1
}

func describe(p *check.Pass, c *model.Collection, e *model.Entity, b *idlessProbe, natural *profile.Node, having int64) (l lacking, ok bool) {
	if b.without.N == 0 || explained.Joins(p)[e] {
		return l, false
	}
	id := identity.Names(p, c)[0]
	if n := identity.Node(p, c); n != nil {
		id = n.Step.Name
	} else if p.Limits.Name == "generic" {
		id = "id"
	}
	all := having == 0
	if (all || e.N() < fewDistinct) && b.namedByFiles() && p.Limits.Name != "cosmosdb" {
		return l, false // a few files of one document each are an assortment, even if some of them have ids
	}
	distinct, weak := identity.DistinctField(p.Lexicon, e)
	if !all || weak || b.pair() != nil {
		distinct = nil
	}
	severity, confidence := judge(p, e, all, natural != nil || b.pair() != nil && p.Limits.Name == "generic", distinct)
	message, related := "", []check.RawRelated(nil)
	if all {
		message = noneMessage(p, c, e, b, id, natural)
		if field := awaited(p, e, natural); field != "" {
			message += fmt.Sprintf(", though %s refers to ids of theirs", field)
		}
	} else {
		lack := "missing"
		if n := identity.Node(p, c); n != nil && n.Types[profile.Null] > 0 {
			lack = "missing or null"
		}
		message = fmt.Sprintf("%s is %s in %s of %s", id, lack, quantity.Grouped(b.without.N), wording.Count(b.docs, "document"))
		related = b.without.AlsoAt("no id here either")
	}
	advice, fix := idAdvice(p, c, e, b, natural, id)
	if severity == finding.Info && natural == nil && distinct != nil && fix == nil {
		advice = fmt.Sprintf("If %s never changes and stays different in each document, make it the id, so that a retry writes the same document again; "+
			"otherwise give each document an %q when you write it.", distinct.Path(), id)
	}
	return lacking{entity: e, all: all, Raw: check.Raw{
		At: b.without.First(),
		Finding: finding.Finding{
			Severity: severity, Confidence: confidence, Message: message, Advice: advice,
			Evidence: []finding.Evidence{{Name: "documents", Value: b.docs}, {Name: "documents.withoutId", Value: b.without.N}},
			Fixes:    fix,
		},
		Related: related,
	}}, true
}

// judge returns the severity and confidence of documents that lack an id. If keyed,
// their fields can form an id. distinct is a text that identifies all of them if
// none has an id.
func judge(p *check.Pass, e *model.Entity, all, keyed bool, distinct *profile.Node) (severity finding.Severity, confidence float64) {
	severity, confidence = finding.Warning, 0.7
	switch {
	case !all:
		confidence = 0.9
	case e.N() < fewDistinct && !collected(p, e):
		confidence = unsure // a list in a file, as likely as a collection
	case e.N() < places.EnoughDocuments:
		confidence = 0.6
	}
	switch {
	case p.Limits.Name == "mongodb" || all && keyed:
		severity = finding.Info
	case p.Limits.Name == "generic" && distinct != nil && (e.N() >= fewDistinct || calledAfter(distinct, e.Collection.Name)):
		severity, confidence = finding.Info, 0.6
		if !ofPeople(p, e) {
			confidence = unsure // it may be the id: a name, in any language
		}
	}
	return severity, confidence
}

// collected reports whether a few documents are a collection after all: others of
// the collection have ids, or documents that they refer to do, or the database is
// known. MongoDB adds an id to everything that is loaded.
func collected(p *check.Pass, e *model.Entity) bool {
	return identity.Node(p, e.Collection) != nil || awaited(p, e, identity.NaturalKey(p, e)) != "" || p.Limits.Name != "mongodb" && (p.Limits.Name != "generic" ||
		slices.ContainsFunc(p.DB.ReferencesFrom(e), func(r *model.Reference) bool { return identity.Node(p, r.To.Collection) != nil }))
}

// awaited names a field of another collection that holds the ids which these documents
// lack, or returns "". The author probably expected the database to assign ids in the
// order of writing.
func awaited(p *check.Pass, e *model.Entity, natural *profile.Node) string {
	from, field := relations.Awaited(p, e, natural)
	if field == nil {
		return ""
	}
	return from.Collection.Name + "." + field.Path().String()
}

// calledAfter reports whether a field is named after the documents of a
// collection: nombreEmpresa of empresas.
func calledAfter(n *profile.Node, collection string) bool {
	return slices.ContainsFunc(lexicon.Tokens(n.Step.Name), func(word string) bool { return lexicon.StemMatches(word, collection) })
}

// ofPeople reports whether the documents hold the numbers of persons, whose
// names are different by accident.
func ofPeople(p *check.Pass, e *model.Entity) bool {
	return slices.ContainsFunc(e.Root().Object.Fields(), func(f *profile.Node) bool {
		return slices.ContainsFunc(lexicon.Tokens(f.Step.Name), func(word string) bool { return p.Lexicon.HasWord(lexicon.Personal, word) })
	})
}

// noneMessage returns the message that no document of a kind has an id, with what
// identifies them instead.
func noneMessage(p *check.Pass, c *model.Collection, e *model.Entity, b *idlessProbe, id string, natural *profile.Node) string {
	if identity.Node(p, c) != nil {
		return fmt.Sprintf("none of %s has an id, while other documents of %s have %q", wording.Count(b.docs, e.Label()+" document"), c.Name, id)
	}
	none := "none of " + wording.Count(b.docs, "document")
	distinct, weak := identity.DistinctField(p.Lexicon, e)
	switch {
	case natural != nil:
		return fmt.Sprintf("%s has an %q; %q is different in each", none, id, natural.Path())
	case b.pair() != nil:
		return fmt.Sprintf("%s has an id; %s and %s together are different in each", none, b.pair().a, b.pair().b)
	case distinct == nil:
		return none + " has an id, and no other field identifies them"
	case weak:
		return fmt.Sprintf("%s has an id; %s is different in each, but may not stay so", none, distinct.Path())
	}
	return fmt.Sprintf("%s has an id; %s is different in each", none, distinct.Path())
}

// idAdvice returns where the id can come from: from a field that is unique,
// from a reference, or from the code that writes the documents.
func idAdvice(p *check.Pass, c *model.Collection, e *model.Entity, b *idlessProbe, natural *profile.Node, id string) (string, []finding.Fix) {
	server := ""
	if p.Limits.Name == "mongodb" {
		server = " The server adds an ObjectId, but a new one with each write, so that a retry stores the document twice."
	}
	if natural != nil {
		return fmt.Sprintf("Store %s as %q too: a read by id is the cheapest there is, and the database generates an id if there is none.",
			natural.Path(), id), idFix(p, c, b, id, natural.Path())
	}
	if together := b.pair(); together != nil {
		return fmt.Sprintf("Make the id from both (%q) when you write a document, so that a retry writes the same document again.%s",
			"<"+together.a+">:<"+together.b+">", server), nil
	}
	if refs := p.DB.ReferencesFrom(e); len(refs) > 0 && !refs[0].Many() {
		return fmt.Sprintf("Make the id from %s and a number within it (%q) when you write a document, so that a retry writes the same document again.%s",
			refs[0].Path, "<"+refs[0].Path.String()+">:<n>", server), nil
	}
	return fmt.Sprintf("Give each document an %q when you write it, made from values that never change or a UUID: without one it cannot be "+
		"read, replaced or referred to, and a retry stores it twice.%s", id, server), nil
}

// idFix shows the smallest document with an id made of the value at a path.
func idFix(p *check.Pass, c *model.Collection, b *idlessProbe, id string, path profile.Path) []finding.Fix {
	return plans.Changed(p, c.Name, fmt.Sprintf("an %s made of %s", id, path), b.example.At, func(document *reshape.Value) bool {
		values := document.Select(path)
		if len(values) != 1 || values[0].Text() == "" {
			return false
		}
		text := values[0].Text()
		document.Remove(id) // null
		document.SetFirst(id, reshape.String(text))
		return true
	})
}
