package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"

	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/globs"
	"github.com/shapevet/shapevet/internal/gomodules"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// A scope is what changed. A finding concerns it if it is in or points to one
// of the files or packages, or is about one of the collections.
type scope struct {
	files       map[string]bool // document files, as findings name them
	collections map[string]bool
	packages    map[string]bool // directories of Go packages, as findings name them
	modules     []string        // directories whose packages all count

	known map[string]string // collections of all documents read, by file
}

func (s *scope) concerns(f *finding.Finding) bool {
	if s.at(f.Location.File) || slices.ContainsFunc(f.All(), func(t finding.Twin) bool {
		return t.Subject.Kind == finding.KindDocument && s.collections[t.Subject.Collection]
	}) {
		return true
	}
	return slices.ContainsFunc(f.Related, func(r finding.Related) bool { return s.at(r.Location.File) })
}

// at reports whether a file, or another file of its package, changed.
func (s *scope) at(file string) bool {
	if s.files[file] {
		return true
	}
	if !strings.HasSuffix(file, ".go") {
		return false
	}
	return s.packages[path.Dir(file)] || slices.ContainsFunc(s.modules, func(dir string) bool {
		return dir == "." && filepath.IsLocal(filepath.FromSlash(file)) || strings.HasPrefix(file, strings.TrimSuffix(dir, "/")+"/")
	})
}

// matters reports whether a problem relates to what changed. A problem without
// a file does.
func (s *scope) matters(p finding.Problem) bool {
	collection, isDocument := s.known[p.Location.File]
	return !isDocument || s.files[p.Location.File] || s.collections[collection]
}

// A surrounding is what changed files are checked with.
type surrounding struct {
	inputs  given
	sources []string // files that, with the settings, determine the findings
	open    bool     // other files determine them too
}

// runChanged checks changed files with their surrounding.
func (a *app) runChanged(command *cobra.Command, s *settings, g given) error {
	outputs, err := parseOutputs(s.Output)
	if err != nil {
		return err
	}
	around, err := a.around(command.Context(), s, g)
	if err != nil {
		return err
	}
	memory := ""
	if !around.inputs.empty() {
		if memory, err = around.memoryFile(command.Context(), s, command.Flags()); err != nil {
			return err
		}
	}
	r := recall(memory)
	if around.inputs.empty() {
		r = &finding.Report{}
	}
	if r != nil {
		return a.writeOutputs(command.Context(), outputs, r, s)
	}
	said := a.complaints
	if r, err = a.runCheck(command, s, around.inputs); err != nil {
		return err
	}
	if memory != "" && len(r.Findings)+len(r.Problems) == 0 && a.complaints == said {
		remember(memory, &finding.Report{Summary: r.Summary, Collections: r.Collections})
	}
	return nil
}

// around returns what changed files have to be checked with. Documents are
// checked with their database: the documents that flags or the configuration
// name, or otherwise those in the same directories. Go files are checked with
// their module. It records in the settings what changed.
func (a *app) around(ctx context.Context, s *settings, g given) (surrounding, error) {
	s.scope = &scope{files: map[string]bool{}, collections: map[string]bool{}, packages: map[string]bool{}, known: map[string]string{}}
	docs, code := a.changedFiles(s, g.either)
	var around surrounding
	if len(docs) > 0 {
		if err := a.aroundDocuments(ctx, s, g.docs, docs, &around); err != nil {
			return surrounding{}, err
		}
	}
	if len(code) > 0 {
		if err := aroundCode(s, g.code, code, &around); err != nil {
			return surrounding{}, err
		}
	}
	return around, nil
}

// changedFiles separates documents from Go files. A deleted file has nothing to
// check.
func (a *app) changedFiles(s *settings, names []string) (docs, code []string) {
	schemas := goconfig.Schemas(s.Config).In()
	for _, name := range names {
		base := filepath.Base(name)
		isCode := strings.HasSuffix(base, ".go") || isModuleFile(base)
		switch _, err := os.Stat(name); {
		case isCode: // the rest of its package may exist
			code = append(code, name)
		case errors.Is(err, fs.ErrNotExist):
			a.complain(fmt.Sprintf("info: %s no longer exists: left out", name))
		case globs.List(s.Include).Match(filepath.ToSlash(name), name), namedSchema(schemas, name):
			docs = append(docs, name)
		case s.DefaultExcludes && source.NoDocument(name), globs.List(s.Exclude).Match(filepath.ToSlash(name), name):
		case base != config.FileName: // the configuration has been read already
			docs = append(docs, name)
		}
	}
	return docs, code
}

