package cli

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/goconfig"
)

// isVet reports whether the go command started the program as its vet tool or
// fix tool (see package unitchecker): it asks for the version, for the flags,
// and then to check packages, one .cfg file at a time.
func isVet(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return args[0] == "-flags" || strings.HasPrefix(args[0], "-V") ||
		strings.HasSuffix(last, ".cfg") && (len(args) == 1 || strings.HasPrefix(args[0], "-"))
}

// vet implements the protocol of go vet -vettool and go fix -fixtool. It does
// not return.
func vet(args []string) {
	err := serveVet(args)
	if err == nil {
		os.Exit(exitOK)
	}
	fmt.Fprintln(os.Stderr, "shapevet: "+err.Error())
	os.Exit(exitFailure)
}

// serveVet returns if the request was for the version, if the package need not
// be checked, or if something fails before the check. The go command starts the
// program in the package's directory, so the configuration nearest to that
// applies.
func serveVet(args []string) error {
	switch last := args[len(args)-1]; {
	case args[0] == "-V=full":
		return printID(os.Stdout)
	case !strings.HasSuffix(last, ".cfg"):
		unitchecker.Main(analyzers.Suite(check.Options{})...) // prints the flags
	default:
		if only, err := factsOnly(last); only || err != nil {
			return err
		}
	}
	loaded, err := goconfig.Nearest(".")
	if err != nil {
		return err
	}
	options, err := goconfig.Options(loaded)
	if err != nil {
		return err
	}
	evidence, err := goconfig.Evidence(loaded, goconfig.EvidenceFiles(loaded), nil, nil)
	if err != nil {
		return err
	}
	if err := evidence.Load("."); err != nil {
		return err
	}
	options.Evidence = evidence
	unitchecker.Main(analyzers.Suite(options)...)
	return nil
}

// factsOnly reports whether the go command wants only the facts of a package,
// not findings, and answers with no facts. The analyzers use none, so there is
// no need to type-check all imports, down to the standard library.
func factsOnly(path string) (bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return false, fmt.Errorf("read what to check: %w", err)
	}
	var unit unitchecker.Config
	if err := json.Unmarshal(text, &unit); err != nil {
		return false, fmt.Errorf("read what to check: %s: %w", path, err)
	}
	if !unit.VetxOnly || unit.VetxOutput == "" {
		return false, nil
	}
	if err := os.WriteFile(unit.VetxOutput, nil, 0o666); err != nil {
		return false, fmt.Errorf("write facts: %w", err)
	}
	return true, nil
}

// printID prints the key for the go command's cache of vet results: a hash of
// everything that determines the findings, which are the program, and the
// configuration and evidence files that can apply to a package.
func printID(w io.Writer) error {
	hash := sha256.New()
	executable, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program: %w", err)
	}
	if err := goconfig.Fingerprint(hash, ".", executable); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "shapevet version devel buildID=%02x\n", hash.Sum(nil))
	return err
}
