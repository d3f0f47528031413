package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/shapevet/shapevet/internal/config"
)

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a starter configuration",
		Long: `Write ` + config.FileName + ` into the working directory: a commented file that changes
nothing until it is edited. An existing file is never overwritten.`,
		Example: "  shapevet init",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			switch _, err := os.Lstat(config.FileName); {
			case err == nil:
				return fmt.Errorf("%s already exists: remove it first, or edit it", config.FileName)
			case !errors.Is(err, os.ErrNotExist):
				return err
			}
			if err := a.writeText(config.Starter(), config.FileName); err != nil {
				return err
			}
			_, err := fmt.Fprintln(a.stderr, "wrote "+config.FileName)
			return err
		},
	}
}
