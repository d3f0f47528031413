// Package config reads .shapevet.yaml. It checks the file against a JSON Schema
// made from the rule pages. An unknown rule, threshold or key is an error at
// its line, with a suggestion.
package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/regular"
)

// FileName is the name of the configuration file.
const FileName = ".shapevet.yaml"

// maxSize, in bytes, is far more than any configuration needs and small enough
// to read at once.
const maxSize = 128 << 10

// A Config is the content of a configuration file, with defaults.
type Config struct {
	Version       int                   `json:"version"`
	DB            string                `json:"db"`
	Docs          []string              `json:"docs,omitempty"`
	Exclude       []string              `json:"exclude,omitempty"` // globs, relative to the configuration file
	Include       []string              `json:"include,omitempty"`
	Collections   map[string]Collection `json:"collections,omitempty"`
	Schemas       map[string]string     `json:"schemas,omitempty"` // by collection; relative to the configuration file
	References    []Reference           `json:"references,omitempty"`
	Documents     []Document            `json:"documents,omitempty"`
	Sinks         []Sink                `json:"sinks,omitempty"`
	Select        []string              `json:"select,omitempty"`
	Rules         map[string]Rule       `json:"rules,omitempty"`
	Overrides     []Override            `json:"overrides,omitempty"`
	Lexicon       map[string][]string   `json:"lexicon,omitempty"`
	Ignore        []Ignore              `json:"ignore,omitempty"`
	Baseline      string                `json:"baseline,omitempty"` // relative to the configuration file
	Evidence      []string              `json:"evidence,omitempty"` // relative to the configuration file
	EvidenceAge   int                   `json:"evidenceMaxAge"`     // days; 0 means any
	EvidenceDocs  int64                 `json:"evidenceDocuments"`  // number of documents from which evidence can clear a finding
	FailOn        string                `json:"failOn"`
	MinConfidence float64               `json:"minConfidence"`
	MaxFindings   int                   `json:"maxFindings"` // per rule and path; 0 means all
	MaxPerRule    int                   `json:"maxPerRule"`  // in the text report; 0 means all
	Sort          string                `json:"sort,omitempty"`
	GroupBy       string                `json:"groupBy,omitempty"`
	ShowFixes     bool                  `json:"showFixes"`
	Strict        bool                  `json:"strict"`
	Output        []string              `json:"output"` // FORMAT or FORMAT=FILE
	Color         string                `json:"color"`
	Progress      bool                  `json:"progress"`
	Statistics    bool                  `json:"statistics"`
	ExitZero      bool                  `json:"exitZero"`
	Jobs          int                   `json:"jobs"` // 0 means one per processor
	Fix           bool                  `json:"fix"`
	UnsafeFixes   bool                  `json:"unsafeFixes"`
	Diff          bool                  `json:"diff"`
	NoIgnore      bool                  `json:"noIgnore"`
	StdinFilename string                `json:"stdinFilename,omitempty"`

	DefaultExcludes bool `json:"defaultExcludes"`

	// Path is the file that the configuration comes from, or "" for the defaults.
	Path string `json:"-"`

	// Extended lists the files that this one extends, directly or indirectly.
	Extended []string `json:"-"`

	// Found says that nobody named the file: it was found in or above the working
	// directory.
	Found bool `json:"-"`
}

// A Collection says about a collection what its files do not show.
type Collection struct {
	Files        []string `json:"files,omitempty"` // globs, relative to the configuration file
	Complete     bool     `json:"complete,omitempty"`
	PartitionKey string   `json:"partitionKey,omitempty"`
	ID           string   `json:"id,omitempty"`
}

// A Reference declares that the field at Path in documents of From holds keys
// of documents of To.
type Reference struct {
	From string `json:"from"`
	Path string `json:"path"`
	To   string `json:"to"`
	Key  string `json:"key,omitempty"`
}

// A Document is a Go type that is stored.
type Document struct {
	Type         string `json:"type"`
	Collection   string `json:"collection,omitempty"`
	DB           string `json:"db,omitempty"`
	PartitionKey string `json:"partitionKey,omitempty"`
}

// A Sink is a Go function that stores a document.
type Sink struct {
	Function string `json:"function"`
	Argument int    `json:"argument,omitempty"` // number of the argument with the document, from 1; 0 finds it by type
	DB       string `json:"db,omitempty"`
}

