// Package inconsistentdateformat reports fields whose dates have several
// formats.
package inconsistentdateformat

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/dates"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Rule is inconsistent-date-format on documents.
var Rule = check.Rule{Name: "inconsistent-date-format", Run: func(p *check.Pass) {
	for _, c := range p.DB.Collections {
		told := map[string]bool{}
		for _, e := range c.Entities {
			e.Root().Walk(func(n *profile.Node) bool {
				if n.Parent == nil {
					return true
				}
				if encodings := dates.Encodings(n, p.Threshold("date-share")); encodings != nil {
					told[n.Path().String()] = true
					places := findEpochs(p, e, n, encodings)
					p.After(func() { reportUnlessLost(p, e, n, places.of(encodings)) })
				} else {
					checkOrders(p, e, n)
					checkClocks(p, e, n)
					checkMonths(p, e, n)
				}
				return true
			})
		}
		if len(c.Entities) > 1 {
			checkKinds(p, places.Whole(c), told)
		}
	}
}}

// checkKinds looks for a field that holds dates of the database in one kind of document
// and others in another: one query reads both, and finds only one of them. told has the
// paths that are reported for a kind.
func checkKinds(p *check.Pass, e *model.Entity, told map[string]bool) {
	e.Root().Walk(func(n *profile.Node) bool {
		if n.Types[profile.Date] == 0 || told[n.Path().String()] {
			return true
		}
		if encodings := dates.Encodings(n, p.Threshold("date-share")); encodings != nil {
			p.After(func() { reportDates(p, e, n, encodings) })
		}
		return true
	})
}

// epochs are the numbers of each unit in a field that has both.
type epochs struct{ *places.Finder }

const secondsFound, millisFound = 0, 1

// findEpochs finds the first number of each unit. The profile has only the
// first number.
func findEpochs(p *check.Pass, e *model.Entity, n *profile.Node, encodings []dates.Encoding) epochs {
	numbers := 0
	for _, c := range encodings {
		if c.Class == profile.Int {
			numbers++
		}
	}
	if numbers < 2 {
		return epochs{}
	}
	return epochs{places.Find(p, e, n.Path(), 2, 1, func(d *profile.Document, i int, hit func(int, profile.Pos, string)) {
		if d.Class(i) == profile.Int {
			unit := secondsFound
			if len(d.Text(i)) > 10 {
				unit = millisFound
			}
			hit(unit, d.At(i), "")
		}
	})}
}

// of fills in the counts.
func (x epochs) of(encodings []dates.Encoding) []dates.Encoding {
	if x.Finder == nil {
		return encodings
	}
	out := slices.Clone(encodings)
	for i := range out {
		if out[i].Class == profile.Int {
			unit := secondsFound
			if evidenceName(out[i]) != "epoch-seconds" {
				unit = millisFound
			}
			out[i].Count, out[i].At = x.Sorts[unit].Count, x.Sorts[unit].First()
		}
	}
	slices.SortStableFunc(out, func(a, b dates.Encoding) int { return cmp.Compare(b.Count, a.Count) })
	return out
}

// reportUnlessLost reports dates, unless the other format is a text that lost-value
// reports. That rule comes later.
func reportUnlessLost(p *check.Pass, e *model.Entity, n *profile.Node, encodings []dates.Encoding) {
	if len(encodings) > 2 || encodings[1].Form != profile.FormText {
		reportDates(p, e, n, encodings)
		return
	}
	p.After(func() {
		if explained.Lost(p)[n] == 0 {
			reportDates(p, e, n, encodings)
		}
	})
}

func reportDates(p *check.Pass, e *model.Entity, n *profile.Node, encodings []dates.Encoding) {
	path := n.Path()
	major, minor := encodings[0], encodings[len(encodings)-1]
	confidence := 0.9
	if minor.Form == profile.FormText {
		confidence = 0.7
	}
	if len(encodings) == 2 && (withoutTime(major, minor) || withoutTime(minor, major)) {
		confidence = 0.6 // a date without a known time
	}
	r := check.Raw{At: minor.At, Finding: finding.Finding{Severity: finding.Warning, Confidence: confidence}}
	var parts, formats []string
	for i, c := range encodings {
		text := shown(p, c)
		formats = append(formats, evidenceName(c))
		parts = append(parts, fmt.Sprintf("%s × %s", quantity.Grouped(c.Count), text))
		r.Evidence = append(r.Evidence, finding.Evidence{Name: "encodings." + evidenceName(c), Value: c.Count})
		if i < len(encodings)-1 {
			r.Related = append(r.Related, check.RawRelated{Message: "the first " + text[len(articleOf(text)):], At: c.At})
		}
	}
	r.Message = fmt.Sprintf("%s holds dates in %d formats: %s", path, len(encodings), wording.JoinNames(parts))
	r.Advice = fmt.Sprintf("Write all dates as RFC 3339 in UTC (2026-01-31T10:00:00Z) or in the database's date type: sorts and range filters on %s compare texts and types, not times.", path)
	r.Fixes = dateFix(p, e, path, minor, major)
	slices.Sort(formats)
	r.Cause, r.Sure = naming.ListName(n)+"\x00"+strings.Join(formats, " "), true // the same two programs write this field in each collection
	p.Report(e, path, r)
}

