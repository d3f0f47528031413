package missingdiscriminator

import (
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// fix shows one document of each kind with its type.
func (m *mixture) fix(p *check.Pass, probe *predict.Probe, names []string) []finding.Fix {
	fix := finding.Fix{Title: "add a field type that names the kind", Safety: finding.Plan}
	seen := map[profile.Pos]bool{}
	for _, kind := range m.exampleOrder(probe) {
		at := probe.Kinds[kind].Smallest
		if !at.Known() || at.DocLen > plans.ExampleBytes || seen[at] {
			continue
		}
		seen[at] = true
		d, err := p.Document(at)
		if err != nil {
			continue
		}
		before := reshape.From(d.Document, 0)
		after := before.Clone()
		for _, object := range after.Select(m.path) {
			if i := m.kindOf(object); i >= 0 {
				object.AddAfterID(p.Limits.IDKeys, "type", reshape.String(names[i]))
			}
		}
		if fix.Before == nil {
			fix.Before = before.AppendJSON(nil)
		}
		fix.After = append(fix.After, finding.DocumentInPlace{Collection: m.collection.Name, Document: after.AppendJSON(nil)})
	}
	if fix.Before == nil {
		return nil
	}
	return []finding.Fix{fix}
}

// exampleOrder returns the kinds, beginning with that of the finding.
func (m *mixture) exampleOrder(probe *predict.Probe) []int {
	order := make([]int, len(m.kinds))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return probe.Kinds[a].First.Compare(probe.Kinds[b].First) })
	order[0], order[1] = order[1], order[0]
	return order[:min(len(order), 4)]
}

// kindOf returns the kind that shares the most names with an object, or -1.
func (m *mixture) kindOf(object *reshape.Value) int {
	best, at := 0.0, -1
	for i, k := range m.kinds {
		score := 0.0
		for _, member := range object.Members() {
			if member.Value.Kind() != scan.Null {
				score += k.Share(member.Name)
			}
		}
		if core := len(k.Core()); core > 0 {
			score /= float64(core)
		}
		if score > best {
			best, at = score, i
		}
	}
	return at
}
