// Package gomodules finds the Go modules related to a directory: the one around
// it, those below it, and the workspace that applies there. Directories are
// absolute.
package gomodules

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// Above returns the directory of the module around a directory, or "".
func Above(dir string) string { return above(dir, "go.mod") }

// WorkSpace returns the go.work file that applies in a directory, or "".
func WorkSpace(dir string) string {
	switch file := os.Getenv("GOWORK"); file {
	case "off":
		return ""
	case "":
		if root := above(dir, "go.work"); root != "" {
			return filepath.Join(root, "go.work")
		}
		return ""
	default:
		return file
	}
}

// Root returns the directory of the workspace that applies in a directory, or
// else that of its module, or "".
func Root(dir string) string {
	if file := WorkSpace(dir); file != "" {
		return filepath.Dir(file)
	}
	return Above(dir)
}

// Around lists the directories of the modules that the go command works on in a
// directory: those of the workspace, or the module.
func Around(dir string) ([]string, error) {
	if file := WorkSpace(dir); file != "" {
		return used(file)
	}
	if root := Above(dir); root != "" {
		return []string{root}, nil
	}
	return nil, nil
}

// Below lists the module directories below a directory. With a workspace, it
// lists only those that the workspace uses, because the go command refuses to
// load others.
func Below(dir string) []string {
	var modules []string
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil: // skip what cannot be read
			return nil
		case entry.IsDir() && path != dir && PassedOver(entry.Name()):
			return filepath.SkipDir
		case entry.Name() == "go.mod" && entry.Type().IsRegular():
			module := filepath.Dir(path)
			if around, err := Around(module); err != nil || slices.Contains(around, module) {
				modules = append(modules, module)
			}
		}
		return nil
	})
	return modules
}

// PassedOver reports whether, by its name, the go command skips a directory or
// it holds code written by others.
func PassedOver(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor" || name == "node_modules"
}

func used(file string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the work space: %w", err)
	}
	work, err := modfile.ParseWork(file, text, nil)
	if err != nil {
		return nil, nil // the go command will report the error
	}
	var modules []string
	for _, use := range work.Use {
		path := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			modules = append(modules, path)
		}
	}
	return modules, nil
}

// above returns the nearest directory, dir or above it, that holds a file with
// the name, or "".
func above(dir, name string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
