package goconfig

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/gomodules"
)

// EvidenceName is the name of the evidence file that is used by default.
const EvidenceName = "default.shapevet.json"

// names are the files next to the code that affect findings.
var names = []string{config.FileName, EvidenceName}

// InReach lists, sorted, the files that affect findings for packages checked by
// a driver started in dir: those in dir and above it, and those anywhere in the
// modules of dir, because a driver that checks one package at a time uses the
// file nearest to the package.
func InReach(dir string) ([]string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find configuration files: %w", err)
	}
	var found []string
	modules, err := gomodules.Around(dir)
	if err != nil {
		return nil, fmt.Errorf("find configuration files: %w", err)
	}
	for _, start := range append([]string{dir}, modules...) {
		found = append(found, above(start)...)
	}
	for _, module := range modules {
		below, err := below(module)
		if err != nil {
			return nil, err
		}
		found = append(found, below...)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// Fingerprint writes to w the names and contents of the files in reach of dir,
// and of the evidence files that they name. others are files named elsewhere,
// such as in a driver's settings.
func Fingerprint(w io.Writer, dir string, others ...string) error {
	paths, err := InReach(dir)
	if err != nil {
		return err
	}
	for _, path := range append(paths, others...) {
		if err := add(w, path); err != nil {
			return err
		}
	}
	for _, path := range namedBy(paths) {
		if err := add(w, path); errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(w, "%q is not there\n", filepath.ToSlash(path)) // whoever uses it reports that
		} else if err != nil {
			return err
		}
	}
	return nil
}

func add(w io.Writer, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("hash %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("hash %w", err)
	}
	if _, err := fmt.Fprintf(w, "%q %d\n", filepath.ToSlash(path), info.Size()); err != nil {
		return err
	}
	if _, err := io.Copy(w, file); err != nil {
		return fmt.Errorf("hash %s: %w", path, err)
	}
	return nil
}

// above lists the files in a directory and above it.
func above(dir string) (found []string) {
	for {
		for _, name := range names {
			path := filepath.Join(dir, name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				found = append(found, path)
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return found
		}
		dir = parent
	}
}

// below lists the files in a directory tree. It skips the directories that the
// go command excludes from ./... and those of JavaScript packages.
func below(root string) (found []string, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist):
			return nil // a driver could not read anything there either
		case err != nil:
			return fmt.Errorf("find configuration files: %w", err)
		case entry.IsDir() && path != root && gomodules.PassedOver(entry.Name()):
			return filepath.SkipDir
		case entry.Type().IsRegular() && slices.Contains(names, entry.Name()):
			found = append(found, path)
		}
		return nil
	})
	return found, err
}
