package cli

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/shapevet/shapevet/internal/gomodules"
)

// sourceExtensions are the extensions of files from which the go command builds
// packages ("go help filetype", package go/build).
var sourceExtensions = []string{
	".go", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90", ".s", ".S", ".sx", ".swig", ".swigcxx", ".syso",
}

// moduleSources lists the files below a module's directory that determine its
// packages. open is true if other files do too, except those of the Go
// installation and of released module versions.
func moduleSources(root string) (files []string, open bool, err error) {
	if isOpen, err := openModule(root); isOpen || err != nil {
		return nil, isOpen, err
	}
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != root && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir // like the go command
		case entry.IsDir() || !slices.Contains(sourceExtensions, filepath.Ext(name)) && !isModuleFile(entry.Name()) && entry.Name() != "modules.txt":
			return nil
		case entry.Type().IsRegular():
			files = append(files, name)
		case entry.Type()&fs.ModeSymlink != 0: // the go command follows links to files
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
				files = append(files, name)
			}
		}
		return nil
	})
	return files, false, err
}

// openModule reports whether packages of a module depend on sources elsewhere.
func openModule(root string) (bool, error) {
	if gomodules.WorkSpace(root) != "" {
		return true, nil
	}
	if flags := os.Getenv("GOFLAGS"); strings.Contains(flags, "-overlay") || strings.Contains(flags, "-modfile") {
		return true, nil
	}
	if driver := os.Getenv("GOPACKAGESDRIVER"); driver != "" && driver != "off" {
		return true, nil
	} else if _, err := exec.LookPath("gopackagesdriver"); driver == "" && err == nil {
		return true, nil
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return false, err
	}
	parsed, err := modfile.Parse("go.mod", text, nil) // ParseLax drops replace directives
	if err != nil {
		return true, nil // the go command will report the error
	}
	return slices.ContainsFunc(parsed.Replace, func(r *modfile.Replace) bool { return modfile.IsDirectoryPath(r.New.Path) }), nil
}
