package finding

import (
	"cmp"
	"slices"
)

// A Filter decides which findings a report keeps. The zero value keeps all.
type Filter struct {
	Select []string // only these rules and input-error; empty means all
	Ignore []string // drop these rules

	// Severity replaces the severity of a rule's findings.
	Severity map[string]Severity

	// Override replaces the severity of a finding according to its place, or drops
	// it. It may be nil.
	Override func(*Finding) (severity Severity, off bool)

	MinConfidence float64
	Suppressions  []Suppression

	// Scope reports whether a finding concerns what was asked about. If it is nil,
	// all do.
	Scope func(*Finding) bool

	// Fresh returns the findings, in order, that no baseline knows. It is nil
	// without a baseline.
	Fresh func([]Finding) []Finding

	// MaxPerPath is how many findings of one rule to keep at one path of a
	// collection, most severe first; 0 keeps all.
	MaxPerPath int
}

// A Suppression accepts findings of a rule. Empty fields match anything.
type Suppression struct {
	Rule       string
	Collection string
	Path       string
}

// matches reports whether the suppression accepts the finding. Accepting it in
// code or in documents accepts both.
func (s Suppression) matches(f *Finding) bool {
	return slices.ContainsFunc(f.All(), func(t Twin) bool {
		return (s.Rule == "" || s.Rule == t.Rule) && (s.Collection == "" || s.Collection == t.Subject.Collection) && (s.Path == "" || s.Path == t.Subject.Path)
	})
}

// InputError is the rule for unreadable input. It always runs, whatever rules
// are selected, because no rule has checked what could not be read.
const InputError = "input-error"

// Apply drops findings that the filter does not keep, sorts the rest, and
// updates the counts in the summary. It returns the indexes of suppressions of
// selected rules that matched no finding.
func (f Filter) Apply(r *Report) (unused []int) {
	used := make([]bool, len(f.Suppressions))
	kept := r.Findings[:0:0]
	for _, finding := range r.Findings {
		if severity, ok := f.Severity[finding.Rule]; ok {
			finding.Severity = severity
		}
		if !f.Selects(finding.Rule) {
			continue // as if the rule had not run
		}
		if f.Override != nil {
			severity, off := f.Override(&finding)
			if off {
				continue
			}
			finding.Severity = cmp.Or(severity, finding.Severity)
		}
		suppressed := false
		for i, suppression := range f.Suppressions {
			if suppression.matches(&finding) {
				used[i], suppressed = true, true
			}
		}
		switch {
		case f.Scope != nil && !f.Scope(&finding):
			r.Summary.Elsewhere++
		case suppressed:
			r.Summary.Suppressed++
		case finding.Confidence < f.MinConfidence:
			r.Summary.Hidden++
		default:
			kept = append(kept, finding)
		}
	}
	if f.Fresh != nil {
		Sort(kept)
		fresh := f.Fresh(kept)
		r.Summary.Baselined += len(kept) - len(fresh)
		kept = fresh
	}
	r.Findings = f.limit(kept, &r.Summary)
	Sort(r.Findings)
	r.Summary.count(r.Findings)
	for i, suppression := range f.Suppressions {
		if !used[i] && (suppression.Rule == "" || f.Selects(suppression.Rule)) {
			unused = append(unused, i)
		}
	}
	return unused
}

// Selects reports whether findings of a rule can be kept.
func (f Filter) Selects(rule string) bool {
	if slices.Contains(f.Ignore, rule) {
		return false
	}
	return len(f.Select) == 0 || rule == InputError || slices.Contains(f.Select, rule)
}

// limit keeps the most severe findings of each rule and subject.
func (f Filter) limit(findings []Finding, summary *Summary) []Finding {
	if f.MaxPerPath <= 0 {
		return findings
	}
	Sort(findings)
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Confidence, a.Confidence))
	})
	type place struct {
		rule    string
		subject Subject
	}
	seen := map[place]int{}
	return slices.DeleteFunc(findings, func(finding Finding) bool {
		at := place{finding.Rule, finding.Subject}
		seen[at]++
		if seen[at] > f.MaxPerPath {
			summary.Truncated++
			return true
		}
		return false
	})
}

func (s *Summary) count(findings []Finding) {
	s.Error, s.Warning, s.Info = 0, 0, 0
	for _, finding := range findings {
		switch finding.Severity {
		case Error:
			s.Error++
		case Warning:
			s.Warning++
		case Info:
			s.Info++
		}
	}
}

// AtLeast counts the findings with at least the given severity.
func (s Summary) AtLeast(severity Severity) int {
	count := 0
	for level, n := range map[Severity]int{Error: s.Error, Warning: s.Warning, Info: s.Info} {
		if level >= severity {
			count += n
		}
	}
	return count
}
