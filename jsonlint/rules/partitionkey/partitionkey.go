// Package partitionkey reports problems with a collection's configured
// partition key. The finding's evidence "kind" names the problem.
package partitionkey

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is partition-key on documents.
var Rule = check.Rule{Name: "partition-key", Run: func(p *check.Pass) {
	for _, c := range p.DB.Collections {
		if path := identity.PartitionPath(p.Collections[c.Name].PartitionKey); len(path) > 0 && c.Profile.Docs > 0 {
			checkPartitionKey(p, c, path)
		}
	}
}}

func checkPartitionKey(p *check.Pass, c *model.Collection, path profile.Path) {
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
		probe := check.Watch(p, places.Whole(c), &keylessProbe{path: path})
		p.After(func() { reportKeyless(p, c, path, probe) })
	}
	if n == nil {
		return
	}
	if classes := n.TypeClasses(); len(classes) > 1 {
		reportMixedKey(p, c, path, classes)
	}
	if n.Scalars == nil {
		return
	}
	cardinality(p, c, n, path)
	longKey(p, c, n, path)
	mutable(p, c, path)
}

// reportPartition adds one finding per kind.
func reportPartition(p *check.Pass, c *model.Collection, path profile.Path, kind string, r check.Raw) {
	r.Evidence = append([]finding.Evidence{{Name: "kind", Value: kind}, {Name: "documents", Value: c.Profile.Docs}}, r.Evidence...)
	r.Fingerprint = "partition-key:" + c.Name + ":" + path.String() + ":" + kind
	p.Report(places.Whole(c), path, r)
}

// keylessProbe finds documents without a partition key.
type keylessProbe struct {
	path  profile.Path
	found places.Earliest
}

func (b *keylessProbe) New() check.Probe { return &keylessProbe{path: b.path} }

func (b *keylessProbe) Visit(d *profile.Document) {
	i, ok := d.First(0, b.path)
	switch {
	case !ok:
		b.found.Add(d.Start())
	case d.Tokens[i].Kind == scan.Null, d.Tokens[i].Kind == scan.String && len(d.Text(i)) == 0:
		b.found.Add(d.At(i))
	}
}

func (b *keylessProbe) Merge(other check.Probe) { b.found.Merge(&other.(*keylessProbe).found) }

func reportKeyless(p *check.Pass, c *model.Collection, path profile.Path, b *keylessProbe) {
	if b.found.N == 0 {
		return
	}
	first := b.found.First()
	here := "absent"
	if d, i, ok := places.TokenOf(p, first); ok && i > 0 {
		here = places.QuoteToken(d, i)
	}
	reportPartition(p, c, path, "missing", check.Raw{
		At: first,
		Finding: finding.Finding{
			Severity: finding.Error, Confidence: 0.95,
			Message: fmt.Sprintf("%s is the partition key, but missing in %s of %s (here it is %s)", path, quantity.Grouped(b.found.N), wording.Count(c.Profile.Docs, "document"), here),
			Advice: fmt.Sprintf("Write %s into every document: documents without it share one partition, DynamoDB rejects them, and a query "+
				"for a value does not find them.", path),
			Evidence: []finding.Evidence{{Name: "documents.without", Value: b.found.N}},
		},
		Related: b.found.AlsoAt("here too"),
	})
}

func reportMixedKey(p *check.Pass, c *model.Collection, path profile.Path, classes []profile.ClassCount) {
	most, odd := classes[0], classes[1]
	reportPartition(p, c, path, "mixed-type", check.Raw{
		At: odd.At,
		Finding: finding.Finding{
			Severity: finding.Error, Confidence: 0.95,
			Message: fmt.Sprintf("%s is the partition key, but %s in %s and %s in %s: here it is %s, elsewhere %s", path, wording.Article(most.Class.TypeName()),
				wording.Count(most.Count, "document"), wording.Article(odd.Class.TypeName()), wording.Count(odd.Count, "document"),
				places.Quote(p, odd.At), places.Quote(p, most.At)),
			Advice: fmt.Sprintf("Write it with one type, %s: values of another type go to another partition, where a look-up does not find them. A "+
				"partition key cannot be changed: delete such a document and write it again.", most.Class.TypeName()),
			Fixes: identity.Retyped(p, c, path, odd.At, most.Class),
		},
		Related: []check.RawRelated{{At: most.At, Message: "of type " + most.Class.TypeName()}},
	})
}

