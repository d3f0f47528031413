// Command ablate lists the conditions that no test needs. It switches off one
// at a time and runs the tests in which that condition has an effect.
//
//	go run ./internal/ablate ./jsonlint/rules/unboundedarray
//	go run ./internal/ablate -tests ./jsonlint/rules/...,./jsonlint ./jsonlint/rules/...
//
// With -most 30 it tries 30 conditions, evenly spread over the packages.
//
// A condition is an if whose body only leaves, or an operand of && or ||. A "-"
// marks a condition without effect in any test, a "?" one that has an effect
// but that no test needs.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

const switches = "github.com/shapevet/shapevet/internal/ablate/off"

func main() {
	log.SetFlags(0)
	tests := flag.String("tests", "", "packages whose tests are run, with commas (default those of the conditions)")
	jobs := flag.Int("jobs", 2, "tests at a time")
	most := flag.Int("most", 0, "try at most so many conditions; 0 tries all")
	flag.Parse()
	dir := must(os.MkdirTemp("", "ablate"))
	defer os.RemoveAll(dir)
	overlay := filepath.Join(dir, "overlay.json")
	conditions := putSwitches(flag.Args(), overlay)
	suites := compile(strings.Split(cmp.Or(*tests, strings.Join(flag.Args(), ",")), ","), overlay)
	marks := make([]string, len(conditions))
	var workers errgroup.Group
	workers.SetLimit(*jobs)
	tried := spread(len(conditions), cmp.Or(*most, len(conditions)))
	for _, n := range tried {
		workers.Go(func() error { marks[n] = mark(suites, strconv.Itoa(n)); return nil })
	}
	_ = workers.Wait()
	count := map[string]int{}
	for _, n := range tried {
		c := conditions[n]
		count[marks[n]]++
		if marks[n] != "" {
			fmt.Println(marks[n], c)
		}
	}
	fmt.Printf("%d of %d conditions tried: %d needed by a test, %d not (?), %d decide nothing in a test (-)\n",
		len(tried), len(conditions), count[""], count["?"], count["-"])
}

// spread returns at most so many of the numbers below n, evenly spaced.
func spread(n, most int) []int {
	most = min(n, most)
	numbers := make([]int, most)
	for i := range numbers {
		numbers[i] = i * n / most
	}
	return numbers
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func list(format string, packages []string) []string {
	c := exec.Command("go", append([]string{"list", "-f", format}, packages...)...)
	c.Stderr = os.Stderr
	return strings.Fields(string(must(c.Output())))
}

// putSwitches writes copies of the packages' files with switches, and an
// overlay that substitutes them.
func putSwitches(packages []string, overlay string) (conditions []string) {
	replace := map[string]string{}
	for n, file := range list(`{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`, packages) {
		text, found := rewrite(file, must(os.ReadFile(file)), len(conditions))
		conditions = append(conditions, found...)
		replace[file] = filepath.Join(filepath.Dir(overlay), strconv.Itoa(n)+".go")
		must(0, os.WriteFile(replace[file], text, 0o600))
	}
	must(0, os.WriteFile(overlay, must(json.Marshal(map[string]any{"Replace": replace})), 0o600))
	return conditions
}

// A suite is the tests of one package.
type suite struct {
	args    []string
	dir     string
	took    time.Duration
	decides []string // numbers of the conditions that have an effect in it
}

// compile builds the tests and runs them once to see which conditions have an
// effect in each.
func compile(packages []string, overlay string) (suites []*suite) {
	for n, folder := range list(`{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}`, packages) {
		binary := filepath.Join(filepath.Dir(overlay), strconv.Itoa(n)+".test")
		if out, err := exec.Command("go", "test", "-c", "-overlay", overlay, "-o", binary, folder).CombinedOutput(); err != nil {
			log.Fatalf("%s: %v: %s", folder, err, out)
		}
		s := &suite{args: []string{binary, "-test.failfast", "-rapid.nofailfile"}, dir: folder, took: time.Hour}
		if s.run("", "-test.list=^$") != nil {
			s.args = s.args[:2] // it has no tests with random values
		}
		start := time.Now()
		if err := s.run("SHAPEVET_DECIDES=" + binary + ".decides"); err != nil {
			log.Fatalf("the tests of %s fail as they are: %v", folder, err)
		}
		s.took = time.Since(start)
		s.decides = strings.Fields(string(must(os.ReadFile(binary + ".decides"))))
		suites = append(suites, s)
	}
	slices.SortFunc(suites, func(a, b *suite) int { return int(a.took - b.took) })
	return suites
}

func (s *suite) run(environment string, flags ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 4*s.took+10*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, s.args[0], slices.Concat(s.args[1:], flags)...)
	c.Dir, c.Env = s.dir, append(os.Environ(), environment)
	return c.Run()
}

// mark returns "" for a condition that a test needs.
func mark(suites []*suite, n string) string {
	mark := "-"
	for _, s := range suites {
		if slices.Contains(s.decides, n) {
			mark = "?"
			if s.run("SHAPEVET_OFF="+n) != nil {
				return ""
			}
		}
	}
	return mark
}
