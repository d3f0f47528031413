package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/internal/report"
	"github.com/shapevet/shapevet/rulebook"
)

const schemaID = "https://github.com/shapevet/shapevet/schema/config.json"

type object = map[string]any

// schema returns the JSON Schema of the configuration file.
func schema(pages []rulebook.Page) object {
	names := make([]any, len(pages))
	for i, page := range pages {
		names[i] = page.Name
	}
	return object{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         schemaID,
		"title":       FileName,
		"description": "Configuration of shapevet. It can set everything that a flag can set.",
		"type":        "object", "additionalProperties": false,
		"required": []any{"version"},
		"$defs": object{
			"severity": object{"enum": []any{"error", "warning", "info", Off}},
			"rule":     object{"enum": names},
			"db":       object{"enum": anys(limits.Names())},
			"path":     object{"type": "string", "description": "Field names joined with a dot, [] for elements of an array, {} for values of a map: holdings[].stock"},
		},
		"properties": object{
			"version":         object{"const": 1, "description": "The version of this format."},
			"db":              object{"$ref": "#/$defs/db", "description": "The database the documents are stored in; its limits apply."},
			"docs":            list(text("Files, directories and globs with documents, relative to this file. Checked when no input is given.")),
			"exclude":         list(text("Globs of files that are left out in directories, relative to this file.")),
			"include":         list(text("Globs of files that are read in directories, relative to this file, even if their name, .gitignore or the default excludes leave them out.")),
			"defaultExcludes": flag("In directories, leave out lock files, tool settings, schemas, translations, dependencies and build output."),
			"collections": object{
				"type": "object", "description": "Facts about a collection that its files do not show.",
				"additionalProperties": closed("", object{
					"files":        list(text("Globs of the files that hold its documents, relative to this file.")),
					"complete":     flag("The sample is the whole collection, so references into it must resolve."),
					"partitionKey": object{"type": "string", "pattern": "^/.", "description": "Path of the partition key: /postId"},
					"id":           text("The field that identifies a document, if it is not id or _id."),
				}),
			},
			"schemas": object{
				"type": "object", "description": "The schemas of collections: files with a JSON Schema or a MongoDB validator, relative to this file. A JSON pointer may follow: schemas.json#/$defs/posts",
				"additionalProperties": text("Path of the file."),
			},
			"references": list(closed("A field that holds ids of other documents.", object{
				"from": text("The collection with the reference."),
				"path": object{"$ref": "#/$defs/path"},
				"to":   text("The collection it refers to."),
				"key":  text("The field it refers to, the id by default."),
			}, "from", "path", "to")),
			"documents": list(stringOrObject(closed("A Go type that is stored.", object{
				"type":         text("Import path and name: example.com/app/model.Post"),
				"collection":   text("The collection it is stored in."),
				"db":           object{"$ref": "#/$defs/db"},
				"partitionKey": object{"type": "string", "pattern": "^/."},
			}, "type"))),
			"sinks": list(stringOrObject(closed("A Go function that stores a document.", object{
				"function": text("Import path and name: example.com/app/store.Repo.Save"),
				"argument": object{"type": "integer", "minimum": 1, "description": "Which argument is the document."},
				"db":       object{"$ref": "#/$defs/db"},
			}, "function"))),
			"select": list(object{"$ref": "#/$defs/rule"}),
			"rules":  closed("Severity and thresholds by rule.", ruleProperties(pages)),
			"extends": object{
				"description": "Configuration files that this one extends, relative to it. Later files override earlier ones, and this file overrides all. Mappings are merged, ignore, references, documents and sinks are concatenated, anything else is replaced.",
				"if":          object{"type": "string"}, "then": object{"minLength": 1}, "else": list(object{"type": "string", "minLength": 1}),
			},
			"overrides": list(closed("The severity of rules in some files.", object{
				"files": object{"type": "array", "minItems": 1, "items": text("A glob, relative to this file: legacy/**"), "description": "Files with the findings."},
				"rules": closed("Severity by rule.", severityProperties(pages)),
			}, "files", "rules")),
			"lexicon": closed("Words added to the lists the rules use.", lexiconProperties()),
			"ignore": list(closed("Findings that are accepted.", object{
				"rule":       object{"$ref": "#/$defs/rule"},
				"collection": text("Only in this collection."),
				"path":       object{"$ref": "#/$defs/path"},
				"reason":     object{"type": "string", "pattern": `\S`, "description": "Why it is accepted."},
			}, "rule", "reason")),
			"baseline": text("The file of known findings, relative to this file. \"shapevet baseline write\" writes it."),
			"evidence": list(text("Evidence files to judge Go code by, relative to this file. \"shapevet profile\" writes them. The default is default.shapevet.json in the directory of a package or above it in its module.")),
			"evidenceMaxAge": object{
				"type": "integer", "minimum": 0, "description": "Warn if evidence is older than this many days; 0 never warns.",
			},
			"evidenceDocuments": object{
				"type": "integer", "minimum": 1, "description": "From this many documents on, evidence can withdraw a finding on code.",
			},
			"failOn":        object{"enum": []any{"error", "warning", "info", "never"}, "description": "Exit with 1 if a finding has this severity or a higher one."},
			"minConfidence": object{"type": "number", "minimum": 0, "maximum": 1, "description": "Hide findings with a lower confidence."},
			"maxFindings":   object{"type": "integer", "minimum": 0, "description": "Findings shown per rule and path; 0 shows all."},
			"maxPerRule":    object{"type": "integer", "minimum": 0, "description": "Findings of a rule shown in the text report; 0 shows all."},
			"sort":          object{"enum": anys(report.Orders), "description": "Order of findings in reports for people."},
			"groupBy":       object{"enum": anys(report.Groupings), "description": "What findings are grouped by in the text report."},
			"showFixes":     flag("Show documents before and after a fix in full, not only the differences."),
			"strict":        flag("Report guesses too."),
			"output": list(object{
				"type": "string", "pattern": "^[a-z]+(=.+)?$",
				"description": fmt.Sprintf("FORMAT or FORMAT=FILE, where FORMAT is one of %v.", report.Formats()),
			}),
			"color":         object{"enum": []any{"auto", "always", "never"}},
			"progress":      flag("Show a progress bar on a terminal."),
			"statistics":    flag("Count findings by rule at the end."),
			"exitZero":      flag("Exit with 0 even if there are findings."),
			"fix":           flag("Apply the safe fixes, then report the remaining findings."),
			"unsafeFixes":   flag("With fix or diff: also apply fixes that change stored data or what a program writes."),
			"diff":          flag("Show what fix would change, and change nothing."),
			"noIgnore":      flag("Also report what ignore and //shapevet:ignore suppress."),
			"jobs":          object{"type": "integer", "minimum": 0, "description": "The number of workers; 0 is one per processor."},
			"stdinFilename": text("The file name to use for standard input."),
		},
	}
}

