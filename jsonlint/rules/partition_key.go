package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// partitionKey reports what is wrong with the configured partition key of a
// collection. What is wrong is the finding's evidence "kind".
var partitionKey = Rule{Name: "partition-key", Run: func(p *Pass) {
	for _, c := range p.DB.Collections {
		if path := partitionPath(p.Collections[c.Name].PartitionKey); len(path) > 0 && c.Profile.Docs > 0 {
			p.checkPartitionKey(c, path)
		}
	}
}}

func (p *Pass) checkPartitionKey(c *model.Collection, path profile.Path) {
	n := c.Profile.Root.At(path)
	present := int64(0)
	if n != nil {
		present = n.Present()
		if n.Scalars != nil {
			empty, _ := n.Scalars.FormCount(profile.FormEmpty)
			present -= empty
		}
	}
	if present < c.Profile.Docs {
		probe := Watch(p, whole(c), &keylessProbe{path: path})
		p.After(func() { p.reportKeyless(c, path, probe) })
	}
	if n == nil || present == 0 {
		return
	}
	if classes := n.TypeClasses(); len(classes) > 1 {
		p.reportMixedKey(c, path, classes)
	}
	if n.Scalars == nil {
		return
	}
	p.cardinality(c, n, path)
	p.longKey(c, n, path)
	p.mutable(c, path)
}

// partitionPath reads the path of a partition key as databases write it,
// /address/city, or as reports do, address.city; it is empty if none is given.
func partitionPath(key string) profile.Path {
	if key == "" {
		return nil
	}
	separator := "."
	if strings.HasPrefix(key, "/") {
		key, separator = key[1:], "/"
	}
	var path profile.Path
	for _, name := range strings.Split(key, separator) {
		path = append(path, profile.Step{Kind: profile.Field, Name: strings.Trim(name, `"`)})
	}
	return path
}

// reportPartition adds one finding for each kind.
func (p *Pass) reportPartition(c *model.Collection, path profile.Path, kind string, r Raw) {
	r.Evidence = append([]finding.Evidence{{Name: "kind", Value: kind}, {Name: "documents", Value: c.Profile.Docs}}, r.Evidence...)
	r.Fingerprint = "partition-key:" + c.Name + ":" + path.String() + ":" + kind
	p.Report(whole(c), path, r)
}

// keylessProbe finds documents without a partition key.
type keylessProbe struct {
	path  profile.Path
	found places
}

func (b *keylessProbe) New() Probe { return &keylessProbe{path: b.path} }

func (b *keylessProbe) Visit(d *profile.Document) {
	i, ok := d.First(0, b.path)
	switch {
	case !ok:
		b.found.add(d.Start())
	case d.Tokens[i].Kind == scan.Null, d.Tokens[i].Kind == scan.String && len(d.Text(i)) == 0:
		b.found.add(d.At(i))
	}
}

func (b *keylessProbe) Merge(other Probe) { b.found.merge(&other.(*keylessProbe).found) }

func (p *Pass) reportKeyless(c *model.Collection, path profile.Path, b *keylessProbe) {
	if b.found.n == 0 {
		return
	}
	first := b.found.first()
	what := "lack"
	if b.found.n == 1 {
		what = "lacks"
	}
	here := "absent"
	if d, i, ok := p.tokenOf(first); ok && i > 0 {
		here = quoteToken(d, i)
	}
	p.reportPartition(c, path, "missing", Raw{
		At: first,
		Finding: finding.Finding{
			Severity: finding.Error, Confidence: 0.95,
			Message: fmt.Sprintf("%s of %s %s the partition key %s (%s here)", quantity.Grouped(b.found.n), count(c.Profile.Docs, "document"), what, path, here),
			Advice: fmt.Sprintf("Write %s into every document: all documents without it share one partition, in DynamoDB they are refused, and a query "+
				"for one value does not find them.", path),
			Evidence: []finding.Evidence{{Name: "documents.without", Value: b.found.n}},
		},
		Related: b.found.alsoAt("here too"),
	})
}

func (p *Pass) reportMixedKey(c *model.Collection, path profile.Path, classes []profile.ClassCount) {
	most, odd := classes[0], classes[1]
	p.reportPartition(c, path, "mixed-type", Raw{
		At: odd.At,
		Finding: finding.Finding{
			Severity: finding.Error, Confidence: 0.95,
			Message: fmt.Sprintf("the partition key %s is %s in %s and %s in %s: %s here, but %s", path, article(most.Class.TypeName()),
				count(most.Count, "document"), article(odd.Class.TypeName()), count(odd.Count, "document"),
				p.quote(odd.At), p.quote(most.At)),
			Advice: fmt.Sprintf("Write it with one type, %s: a value of another type is another partition, and a look-up by key must say the type. A "+
				"partition key cannot be changed; such a document is deleted and written again.", most.Class.TypeName()),
			Fixes: p.retyped(c, path, odd.At, most.Class),
		},
		Related: []RawRelated{{At: most.At, Message: "of type " + most.Class.TypeName()}},
	})
}

