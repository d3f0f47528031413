// Package dates recognises the formats of the dates at a path.
package dates

import (
	"cmp"
	"github.com/shapevet/shapevet/internal/lexicon"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// An Encoding is a format of dates.
type Encoding struct {
	Name  string
	Form  profile.Form // of texts
	Class profile.Class
	Count int64
	At    profile.Pos
}

// Share is the share of a path's values that must be dates for other rules to
// leave it to inconsistent-date-format.
const Share = 0.95

// fewDates is the number of dates from which a single text among them may be a
// slip.
const fewDates = 5

// Encodings returns the formats of the dates at n, most frequent first. It
// returns nil if there are fewer than two, or if the values are not dates.
func Encodings(n *profile.Node, share float64) []Encoding {
	s := n.Scalars
	if s == nil || n.Types[profile.Object]+n.Types[profile.Array]+n.Types[profile.ObjectID]+n.Types[profile.Binary]+n.Types[profile.Bool] > 0 {
		return nil
	}
	var out []Encoding
	add := func(name string, f profile.Form, c profile.Class, k int64, at profile.Pos) {
		if k > 0 {
			out = append(out, Encoding{name, f, c, k, at})
		}
	}
	for _, f := range []struct {
		form profile.Form
		name string
	}{
		{profile.FormDate, "a day (2026-01-31)"}, {profile.FormDateTimeZone, "a time with zone (2026-01-31T10:00:00Z)"},
		{profile.FormSpacedTime, "a time with zone after a space (2026-01-31 10:00:00Z)"},
		{profile.FormDateTime, "a time without zone (2026-01-31T10:00:00)"}, {profile.FormSlashDate, "a local date (31.01.2026, 1/31/2026)"},
		{profile.FormLocalDateTime, "a local date and time (31.01.2026 10:00)"}, {profile.FormLongDate, "a date in words (January 31, 2026)"},
		{profile.FormRFC1123, "an RFC 1123 date (Sat, 31 Jan 2026 10:00:00 GMT)"},
	} {
		k, at := s.FormCount(f.form)
		add(f.name, f.form, profile.String, k, at)
	}
	texts := out
	add("a date of the database", 0, profile.Date, n.Types[profile.Date], n.First(profile.Date))
	dates := int64(0)
	for _, e := range out {
		dates += e.Count
	}
	if numbers := n.Types[profile.Int]; numbers > 0 && n.Types[profile.Double] == 0 {
		// Numbers are dates if they have the size of a time and either occur next to
		// dates or have the name of one.
		if name, ok := epoch(s); ok && numbers == s.Ints && (dates > 0 || lexicon.TimeName(naming.ListName(n))) {
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
	words, at := s.FormCount(profile.FormWord)
	if texts, first := s.FormCount(profile.FormText); texts > 0 {
		words, at = words+texts, first
	}
	if others := n.ScalarCount() - absent - placeholders - dates; len(out) == len(texts) && words == 1 && others == 1 && dates >= fewDates {
		add("a text that is not a date", profile.FormText, profile.String, 1, at)
		dates++
	}
	if clock, at := s.FormCount(profile.FormTime); float64(dates) >= share*float64(n.ScalarCount()-absent-placeholders) {
		add("a time of day without a date (10:00)", profile.FormTime, profile.String, clock, at)
		dates += clock
	}
	if len(out) < 2 || float64(dates) < share*float64(n.ScalarCount()-absent-placeholders) {
		return nil
	}
	slices.SortStableFunc(out, func(a, b Encoding) int { return cmp.Compare(b.Count, a.Count) })
	return out
}

// epoch returns the unit of integers since 1970, or "" for both.
func epoch(s *profile.Scalars) (unit string, ok bool) {
	switch {
	case s.Ints == 0 || s.MinInt < times.EpochFirst || s.MaxInt >= 1000*times.EpochLast:
		return "", false
	case s.MaxInt < times.EpochLast:
		return "seconds since 1970", true
	case s.MinInt >= 1000*times.EpochFirst:
		return "milliseconds since 1970", true
	}
	seconds, millis := epochSizes(s)
	return "", seconds > 0 && millis > 0
}

// epochSizes counts the sampled integers of each unit. It returns zeros if one
// fits neither.
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

// ParseValue parses JSON text made by a rule.
func ParseValue(text []byte) (*profile.Document, error) {
	var parser scan.Parser
	d, err := parser.Parse(text)
	if err != nil {
		return nil, err
	}
	return &profile.Document{Document: d}, nil
}
