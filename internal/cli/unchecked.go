package cli

import (
	"cmp"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/gomodules"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// unchecked lists what is below the inputs but was not checked: documents next
// to Go packages, and Go packages below other directories. It returns nothing
// if the user specified the type of an input or gave both types.
func (g given) unchecked(ctx context.Context, s *settings, docs, code []string) ([]finding.Unchecked, error) {
	if len(g.docs)+len(g.code) > 0 || s.scope != nil {
		return nil, nil
	}
	var left []finding.Unchecked
	if len(docs) == 0 {
		for _, dir := range directories(code) {
			n, err := source.Below(ctx, dir, s.engineOptions(&app{}).Source)
			if err != nil {
				return nil, err
			}
			if n > 0 {
				left = append(left, finding.Unchecked{What: quantity.Of(int64(n), "document file"), Below: dir, Hint: "--docs " + dir})
			}
		}
	}
	for _, dir := range directories(slices.Concat(docs, code)) {
		if slices.ContainsFunc(code, func(pattern string) bool { return covers(pattern, dir) }) {
			continue
		}
		packages, err := goPackages(ctx, dir)
		if err != nil {
			return nil, err
		}
		if slices.Contains(code, dir) {
			packages = slices.DeleteFunc(packages, func(path string) bool { return path == filepath.Clean(dir) })
		}
		if len(packages) > 0 {
			pattern := dir + "/..."
			if !filepath.IsAbs(dir) && dir != "." && !strings.HasPrefix(dir, "..") {
				pattern = "./" + pattern
			}
			left = append(left, finding.Unchecked{What: quantity.Of(int64(len(packages)), "Go package"), Below: dir, Hint: pattern})
		}
	}
	return left, nil
}

// covers reports whether a pattern matches all packages below a directory.
func covers(pattern, dir string) bool {
	base, all := strings.CutSuffix(pattern, "...")
	if !all {
		return false
	}
	below, err := filepath.Rel(filepath.Clean(cmp.Or(base, ".")), dir)
	return err == nil && filepath.IsLocal(below)
}

// directories returns the directories among inputs and those that patterns
// start in.
func directories(inputs []string) []string {
	var dirs []string
	for _, input := range inputs {
		base, _, _ := strings.Cut(input, "...")
		dir := filepath.ToSlash(filepath.Clean(cmp.Or(base, ".")))
		if isDirectory(dir) && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// goPackages lists the directories below root with Go packages, as the go
// command sees them.
func goPackages(ctx context.Context, root string) ([]string, error) {
	var packages []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // reported by whoever has to read it
			return fs.SkipDir
		}
		name := entry.Name()
		if !entry.IsDir() {
			dir := filepath.Dir(path)
			if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && (len(packages) == 0 || packages[len(packages)-1] != dir) {
				packages = append(packages, dir)
			}
			return nil
		}
		if path != root && gomodules.PassedOver(name) {
			return fs.SkipDir
		}
		return nil
	})
	slices.Sort(packages)
	return slices.Compact(packages), err
}
