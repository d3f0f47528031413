package rules

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// inconsistentDateFormat reports dates that one field writes in several ways.
var inconsistentDateFormat = Rule{Name: "inconsistent-date-format", Run: func(p *Pass) {
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Parent == nil {
				return true
			}
			if encodings := dateEncodings(n, p.Threshold("date-share")); encodings != nil {
				places := findEpochs(p, e, n, encodings)
				p.After(func() { reportDates(p, e, n, places.of(encodings)) })
			}
			return true
		})
	}
}}

// An encoding is one way to write a date.
type encoding struct {
	name  string
	form  profile.Form // of a text
	class profile.Class
	count int64
	at    profile.Pos
}

// dateShare is the share of the values that must be dates for other rules to
// leave a path to this one.
const dateShare = 0.95

// dateEncodings returns the ways in which the values at n write dates, most
// frequent first; nil if there are fewer than two, or if they are no dates.
func dateEncodings(n *profile.Node, share float64) []encoding {
	s := n.Scalars
	if s == nil || n.Types[profile.Object]+n.Types[profile.Array]+n.Types[profile.ObjectID]+n.Types[profile.Binary]+n.Types[profile.Bool] > 0 {
		return nil
	}
	var out []encoding
	add := func(name string, f profile.Form, c profile.Class, k int64, at profile.Pos) {
		if k > 0 {
			out = append(out, encoding{name, f, c, k, at})
		}
	}
	for _, f := range []struct {
		form profile.Form
		name string
	}{
		{profile.FormDate, "a day (2026-01-31)"}, {profile.FormDateTimeZone, "a time with zone (2026-01-31T10:00:00Z)"},
		{profile.FormDateTime, "a time without zone (2026-01-31T10:00:00)"}, {profile.FormSlashDate, "a local date (31.01.2026, 1/31/2026)"},
		{profile.FormRFC1123, "an RFC 1123 date (Sat, 31 Jan 2026 10:00:00 GMT)"},
	} {
		k, at := s.FormCount(f.form)
		add(f.name, f.form, profile.String, k, at)
	}
	texts := out
	add("a native date", 0, profile.Date, n.Types[profile.Date], n.First(profile.Date))
	dates := int64(0)
	for _, e := range out {
		dates += e.count
	}
	if numbers := n.Types[profile.Int]; numbers > 0 && n.Types[profile.Double] == 0 {
		// Numbers are dates if they are of the size of a time and either
		// stand beside dates or have the name of one.
		if name, ok := epoch(s); ok && numbers == s.Ints && (dates > 0 || timeName(listName(n))) {
			if name == "" {
				seconds, millis := epochSizes(s)
				if seconds == 0 || millis == 0 {
					return nil
				}
				add("milliseconds since 1970", 0, profile.Int, max(1, numbers*int64(millis)/int64(seconds+millis)), n.First(profile.Int))
				add("seconds since 1970", 0, profile.Int, max(1, numbers*int64(seconds)/int64(seconds+millis)), n.First(profile.Int))
			} else {
				add(name, 0, profile.Int, numbers, n.First(profile.Int))
			}
			dates += numbers
		}
	}
	absent, _ := s.FormCount(profile.FormEmpty)
	placeholders, _ := s.FormCount(profile.FormPlaceholder)
	if len(out) < 2 || float64(dates) < share*float64(n.ScalarCount()-absent-placeholders) || onlyLocal(texts, out) {
		return nil
	}
	slices.SortStableFunc(out, func(a, b encoding) int { return cmp.Compare(b.count, a.count) })
	return out
}

// onlyLocal reports whether texts like 1/2/2026 stand alone beside numbers:
// then they may be fractions or parts of something else.
func onlyLocal(texts, all []encoding) bool {
	return len(texts) == 1 && texts[0].form == profile.FormSlashDate && len(all) == 2 && all[1].class == profile.Int
}

// epoch says which unit integers since 1970 have, "" for both.
func epoch(s *profile.Scalars) (unit string, ok bool) {
	switch {
	case s.Ints == 0 || s.MinInt < epochFirst || s.MaxInt >= 1000*epochLast:
		return "", false
	case s.MaxInt < epochLast:
		return "seconds since 1970", true
	case s.MinInt >= 1000*epochFirst:
		return "milliseconds since 1970", true
	}
	seconds, millis := epochSizes(s)
	return "", seconds > 0 && millis > 0
}

// epochSizes counts the sampled integers of either unit; zeros if one is of
// neither.
func epochSizes(s *profile.Scalars) (seconds, millis int) {
	for _, v := range s.Values.Values() {
		if !v.HasText || !v.Classes.Has(profile.Int) {
			continue
		}
		switch len(v.Text) {
		case 9, 10:
			seconds++
		case 12, 13:
			millis++
		default:
			return 0, 0
		}
	}
	return seconds, millis
}

// epochs are the numbers of either unit in a field that has both.
type epochs struct{ *finder }

const secondsFound, millisFound = 0, 1

// findEpochs looks for the first number of either unit; the profile knows
// the first number only.
func findEpochs(p *Pass, e *model.Entity, n *profile.Node, encodings []encoding) epochs {
	numbers := 0
	for _, c := range encodings {
		if c.class == profile.Int {
			numbers++
		}
	}
	if numbers < 2 {
		return epochs{}
	}
	return epochs{findPlaces(p, e, n.Path(), 2, 1, func(d *profile.Document, i int, hit func(int, profile.Pos, string)) {
		if d.Class(i) == profile.Int {
			unit := secondsFound
			if len(d.Text(i)) > 10 {
				unit = millisFound
			}
			hit(unit, d.At(i), "")
		}
	})}
}

