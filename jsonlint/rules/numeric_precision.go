package rules

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// numericPrecision reports numbers that a double cannot hold, for databases
// and readers that take every JSON number for one.
var numericPrecision = Rule{Name: "numeric-precision", Run: func(p *Pass) {
	if !p.Limits.NumbersAreDoubles {
		return
	}
	for _, e := range p.DB.Entities() {
		var probe *precisionProbe
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Scalars == nil || n.Scalars.Imprecise == 0 || p.isNumericIdentifier(n) {
				return true
			}
			if probe == nil {
				probe = Watch(p, e, &precisionProbe{})
			}
			probe.paths = append(probe.paths, n.Path())
			probe.found = append(probe.found, imprecise{})
			return true
		})
		if probe != nil {
			p.After(func() {
				for i, path := range probe.paths {
					p.reportPrecision(e, path, &probe.found[i])
				}
			})
		}
	}
}}

// precisionProbe compares numbers with what a double makes of them.
type precisionProbe struct {
	paths []profile.Path
	found []imprecise
}

// imprecise are the numbers at one path that do not fit.
type imprecise struct {
	changed  places // integers that become other integers
	beyond   places // integers beyond 2^53 that happen to survive
	decimals places // decimals with more digits than a double has
	overflow places // too large for a double
}

func (b *precisionProbe) New() Probe {
	return &precisionProbe{paths: b.paths, found: make([]imprecise, len(b.paths))}
}

func (b *precisionProbe) Visit(d *profile.Document) {
	for i, path := range b.paths {
		for v := range d.Select(0, path) {
			t := &d.Tokens[v]
			if t.Kind != scan.Number || t.Flags&scan.Wrapped != 0 {
				continue
			}
			text := string(d.Text(v))
			if len(text) < 16 && !strings.ContainsAny(text, "eE") {
				continue
			}
			if into := b.found[i].of(text, t.Flags&scan.Float != 0); into != nil {
				into.add(d.At(v))
			}
		}
	}
}

// of returns where a number belongs; nil if a double holds it.
func (s *imprecise) of(text string, float bool) *places {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return &s.overflow // ParseFloat fails on numbers only where they are too large
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

// asDouble writes the integer that a double holds.
func asDouble(f float64) string { return new(big.Float).SetFloat64(f).Text('f', 0) }

// significant counts the digits of a number without the zeros before and
// after them.
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

func (b *precisionProbe) Merge(other Probe) {
	o := other.(*precisionProbe)
	for i := range b.found {
		mine, theirs := &b.found[i], &o.found[i]
		mine.changed.merge(&theirs.changed)
		mine.beyond.merge(&theirs.beyond)
		mine.decimals.merge(&theirs.decimals)
		mine.overflow.merge(&theirs.overflow)
	}
}

func (p *Pass) reportPrecision(e *model.Entity, path profile.Path, s *imprecise) {
	severity := finding.Warning
	if p.Limits.Name != "generic" {
		severity = finding.Error
	}
	worst, confidence := &s.changed, 0.95
	var message string
	field := lastName(path)
	switch {
	case s.overflow.n > 0:
		worst = &s.overflow
		message = fmt.Sprintf("%s is %s, more than a double can hold: readers make it infinite or refuse it", field, p.quote(worst.first()))
		severity = finding.Error
	case s.changed.n > 0:
		f, err := strconv.ParseFloat(p.quote(worst.first()), 64)
		if err != nil {
			return // the file has changed since it was read
		}
		message = fmt.Sprintf("%s is %s and comes back as %s from whatever reads numbers as doubles", field, p.quote(worst.first()), asDouble(f))
	case s.beyond.n > 0:
		worst, confidence = &s.beyond, 0.6
		message = fmt.Sprintf("%s is %s, beyond 2^53: a double holds this one, but not the next", field, p.quote(worst.first()))
	case s.decimals.n > 0:
		worst, confidence, severity = &s.decimals, 0.6, finding.Info
		message = fmt.Sprintf("%s is %s, %s, of which a double keeps 17", field, p.quote(worst.first()),
			count(int64(significant(p.quote(worst.first()))), "digit"))
	default:
		return
	}
	total := s.overflow.n + s.changed.n + s.beyond.n + s.decimals.n
	if total > 1 {
		message += fmt.Sprintf("; %s in all", count(total, "number"))
	}
	advice := fmt.Sprintf("Store %s as a string where it is an id, a hash or an amount that must be exact: JavaScript, Go's interface{} and databases "+
		"that keep JSON as it is read every number as a double.", field)
	if worst == &s.decimals {
		advice = fmt.Sprintf("Round %s to the digits that mean something, or store it as a string if all of them do.", field)
	}
	p.Report(e, path, Raw{
		At: worst.first(),
		Finding: finding.Finding{
			Severity: severity, Confidence: confidence, Message: message, Advice: advice,
			Evidence: []finding.Evidence{
				{Name: "integers.changed", Value: s.changed.n}, {Name: "integers.beyond2^53", Value: s.beyond.n},
				{Name: "decimals.long", Value: s.decimals.n}, {Name: "overflow", Value: s.overflow.n},
			},
			Fixes: p.quotedNumber(e, path, worst),
		},
		Related: worst.others(p),
	})
}

func (p *Pass) quotedNumber(e *model.Entity, path profile.Path, worst *places) []finding.Fix {
	if last := path[len(path)-1]; last.Kind != profile.Field {
		return nil
	}
	return p.retyped(e.Collection, path, worst.first(), profile.String)
}
