package cli

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/spf13/pflag"
	"github.com/zeebo/xxh3"
)

// A commit that is retried, amended or rebased has nothing new to check. A
// check without findings is remembered by a hash of everything that determines
// the outcome, and not repeated.

// cacheVariable names the directory of the cache, or "off".
const cacheVariable = "SHAPEVET_CACHE"

// memoryDir returns the directory of the cache, or "".
func memoryDir() string {
	dir := os.Getenv(cacheVariable)
	switch dir {
	case "off":
		return ""
	case "":
		cache, err := os.UserCacheDir()
		if err != nil { // without a home directory there is no cache
			return ""
		}
		return filepath.Join(cache, "shapevet")
	}
	return dir
}

// staleAfter is how long an unused outcome is kept.
const staleAfter = 14 * 24 * time.Hour

// rememberable are the flags that leave the outcome determined by what the hash
// covers.
var rememberable = []string{
	"changed", "docs", "collection", "db", "select", "ignore", "min-confidence", "strict", "config", "jobs", "no-progress", "output",
	"fail-on", "max-findings", "max-per-rule", "sort", "group-by", "show-fixes", "color", "statistics", "exit-zero", "baseline",
}

// addModule adds the files of a Go module to the sources.
func (s *surrounding) addModule(root string) error {
	if root == "" {
		s.open = true
		return nil
	}
	files, open, err := moduleSources(root)
	if err != nil {
		return err
	}
	settings, err := goconfig.InReach(root)
	if err != nil {
		return err
	}
	s.open = s.open || open || slices.ContainsFunc(settings, func(name string) bool { return filepath.Base(name) == goconfig.EvidenceName })
	s.sources = append(append(s.sources, settings...), files...)
	return nil
}

// showsDocuments reports whether an output shows more than findings and counts.
func showsDocuments(output string) bool {
	format, _, _ := strings.Cut(output, "=")
	return format == "html"
}

// memoryFile returns the file that caches the outcome of a check, or "" if it
// cannot be cached.
func (s surrounding) memoryFile(ctx context.Context, set *settings, flags *pflag.FlagSet) (string, error) {
	dir := memoryDir()
	// Evidence ages, so its effect can change from day to day.
	if dir == "" || s.open || len(set.evidence)+len(set.Schemas) > 0 || set.Fix || set.Diff || slices.ContainsFunc(set.Output, showsDocuments) {
		return "", nil
	}
	known := true
	flags.Visit(func(flag *pflag.Flag) { known = known && slices.Contains(rememberable, flag.Name) })
	if !known {
		return "", nil
	}
	hash := xxh3.New()
	if err := s.write(ctx, hash, set); err != nil {
		return "", err
	}
	sum := hash.Sum128().Bytes()
	return filepath.Join(dir, "clean", hex.EncodeToString(sum[:])+".json"), nil
}

// write writes everything that determines the findings.
func (s surrounding) write(ctx context.Context, w io.Writer, set *settings) error {
	executable, err := os.Executable()
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	configuration, err := json.Marshal(set.Config)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%q %q %q %q %v\n", here, configuration, set.ignoredRules, set.collectionRules, set.shallow)
	fmt.Fprintf(w, "%q %q %q\n", sortedKeys(set.scope.files), sortedKeys(set.scope.packages), set.scope.modules)
	fmt.Fprintf(w, "%q %q\n", s.inputs.docs, s.inputs.code)
	if err := writeSource(w, executable); err != nil {
		return err
	}
	if len(s.inputs.code) > 0 {
		if err := writeGo(ctx, w); err != nil {
			return err
		}
	}
	sources := slices.Clone(s.sources)
	if set.Baseline != "" {
		sources = append(sources, set.Baseline)
	}
	slices.Sort(sources)
	for _, name := range slices.Compact(sources) {
		if err := writeSource(w, name); err != nil {
			return err
		}
	}
	return nil
}

// writeGo writes the version and settings of the go command, which come from
// environment variables, from "go env -w", and from the module, which may ask
// for another version.
func writeGo(ctx context.Context, w io.Writer) error {
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return err
	}
	info, err := os.Stat(goCommand)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%q %d %d\n", goCommand, info.Size(), info.ModTime().UnixNano())
	text, err := exec.CommandContext(ctx, goCommand, "env", "-json").Output()
	if err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	settings := map[string]any{}
	if err := json.Unmarshal(text, &settings); err != nil {
		return fmt.Errorf("go env: %w", err)
	}
	delete(settings, "GOGCCFLAGS") // names a different directory each time
	for _, name := range sortedKeys(settings) {
		fmt.Fprintf(w, "%s=%q\n", name, settings[name])
	}
	environment := slices.DeleteFunc(os.Environ(), func(v string) bool { return !strings.HasPrefix(v, "GO") && !strings.HasPrefix(v, "CGO_") })
	slices.Sort(environment)
	_, err = fmt.Fprintf(w, "%q\n", environment)
	return err
}

func writeSource(w io.Writer, name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%q %d\n", name, info.Size())
	_, err = io.Copy(w, file)
	return err
}

// recall returns the report in a cache file, or nil.
func recall(file string) *finding.Report {
	r := &finding.Report{}
	if err := json.Unmarshal(recalled(file), r); err != nil {
		return nil
	}
	return r
}

// recalled returns the content of a cache file, or nil, and marks the file as
// used.
func recalled(file string) []byte {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(file, now, now) // on failure it only expires sooner
	return text
}

// remember caches a report without findings.
func remember(file string, r *finding.Report) {
	if text, err := json.Marshal(r); err == nil {
		keep(file, text)
	}
}

// keep writes a cache file. If the directory is not writable, the next run only
// takes longer.
func keep(file string, text []byte) {
	dir := filepath.Dir(file)
	if os.MkdirAll(dir, 0o700) == nil && writePrivate(file, bytes.NewReader(text)) == nil {
		_ = forget(dir)
	}
}

// forget removes files that have not been used for a while.
func forget(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var problems []error
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > staleAfter {
			problems = append(problems, os.Remove(filepath.Join(dir, entry.Name())))
		}
	}
	return errors.Join(problems...)
}
