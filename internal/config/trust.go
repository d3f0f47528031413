package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/regular"
)

// A configuration that was found, not named by the user, may have come with
// somebody else's files. It must not affect anything outside them: it may write
// only below its own directory and read only below the top of its repository.
// Links are resolved first.

// Writable reports whether the configuration may write a file. A configuration
// that the user named may write any.
func (c *Config) Writable(path string) bool {
	return !c.Found || inside(filepath.Dir(c.Path), path)
}

// Readable reports whether the configuration may read a file, or the files that
// a glob matches.
func (c *Config) Readable(path string) bool {
	if !c.Found {
		return true
	}
	if strings.ContainsAny(path, "*?[{") {
		base, _ := doublestar.SplitPattern(filepath.ToSlash(path))
		path = filepath.FromSlash(base)
	}
	dir, err := filepath.Abs(filepath.Dir(c.Path))
	if err != nil {
		return false
	}
	return inside(repositoryAround(dir), path)
}

// repositoryAround returns the top of the repository around a directory, or the
// directory itself.
func repositoryAround(dir string) string {
	for top := dir; ; top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			return top
		}
		if top == filepath.Dir(top) {
			return dir
		}
	}
}

// inside reports whether a path, which need not exist, is below a directory but
// not in its .git.
func inside(dir, path string) bool {
	realDir, err := real(dir)
	if err != nil {
		return false
	}
	realPath, err := real(path)
	if err != nil {
		return false
	}
	relative, err := filepath.Rel(realDir, realPath)
	return err == nil && filepath.IsLocal(relative) &&
		!slices.ContainsFunc(strings.Split(relative, string(filepath.Separator)), func(part string) bool { return strings.EqualFold(part, ".git") })
}

// real returns the absolute path, with links resolved as far as it exists.
func real(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	resolved, err := filepath.EvalSymlinks(absolute)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return resolved, err
	}
	if _, err := os.Lstat(absolute); err == nil {
		return "", fmt.Errorf("%s: a link that leads nowhere", path)
	}
	parent, err := real(filepath.Dir(absolute))
	return filepath.Join(parent, filepath.Base(absolute)), err
}

// trust checks the files that a configuration names. d has their places.
func (c *Config) trust(d *document) error {
	var problems []finding.Problem
	fail := func(pointer, message, hint string) {
		problems = append(problems, d.problem(d.atValue(pointer), readable(pointer)+" "+message, hint))
	}
	for i, output := range c.Output {
		_, file, _ := strings.Cut(output, "=")
		if file != "" && !c.Writable(file) {
			fail(fmt.Sprintf("/output/%d", i), "writes outside of the directory of this file", "use --output "+output)
		}
	}
	check := func(pointer, path, flag string) {
		if path == "" {
			return
		}
		path = c.Beside(path)
		if !c.Readable(path) {
			fail(pointer, "leads out of the project of this file", flag)
			return
		}
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			if err := regular.Check(info); err != nil {
				fail(pointer, "cannot be read: "+err.Error(), "name a file")
			}
		}
	}
	const named = "name this configuration with --config if you trust it"
	for i, path := range c.Docs {
		check(fmt.Sprintf("/docs/%d", i), path, "use --docs "+path)
	}
	for i, path := range c.Evidence {
		check(fmt.Sprintf("/evidence/%d", i), path, "use --evidence "+path)
	}
	for _, collection := range slices.Sorted(maps.Keys(c.Schemas)) {
		path, _, _ := strings.Cut(c.Schemas[collection], "#")
		check("/schemas/"+escapePointer(collection), path, named)
	}
	if path := c.Beside(c.Baseline); path != "" && !c.Writable(path) {
		fail("/baseline", "leads out of the directory of this file", "use --baseline "+c.Baseline)
	} else {
		check("/baseline", c.Baseline, "use --baseline "+c.Baseline)
	}
	if problems == nil {
		return nil
	}
	return &Error{problems}
}

// Beside converts a path relative to the configuration file to one relative to
// the working directory.
func (c *Config) Beside(path string) string {
	if c.Path == "" || path == "" || filepath.IsAbs(path) {
		return path
	}
	dir, err := filepath.Abs(filepath.Dir(c.Path))
	if err != nil {
		return path
	}
	joined := filepath.Join(dir, path)
	if wd, err := os.Getwd(); err == nil {
		if relative, err := filepath.Rel(wd, joined); err == nil {
			joined = relative
		}
	}
	return filepath.ToSlash(joined)
}
