package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/internal/cli/lsp"
	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// defaultMaxSize is how many MB of documents are checked together while one of
// them is being edited.
const defaultMaxSize = 32

func (a *app) lspCommand() *cobra.Command {
	maxSize := 0
	command := &cobra.Command{
		Use:   "lsp",
		Short: "Show findings in an editor",
		Long: `Speak the Language Server Protocol on standard input and output: an editor that
starts this command shows findings in Go files and in JSON documents (.json,
.jsonl, .ndjson) while they are edited. Hovering over a finding shows its
evidence and what to do. Fixes are code actions.

A Go file is checked with the packages of its module. A document is checked
with those that docs: in the configuration names or, without docs:, with the
files of its folder. The configuration is the nearest ` + config.FileName + ` above the file.

docs/editors.md has the settings for editors.`,
		Example: "  shapevet lsp",
		Args:    cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if maxSize < 1 {
				return fmt.Errorf("--max-size %d: use a number of MB above 0", maxSize)
			}
			checks := &editorChecks{app: a, maxBytes: int64(maxSize) << 20, sessions: map[string]*analyzers.Session{}}
			if !lsp.Serve(command.Context(), a.stdin, a.stdout, checks, toolVersion()) {
				a.code = exitFindings // the protocol requires this after an exit without shutdown
			}
			return nil
		},
	}
	command.Flags().IntVar(&maxSize, "max-size", defaultMaxSize, "check a document with those in its folder up to `N` MB together")
	command.Flags().Bool("stdio", true, "use standard input and output, which is the only option")
	return command
}

// editorChecks runs checks for an editor like the check command.
type editorChecks struct {
	*app
	maxBytes int64

	mutex    sync.Mutex
	sessions map[string]*analyzers.Session // by module directory
}

func (e *editorChecks) Documents(ctx context.Context, c *config.Config, inputs []string, shallow bool, unsaved map[string][]byte) (*finding.Report, error) {
	s := &settings{Config: c}
	for _, name := range sortedKeys(c.Collections) {
		for _, glob := range c.Collections[name].Files {
			if !filepath.IsAbs(glob) && c.Path != "" {
				glob = filepath.Join(filepath.Dir(c.Path), glob)
			}
			s.collectionRules = append(s.collectionRules, source.CollectionRule{Name: name, Glob: filepath.ToSlash(glob)})
		}
	}
	options := s.engineOptions(e.app)
	options.Source.Stdin, options.Source.Shallow, options.Source.Unsaved, options.Source.MaxTotal = nil, shallow, unsaved, e.maxBytes
	report, err := jsonlint.Check(ctx, inputs, options)
	if err != nil {
		return nil, err
	}
	return report, e.filter(ctx, s, report)
}

func (e *editorChecks) Code(ctx context.Context, c *config.Config, module string, unsaved map[string][]byte, reload bool) (*finding.Report, []string, error) {
	options, err := goconfig.Options(c)
	if err != nil {
		return nil, nil, err
	}
	seen, err := goconfig.Evidence(c, goconfig.EvidenceFiles(c), nil, nil)
	if err != nil {
		return nil, nil, err
	}
	options.Evidence = seen
	result, err := e.session(module).Check(ctx, unsaved, reload, options)
	if err != nil {
		return nil, nil, err
	}
	found := &collected{report: &finding.Report{}}
	found.addGo(newGoOutcome(result, seen))
	return found.report, found.warnings, e.filter(ctx, &settings{Config: c}, found.report)
}

// session returns the session of a module, which lasts as long as the editor.
func (e *editorChecks) session(module string) *analyzers.Session {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.sessions[module] == nil {
		e.sessions[module] = analyzers.NewSession(filepath.ToSlash(module) + "/...")
	}
	return e.sessions[module]
}

// filter drops what the configuration and its baseline accept.
func (e *editorChecks) filter(ctx context.Context, s *settings, report *finding.Report) (err error) {
	if s.Strict {
		s.MinConfidence = 0
	}
	s.Baseline = s.Beside(s.Baseline)
	filter := s.filter()
	if filter.Fresh, err = e.fresh(ctx, s, given{}); err != nil {
		return err
	}
	filter.Apply(report)
	return nil
}