// fewValueNames are fields that naturally have few values.
var fewValueNames = rulebook.Words("partition-key", "few-values")

// uneven is how many times its fair share the most frequent value must have.
// With four values, the fair share is a quarter of the documents.
const uneven = 2

// cardinality reports keys with few values, or otherwise one value that is too
// frequent.
func cardinality(p *check.Pass, c *model.Collection, n *profile.Node, path profile.Path) {
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
	topText := fmt.Sprintf("%q", wording.Shorten(top.Text, wording.Quotable))
	few := max(p.Threshold("few-values"), min(p.Threshold("few-values-share")*float64(total), p.Threshold("few-values-most")))
	named := slices.Contains(fewValueNames(), naming.Head(path[len(path)-1].Name))
	switch {
	case float64(total) >= p.Threshold("cardinality-documents") && distinct <= few:
		confidence := 0.9
		if distinct > p.Threshold("few-values") {
			confidence = 0.7
		}
		message := fmt.Sprintf("%s is the partition key, but has only %s in %s", path, wording.Count(int64(distinct), "value"), wording.Count(total, "document"))
		if distinct == 1 {
			confidence = 0.6 // a sample of one partition looks the same
			message = fmt.Sprintf("%s is the partition key, but %s in all of %s", path, topText, wording.Count(total, "document"))
		} else {
			message += fmt.Sprintf("; %s alone covers %s of them", topText, quantity.Percent(share))
		}
		reportPartition(p, c, path, "low-cardinality", check.Raw{
			At: n.FirstAny(),
			Finding: finding.Finding{
				Severity: finding.Warning, Confidence: confidence, Message: message, Advice: keyAdvice(p, c, path), Evidence: evidence,
				Fixes: syntheticKey(p, c, path, n.FirstAny()),
			},
		})
	case float64(total) < p.Threshold("cardinality-documents") && named && distinct <= max(10, 0.1*float64(total)):
		reportPartition(p, c, path, "low-cardinality", check.Raw{
			At: n.FirstAny(),
			Finding: finding.Finding{
				Severity: finding.Warning, Confidence: 0.6,
				Message: fmt.Sprintf("%s is the partition key, but its name suggests few values: %s in %s here", path, quantity.Grouped(int64(distinct)), wording.Count(total, "document")),
				Advice:  keyAdvice(p, c, path), Evidence: evidence, Fixes: syntheticKey(p, c, path, n.FirstAny()),
			},
		})
	case float64(total) >= p.Threshold("skew-documents") && share >= p.Threshold("skew-share") && share*distinct >= uneven && n.Scalars.Values.Exact():
		reportPartition(p, c, path, "skew", check.Raw{
			At: n.FirstAny(),
			Finding: finding.Finding{
				Severity: finding.Warning, Confidence: 0.7,
				Message: fmt.Sprintf("%s is the partition key, but %s in %s of %s; the other %s share the rest", path, topText, quantity.Percent(share),
					wording.Count(total, "document"), wording.Count(int64(distinct)-1, "value")),
				Advice: keyAdvice(p, c, path), Evidence: evidence, Fixes: syntheticKey(p, c, path, n.FirstAny()),
			},
		})
	}
}

func keyAdvice(p *check.Pass, c *model.Collection, path profile.Path) string {
	partner := "the id"
	if id := identity.Node(p, c); id != nil {
		partner = id.Step.Name
	}
	limit := ""
	if p.Limits.PartitionBytes > 0 {
		limit = " (at most 20 GB and 10,000 request units a second)"
	}
	if p.Limits.Name == "cosmosdb" {
		return fmt.Sprintf("Use a hierarchical key of %s and %s, or a synthetic key that joins the two: one value is one logical partition%s, however "+
			"many machines there are.", path, partner, limit)
	}
	return fmt.Sprintf("Join %s with %s, or with a shard number, into a new key: one value is one partition, however many machines there are.", path, partner)
}

