// Calibrate measures how well the confidence of findings matches the truth, and
// fits the factor for rulebook.DocumentsSlope that makes it match best.
//
// It reads judged findings on standard input, JSON Lines of
//
//	{"set": "shop", "rule": "join-document", "confidence": 0.8, "right": true}
//
// where confidence is that of the report, and set is the data set or repository
// of the finding. A finding that is missing in the report is included as
// {"set": "shop", "rule": "join-document", "missed": true}. Each set is predicted
// by a fit of all others, so no figure is for data that was used in its fit.
//
// The model is probability = logistic(slope × log-odds of the confidence),
// temperature scaling (Guo et al. 2017, "On Calibration of Modern Neural
// Networks"). It has one parameter, so a few judged findings are enough, and it
// moves no finding from one side of 0.5 to the other. Precision and recall are
// those of a second model with an additional offset for each rule, so that a rule
// that is wrong elsewhere has less weight.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
)

// A judged finding is one that a person or a label marked as right or wrong.
type judged struct {
	Set        string  `json:"set"`
	Rule       string  `json:"rule"`
	Confidence float64 `json:"confidence"`
	Right      bool    `json:"right"`
	Missed     bool    `json:"missed,omitempty"`
}

func main() {
	proof := flag.Float64("proof", 0.95, "findings this sure are proofs in the data: they are counted and not fitted")
	flag.Parse()
	if err := run(os.Stdin, os.Stdout, *proof); err != nil {
		fmt.Fprintln(os.Stderr, "calibrate:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer, proof float64) error {
	findings, missed, err := read(in)
	if err != nil {
		return err
	}
	said, left := make([]float64, len(findings)), make([]float64, len(findings))
	for i, f := range findings {
		said[i] = f.Confidence
	}
	for _, set := range sets(findings) {
		others := slices.DeleteFunc(slices.Clone(findings), func(f judged) bool { return f.Set == set })
		slope := fit(others, proof)
		for i, f := range findings {
			if f.Set == set {
				left[i] = predict(f, slope, proof)
			}
		}
	}
	fmt.Fprintf(out, "%d judged findings of %d sets\n\nas reported:\n", len(findings), len(sets(findings)))
	reliability(out, findings, said)
	fmt.Fprintf(out, "\nwith the slope fitted on the other sets:\n")
	reliability(out, findings, left)
	fmt.Fprintf(out, "\nslope fitted on all sets: %.2f times that of the rulebook\n\nright, of those said to be at least 0.5 sure:\n", fit(findings, proof))
	byRule(out, findings)
	right, wrong, lost := leftOut(findings, proof)
	fmt.Fprintf(out, "\nwith slope and offsets fitted on the other sets: %d right, %d wrong, %d missed: precision %.3f, recall %.3f\n",
		right, wrong, lost+missed, share(right, wrong), share(right, lost+missed))
	return nil
}

func share(n, others int) float64 { return float64(n) / float64(max(1, n+others)) }

// leftOut counts the findings that are shown if each set is predicted by the
// others: those that are right, those that are wrong, and right ones that are
// not shown.
func leftOut(findings []judged, proof float64) (right, wrong, lost int) {
	for _, set := range sets(findings) {
		others := slices.DeleteFunc(slices.Clone(findings), func(f judged) bool { return f.Set == set })
		slope, offsets := fitRules(others, proof)
		for _, f := range findings {
			shown := f.Confidence >= proof || slope*logOdds(f.Confidence)+offsets[f.Rule] >= 0
			switch {
			case f.Set != set:
			case shown && f.Right:
				right++
			case shown:
				wrong++
			case f.Right:
				lost++
			}
		}
	}
	return right, wrong, lost
}

// offsetVariance is the prior variance of the offset of a rule.
const offsetVariance = 1.0

// fitRules returns the most likely slope and the most likely offset of each
// rule, by Newton's method in turns.
func fitRules(findings []judged, proof float64) (float64, map[string]float64) {
	slope, offsets := 1.0, map[string]float64{}
	type sums struct{ gradient, curvature float64 }
	for range rounds {
		all, rules := sums{-(slope - 1) / slopeVariance, 1 / slopeVariance}, map[string]sums{}
		for _, f := range findings {
			if f.Confidence >= proof {
				continue
			}
			x := logOdds(f.Confidence)
			p := 1 / (1 + math.Exp(-slope*x-offsets[f.Rule]))
			err := -p
			if f.Right {
				err++
			}
			r, ok := rules[f.Rule]
			if !ok {
				r = sums{-offsets[f.Rule] / offsetVariance, 1 / offsetVariance}
			}
			rules[f.Rule] = sums{r.gradient + err, r.curvature + p*(1-p)}
			all = sums{all.gradient + err*x, all.curvature + p*(1-p)*x*x}
		}
		slope += all.gradient / all.curvature / 2
		for rule, r := range rules {
			offsets[rule] += r.gradient / r.curvature / 2
		}
	}
	return slope, offsets
}

func read(in io.Reader) (findings []judged, missed int, err error) {
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		var f judged
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", n, err)
		}
		if f.Missed {
			missed++
			continue
		}
		if f.Set == "" || f.Rule == "" || f.Confidence <= 0 || f.Confidence >= 1 {
			return nil, 0, fmt.Errorf("line %d: a judged finding has a set, a rule and a confidence between 0 and 1", n)
		}
		findings = append(findings, f)
	}
	return findings, missed, lines.Err()
}

