package cli

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/analyzers/guided"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/gomodules"
	"github.com/shapevet/shapevet/jsonlint/evidence"
)

// Unchanged packages are not analysed again. The findings for a module's
// packages are cached by a hash of everything that determines them. It covers
// the whole module, because one package affects the findings in another.

// A goOutcome is the result of checking Go packages.
type goOutcome struct {
	Result   *analyzers.Result
	Warnings []string          // about evidence
	Problems []finding.Problem // with evidence
}

func newGoOutcome(r *analyzers.Result, judge *guided.Evidence) *goOutcome {
	o := &goOutcome{Result: r, Warnings: judge.Warnings()}
	for _, problem := range judge.Problems() {
		o.Problems = append(o.Problems, finding.Problem{Message: problem.Error(), Hint: "make it again with \"shapevet profile\""})
	}
	return o
}

// complete reports whether nothing is missing that could be there next time.
func (o *goOutcome) complete() bool {
	return len(o.Problems)+len(o.Result.Report.Problems)+len(o.Result.Partial) == 0
}

// goMemory returns the file that caches the findings for the packages that
// patterns match. It returns "" if the packages are not all those of the
// program's current module, or if sources elsewhere affect the findings.
func goMemory(ctx context.Context, patterns []string, s *settings) (string, error) {
	dir := memoryDir()
	here, err := os.Getwd()
	if err != nil || dir == "" || s.copied {
		return "", err
	}
	root := gomodules.Above(here)
	for _, pattern := range patterns {
		base, _, _ := strings.Cut(pattern, "...")
		if pattern != "." && !strings.HasPrefix(pattern, "./") || root == "" || gomodules.Above(filepath.Join(here, base)) != root {
			return "", nil
		}
	}
	sources, open, err := moduleSources(root)
	if err != nil || open {
		return "", err
	}
	hash := xxh3.New()
	if err := writeGoInputs(ctx, hash, patterns, s); err != nil {
		return "", err
	}
	for _, name := range sources {
		if err := writeSource(hash, name); err != nil {
			return "", err
		}
	}
	sum := hash.Sum128().Bytes()
	return filepath.Join(dir, "go", hex.EncodeToString(sum[:])), nil
}

// writeGoInputs writes everything other than the sources that determines the
// findings.
func writeGoInputs(ctx context.Context, w io.Writer, patterns []string, s *settings) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	executable, err := os.Executable()
	if err != nil {
		return err
	}
	settings := *s.Config
	settings.Output, settings.Color, settings.Progress, settings.Statistics, settings.ExitZero, settings.Jobs = nil, "", false, false, false, 0
	settings.Sort, settings.GroupBy, settings.MaxPerRule, settings.ShowFixes = "", "", 0, false
	configuration, err := json.Marshal(settings)
	if err != nil {
		return err
	}
	// The age of evidence changes daily.
	fmt.Fprintf(w, "%q %q %s %q %q %s\n", here, patterns, configuration, s.Path, s.ignoredRules, time.Now().UTC().Format(evidence.DateLayout))
	named := append([]string{executable}, s.evidence...)
	if schemas := goconfig.Schemas(s.Config); schemas != nil {
		named = append(named, schemas.Files()...)
	}
	if err := goconfig.Fingerprint(w, ".", named...); err != nil {
		return err
	}
	return writeGo(ctx, w)
}

// recallGo returns the outcome in a cache file, or nil if it is missing or
// damaged.
func recallGo(file string) *goOutcome {
	text := recalled(file)
	if len(text) < 8 || xxh3.Hash(text[8:]) != binary.LittleEndian.Uint64(text) {
		return nil
	}
	o := &goOutcome{}
	if err := gob.NewDecoder(bytes.NewReader(text[8:])).Decode(o); err != nil || o.Result == nil || o.Result.Report == nil {
		return nil
	}
	return o
}

// rememberGo caches an outcome, provided it can be read back unchanged.
func rememberGo(file string, o *goOutcome) {
	text := bytes.NewBuffer(make([]byte, 8))
	if err := gob.NewEncoder(text).Encode(o); err != nil {
		return
	}
	binary.LittleEndian.PutUint64(text.Bytes(), xxh3.Hash(text.Bytes()[8:]))
	back := &goOutcome{}
	if err := gob.NewDecoder(bytes.NewReader(text.Bytes()[8:])).Decode(back); err == nil && reflect.DeepEqual(o, back) {
		keep(file, text.Bytes())
	}
}