// A Rule configures a rule.
type Rule struct {
	Severity   string             `json:"severity,omitempty"` // error, warning, info or off; "" keeps the default
	Thresholds map[string]float64 `json:"thresholds,omitempty"`
}

// An Override changes the severity of rules for some files.
type Override struct {
	Files []string          `json:"files"` // globs, relative to the configuration file
	Rules map[string]string `json:"rules"` // severity, or off
}

// Off is the [Rule.Severity] that switches a rule off.
const Off = "off"

// An Ignore accepts findings. An empty Collection or Path matches anything.
type Ignore struct {
	Rule       string `json:"rule"`
	Collection string `json:"collection,omitempty"`
	Path       string `json:"path,omitempty"`
	Reason     string `json:"reason"`
	Line       int    `json:"-"` // in the configuration file; 0 if in a file that it extends
}

// A rule, a Go type or a function may be a plain string.

func (r *Rule) UnmarshalJSON(text []byte) error {
	type plain Rule
	return stringOr(text, &r.Severity, (*plain)(r))
}

func (d *Document) UnmarshalJSON(text []byte) error {
	type plain Document
	return stringOr(text, &d.Type, (*plain)(d))
}

func (s *Sink) UnmarshalJSON(text []byte) error {
	type plain Sink
	return stringOr(text, &s.Function, (*plain)(s))
}

func stringOr(text []byte, short *string, object any) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, short)
	}
	return json.Unmarshal(text, object)
}

// Default returns the configuration for a run without a file.
func Default() *Config {
	return &Config{
		Version: 1, DB: "generic", FailOn: finding.Warning.String(), MinConfidence: finding.Probable, MaxFindings: 5, MaxPerRule: 10,
		Output: []string{"text"}, Color: "auto", Progress: true, EvidenceAge: 90, EvidenceDocs: 100, DefaultExcludes: true,
	}
}

// Find returns the path of the nearest configuration file in dir or above it,
// or "".
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", FileName, err)
	}
	for {
		path := filepath.Join(dir, FileName)
		switch info, err := os.Stat(path); {
		case err == nil && !info.IsDir():
			return path, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
			return "", fmt.Errorf("find %s: %w", FileName, err)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

// Load reads a configuration file that the user named. If its content is wrong,
// the error is an [*Error].
func Load(path string) (*Config, error) { return load(path, false) }

// LoadFound reads a configuration file that the user did not name. The files
// that it may name are limited; see [Config.Writable] and [Config.Readable].
func LoadFound(path string) (*Config, error) { return load(path, true) }

func load(path string, found bool) (*Config, error) {
	text, err := regular.ReadFile(path, maxSize)
	if err != nil {
		return nil, fmt.Errorf("read the configuration %s: %w", display(path), err)
	}
	config, d, err := parse(display(path), path, text, found)
	if err != nil {
		return nil, err
	}
	return config, config.trust(d)
}

// display returns a path as shown to users: with slashes, and relative to the
// working directory if that is shorter.
func display(path string) string {
	if wd, err := os.Getwd(); err == nil && filepath.IsAbs(path) {
		if relative, err := filepath.Rel(wd, path); err == nil && len(relative) < len(path) {
			path = relative
		}
	}
	return filepath.ToSlash(path)
}

// Parse parses the text of a configuration file, which errors call name.
func Parse(name string, text []byte) (*Config, error) {
	config, _, err := parse(name, "", text, false)
	return config, err
}

// parse parses the text of the file at a path. Files that it extends are
// relative to the path, which is "" for text without a file.
func parse(name, path string, text []byte, found bool) (*Config, *document, error) {
	document, err := parseYAML(name, text)
	if err != nil {
		return nil, nil, err
	}
	if err := validate(document); err != nil {
		return nil, nil, err
	}
	config := Default()
	config.Path, config.Found = path, found
	base := object{}
	if path != "" { // files beside it exist only with a path
		if base, err = config.inherited(document, []string{filepath.Clean(path)}); err != nil {
			return nil, nil, err
		}
	}
	own, _ := document.value.(object)
	asJSON, err := json.Marshal(merge(base, own))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := json.Unmarshal(asJSON, config); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	inherited, _ := base["ignore"].([]any)
	for i := len(inherited); i < len(config.Ignore); i++ {
		config.Ignore[i].Line = document.at(fmt.Sprintf("/ignore/%d", i-len(inherited))).line
	}
	return config, document, nil
}
