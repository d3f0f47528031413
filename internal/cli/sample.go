package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// withDatabases inserts the databases and stores that an INPUT may name.
func (a *app) withDatabases(help string) string {
	names := ""
	for _, scheme := range slices.Sorted(maps.Keys(a.openers)) {
		names += fmt.Sprintf("  %-22s  a sample of a live database\n", scheme+"://...")
	}
	for _, scheme := range slices.Sorted(maps.Keys(a.stores)) {
		names += fmt.Sprintf("  %-22s  an object, all objects below BUCKET/PREFIX/, or a glob\n", scheme+"://BUCKET/...")
	}
	return strings.Replace(help, "DATABASES\n", names+"\n", 1)
}

func (a *app) sampleCommand() *cobra.Command {
	var out string
	var options remote.Options
	command := &cobra.Command{
		Use:   "sample [flags] URL -o FILE",
		Short: "Keep a sample of a live database",
		Long: `Read a sample of a live database and keep it in FILE, which nobody but you may
read. "shapevet check FILE" then checks it as often as you like. MongoDB becomes
an archive as mongodump writes it; of Azure Cosmos DB, FILE is a directory with
a file of JSON lines for each container.`,
		Example: `  shapevet sample mongodb://localhost/shop -o shop.archive
  shapevet check shop.archive`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && out == "":
				return command.Help()
			case len(args) != 1 || remote.Scheme(args[0]) == "":
				return errors.New("sample needs one URL of a database: shapevet sample mongodb://HOST/DATABASE -o FILE")
			case out == "":
				return errors.New("sample needs a place for the documents: -o FILE")
			}
			return a.runSample(command, args[0], out, options)
		},
	}
	command.Flags().StringVarP(&out, "output", "o", "", "write the sample to `FILE`")
	defineRemote(command.Flags(), &options)
	return command
}

func (a *app) runSample(command *cobra.Command, text, out string, options remote.Options) (err error) {
	url := remote.Parse(text)
	open := a.openers[remote.Scheme(text)]
	if open == nil {
		return fmt.Errorf("%s: shapevet cannot read databases with this scheme: use one of %s", url, strings.Join(slices.Sorted(maps.Keys(a.openers)), ", "))
	}
	database, err := open(command.Context(), url, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	spool, err := createTemporary(filepath.Dir(filepath.Clean(out)))
	if err != nil {
		return fmt.Errorf("write %s: %w", out, withoutPath(err))
	}
	defer func() {
		err = errors.Join(err, spool.Close())
		if removed := os.Remove(spool.Name()); !errors.Is(removed, os.ErrNotExist) {
			err = errors.Join(err, removed)
		}
	}()
	sample, err := database.Sample(command.Context(), spool)
	if err != nil {
		return err
	}
	for _, note := range sample.Notes {
		a.complain("note: " + note)
	}
	return writeSample(out, spool, sample)
}

// writeSample writes the documents so that only the user can read them.
func writeSample(out string, spool *os.File, sample remote.Sample) error {
	if len(sample.Collections) == 0 {
		return errors.New("the database holds no user documents")
	}
	size, err := spool.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("write %s: %w", out, withoutPath(err))
	}
	if !sample.Lines {
		return writePrivate(out, io.NewSectionReader(spool, 0, size))
	}
	if err := os.MkdirAll(out, 0o700); err != nil {
		return fmt.Errorf("write %s: %w", out, withoutPath(err))
	}
	for _, c := range sample.Collections {
		var parts []io.Reader
		for _, part := range c.Parts {
			parts = append(parts, io.NewSectionReader(spool, part.Start, part.Length))
		}
		if err := writePrivate(filepath.Join(out, c.Name+".jsonl"), io.MultiReader(parts...)); err != nil {
			return err
		}
	}
	return nil
}

func writePrivate(path string, r io.Reader) error {
	return writeFileMode(path, 0o600, func(w io.Writer) error {
		_, err := io.Copy(w, r)
		return err
	})
}