// fewValueNames are fields that have few values by nature.
var fewValueNames = []string{
	"status", "state", "type", "kind", "country", "gender", "active", "date", "day", "month", "year", "region", "category",
}

// uneven is how many times its fair share the most frequent value must have:
// of four values each has a quarter of the documents.
const uneven = 2

// cardinality reports keys with few values, else one that holds too much.
func (p *Pass) cardinality(c *model.Collection, n *profile.Node, path profile.Path) {
	total := n.ScalarCount()
	values := n.Scalars.Values.Values()
	distinct := n.Scalars.Values.Distinct()
	if len(values) == 0 {
		return
	}
	top := values[0]
	share := float64(top.Count) / float64(total)
	evidence := []finding.Evidence{
		{Name: "values.distinct", Value: int64(distinct)}, {Name: "values.topShare", Value: float64(int64(share*1000+0.5)) / 1000},
	}
	topText := fmt.Sprintf("%q", shorten(top.Text, quotable))
	few := max(p.Threshold("few-values"), min(p.Threshold("few-values-share")*float64(total), p.Threshold("few-values-most")))
	named := slices.Contains(fewValueNames, lexiconHead(path[len(path)-1].Name))
	switch {
	case float64(total) >= p.Threshold("cardinality-documents") && distinct <= few:
		confidence := 0.9
		if distinct > p.Threshold("few-values") {
			confidence = 0.7
		}
		message := fmt.Sprintf("the partition key %s has %s in %s", path, count(int64(distinct), "value"), count(total, "document"))
		if distinct == 1 {
			confidence = 0.6 // a sample of one partition looks the same
			message = fmt.Sprintf("the partition key %s is %s in all of %s", path, topText, count(total, "document"))
		} else {
			message += fmt.Sprintf("; %s alone has %s of them", topText, percent(share))
		}
		p.reportPartition(c, path, "low-cardinality", Raw{
			At: n.FirstAny(),
			Finding: finding.Finding{
				Severity: finding.Warning, Confidence: confidence, Message: message, Advice: p.keyAdvice(c, path), Evidence: evidence,
				Fixes: p.syntheticKey(c, path, n.FirstAny()),
			},
		})
	case float64(total) < p.Threshold("cardinality-documents") && named && distinct <= max(10, 0.1*float64(total)):
		p.reportPartition(c, path, "low-cardinality", Raw{
			At: n.FirstAny(),
			Finding: finding.Finding{
				Severity: finding.Warning, Confidence: 0.6,
				Message: fmt.Sprintf("the partition key %s is of a kind that has few values: %s in %s here", path, quantity.Grouped(int64(distinct)), count(total, "document")),
				Advice:  p.keyAdvice(c, path), Evidence: evidence, Fixes: p.syntheticKey(c, path, n.FirstAny()),
			},
		})
	case float64(total) >= p.Threshold("skew-documents") && share >= p.Threshold("skew-share") && share*distinct >= uneven && n.Scalars.Values.Exact():
		p.reportPartition(c, path, "skew", Raw{
			At: n.FirstAny(),
			Finding: finding.Finding{
				Severity: finding.Warning, Confidence: 0.7,
				Message: fmt.Sprintf("%s of %s have the partition key %s %s, the other %s share the rest", percent(share), count(total, "document"), path,
					topText, count(int64(distinct)-1, "value")),
				Advice: p.keyAdvice(c, path), Evidence: evidence, Fixes: p.syntheticKey(c, path, n.FirstAny()),
			},
		})
	}
}

// lexiconHead is the last word of a name, in lower case.
func lexiconHead(name string) string {
	tokens := lexicon.Tokens(name)
	if len(tokens) == 0 {
		return ""
	}
	return lexicon.Singular(tokens[len(tokens)-1])
}

func (p *Pass) keyAdvice(c *model.Collection, path profile.Path) string {
	partner := "the id"
	if id := p.idNode(c); id != nil {
		partner = id.Step.Name
	}
	limit := ""
	if p.Limits.PartitionBytes > 0 {
		limit = " (at most 20 GB and 10,000 request units a second)"
	}
	if p.Limits.Name == "cosmosdb" {
		return fmt.Sprintf("Use a hierarchical key of %s and %s, or a synthetic one that joins the two: one value is one logical partition%s, however "+
			"many machines there are.", path, partner, limit)
	}
	return fmt.Sprintf("Join %s and %s, or a number of shards, into a key of its own: one value is one partition, however many machines there are.", path, partner)
}

