package check

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/fixes"
)

// Edit makes a fix from edits. It returns nil if the package would no longer
// compile.
func (p *Pass) Edit(title string, safety finding.Safety, edits ...analysis.TextEdit) *Fix {
	if len(edits) == 0 || !p.Compiles(edits) {
		return nil
	}
	return &Fix{Title: title, Safety: safety, Edits: edits}
}

// Compiles reports whether the package compiles as well as before after the
// edits. It refuses edits of other packages and of generated files, and edits
// that overlap.
func (p *Pass) Compiles(edits []analysis.TextEdit) bool {
	pkg := p.Package
	if pkg.Types == nil {
		return false
	}
	byFile := map[*ast.File][]analysis.TextEdit{}
	for _, edit := range edits {
		file := p.Package.File(edit.Pos)
		if file == nil || edit.End > file.FileEnd || ast.IsGenerated(file) {
			return false
		}
		byFile[file] = append(byFile[file], edit)
	}
	files := slices.Clone(pkg.Files)
	for i, file := range pkg.Files {
		if len(byFile[file]) == 0 {
			continue
		}
		text, ok := p.edited(file, byFile[file])
		if !ok {
			return false
		}
		changed, err := parser.ParseFile(p.Program.Fset(), p.Program.Fset().File(file.FileStart).Name(), text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		files[i] = changed
	}
	before := docmodel.Remember(p.Program, unchanged{pkg}, func() map[string]int { return problemsOf(pkg, pkg.Files) })
	for problem, times := range problemsOf(pkg, files) {
		if times > before[problem] {
			return false
		}
	}
	return true
}

// edited returns the text of a file with edits applied.
func (p *Pass) edited(file *ast.File, edits []analysis.TextEdit) (text []byte, ok bool) {
	f := p.Program.Fset().File(file.FileStart)
	original, err := p.Package.Read(f.Name())
	if err != nil || len(original) != f.Size() {
		return nil, false // missing, or changed since it was read
	}
	var offsets []finding.Edit
	for _, edit := range edits {
		start, end := f.Offset(edit.Pos), f.Offset(edit.Pos)
		if edit.End.IsValid() {
			end = f.Offset(edit.End)
		}
		offsets = append(offsets, finding.Edit{Start: int64(start), End: int64(end), NewText: string(edit.NewText)})
	}
	text, err = fixes.Edited(original, offsets)
	return text, err == nil
}

// unchanged asks [docmodel.Remember] for the errors of a package as it is.
type unchanged struct{ pkg *docmodel.Package }

// problemsOf type-checks files as the package and counts the errors by message.
func problemsOf(pkg *docmodel.Package, files []*ast.File) map[string]int {
	found := map[string]int{}
	config := types.Config{
		Importer: imported{pkg.Types}, GoVersion: pkg.Types.GoVersion(), FakeImportC: true,
		Error: func(err error) {
			message := err.Error()
			if typed, ok := err.(types.Error); ok {
				message = typed.Msg
			}
			found[message]++
		},
	}
	_, _ = config.Check(pkg.Path, pkg.Fset, files, nil) // the errors are counted as they are reported
	return found
}

// imported resolves the imports of a package.
type imported struct{ by *types.Package }

func (i imported) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	for _, p := range i.by.Imports() {
		if p.Path() == path {
			return p, nil
		}
	}
	return nil, fmt.Errorf("%s was not read", path)
}
