package report

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/report/html"
	"github.com/shapevet/shapevet/internal/term"
)

// An exhibit is the evidence of a finding: charts, and facts for what cannot be
// plotted.
type exhibit struct {
	charts []html.Chart
	facts  []string
	used   map[string]bool
	pieces []finding.Evidence
}

// evidenceOf plots numeric evidence. The part of a name before a quantile says
// what was measured, the part before a dot what was counted; evidence that
// shares it belongs together.
func evidenceOf(f finding.Finding, m measured) exhibit {
	e := exhibit{used: map[string]bool{}, pieces: f.Evidence}
	e.distributions(f.Subject, m)
	e.growth()
	e.kinds()
	e.classes()
	e.parts()
	e.shares()
	e.points()
	for _, piece := range f.Evidence {
		if text := inWords(piece); text != "" && !e.used[piece.Name] {
			e.facts = append(e.facts, text)
		}
	}
	return e
}

// number returns the value of a piece of evidence if it is a number.
func number(value any) (float64, bool) {
	v := reflect.ValueOf(value)
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		f := v.Float()
		return f, !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	return 0, false
}

func (e *exhibit) number(name string) (float64, bool) {
	for _, piece := range e.pieces {
		if piece.Name == name {
			return number(piece.Value)
		}
	}
	return 0, false
}

func (e *exhibit) bars(b html.Bars) { e.charts = append(e.charts, html.Chart{Bars: &b}) }

// quantiles are name suffixes that give the position of a value in a
// distribution.
var quantiles = [...]struct{ suffix, label string }{
	{".p50", "median"}, {".mean", "mean"}, {".p95", "95%"}, {".p99", "99%"}, {".max", ""},
}

// captions name what distributions measure, by the last part of the name.
var captions = map[string]string{
	"length": "Elements in one array", "keys.perObject": "Keys in one object", "levels": "Levels of nesting",
	"fanOut": "Documents that hold a copy of one thing", "bytes": "Bytes of one document", "perParent": "Children of one parent",
}

// atLimit is the prefix of names for the length at which a document reaches a
// database's limit; the database follows.
const atLimit = "length.atLimit."

