package cli

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/suggest"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/schema/infer"
)

// fewDocuments is the number of documents below which map keys are hard to
// distinguish from field names.
const fewDocuments = 20

// schemaFormats returns the values of --schema.
func schemaFormats() []string { return []string{"json", "mongodb"} }

// A schemaOutput is the destination and format of a schema.
type schemaOutput struct {
	format    string
	path      string // "" for standard output
	constants bool   // schemas may show the values of discriminators
}

func (a *app) runProfileSchema(command *cobra.Command, s *settings, inputs []string, out schemaOutput) error {
	if !slices.Contains(schemaFormats(), out.format) {
		return fmt.Errorf("--schema: unknown %q: %s", out.format, cmp.Or(suggest.DidYouMean(out.format, schemaFormats()), "use "+strings.Join(schemaFormats(), " or ")))
	}
	inputs, err := profileInputs(s, inputs)
	if err != nil {
		return err
	}
	db, err := a.described(command, s, inputs)
	if err != nil {
		return err
	}
	if db.Documents() == 0 {
		if a.code == exitFailure {
			return nil // reported above
		}
		return errors.New("there are no documents in the inputs")
	}
	return a.writeSchemas(db, out, infer.Options{Constants: out.constants, Bound: declaredBounds(s)})
}

// declaredBounds returns limits from the schemas in the configuration.
func declaredBounds(s *settings) func(collection, path string) (int64, bool) {
	schemas := goconfig.Schemas(s.Config)
	if schemas == nil {
		return nil
	}
	declared := schemas.Declared()
	return func(collection, path string) (int64, bool) {
		if d := declared[collection]; d != nil {
			bound, ok := d.Bounds[path]
			return bound.Most, ok
		}
		return 0, false
	}
}

// described reads documents, or evidence if all inputs are evidence files.
func (a *app) described(command *cobra.Command, s *settings, inputs []string) (*infer.Database, error) {
	isEvidence := func(path string) bool { return strings.HasSuffix(path, ".shapevet.json") }
	if !slices.ContainsFunc(inputs, isEvidence) {
		options, done := a.profileOptions(s)
		defer done()
		var db *infer.Database
		var report *finding.Report
		err := abandonable(command.Context(), func() (err error) {
			db, report, err = jsonlint.Describe(command.Context(), inputs, options)
			return err
		})
		if err != nil {
			return nil, err
		}
		a.unread(report)
		return db, nil
	}
	if i := slices.IndexFunc(inputs, func(path string) bool { return !isEvidence(path) }); i >= 0 {
		return nil, fmt.Errorf("%s is not an evidence file, but others are: make a schema from documents or from evidence", inputs[i])
	}
	files, err := loadEvidence(inputs)
	if err != nil {
		return nil, err
	}
	merged := files[0]
	if len(files) > 1 {
		if merged, err = evidence.Merge(files...); err != nil {
			return nil, err
		}
	}
	return infer.FromEvidence(merged), nil
}

// writeSchemas writes a file per collection to a directory, or otherwise one
// file with the only schema or with all of them.
func (a *app) writeSchemas(db *infer.Database, out schemaOutput, o infer.Options) error {
	schemas, together, suffix := db.JSONSchemas, db.JSONSchema, ".schema.json"
	if out.format == "mongodb" {
		schemas, together, suffix = db.MongoDBValidators, db.MongoDBValidator, ".validator.json"
	}
	parts, err := schemas(o)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if part.Documents < fewDocuments {
			a.complain(fmt.Sprintf("info: %s has %s, too few to distinguish the keys of maps from field names: look at the schema before you share it",
				part.Collection, quantity.Of(part.Documents, "document")))
		}
	}
	if isDirectory(out.path) {
		if err := os.MkdirAll(out.path, 0o755); err != nil {
			return fmt.Errorf("write the schemas: %w", err)
		}
		for _, part := range parts {
			if err := a.writeText(part.Text, filepath.Join(out.path, url.PathEscape(part.Collection)+suffix)); err != nil {
				return err
			}
		}
		return nil
	}
	text := parts[0].Text
	if len(parts) > 1 {
		if text, err = together(o); err != nil {
			return err
		}
	}
	return a.writeText(text, out.path)
}

// isDirectory reports whether a path is a directory, or is written like a new
// one.
func isDirectory(path string) bool {
	if strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator)) {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
