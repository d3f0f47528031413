package check

import (
	"fmt"
	"go/token"
	"math"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/rulebook"
)

// A Score adds up evidence.
type Score struct {
	Points   float64
	Evidence []finding.Evidence
	Related  []Related
}

// Add adds a piece of evidence. Its name and value go into the report.
func (s *Score) Add(points float64, name string, value any) {
	s.Points += points
	s.Evidence = append(s.Evidence, finding.Evidence{Name: name, Value: value})
}

// At points at code that belongs to the evidence.
func (s *Score) At(pos token.Pos, format string, arguments ...any) {
	if pos.IsValid() {
		s.Related = append(s.Related, Related{Pos: pos, Message: fmt.Sprintf(format, arguments...)})
	}
}

// Weights say how much each piece of evidence adds to the log-odds that a
// finding is right. The rule's page lists them by the names of the evidence in
// reports, written with dashes.
type Weights map[string]rulebook.Weight

// Weights returns the weights of the rule.
func (p *Pass) Weights() Weights {
	front, _ := rulebook.FrontOf(p.Rule.Name)
	return front.Weights
}

// Start returns the log-odds without any evidence.
func (w Weights) Start() float64 { return w.of("start") }

func (w Weights) of(name string) float64 {
	weight, ok := w[strings.ReplaceAll(name, " ", "-")]
	if !ok {
		panic("no weight for " + name + " on the rule's page")
	}
	return weight.Value
}

// Weigh adds a piece of evidence with the weight of its name.
func (s *Score) Weigh(weights Weights, name string, value any) { s.Add(weights.of(name), name, value) }

// Probability converts points to a confidence, as log-odds.
func (s *Score) Probability() float64 {
	const doubt = 0.03 // code never shows everything
	return math.Round(100*min(max(1/(1+math.Exp(-s.Points)), doubt), 1-doubt)) / 100
}

// Confidence converts points to a confidence, depending on whether they meet
// the threshold or far exceed it.
func (s *Score) Confidence(threshold, high float64) float64 {
	switch {
	case s.Points >= high:
		return 0.9
	case s.Points >= threshold:
		return 0.7
	}
	return 0.4
}
