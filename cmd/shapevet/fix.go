package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/fixes"
)

// maxRounds is how often fixes are applied in one run. A fix that touches the
// same bytes as another waits for the next round, and a fix may bring to light
// what another one can mend.
const maxRounds = 10

// safeties are the kinds of fix that may be applied.
func (s *settings) safeties() []finding.Safety {
	if s.UnsafeFixes {
		return []finding.Safety{finding.Safe, finding.Unsafe}
	}
	return []finding.Safety{finding.Safe}
}

// checkFixable refuses what fixes cannot be applied to.
func (s *settings) checkFixable(docs []string) error {
	flag := "--fix"
	if s.Diff {
		flag = "--diff"
	}
	if slices.Contains(docs, "-") {
		return fmt.Errorf("%s: standard input cannot be changed: save it to a file and check that", flag)
	}
	return nil
}

// diffFixes prints, as a unified diff, what the fixes of findings would
// change, and changes nothing.
func (a *app) diffFixes(c *collected, s *settings, filter finding.Filter) error {
	filter.MaxPerPath = 0 // what is not shown is fixed all the same
	findings := c.kept(filter)
	result, err := fixes.Apply(findings, os.ReadFile, s.safeties()...)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(result.Files)) {
		before, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("show fixes: %w", err)
		}
		if _, err := a.stdout.Write(diff.Diff(name, before, name, result.Files[name])); err != nil {
			return err
		}
	}
	a.sayUnfixed(findings, s)
	if result.Conflicts > 0 {
		a.complain(fmt.Sprintf("info: %s more after these, where fixes touch the same lines", count(result.Conflicts, "fix", "fixes")))
	}
	return nil
}

// applyFixes applies fixes to the files that c found something in, checks
// again until there is nothing left to apply, and returns what was found last.
func (a *app) applyFixes(ctx context.Context, s *settings, g given, c *collected, filter finding.Filter) (*collected, error) {
	filter.MaxPerPath = 0 // what is not shown is fixed all the same
	applied, files := 0, map[string]bool{}
	for range maxRounds {
		result, err := fixes.Apply(c.kept(filter), os.ReadFile, s.safeties()...)
		if err != nil {
			return nil, err
		}
		undo, err := write(result.Files)
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
			if _, err := write(undo); err != nil {
				return nil, err
			}
			c.report.Problems = append(c.report.Problems, finding.Problem{
				Message: fmt.Sprintf("the fixes would break %s", broken[0]), Hint: "nothing was changed by them; please report it",
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
	a.sayUnfixed(c.kept(filter), s)
	return c, nil
}

// kept are the findings that a filter keeps; those collected stay.
func (c *collected) kept(filter finding.Filter) []finding.Finding {
	r := *c.report
	filter.Apply(&r)
	return r.Findings
}

// newlyBroken lists the packages that loaded in full before and now do not.
func newlyBroken(before, after *collected) []string {
	return slices.DeleteFunc(slices.Clone(after.partial), func(path string) bool { return slices.Contains(before.partial, path) })
}

// sayUnfixed says what keeps fixes from being applied.
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

// uneditable says why the bytes of a file are not those that were read.
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

// write replaces files and returns what they held, those alone that change.
// If one cannot be written, those before it get their content back.
func write(files map[string][]byte) (undo map[string][]byte, err error) {
	undo = map[string][]byte{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		before, err := os.ReadFile(name)
		if err == nil && bytes.Equal(before, files[name]) {
			continue
		}
		if err == nil {
			err = replaceFile(name, files[name])
		}
		if err != nil {
			for _, written := range slices.Sorted(maps.Keys(undo)) {
				err = errors.Join(err, replaceFile(written, undo[written]))
			}
			return nil, fmt.Errorf("apply fixes: %w", err)
		}
		undo[name] = before
	}
	return undo, nil
}

// replaceFile gives a file new content. Its permissions stay, and a link goes
// on pointing at it.
func replaceFile(name string, content []byte) error {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s is read-only", name)
	}
	return writeFileMode(path, info.Mode().Perm(), func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

func count(n int, one, many string) string { return fmt.Sprintf("%d %s", n, verb(n, one, many)) }

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