func ruleProperties(pages []rulebook.Page) object {
	properties := object{}
	for _, page := range pages {
		thresholds := object{}
		for name, threshold := range page.Thresholds {
			thresholds[name] = object{
				"type": "number", "default": threshold.Default,
				"description": fmt.Sprintf("%s (%s)", threshold.Description, threshold.Unit),
			}
		}
		properties[page.Name] = object{
			"description": page.Summary,
			"if":          object{"type": "string"},
			"then":        object{"$ref": "#/$defs/severity"},
			"else": closed("", object{
				"severity":   object{"$ref": "#/$defs/severity"},
				"thresholds": closed("", thresholds),
			}),
		}
	}
	return properties
}

func severityProperties(pages []rulebook.Page) object {
	properties := object{}
	for _, page := range pages {
		properties[page.Name] = object{"$ref": "#/$defs/severity"}
	}
	return properties
}

func lexiconProperties() object {
	properties := object{}
	for _, name := range lexicon.ListNames() {
		properties[name] = list(object{"type": "string", "pattern": `\S`})
	}
	return properties
}

func closed(description string, properties object, required ...string) object {
	o := object{"type": "object", "additionalProperties": false, "properties": properties}
	if description != "" {
		o["description"] = description
	}
	if required != nil {
		o["required"] = anys(required)
	}
	return o
}

func list(items object) object { return object{"type": "array", "items": items} }

func text(description string) object {
	return object{"type": "string", "minLength": 1, "description": description}
}

func flag(description string) object { return object{"type": "boolean", "description": description} }

// stringOrObject uses a condition instead of a choice (anyOf), so that errors
// refer to the form that the user chose.
func stringOrObject(o object) object {
	return object{"if": object{"type": "string"}, "then": object{"minLength": 1}, "else": o}
}

func anys(names []string) []any {
	out := make([]any, len(names))
	for i, name := range names {
		out[i] = name
	}
	return out
}

// Schema returns the JSON Schema of the configuration file as indented JSON.
func Schema() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(schema(rulebook.All())); err != nil {
		return nil, fmt.Errorf("print the schema: %w", err)
	}
	return b.Bytes(), nil
}

// compiled holds the schema in two forms: to validate with, and to look up what
// would have been correct.
type compiled struct {
	schema *jsonschema.Schema
	source object
}

var compile = sync.OnceValues(func() (*compiled, error) {
	text, err := Schema()
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(schemaID, bytes.NewReader(text)); err != nil {
		return nil, fmt.Errorf("schema of the configuration: %w", err)
	}
	c := &compiled{}
	if c.schema, err = compiler.Compile(schemaID); err != nil {
		return nil, fmt.Errorf("schema of the configuration: %w", err)
	}
	if err := json.Unmarshal(text, &c.source); err != nil {
		return nil, fmt.Errorf("schema of the configuration: %w", err)
	}
	return c, nil
})

// keysOf returns the sorted keys of a JSON object in the schema.
func keysOf(value any) []string {
	o, _ := value.(object)
	return slices.Sorted(maps.Keys(o))
}