// shown returns the name of an encoding with its first date.
func shown(p *check.Pass, c dates.Encoding) string {
	name, _, ok := strings.Cut(c.Name, " (")
	if !ok || c.Class != profile.String {
		return c.Name
	}
	return fmt.Sprintf("%s (%s)", name, places.Quote(p, c.At))
}

// withoutTime reports whether a is a day and b the same with a time.
func withoutTime(a, b dates.Encoding) bool {
	return a.Form == profile.FormDate && (b.Form == profile.FormDateTime || b.Form == profile.FormDateTimeZone || b.Form == profile.FormSpacedTime)
}

// checkOrders looks for numeric dates some of which begin with the day and
// others with the month: 31/1/2026 and 1/31/2026. Some dates next to them are
// ambiguous.
func checkOrders(p *check.Pass, e *model.Entity, n *profile.Node) {
	checkSorts(p, e, n, profile.LocalOrder, func(orders []dates.Encoding) { reportDates(p, e, n, orders) }, profile.FormSlashDate, profile.FormLocalDateTime)
}

// checkMonths looks for dates some of which are a month without a day: 5/2026 and 5/17/2026.
func checkMonths(p *check.Pass, e *model.Entity, n *profile.Node) {
	checkSorts(p, e, n, month, func(found []dates.Encoding) { reportDates(p, e, n, found) }, profile.FormSlashDate, profile.FormPath)
}

const (
	monthOnly = "a month (5/2026)"
	localDate = "a local date (5/17/2026)"
)

// month tells a month from a local date.
func month(text []byte) string {
	if profile.FormOf(text) == profile.FormSlashDate {
		return localDate
	}
	if m, y, ok := bytes.Cut(text, []byte("/")); ok && len(m) <= 2 && len(y) == 4 && isDigits(m) && isDigits(y) {
		return monthOnly
	}
	return ""
}

