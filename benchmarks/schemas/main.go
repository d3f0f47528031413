// Command schemas measures the schemas that "shapevet profile --schema" writes:
// every directory below the given ones that holds documents is a database. Its
// documents are validated by the schemas made of them, as they are, and with a
// value of another type at a path that the schema requires.
//
//	go run ./benchmarks/schemas [-mutated N] DIR...
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/jsonlint/infertest"
)

func main() {
	mutated := flag.Int64("mutated", 200, "documents of each collection that are mutated, 0 for all")
	verbose := flag.Bool("v", false, "list the directories")
	flag.Parse()
	if err := run(flag.Args(), *mutated, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "schemas:", err)
		os.Exit(1)
	}
}

func run(roots []string, mutated int64, verbose bool) error {
	var dirs []string
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if dir := filepath.Dir(path); entry.Type().IsRegular() && !slices.Contains(dirs, dir) && isDocuments(path) {
				dirs = append(dirs, dir)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	out, err := os.MkdirTemp("", "schemas-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(out)
	fmt.Println("| schema | databases | documents | accepted | mutated | rejected |")
	fmt.Println("| --- | ---: | ---: | ---: | ---: | ---: |")
	for _, format := range infertest.Formats() {
		var total infertest.Result
		databases := 0
		for _, dir := range dirs {
			files, err := documents(dir)
			if err != nil {
				return err
			}
			r, err := infertest.Measure(context.Background(), files, format, out, mutated)
			if err != nil {
				return fmt.Errorf("%s: %w", dir, err)
			}
			if r.Documents == 0 {
				continue
			}
			if verbose || r.First != "" {
				fmt.Fprintf(os.Stderr, "%s %s: %d of %d, %d of %d %s\n", format, dir, r.Accepted, r.Documents, r.Rejected, r.Mutated, r.First)
			}
			total.Add(r)
			databases++
		}
		fmt.Printf("| %s | %d | %d | %d | %d | %d |\n", format, databases, total.Documents, total.Accepted, total.Mutated, total.Rejected)
	}
	return nil
}

func documents(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries {
		if entry.Type().IsRegular() && isDocuments(entry.Name()) {
			files = append(files, filepath.Join(dir, entry.Name()))
		}
	}
	return files, nil
}

func isDocuments(name string) bool {
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst")
	return slices.Contains([]string{".json", ".jsonl", ".ndjson"}, filepath.Ext(name))
}