func (e *exhibit) distributions(subject finding.Subject, m measured) {
	var names []string
	for _, piece := range e.pieces {
		for _, q := range quantiles {
			if name, ok := strings.CutSuffix(piece.Name, q.suffix); ok && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		var limits []html.Measure
		var lengths *finding.Lengths
		caption, most := cmp.Or(captions[name], term.Clean(strings.ReplaceAll(name, ".", " "))), "most"
		if field, ok := strings.CutSuffix(name, ".links"); ok {
			caption = "Documents that hold one " + term.Clean(field)
			lengths = m.links[spot(subject.Collection, field)]
		}
		if name == "length" {
			most = "longest"
			lengths = m.lengths[spot(subject.Collection, subject.Path)]
		}
		measures, bins := e.measures(name, most, lengths)
		if name == "length" {
			if limits = e.limits(); limits != nil {
				caption += ", and how many make a document too large"
			}
		}
		chart := html.NewDistribution(caption, measures, limits, bins)
		if chart == nil || len(measures) < 2 && limits == nil {
			continue
		}
		e.charts = append(e.charts, html.Chart{Distribution: chart})
		for _, q := range quantiles {
			e.used[name+q.suffix] = true
		}
		if limits != nil {
			for _, piece := range e.pieces {
				if strings.HasPrefix(piece.Name, atLimit) {
					e.used[piece.Name] = true
				}
			}
		}
	}
}

// measures returns the quantiles of what the evidence counts under a name, with
// bins from the lengths that were read if those are the same values.
func (e *exhibit) measures(name, most string, lengths *finding.Lengths) (measures []html.Measure, bins []html.Bin) {
	if longest, known := e.number(name + ".max"); lengths != nil && known && longest == float64(lengths.Max) {
		for i, v := range [...]int64{lengths.P50, lengths.P95, lengths.P99, lengths.Max} {
			measures = append(measures, html.Measure{Name: [...]string{"median", "95%", "99%", most}[i], Value: float64(v)})
		}
		for _, b := range lengths.Bins {
			bins = append(bins, html.Bin(b))
		}
		return measures, bins
	}
	for _, q := range quantiles {
		if v, ok := e.number(name + q.suffix); ok {
			measures = append(measures, html.Measure{Name: cmp.Or(q.label, most), Value: v})
		}
	}
	return measures, nil
}

// limits returns the lengths at which a document reaches the limits of
// databases.
func (e *exhibit) limits() (limits []html.Measure) {
	for _, piece := range e.pieces {
		if database, ok := strings.CutPrefix(piece.Name, atLimit); ok {
			if v, known := number(piece.Value); known && v > 0 {
				limits = append(limits, html.Measure{Name: term.Clean(database), Value: v})
			}
		}
	}
	return limits
}

// growth shows how long the longest list takes to reach a limit.
func (e *exhibit) growth() {
	perDay, measured := e.number("growth.perDay")
	longest, known := e.number("length.max")
	if !measured || !known || perDay <= 0 {
		return
	}
	type row struct {
		database string
		days     float64
	}
	var rows []row
	most := 0.0
	for _, piece := range e.pieces {
		database, ok := strings.CutPrefix(piece.Name, atLimit)
		if v, numeric := number(piece.Value); ok && numeric {
			days := max(0, v-longest) / perDay
			rows = append(rows, row{database, days})
			most = max(most, days)
		}
	}
	if most == 0 {
		return
	}
	b := html.Bars{Caption: fmt.Sprintf("Until the longest reaches the limit, at %s a day", floatText(perDay, false))}
	for _, r := range rows {
		b.Rows = append(b.Rows, html.Bar{Label: term.Clean(r.database), Value: daysText(r.days), Percent: percent(r.days, most), Tone: "warning"})
	}
	e.bars(b)
	e.used["growth.perDay"] = true
}

func daysText(days float64) string {
	switch {
	case days >= 365*1000:
		return "over 1,000 years"
	case days >= 730:
		return quantity.Of(int64(days/365), "year")
	}
	return quantity.Of(int64(days), "day")
}

// kinds shows the number of documents of each kind, with the fields that only
// that kind has.
func (e *exhibit) kinds() {
	counts, fields := e.list("kinds.count"), e.list("kinds.fields")
	if len(counts) == 0 {
		return
	}
	most := 0.0
	for _, c := range counts {
		n, ok := number(c)
		if !ok {
			return
		}
		most = max(most, n)
	}
	b := html.Bars{Caption: "Kinds, and the fields that only they have"}
	for i, c := range counts {
		n, _ := number(c)
		label := "kind " + strconv.Itoa(i+1)
		if i < len(fields) {
			label = term.Clean(fmt.Sprint(fields[i]))
		}
		b.Rows = append(b.Rows, html.Bar{Label: label, Value: quantity.Grouped(int64(n)), Percent: percent(n, most)})
	}
	e.bars(b)
	e.used["kinds.count"], e.used["kinds.fields"] = true, true
}

func (e *exhibit) list(name string) []any {
	for _, piece := range e.pieces {
		v := reflect.ValueOf(piece.Value)
		if piece.Name != name || v.Kind() != reflect.Slice {
			continue
		}
		out := make([]any, v.Len())
		for i := range out {
			out[i] = v.Index(i).Interface()
		}
		return out
	}
	return nil
}

// classified are prefixes of names that end in the class counted.
var classified = [...]struct{ prefix, caption string }{
	{"types.", "Values by type"}, {"type.", "Values by type"}, {"encodings.", "Values by encoding"}, {"pairs.", "Pairs that say they belong together"},
	{"objects.", "Objects"}, {"names.", "Names by style"}, {"documents.above.", "Documents above"},
}

// classes shows counts whose names differ only in the suffix.
func (e *exhibit) classes() {
	for _, class := range classified {
		var rows []html.Bar
		var values []float64
		var names []string
		most := 0.0
		for _, piece := range e.pieces {
			label, ok := strings.CutPrefix(piece.Name, class.prefix)
			n, numeric := number(piece.Value)
			if !ok || !numeric || n < 1 && n > 0 {
				continue
			}
			if label == "unique" { // a share, not a count
				continue
			}
			rows = append(rows, html.Bar{Label: term.Clean(strings.ReplaceAll(label, ".", " ")), Value: quantity.Grouped(int64(n))})
			values, names = append(values, n), append(names, piece.Name)
			most = max(most, n)
		}
		if len(rows) < 2 || most == 0 {
			continue
		}
		for i := range rows {
			rows[i].Percent = percent(values[i], most)
			if values[i] < most {
				rows[i].Tone = "warning"
			}
			e.used[names[i]] = true
		}
		e.bars(html.Bars{Caption: class.caption, Rows: rows})
	}
}

// A whole is a count that others are parts of.
type whole struct {
	name, caption string
	parts         []part
}

type part struct{ name, label, tone string }

// wholes are the counts that rules give as a whole with its parts.
var wholes = [...]whole{
	{"documents", "Of the documents", []part{
		{"exact", "are right", "good"}, {"wrong", "are wrong", "error"},
		{"documents.with", "have it", ""}, {"documents.without", "lack it", "warning"}, {"documents.withoutId", "have no id", "error"},
		{"documents.incomplete", "are incomplete", "warning"}, {"documents.foreign", "are of another kind", "warning"},
		{"documents.changed", "have changed", "warning"}, {"documents.rare", "have the rare form", "warning"},
	}},
	{"documents.compared", "Of the documents compared", []part{{"documents.stale", "are stale", "error"}}},
	{"copies", "Of the copies", []part{{"stale", "differ from the original", "error"}}},
	{"references", "Of the references", []part{{"dangling", "lead nowhere", "error"}}},
	{"objects", "Of the objects", []part{{"missing", "lack it", "warning"}}},
}

func (e *exhibit) parts() {
	for _, w := range wholes {
		total, ok := e.number(w.name)
		if !ok || total <= 0 || e.used[w.name] {
			continue
		}
		b := html.Bars{Caption: w.caption}
		for _, p := range w.parts {
			if n, counted := e.number(p.name); counted && n <= total && !e.used[p.name] {
				b.Rows = append(b.Rows, html.Bar{Label: p.label, Value: quantity.Grouped(int64(n)), Percent: percent(n, total), Tone: p.tone})
				e.used[p.name] = true
			}
		}
		if b.Rows == nil {
			continue
		}
		b.Rows = append([]html.Bar{{Label: "all", Value: quantity.Grouped(int64(total)), Percent: 100, Tone: "quiet"}}, b.Rows...)
		e.used[w.name] = true
		e.bars(b)
	}
}

// shared are the names of shares, complete or the last part, with their
// meanings.
var shared = map[string]string{
	"share": "share", "presence": "objects that have it", "resolved": "lead to a document", "ownership": "elements of one owner",
	"overlap": "overlap", "disagree": "copies that disagree", "explained": "variation explained", "unique": "pairs that occur once",
	"append.share": "lists in the order in which they were appended to", "bytes.share": "bytes of the documents that it takes",
	"bytes.shareOfLarge": "... of the large documents", "stale.share": "copies that are stale", "exact.share": "those that are not 0 and agree",
	"coverage": "have it", "topShare": "have the most frequent value", "new": "keys not seen before", "idLike": "keys that look like ids",
}

// shares shows numbers from 0 to 1 that are parts of a whole.
func (e *exhibit) shares() {
	b := html.Bars{Caption: "Shares"}
	for _, piece := range e.pieces {
		v, ok := number(piece.Value)
		last := piece.Name[strings.LastIndexByte(piece.Name, '.')+1:]
		text, whole := shared[piece.Name]
		known := whole
		if !whole {
			text, known = shared[last]
		}
		if !ok || !known || v < 0 || v > 1 || e.used[piece.Name] {
			continue
		}
		if head := strings.TrimSuffix(piece.Name, "."+last); !whole && head != piece.Name && (last == "resolved" || last == "share") {
			text = term.Clean(strings.ReplaceAll(head, ".", " ")) + ", " + text
			if last == "share" {
				text = strings.TrimSuffix(text, ", share")
			}
		}
		e.used[piece.Name] = true
		b.Rows = append(b.Rows, html.Bar{Label: text, Value: strconv.FormatFloat(math.Round(v*1000)/10, 'f', -1, 64) + "%", Percent: percent(v, 1)})
	}
	if b.Rows != nil {
		e.bars(b)
	}
}

// points shows how a score was composed.
func (e *exhibit) points() {
	b := html.Bars{Caption: "What spoke for it, in points"}
	most := 0.0
	var values []float64
	for _, p := range e.list("points") {
		sign, text, ok := strings.Cut(fmt.Sprint(p), " ")
		n, err := strconv.ParseFloat(sign, 64)
		if !ok || err != nil {
			return
		}
		tone := "warning"
		if n < 0 {
			tone = "good"
		}
		values = append(values, math.Abs(n))
		most = max(most, math.Abs(n))
		b.Rows = append(b.Rows, html.Bar{Label: term.Clean(text), Value: sign, Tone: tone})
	}
	if b.Rows == nil || most == 0 {
		return
	}
	for i, v := range values {
		b.Rows[i].Percent = percent(v, most)
	}
	e.used["points"] = true
	e.bars(b)
}

func percent(part, whole float64) float64 {
	return math.Round(1000*min(1, part/whole)) / 10
}