func sets(findings []judged) []string {
	names := map[string]bool{}
	for _, f := range findings {
		names[f.Set] = true
	}
	return slices.Sorted(maps.Keys(names))
}

func logOdds(p float64) float64 { return math.Log(p / (1 - p)) }

// predict returns the probability that a finding is right. The confidence of
// proofs in the data does not change, and no other finding exceeds it.
func predict(f judged, slope, proof float64) float64 {
	if f.Confidence >= proof {
		return f.Confidence
	}
	return min(proof, 1/(1+math.Exp(-slope*logOdds(f.Confidence))))
}

const (
	// Before anything is judged, rules are taken at their word: the slope is 1,
	// give or take 2.
	slopeVariance = 4.0

	rounds = 100
)

// fit returns the most likely slope, by Newton's method.
func fit(findings []judged, proof float64) float64 {
	slope := 1.0
	for range rounds {
		gradient, curvature := -(slope-1)/slopeVariance, 1/slopeVariance
		for _, f := range findings {
			if f.Confidence >= proof {
				continue
			}
			x := logOdds(f.Confidence)
			p := 1 / (1 + math.Exp(-slope*x))
			if f.Right {
				gradient += x
			}
			gradient -= p * x
			curvature += p * (1 - p) * x * x
		}
		slope += gradient / curvature
	}
	return slope
}

// byRule prints how many findings of each rule are right.
func byRule(out io.Writer, findings []judged) {
	counts, right := map[string]int{}, map[string]int{}
	for _, f := range findings {
		if f.Confidence < 0.5 {
			continue
		}
		counts[f.Rule]++
		if f.Right {
			right[f.Rule]++
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(out, "  %-30s %3d of %3d\n", rule, right[rule], counts[rule])
	}
}

// bins are the upper ends of the rows of a reliability table.
var bins = []float64{0.3, 0.5, 0.7, 0.85, 0.95, 1}

// reliability prints, of findings said to be about equally sure, how many are
// right, and the mean gap between the two over all findings (expected
// calibration error: Naeini, Cooper and Hauskrecht 2015).
func reliability(out io.Writer, findings []judged, said []float64) {
	type row struct {
		n, right int
		said     float64
	}
	rows := make([]row, len(bins))
	for i, f := range findings {
		at, _ := slices.BinarySearchFunc(bins, said[i], func(bin, p float64) int {
			if p < bin {
				return 1
			}
			return -1
		})
		r := &rows[min(at, len(bins)-1)]
		r.n++
		r.said += said[i]
		if f.Right {
			r.right++
		}
	}
	gap := 0.0
	fmt.Fprintln(out, "  said         findings  mean said  right")
	for i, r := range rows {
		if r.n == 0 {
			continue
		}
		from := 0.0
		if i > 0 {
			from = bins[i-1]
		}
		mean, right := r.said/float64(r.n), float64(r.right)/float64(r.n)
		gap += math.Abs(mean-right) * float64(r.n)
		fmt.Fprintf(out, "  %.2f – %.2f  %8d  %9.2f  %5.2f\n", from, bins[i], r.n, mean, right)
	}
	fmt.Fprintf(out, "  mean gap %.3f\n", gap/float64(cmp.Or(len(findings), 1)))
}