// syntheticKey shows a document with a key made of the current one and the id.
func syntheticKey(p *check.Pass, c *model.Collection, path profile.Path, at profile.Pos) []finding.Fix {
	id := identity.Node(p, c)
	if id == nil {
		return nil
	}
	return plans.Changed(p, c.Name, fmt.Sprintf("a synthetic key of %s and %s", path, id.Step.Name), at, func(document *reshape.Value) bool {
		key, own := document.Select(path), document.Get(id.Step.Name)
		if len(key) != 1 || own == nil || own.Text() == "" || key[0].Text() == "" {
			return false
		}
		return document.AddAfterID([]string{id.Step.Name}, "partitionKey", reshape.String(key[0].Text()+"-"+own.Text()))
	})
}

// longKey reports values longer than the database accepts.
func longKey(p *check.Pass, c *model.Collection, n *profile.Node, path profile.Path) {
	limit, short := p.Limits.PartitionKeyBytes, p.Limits.PartitionKeyShortBytes
	if limit == 0 || n.Max <= int64(max(short, 1)) || short == 0 && n.Max <= int64(limit) {
		return
	}
	d, i, ok := places.TokenOf(p, n.MaxAt)
	if !ok {
		return
	}
	length := len(d.String(i))
	severity, confidence := finding.Error, 0.95
	message := fmt.Sprintf("%s is the partition key, but has %s, and %s allows %s: %s", path, wording.Count(int64(length), "byte"), p.Limits.Title, quantity.Grouped(int64(limit)), places.QuoteToken(d, i))
	switch {
	case length > limit:
	case short > 0 && length > short:
		severity, confidence = finding.Info, 0.6
		message = fmt.Sprintf("%s is the partition key, but has %s, of which containers without large partition keys compare only the first %d: %s", path,
			wording.Count(int64(length), "byte"), short, places.QuoteToken(d, i))
	default:
		return
	}
	reportPartition(p, c, path, "long", check.Raw{
		At: n.MaxAt,
		Finding: finding.Finding{
			Severity: severity, Confidence: confidence, Message: message,
			Advice:   "Use an id or a hash of the text as the key, and keep the text in a field.",
			Evidence: []finding.Evidence{{Name: "length.max", Value: length}},
		},
	})
}

// mutable looks for documents whose partition key changed between two versions.
func mutable(p *check.Pass, c *model.Collection, path profile.Path) {
	id := identity.Node(p, c)
	if id == nil || id.Scalars == nil || id.Duplicated > 0 || id.Step.Name == path.String() {
		return
	}
	probe := identity.NewSameIDProbe(c, id, nil)
	if probe == nil {
		return
	}
	probe.Watch = path
	check.Watch(p, places.Whole(c), probe)
	p.After(func() { reportMutable(p, c, id, path, probe) })
}

func reportMutable(p *check.Pass, c *model.Collection, id *profile.Node, path profile.Path, b *identity.SameIDProbe) {
	h := b.History(id.Scalars.Values.Distinct())
	var changed []identity.SameIDPair
	for _, copies := range b.Sorted() {
		for i := 1; i < len(copies.First); i++ {
			x, y := &copies.First[i-1], &copies.First[i]
			if x.Watched != 0 && y.Watched != 0 && x.Watched != y.Watched && h.Between(x, y) == identity.LaterVersion {
				changed = append(changed, identity.SameIDPair{N: copies.N, A: x, B: y})
				break
			}
		}
	}
	if len(changed) == 0 {
		return
	}
	first := changed[0]
	was, now := quoteAt(p, first.A.At, path), quoteAt(p, first.B.At, path)
	reportPartition(p, c, path, "mutable", check.Raw{
		At: first.B.At,
		Finding: finding.Finding{
			Severity: finding.Warning, Confidence: 0.9,
			Message: fmt.Sprintf("%[1]s is the partition key, but changed from %[3]s to %[4]s in the document %[2]s", path, places.Quote(p, first.B.At), was, now),
			Advice: "Choose a key that never changes: a new value means deleting the document and writing another, and a " +
				"failure in between leaves two documents or none.",
			Evidence: []finding.Evidence{{Name: "documents.changed", Value: b.Estimate(len(changed))}},
		},
		Related: []check.RawRelated{{At: first.A.At, Message: "the other version, with " + was}},
	})
}

// quoteAt quotes the value at a path of the document at a position.
func quoteAt(p *check.Pass, at profile.Pos, path profile.Path) string {
	d, _, ok := places.TokenOf(p, at)
	if !ok {
		return "?"
	}
	i, ok := d.First(0, path)
	if !ok {
		return "absent"
	}
	return places.QuoteToken(d, i)
}