// of puts in what was counted.
func (x epochs) of(encodings []encoding) []encoding {
	if x.finder == nil {
		return encodings
	}
	out := slices.Clone(encodings)
	for i := range out {
		if out[i].class == profile.Int {
			unit := secondsFound
			if evidenceName(out[i]) != "epoch-seconds" {
				unit = millisFound
			}
			out[i].count, out[i].at = x.sorts[unit].count, x.sorts[unit].first()
		}
	}
	slices.SortStableFunc(out, func(a, b encoding) int { return cmp.Compare(b.count, a.count) })
	return out
}

func reportDates(p *Pass, e *model.Entity, n *profile.Node, encodings []encoding) {
	path := n.Path()
	major, minor := encodings[0], encodings[len(encodings)-1]
	confidence := 0.9
	if len(encodings) == 2 && (major.form == profile.FormDate || minor.form == profile.FormDate) &&
		(major.form == profile.FormDateTime || major.form == profile.FormDateTimeZone || minor.form == profile.FormDateTime || minor.form == profile.FormDateTimeZone) {
		confidence = 0.6 // a date whose time is not known
	}
	r := Raw{At: minor.at, Finding: finding.Finding{Severity: finding.Warning, Confidence: confidence}}
	var parts []string
	for i, c := range encodings {
		parts = append(parts, fmt.Sprintf("%s × %s", quantity.Grouped(c.count), c.name))
		r.Evidence = append(r.Evidence, finding.Evidence{Name: "encodings." + evidenceName(c), Value: c.count})
		if i < len(encodings)-1 {
			r.Related = append(r.Related, RawRelated{Message: "the first " + c.name[len(articleOf(c.name)):], At: c.at})
		}
	}
	r.Message = fmt.Sprintf("%s writes dates in %d ways: %s", path, len(encodings), joinNames(parts))
	r.Advice = fmt.Sprintf("Write all of them as RFC 3339 in UTC (2026-01-31T10:00:00Z), or as the database's own date: sorting %s and range filters on it compare texts and types, not times.", path)
	if major.class == profile.Date {
		r.Advice = fmt.Sprintf("Write all of them as the database's own date, as most are: comparisons between types never match, so that a range filter on %s misses the others.", path)
	}
	r.Fixes = dateFix(p, e, path, minor, major)
	p.Report(e, path, r)
}

func articleOf(name string) string {
	for _, a := range []string{"an ", "a "} {
		if len(name) > len(a) && name[:len(a)] == a {
			return a
		}
	}
	return ""
}

func evidenceName(c encoding) string {
	switch c.class {
	case profile.String:
		return c.form.String()
	case profile.Date:
		return "native"
	}
	if c.name[0] == 's' {
		return "epoch-seconds"
	}
	return "epoch-milliseconds"
}

// dateFix shows the document at the finding with the date in RFC 3339, if
// there is no doubt which time is meant.
func dateFix(p *Pass, e *model.Entity, path profile.Path, minor, major encoding) []finding.Fix {
	if major.class != profile.String || minor.at.DocLen > exampleBytes {
		return nil
	}
	d, err := p.Document(minor.at)
	if err != nil {
		return nil
	}
	before := reshape.From(d.Document, 0)
	after := before.Clone()
	last := path[len(path)-1]
	if last.Kind != profile.Field {
		return nil
	}
	changed := false
	for _, holder := range after.Select(path[:len(path)-1]) {
		if v := holder.Get(last.Name); v != nil {
			if text, ok := rfc3339(v); ok && text != v.Text() {
				holder.Set(last.Name, reshape.String(text))
				changed = true
			}
		}
	}
	if !changed {
		return nil
	}
	return []finding.Fix{{
		Title: "write RFC 3339 in UTC", Safety: finding.Plan, Before: before.AppendJSON(nil),
		After: []finding.DocumentInPlace{{Collection: e.Collection.Name, Document: after.AppendJSON(nil)}},
	}}
}

// rfc3339 writes a date that means one moment: one with a zone, or a number
// since 1970.
func rfc3339(v *reshape.Value) (string, bool) {
	switch v.Kind() {
	case scan.String:
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04Z07:00", time.RFC1123, time.RFC1123Z} {
			if t, err := time.Parse(layout, v.Text()); err == nil && (layout != time.RFC1123 || t.Location() == time.UTC || t.Location().String() == "GMT") {
				return t.UTC().Format(time.RFC3339Nano), true
			}
		}
	case scan.Number:
		if parsed, err := parseValue(v.AppendJSON(nil)); err == nil {
			if ms, ok := timeAt(parsed, 0); ok {
				return time.UnixMilli(ms).UTC().Format(time.RFC3339Nano), true
			}
		}
	}
	return "", false
}

// parseValue parses a text of JSON that a rule has made.
func parseValue(text []byte) (*profile.Document, error) {
	var parser scan.Parser
	d, err := parser.Parse(text)
	if err != nil {
		return nil, err
	}
	return &profile.Document{Document: d}, nil
}
