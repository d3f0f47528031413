package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/fixes"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// maxRounds is how often fixes are applied in one run. A fix that overlaps
// another waits for the next round, and a fix may uncover something that
// another one can fix.
const maxRounds = 10

// safeties returns the kinds of fix that may be applied.
func (s *settings) safeties() []finding.Safety {
	if s.UnsafeFixes {
		return []finding.Safety{finding.Safe, finding.Unsafe}
	}
	return []finding.Safety{finding.Safe}
}

// checkFixable rejects inputs that fixes cannot be applied to.
func (s *settings) checkFixable(docs []string) error {
	flag := "--fix"
	if s.Diff {
		flag = "--diff"
	}
	if slices.Contains(docs, "-") {
		return fmt.Errorf("%s: standard input cannot be changed: save it to a file and check that", flag)
	}
	for _, input := range docs {
		if remote.Scheme(input) != "" {
			return fmt.Errorf("%s: databases and objects are never changed: to see what a fix does, use it on a copy, such as one that \"shapevet sample\" makes of a database", flag)
		}
	}
	return nil
}

// diffFixes prints the changes of fixes as a unified diff, without applying
// them.
func (a *app) diffFixes(c *collected, s *settings, filter finding.Filter) error {
	filter.MaxPerPath = 0 // hidden findings are fixed too
	findings := c.kept(filter)
	result, err := fixes.Apply(findings, os.ReadFile, s.safeties()...)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(result.Files)) {
		if _, err := a.stdout.Write(diff.Diff(name, result.Before[name], name, result.Files[name])); err != nil {
			return err
		}
	}
	a.sayUnfixed(findings, s)
	if result.Conflicts > 0 {
		a.complain(fmt.Sprintf("info: %s more after these, where fixes touch the same lines", count(result.Conflicts, "fix", "fixes")))
	}
	return nil
}

// applyFixes applies fixes to the files with findings in c, checks again until
// nothing is left to apply, and returns the last result.
func (a *app) applyFixes(ctx context.Context, s *settings, g given, c *collected, filter finding.Filter) (*collected, error) {
	filter.MaxPerPath = 0 // hidden findings are fixed too
	applied, files := 0, map[string]bool{}
	var refused map[string]string
	for range maxRounds {
		var findings []finding.Finding
		findings, refused = c.editable(c.kept(filter))
		result, err := fixes.Apply(findings, os.ReadFile, s.safeties()...)
		if err != nil {
			return nil, err
		}
		if err := s.mayEdit(slices.Sorted(maps.Keys(result.Files))); err != nil {
			return nil, err
		}
		undo, err := write(result.Files, result.Before)
		if err != nil {
			return nil, err
		}
		if len(undo) == 0 {
			break
		}
		next, err := a.collect(ctx, s, g)
		if err != nil {
			return nil, err
		}
		if broken := newlyBroken(c, next); len(broken) > 0 {
			if _, err := write(undo, result.Files); err != nil {
				return nil, err
			}
			c.report.Problems = append(c.report.Problems, finding.Problem{
				Message: fmt.Sprintf("the fixes would break %s", broken[0]), Hint: "they were undone; please report this",
			})
			break
		}
		c = next
		applied += result.Applied
		for name := range undo {
			files[name] = true
		}
	}
	if applied > 0 {
		a.complain(fmt.Sprintf("fixed %s in %s", count(applied, "finding", "findings"), count(len(files), "file", "files")))
	}
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		a.complain(fmt.Sprintf("%s: not fixed: %s", name, refused[name]))
	}
	a.sayUnfixed(c.kept(filter), s)
	return c, nil
}

// mayEdit rejects edits of files outside the directory of a configuration that
// was found, if only that configuration requests edits.
func (s *settings) mayEdit(names []string) error {
	if s.unasked == "" {
		return nil
	}
	var problems []error
	for _, name := range names {
		if !s.Writable(name) {
			problems = append(problems, fmt.Errorf("%s: %s edits %s, which is outside its directory: nothing was changed; use --fix or --unsafe-fixes if you want that",
				s.Path, s.unasked, name))
		}
	}
	return errors.Join(problems...)
}

// kept returns the findings that a filter keeps, without changing c.
func (c *collected) kept(filter finding.Filter) []finding.Finding {
	r := *c.report
	filter.Apply(&r)
	return r.Findings
}

// newlyBroken lists the packages that loaded completely before but no longer
// do.
func newlyBroken(before, after *collected) []string {
	return slices.DeleteFunc(slices.Clone(after.partial), func(path string) bool { return slices.Contains(before.partial, path) })
}

// sayUnfixed says what prevents fixes.
func (a *app) sayUnfixed(findings []finding.Finding, s *settings) {
	unsafe, refused := 0, map[string]bool{}
	for _, f := range findings {
		for _, fix := range f.Fixes {
			if fix.Safety == finding.Unsafe && len(fix.Edits) > 0 {
				unsafe++
			}
			if fix.Uneditable != "" {
				refused[fix.Uneditable] = true
			}
		}
	}
	if unsafe > 0 && !s.UnsafeFixes {
		a.complain(fmt.Sprintf("info: --unsafe-fixes applies %s more, which %s stored data or what the program writes", count(unsafe, "fix", "fixes"), verb(unsafe, "changes", "change")))
	}
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		a.complain(fmt.Sprintf("%s: not fixed: %s", name, uneditable(name)))
	}
}

// uneditable says why a file's bytes differ from those read.
func uneditable(name string) string {
	start := make([]byte, 4)
	if file, err := os.Open(name); err == nil {
		defer file.Close()
		if n, err := io.ReadFull(file, start); err != nil {
			start = start[:n]
		}
	}
	if bytes.HasPrefix(start, []byte{0x1f, 0x8b}) || bytes.HasPrefix(start, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
		return "it is compressed: decompress it first"
	}
	return "it is in UTF-16: convert it to UTF-8 first"
}

func count(n int, one, many string) string { return fmt.Sprintf("%d %s", n, verb(n, one, many)) }

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