func isDigits(text []byte) bool {
	return len(text) > 0 && bytes.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

// checkClocks looks for times of which some are on a clock of twelve hours and others on
// one of twenty-four, 9:30 PM and 21:30, or some have seconds that are always zero.
func checkClocks(p *check.Pass, e *model.Entity, n *profile.Node) {
	report := func(clocks []dates.Encoding) {
		path, minor, major := n.Path(), clocks[1], clocks[0]
		differ := "on two clocks"
		switch names := []string{major.Name, minor.Name}; {
		case slices.ContainsFunc(clocks, func(c dates.Encoding) bool { return c.Name == timed }):
			return // seconds that count, such as those of a length
		case slices.Contains(names, zeroSeconds):
			differ = "with and without seconds"
		}
		p.Report(e, path, check.Raw{At: minor.At, Finding: finding.Finding{
			Severity: finding.Warning, Confidence: 0.9,
			Message: fmt.Sprintf("%s holds times %s: %s like %s and %s like %s", path, differ,
				quantity.Grouped(major.Count), places.Quote(p, major.At), quantity.Grouped(minor.Count), places.Quote(p, minor.At)),
			Advice:   fmt.Sprintf("Write all times of %s in one form, on the clock of 24 hours with two digits each (09:30, 21:30): then they sort and compare as texts.", path),
			Evidence: []finding.Evidence{{Name: major.Name, Value: major.Count}, {Name: minor.Name, Value: minor.Count}},
		}, Cause: naming.ListName(n.Parent) + "\x00" + major.Name + minor.Name, Sure: true, Related: []check.RawRelated{{Message: "the first of the others", At: major.At}}})
	}
	checkSorts(p, e, n, clock, report, profile.FormTime)
	checkSorts(p, e, n, clock, report, profile.FormDateTime)
}

// The clocks of times by their minutes and seconds.
const (
	zeroSeconds = "clock.24.seconds" // 21:30:00
	timed       = "clock.24.timed"   // 21:30:17
)

// clock names the clock of a time by how many hours it has, and whether it has seconds. A
// clock of twelve hours tells morning and afternoon apart: 9:30 PM, 9:30 p. m.
func clock(text []byte) string {
	switch form := profile.FormOf(text); {
	case form != profile.FormTime && form != profile.FormDateTime:
		return ""
	case form == profile.FormTime && bytes.ContainsAny(text, "mM"):
		return "clock.12"
	case bytes.Count(text, []byte(":")) < 2:
		return "clock.24"
	case bytes.HasSuffix(text, []byte(":00")):
		return zeroSeconds
	}
	return timed
}

// checkSorts reports a field whose values have certain forms, if sort names several
// sorts of them. The most frequent sort comes first.
func checkSorts(p *check.Pass, e *model.Entity, n *profile.Node, sort func([]byte) string, report func([]dates.Encoding), forms ...profile.Form) {
	s := n.Scalars
	if s == nil {
		return
	}
	absent, _ := s.FormCount(profile.FormEmpty)
	placeholders, _ := s.FormCount(profile.FormPlaceholder)
	sorted := int64(0)
	for _, form := range forms {
		count, _ := s.FormCount(form)
		sorted += count
	}
	if sorted == 0 || float64(sorted) < p.Threshold("date-share")*float64(n.ScalarCount()-absent-placeholders) {
		return
	}
	var sorts []string
	for _, v := range s.Values.Values() {
		if name := sort([]byte(v.Text)); v.HasText && name != "" && !slices.Contains(sorts, name) {
			sorts = append(sorts, name)
		}
	}
	if len(sorts) < 2 {
		return
	}
	slices.Sort(sorts)
	f := places.Find(p, e, n.Path(), len(sorts), 1, func(d *profile.Document, i int, hit func(int, profile.Pos, string)) {
		if at := slices.Index(sorts, sort(d.Canonical(i))); at >= 0 {
			hit(at, d.At(i), "")
		}
	})
	p.After(func() {
		var found []dates.Encoding
		for i, name := range sorts {
			found = append(found, dates.Encoding{Name: name, Form: forms[0], Class: profile.String, Count: f.Sorts[i].Count, At: f.Sorts[i].First()})
		}
		slices.SortStableFunc(found, func(a, b dates.Encoding) int { return cmp.Compare(b.Count, a.Count) })
		report(found)
	})
}

func articleOf(name string) string {
	for _, a := range []string{"an ", "a "} {
		if len(name) > len(a) && name[:len(a)] == a {
			return a
		}
	}
	return ""
}

func evidenceName(c dates.Encoding) string {
	switch c.Class {
	case profile.String:
		switch {
		case len(c.Name) == len("d/m/y"):
			return c.Name
		case c.Name == monthOnly:
			return "month"
		}
		return c.Form.String()
	case profile.Date:
		return "native"
	}
	if c.Name[0] == 's' {
		return "epoch-seconds"
	}
	return "epoch-milliseconds"
}

// dateFix shows the document at the finding with the date in RFC 3339, if the
// time is certain.
func dateFix(p *check.Pass, e *model.Entity, path profile.Path, minor, major dates.Encoding) []finding.Fix {
	if major.Class != profile.String {
		return nil
	}
	return plans.Changed(p, e.Collection.Name, "write RFC 3339 in UTC", minor.At, func(document *reshape.Value) bool {
		return document.Replace(path, func(v *reshape.Value) *reshape.Value {
			if text, ok := rfc3339(v); ok && text != v.Text() {
				return reshape.String(text)
			}
			return nil
		})
	})
}

// rfc3339 returns a date in RFC 3339 if it is a definite time: one with a zone,
// or a number since 1970.
func rfc3339(v *reshape.Value) (string, bool) {
	switch v.Kind() {
	case scan.String:
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04Z07:00", time.RFC1123, time.RFC1123Z} {
			if t, err := time.Parse(layout, v.Text()); err == nil && (layout != time.RFC1123 || t.Location() == time.UTC || t.Location().String() == "GMT") {
				return t.UTC().Format(time.RFC3339Nano), true
			}
		}
	case scan.Number:
		if parsed, err := dates.ParseValue(v.AppendJSON(nil)); err == nil {
			if ms, ok := times.At(parsed, 0); ok {
				return time.UnixMilli(ms).UTC().Format(time.RFC3339Nano), true
			}
		}
	}
	return "", false
}
