package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/report"
)

func (a *app) configCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "config",
		Short: "Print or verify the configuration",
		Long: `Print or verify the configuration: the nearest ` + config.FileName + ` in the working
directory or above it.`,
		Example: `  shapevet config verify
  shapevet config print
  shapevet config schema > shapevet.schema.json`,
	}, a.configPrintCommand(), a.configSchemaCommand(), a.configVerifyCommand())
}

func (a *app) configPrintCommand() *cobra.Command {
	var path string
	command := &cobra.Command{
		Use:     "print",
		Short:   "Print the effective configuration, with defaults",
		Long:    "Print the effective configuration: the settings of the file, and the defaults.",
		Example: "  shapevet config print",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			loaded, err := loadConfig(path)
			if err != nil {
				return err
			}
			text, err := loaded.YAML()
			if err != nil {
				return err
			}
			_, err = a.stdout.Write(text)
			return err
		},
	}
	command.Flags().StringVar(&path, "config", "", "configuration `FILE` (default: the nearest "+config.FileName+" upward)")
	return command
}

func (a *app) configSchemaCommand() *cobra.Command {
	of := ""
	kinds := []string{"config", "report"}
	command := &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of the configuration, or of the JSON report",
		Long: `Print the JSON Schema of the configuration, which editors use to complete and
check the file. It knows every rule and threshold.

With --of report, print the JSON Schema of the output of
"shapevet check --output json", for programs that read it.`,
		Example: `  shapevet config schema > shapevet.schema.json
  shapevet config schema --of report > report.schema.json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			text, err := report.Schema(), error(nil)
			switch of {
			case "config":
				text, err = config.Schema()
			case "report":
			default:
				return fmt.Errorf("--of: unknown %q: use config or report", of)
			}
			if err != nil {
				return err
			}
			_, err = a.stdout.Write(text)
			return err
		},
	}
	command.Flags().StringVar(&of, "of", "config", "print the schema of `WHAT`: config or report")
	complete(command, "of", kinds)
	return command
}

func (a *app) configVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify [FILE...]",
		Short: "Check the configuration",
		Long: `Check configuration files and the schemas that they name, and report all errors
with line and column.`,
		Example: `  shapevet config verify
  shapevet config verify team/` + config.FileName,
		RunE: func(_ *cobra.Command, paths []string) error {
			if len(paths) == 0 {
				found, err := config.Find(".")
				if err != nil {
					return err
				}
				if found == "" {
					return fmt.Errorf("there is no %s here or above: \"shapevet init\" writes one", config.FileName)
				}
				paths = []string{found}
			}
			var problems []error
			for _, path := range paths {
				load := config.Load
				if filepath.Base(path) == config.FileName { // it will be found by itself
					load = config.LoadFound
				}
				loaded, err := load(path)
				if err == nil {
					err = verifySchemas(loaded)
				}
				if err != nil {
					problems = append(problems, err)
					continue
				}
				if _, err := fmt.Fprintln(a.stdout, path+": ok"); err != nil {
					return err
				}
			}
			return errors.Join(problems...)
		},
	}
}

// verifySchemas reports what is wrong with a configuration's schemas.
func verifySchemas(c *config.Config) error {
	set := goconfig.Schemas(c)
	if set == nil {
		return nil
	}
	set.Validator()
	if problems := set.Problems(); len(problems) > 0 {
		return &config.Error{Problems: problems}
	}
	return nil
}
