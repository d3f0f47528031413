package analyzers

import (
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/guided"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/fixes"
)

// A stage is Go code that is checked, fixed and checked again without a file
// being written.
type stage struct {
	dir     string
	env     []string
	overlay map[string][]byte // files as they are by now, by absolute path
}

// testdataStage is a stage on which packages are imported from testdata/src,
// where libraries have stand-ins.
func testdataStage(t *testing.T) *stage {
	t.Helper()
	dir, err := filepath.Abs("testdata")
	require.NoError(t, err)
	env := append(os.Environ(), "GOPATH="+dir, "GO111MODULE=off", "GOWORK=off", "GOFLAGS=")
	return &stage{dir: dir, env: env, overlay: map[string][]byte{}}
}

// A scene is the packages of a stage as they are at one time.
type scene struct {
	*loaded
	errors   map[string][]string // why packages do not compile, by import path
	evidence check.Evidence      // what documents show
}

func (s *stage) load(t *testing.T, patterns ...string) *scene {
	t.Helper()
	env, flags := moduleFlags(s.env)
	l := &loaded{fset: token.NewFileSet()}
	config := &packages.Config{Context: t.Context(), Mode: loadMode, Dir: s.dir, Env: env, BuildFlags: flags, Fset: l.fset, Overlay: s.overlay}
	matched, err := packages.Load(config, patterns...)
	require.NoError(t, err)
	require.NotEmpty(t, matched)
	l.add(matched)
	for _, p := range l.packages {
		p.ReadFile = s.read
	}
	c := &scene{loaded: l, errors: map[string][]string{}, evidence: observed(t, guided.Options{Name: "default.shapevet.json"})}
	for _, p := range matched {
		for _, e := range p.Errors {
			c.errors[p.PkgPath] = append(c.errors[p.PkgPath], e.Msg)
		}
	}
	return c
}

// problems are the reasons why packages and their tests do not compile, by
// import path.
func (s *stage) problems(t *testing.T, patterns ...string) map[string][]string {
	t.Helper()
	env, flags := moduleFlags(s.env)
	config := &packages.Config{
		Context: t.Context(), Mode: loadMode &^ packages.NeedTypesInfo, Dir: s.dir, Env: env, BuildFlags: flags, Overlay: s.overlay, Tests: true,
	}
	matched, err := packages.Load(config, patterns...)
	require.NoError(t, err)
	found := map[string][]string{}
	for _, p := range matched {
		for _, e := range p.Errors {
			if e.Kind == packages.TypeError || e.Kind == packages.ParseError {
				found[p.PkgPath] = append(found[p.PkgPath], e.Msg)
			}
		}
	}
	return found
}

// only returns the scene with some of its packages.
func (c *scene) only(keep func(path string) bool) *scene {
	l := &loaded{fset: c.fset, packages: slices.DeleteFunc(slices.Clone(c.packages), func(p *docmodel.Package) bool { return !keep(p.Path) })}
	return &scene{loaded: l, errors: c.errors, evidence: c.evidence}
}

// observed is evidence of the files beside packages, or of documents.
func observed(t *testing.T, o guided.Options) check.Evidence {
	t.Helper()
	o.Documents = 100
	e, err := guided.New(o)
	require.NoError(t, err)
	return e
}

// check runs rules, all if none is given, on the packages as one program.
// Findings are those that are sure enough to show by default, if not strict.
func (c *scene) check(strict bool, rules ...check.Rule) []finding.Finding {
	if len(rules) == 0 {
		rules = Rules()
	}
	checker := check.New(c.packages, check.Options{Evidence: c.evidence})
	w := &writer{fset: c.fset, files: map[string][]byte{}}
	var found []finding.Finding
	for _, rule := range rules {
		checker.Run(c.packages, rule, func(f check.Finding) {
			if strict || f.Confidence >= 0.5 {
				found = append(found, w.finding(f))
			}
		}, nil)
	}
	finding.Sort(found)
	return found
}

// fix applies fixes of findings to the stage.
func (s *stage) fix(t *testing.T, findings []finding.Finding, safeties ...finding.Safety) *fixes.Result {
	t.Helper()
	r := s.fixed(t, findings, safeties...)
	maps.Copy(s.overlay, r.Files)
	return r
}

// fixed is what fixes would make of the stage.
func (s *stage) fixed(t *testing.T, findings []finding.Finding, safeties ...finding.Safety) *fixes.Result {
	t.Helper()
	r, err := fixes.Apply(findings, s.read, safeties...)
	require.NoError(t, err)
	return r
}

func (s *stage) read(name string) ([]byte, error) {
	if text, ok := s.overlay[name]; ok {
		return text, nil
	}
	return os.ReadFile(name)
}

// numbered is a text with line numbers, for messages.
func numbered(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fmt.Fprintf(&b, "%4d  %s\n", i+1, line)
	}
	return b.String()
}
