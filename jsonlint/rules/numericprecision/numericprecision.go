// Package numericprecision reports numbers that a double cannot hold, for
// databases and readers that treat every JSON number as one.
package numericprecision

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Rule is numeric-precision on documents.
var Rule = check.Rule{Name: "numeric-precision", Run: func(p *check.Pass) {
	if !p.Limits.NumbersAreDoubles {
		return
	}
	imprecisely := func(n *profile.Node) bool {
		return n.Scalars != nil && n.Scalars.Imprecise > 0 && !identity.IsNumericIdentifier(p, n)
	}
	var all []sighting
	check.Each(p, imprecisely, (*imprecise).see, (*imprecise).merge, func(e *model.Entity, n *profile.Node, s *imprecise) {
		if s.total() > 0 {
			all = append(all, sighting{e, n.Path(), s})
		}
	})
	p.After(func() { report(p, all) })
}}

// A sighting is the numbers at one path that do not fit.
type sighting struct {
	entity *model.Entity
	path   profile.Path
	*imprecise
}

// imprecise are the numbers at one path that do not fit.
type imprecise struct {
	changed  places.Earliest // integers that become other integers
	beyond   places.Earliest // integers beyond 2^53 that happen to survive
	decimals places.Earliest // decimals with more digits than a double has
	overflow places.Earliest // too large for a double
}

func (s *imprecise) see(d *profile.Document, v int) {
	t := &d.Tokens[v]
	if t.Kind != scan.Number || t.Flags&scan.Wrapped != 0 {
		return
	}
	text := string(d.Text(v))
	if len(text) < 16 && !strings.ContainsAny(text, "eE") {
		return
	}
	if into := s.of(text, t.Flags&scan.Float != 0); into != nil {
		into.Add(d.At(v))
	}
}

// of returns where a number is counted, or nil if a double holds it.
func (s *imprecise) of(text string, float bool) *places.Earliest {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return &s.overflow // ParseFloat fails only for numbers that are too large
	}
	if float {
		if significant(text) > 17 && strconv.FormatFloat(f, 'g', -1, 64) != text {
			return &s.decimals
		}
		return nil
	}
	switch {
	case asDouble(f) != strings.TrimPrefix(text, "+"):
		return &s.changed
	case f > 1<<53 || f < -(1<<53):
		return &s.beyond
	}
	return nil
}

// asDouble returns the integer that a double would hold.
func asDouble(f float64) string { return new(big.Float).SetFloat64(f).Text('f', 0) }

// significant counts the digits of a number without leading and trailing zeros.
func significant(text string) int {
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	mantissa = strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, mantissa)
	return len(strings.Trim(mantissa, "0"))
}

func (s *imprecise) merge(o *imprecise) {
	s.changed.Merge(&o.changed)
	s.beyond.Merge(&o.beyond)
	s.decimals.Merge(&o.decimals)
	s.overflow.Merge(&o.overflow)
}

// report reports each field name once per kind of document, wherever it occurs:
// an id is too large for a double in each object that holds it.
func report(p *check.Pass, all []sighting) {
	type field struct {
		entity *model.Entity
		name   string
	}
	most, paths := map[field]sighting{}, map[field]int{}
	var fields []field
	for _, s := range all {
		f := field{s.entity, wording.LastName(s.path)}
		if paths[f]++; paths[f] == 1 {
			fields = append(fields, f)
		}
		if m, ok := most[f]; !ok || s.total() > m.total() {
			most[f] = s
		}
	}
	for _, f := range fields {
		reportPrecision(p, f.entity, most[f].path, most[f].imprecise, paths[f]-1)
	}
}

func (s *imprecise) total() int64 { return s.overflow.N + s.changed.N + s.beyond.N + s.decimals.N }

// reportPrecision reports the numbers at a path. more is the number of other
// paths with the same name.
func reportPrecision(p *check.Pass, e *model.Entity, path profile.Path, s *imprecise, more int) {
	severity := finding.Warning
	if p.Limits.Name != "generic" && p.Limits.Name != "mongodb" {
		severity = finding.Error
	}
	worst, confidence := &s.changed, 0.95
	var message string
	field := wording.LastName(path)
	switch {
	case s.overflow.N > 0:
		worst = &s.overflow
		message = fmt.Sprintf("%s is %s, more than a double can hold: readers make it infinite or reject it", field, places.Quote(p, worst.First()))
		severity = finding.Error
	case s.changed.N > 0:
		f, err := strconv.ParseFloat(places.Quote(p, worst.First()), 64)
		if err != nil {
			return // the file has changed since it was read
		}
		message = fmt.Sprintf("%s is %s, but readers that use doubles get %s", field, places.Quote(p, worst.First()), asDouble(f))
	case s.beyond.N > 0:
		worst, confidence = &s.beyond, 0.6
		message = fmt.Sprintf("%s is %s, beyond 2^53: a double can hold it, but not the number after it", field, places.Quote(p, worst.First()))
	case s.decimals.N > 0:
		worst, confidence, severity = &s.decimals, 0.6, finding.Info
		message = fmt.Sprintf("%s is %s and has %s, of which a double keeps 17", field, places.Quote(p, worst.First()),
			wording.Count(int64(significant(places.Quote(p, worst.First()))), "digit"))
	default:
		return
	}
	if s.total() > 1 {
		message += fmt.Sprintf("; %s in all", wording.Count(s.total(), "number"))
	}
	if more > 0 {
		message += fmt.Sprintf("; the same in %s", wording.Count(int64(more), "more path"))
	}
	advice := fmt.Sprintf("Store %s as a string where it is an id, a hash or an amount that must be exact: JavaScript, Go's interface{} and databases "+
		"that store plain JSON read every number as a double.", field)
	if worst == &s.decimals {
		advice = fmt.Sprintf("Round %s to the digits that matter, or store it as a string if all of them do.", field)
	}
	p.Report(e, path, check.Raw{
		At: worst.First(),
		Finding: finding.Finding{
			Severity: severity, Confidence: confidence, Message: message, Advice: advice,
			Evidence: []finding.Evidence{
				{Name: "integers.changed", Value: s.changed.N}, {Name: "integers.beyond2^53", Value: s.beyond.N},
				{Name: "decimals.long", Value: s.decimals.N}, {Name: "overflow", Value: s.overflow.N},
			},
			Fixes: quotedNumber(p, e, path, worst),
		},
		Related: worst.Others(p),
	})
}

func quotedNumber(p *check.Pass, e *model.Entity, path profile.Path, worst *places.Earliest) []finding.Fix {
	if last := path[len(path)-1]; last.Kind != profile.Field {
		return nil
	}
	return identity.Retyped(p, e.Collection, path, worst.First(), profile.String)
}
