// Command newrule starts a rule. It writes the page and a stub for each side
// with a failing test, and adds the rule to the registries.
//
//	go run ./internal/newrule empty-collection             # code and documents
//	go run ./internal/newrule -side documents lost-value
//	go run ./internal/newrule -registry                    # the registries alone
package main

import (
	"bytes"
	"embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
)

func main() {
	side := flag.String("side", "both", "what the rule looks at: `go`, documents or both")
	only := flag.Bool("registry", false, "write the registries and nothing else")
	flag.Parse()
	root, err := repository()
	if err == nil {
		err = run(root, *side, flag.Args(), *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "newrule:", err)
		os.Exit(2)
	}
}

// repository returns the directory with go.mod.
func repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && bytes.HasPrefix(text, []byte("module "+module+"\n")) {
			return dir, nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", fmt.Errorf("run it in the repository of %s", module)
		}
		dir = above
	}
}

func run(root, side string, args []string, registriesOnly bool) error {
	var written []string
	if !registriesOnly {
		if len(args) != 1 {
			return errors.New("give the name of one rule, such as empty-collection")
		}
		files, err := scaffold(root, args[0], side)
		if err != nil {
			return err
		}
		written = files
	}
	for _, r := range registries {
		text, err := r.source(root)
		if err != nil {
			return err
		}
		file := filepath.Join(root, r.file())
		if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, text) {
			continue
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
		written = append(written, r.file())
	}
	for _, file := range written {
		fmt.Println(filepath.ToSlash(file))
	}
	if !registriesOnly {
		fmt.Printf("\nFill in every TODO; until then these fail:\n%s", hints(side))
	}
	return nil
}

func hints(side string) (text string) {
	if side != "go" {
		text += "  go test ./jsonlint -run TestPages && go test ./jsonlint/rules/...\n"
	}
	if side != "documents" {
		text += "  go test ./analyzers -run 'TestPages|TestRules'\n"
	}
	return text + "Then list the rule in the README: go test ./internal/cli -run 'TestReadme|TestRuleIndex' -update-docs\n"
}

//go:embed templates
var templates embed.FS

// A stub is a file for a new rule.
type stub struct {
	template string
	file     string // with placeholders for package and name
	sides    []string
}

var stubs = []stub{
	{"page.md.tmpl", "rulebook/{{.Name}}/README.md", []string{"go", "documents", "both"}},
	{"document.go.tmpl", "jsonlint/rules/{{.Package}}/{{.Package}}.go", []string{"documents", "both"}},
	{"document_test.go.tmpl", "jsonlint/rules/{{.Package}}/{{.Package}}_test.go", []string{"documents", "both"}},
	{"code.go.tmpl", "analyzers/{{.Package}}/{{.Package}}.go", []string{"go", "both"}},
	{"code_testdata.go.tmpl", "analyzers/testdata/src/{{.Package}}/mongo/mongo.go", []string{"go", "both"}},
}

var ruleName = regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)

// scaffold writes the stubs of a rule and returns their file names.
func scaffold(root, name, side string) ([]string, error) {
	if !ruleName.MatchString(name) {
		return nil, fmt.Errorf("%q is no name of a rule: two or more words in small letters, joined by dashes", name)
	}
	sides := map[string]string{"go": "[go]", "documents": "[documents]", "both": "[go, documents]"}
	if sides[side] == "" {
		return nil, fmt.Errorf("-side %q: say go, documents or both", side)
	}
	data := struct {
		Name, Package, Applies string
		Go, Documents          bool
	}{name, strings.ReplaceAll(name, "-", ""), sides[side], side != "documents", side != "go"}
	files := map[string][]byte{}
	for _, s := range stubs {
		if !slices.Contains(s.sides, side) {
			continue
		}
		file, err := fill(template.New("name").Parse(s.file))(data)
		if err != nil {
			return nil, err
		}
		text, err := fill(template.ParseFS(templates, "templates/"+s.template))(data)
		if err != nil {
			return nil, err
		}
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(string(file)))); err == nil {
			return nil, fmt.Errorf("%s exists: a name is used once", file)
		}
		files[string(file)] = text
	}
	var written []string
	for file, text := range files {
		path := filepath.Join(root, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return nil, err
		}
		written = append(written, file)
	}
	slices.Sort(written)
	return written, nil
}

func fill(t *template.Template, err error) func(data any) ([]byte, error) {
	return func(data any) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		err := t.Execute(&b, data)
		return b.Bytes(), err
	}
}