// namedSchema reports whether a file holds schemas of collections.
func namedSchema(schemas map[string][]string, name string) bool {
	absolute, err := filepath.Abs(name)
	return err == nil && len(schemas[absolute]) > 0
}

func isModuleFile(base string) bool {
	return slices.Contains([]string{"go.mod", "go.sum", "go.work"}, base)
}

func (a *app) aroundDocuments(ctx context.Context, s *settings, given, changed []string, around *surrounding) error {
	inputs := slices.Clone(given)
	for _, input := range s.Docs {
		inputs = append(inputs, s.Beside(input))
	}
	declared := len(inputs) > 0
	if !declared {
		s.shallow = true
		for _, name := range sortedKeys(s.Collections) {
			for _, glob := range s.Collections[name].Files {
				if glob = s.Beside(glob); !s.Readable(glob) {
					continue
				}
				if matches, err := doublestar.FilepathGlob(glob); err != nil || len(matches) > 0 {
					inputs = append(inputs, glob)
				}
			}
		}
		for _, name := range changed {
			if dir := filepath.Dir(name); !isProject(dir) && !slices.Contains(inputs, dir) {
				inputs = append(inputs, dir)
			}
		}
		inputs = append(inputs, changed...)
	}
	set, err := source.Open(ctx, inputs, s.engineOptions(a).Source)
	if err != nil {
		return err
	}
	reported := map[string]string{} // names of files in findings, by absolute path
	for _, file := range set.Files {
		absolute, err := filepath.Abs(filepath.FromSlash(file.Path))
		if err != nil {
			return errors.Join(err, set.Close())
		}
		reported[absolute] = file.Path
		s.scope.known[file.Path] = file.Collection
		around.sources = append(around.sources, file.Path)
	}
	if err := set.Close(); err != nil {
		return err
	}
	schemas := goconfig.Schemas(s.Config).In()
	for _, name := range changed {
		absolute, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		for _, collection := range schemas[absolute] {
			s.scope.files[filepath.ToSlash(name)], s.scope.collections[collection] = true, true
		}
		// Skip files that this project does not read as documents.
		if path, ok := reported[absolute]; ok {
			s.scope.files[path], s.scope.collections[s.scope.known[path]] = true, true
		}
	}
	if len(s.scope.files) > 0 {
		around.inputs.docs = inputs
	}
	return nil
}

// isProject reports whether a directory is the top of a project. Its other
// files are rarely related to a document in it.
func isProject(dir string) bool {
	return slices.ContainsFunc([]string{".git", "go.mod", "package.json"}, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	})
}

func aroundCode(s *settings, given, changed []string, around *surrounding) error {
	patterns := slices.Clone(given)
	for _, name := range changed {
		dir, err := filepath.Abs(filepath.Dir(name))
		if err != nil {
			return err
		}
		reported, err := asReported(dir)
		if err != nil {
			return err
		}
		if isModuleFile(filepath.Base(name)) {
			s.scope.modules = append(s.scope.modules, reported)
		} else {
			s.scope.packages[reported] = true
		}
		root, err := moduleAbove(dir) // with slashes
		if err != nil {
			return err
		}
		pattern := reported
		if root != "" {
			pattern = path.Join(root, "...")
		}
		if !filepath.IsAbs(pattern) {
			pattern = "./" + pattern
		}
		if len(given) == 0 && !slices.Contains(patterns, pattern) {
			patterns = append(patterns, pattern)
			if err := around.addModule(root); err != nil {
				return err
			}
		}
	}
	around.open = around.open || len(given) > 0
	around.inputs.code = patterns
	return nil
}

// moduleAbove returns the module directory of an absolute directory, in the
// form that findings use, or "".
func moduleAbove(absolute string) (string, error) {
	root := gomodules.Above(absolute)
	if root == "" {
		return "", nil
	}
	return asReported(root)
}

// asReported returns an absolute path in the form that findings on code use:
// with slashes, and relative to the working directory if below it.
func asReported(absolute string) (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if relative, err := filepath.Rel(here, absolute); err == nil && filepath.IsLocal(relative) {
		absolute = relative
	}
	return filepath.ToSlash(absolute), nil
}
