package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/internal/config"
)

// isVet reports whether the go command started the program as its vet tool,
// see package unitchecker: it asks for the version, for the flags, and to
// check the packages of one .cfg file after another.
func isVet(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return args[0] == "-flags" || strings.HasPrefix(args[0], "-V") ||
		strings.HasSuffix(last, ".cfg") && (len(args) == 1 || strings.HasPrefix(args[0], "-"))
}

// vet speaks the protocol of go vet -vettool. It does not return.
func vet(args []string) {
	if args[0] == "-V=full" {
		if err := printID(os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "shapevet: "+err.Error())
			os.Exit(exitFailure)
		}
		os.Exit(exitOK)
	}
	loaded, err := loadConfig("")
	if err == nil {
		options, optionsErr := (&settings{Config: loaded}).goOptions()
		if err = optionsErr; err == nil {
			unitchecker.Main(analyzers.Suite(options)...)
		}
	}
	fmt.Fprintln(os.Stderr, "shapevet: "+err.Error())
	os.Exit(exitFailure)
}

// printID prints what the go command keys its cache of vet results with: a
// hash over all that decides what is reported, the program and its
// configuration.
func printID(w io.Writer) error {
	hash := sha256.New()
	executable, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program: %w", err)
	}
	paths := []string{executable}
	found, err := config.Find(".")
	if err != nil {
		return err
	}
	if found != "" {
		paths = append(paths, found)
	}
	for _, path := range paths {
		if err := addFile(hash, path); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w, "shapevet version devel buildID=%02x\n", hash.Sum(nil))
	return err
}

func addFile(hash io.Writer, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("hash %s: %w", path, err)
	}
	defer file.Close()
	if _, err := io.Copy(hash, file); err != nil {
		return fmt.Errorf("hash %s: %w", path, err)
	}
	return nil
}