// syntheticKey shows a document with a key made of the present one and the id.
func (p *Pass) syntheticKey(c *model.Collection, path profile.Path, at profile.Pos) []finding.Fix {
	id := p.idNode(c)
	if id == nil || at.DocLen > exampleLimit {
		return nil
	}
	d, err := p.Document(at)
	if err != nil {
		return nil
	}
	document := reshape.From(d.Document, 0)
	key, own := document.Select(path), document.Get(id.Step.Name)
	if len(key) != 1 || own == nil || own.Text() == "" || key[0].Text() == "" {
		return nil
	}
	before := document.AppendJSON(nil)
	if !document.AddAfterID([]string{id.Step.Name}, "partitionKey", reshape.String(key[0].Text()+"-"+own.Text())) {
		return nil
	}
	return []finding.Fix{{
		Title: fmt.Sprintf("a synthetic key of %s and %s", path, id.Step.Name), Safety: finding.Plan, Edits: []finding.Edit{}, Before: before,
		After: []finding.DocumentInPlace{{Collection: c.Name, Document: document.AppendJSON(nil)}},
	}}
}

// longKey reports values that are longer than the database takes.
func (p *Pass) longKey(c *model.Collection, n *profile.Node, path profile.Path) {
	limit, short := p.Limits.PartitionKeyBytes, p.Limits.PartitionKeyShortBytes
	if limit == 0 || n.Max <= int64(max(short, 1)) || short == 0 && n.Max <= int64(limit) {
		return
	}
	d, i, ok := p.tokenOf(n.MaxAt)
	if !ok {
		return
	}
	length := len(d.String(i))
	severity, confidence := finding.Error, 0.95
	message := fmt.Sprintf("the partition key %s has %s, and %s allows %s: %s", path, count(int64(length), "byte"), p.Limits.Title, quantity.Grouped(int64(limit)), quoteToken(d, i))
	switch {
	case length > limit:
	case short > 0 && length > short:
		severity, confidence = finding.Info, 0.6
		message = fmt.Sprintf("the partition key %s has %s: containers made without large partition keys tell only the first %d apart: %s", path,
			count(int64(length), "byte"), short, quoteToken(d, i))
	default:
		return
	}
	p.reportPartition(c, path, "long", Raw{
		At: n.MaxAt,
		Finding: finding.Finding{
			Severity: severity, Confidence: confidence, Message: message,
			Advice:   "Use an id or a hash of the long text as the key and keep the text in a field.",
			Evidence: []finding.Evidence{{Name: "length.max", Value: length}},
		},
	})
}

// mutable looks for documents that changed their partition key between two
// versions.
func (p *Pass) mutable(c *model.Collection, path profile.Path) {
	id := p.idNode(c)
	if id == nil || id.Scalars == nil || id.Duplicated > 0 || id.Step.Name == path.String() {
		return
	}
	probe := newSameIDProbe(c, id, nil)
	if probe == nil {
		return
	}
	probe.watch = path
	Watch(p, whole(c), probe)
	p.After(func() { p.reportMutable(c, id, path, probe) })
}

func (p *Pass) reportMutable(c *model.Collection, id *profile.Node, path profile.Path, b *sameIDProbe) {
	h := b.history(id.Scalars.Values.Distinct())
	var changed []sameIDPair
	for _, copies := range b.sorted() {
		for i := 1; i < len(copies.first); i++ {
			x, y := &copies.first[i-1], &copies.first[i]
			if x.watched != 0 && y.watched != 0 && x.watched != y.watched && h.between(x, y) == laterVersion {
				changed = append(changed, sameIDPair{copies.n, x, y})
				break
			}
		}
	}
	if len(changed) == 0 {
		return
	}
	first := changed[0]
	was, now := p.quoteAt(first.a.at, path), p.quoteAt(first.b.at, path)
	p.reportPartition(c, path, "mutable", Raw{
		At: first.b.at,
		Finding: finding.Finding{
			Severity: finding.Warning, Confidence: 0.9,
			Message: fmt.Sprintf("the partition key %s of %s changed from %s to %s", path, p.quote(first.b.at), was, now),
			Advice: "Choose a key that stays: the value cannot be updated in place, so that each change deletes the document and writes another, and a " +
				"failure in between leaves two or none.",
			Evidence: []finding.Evidence{{Name: "documents.changed", Value: b.estimate(len(changed))}},
		},
		Related: []RawRelated{{At: first.a.at, Message: "the other version, with " + was}},
	})
}

// quoteAt quotes the value at a path of the document that holds a position.
func (p *Pass) quoteAt(at profile.Pos, path profile.Path) string {
	d, _, ok := p.tokenOf(at)
	if !ok {
		return "?"
	}
	i, ok := d.First(0, path)
	if !ok {
		return "absent"
	}
	return quoteToken(d, i)
}
