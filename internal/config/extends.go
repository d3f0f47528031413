package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/regular"
)

// A configuration may extend others: one file has what a team agrees on, and
// each project adds its differences.

// maxExtends bounds the depth of extending.
const maxExtends = 8

// ownKeys name files or control a run. They belong in the project that is
// checked, not in a file that it extends.
var ownKeys = [...]string{"docs", "schemas", "evidence", "baseline", "output", "fix", "unsafeFixes", "diff", "stdinFilename", "overrides"}

// addedKeys are the lists that a file adds to. It replaces any other list.
var addedKeys = [...]string{"ignore", "references", "documents", "sinks"}

// inherited returns the merged content of the files that a document extends.
// chain lists the files on the way, to detect a cycle.
func (c *Config) inherited(d *document, chain []string) (object, error) {
	own, _ := d.value.(object)
	merged := object{}
	for i, path := range extended(own) {
		at := d.atValue(fmt.Sprintf("/extends/%d", i))
		if _, single := own["extends"].(string); single {
			at = d.atValue("/extends")
		}
		base, err := c.extend(path, chain)
		if err != nil {
			return nil, &Error{[]finding.Problem{d.problem(at, fmt.Sprintf("extends %s: %s", path, err), "")}}
		}
		merged = merge(merged, base)
	}
	return merged, nil
}

// extended lists the files that a document extends.
func extended(own object) []string {
	switch value := own["extends"].(type) {
	case string:
		return []string{value}
	case []any:
		var paths []string
		for _, path := range value {
			paths = append(paths, fmt.Sprint(path))
		}
		return paths
	}
	return nil
}

// extend reads a file that another file extends.
func (c *Config) extend(path string, chain []string) (object, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(chain[len(chain)-1]), path)
	}
	path = filepath.Clean(path)
	switch {
	case slices.Contains(chain, path):
		return nil, fmt.Errorf("this is a circle")
	case len(chain) > maxExtends:
		return nil, fmt.Errorf("more than %d files extend each other", maxExtends)
	case !c.Readable(path):
		return nil, fmt.Errorf("it leads out of the project of this file: name this configuration with --config if you trust it")
	}
	text, err := regular.ReadFile(path, maxSize)
	if err != nil {
		return nil, err
	}
	c.Extended = append(c.Extended, path)
	d, err := parseYAML(display(path), text)
	if err == nil {
		err = validate(d)
	}
	if err != nil {
		return nil, err
	}
	own, _ := d.value.(object)
	for _, key := range ownKeys {
		if _, there := own[key]; there {
			return nil, fmt.Errorf("%s is in it, which belongs in the file that extends it", key)
		}
	}
	if collections, ok := own["collections"].(object); ok {
		for name, collection := range collections {
			if fields, ok := collection.(object); ok && fields["files"] != nil {
				return nil, fmt.Errorf("collections.%s.files is in it, which belongs in the file that extends it", name)
			}
		}
	}
	base, err := c.inherited(d, append(slices.Clone(chain), path))
	if err != nil {
		return nil, err
	}
	return merge(base, own), nil
}

// merge overrides the members of one mapping with those of another.
func merge(base, own object) object {
	merged := maps.Clone(base)
	for key, value := range own {
		below, isObject := merged[key].(object)
		above, bothObjects := value.(object)
		list, isList := merged[key].([]any)
		more, bothLists := value.([]any)
		switch {
		case isObject && bothObjects:
			merged[key] = merge(below, above)
		case isList && bothLists && slices.Contains(addedKeys[:], key):
			merged[key] = append(slices.Clone(list), more...)
		default:
			merged[key] = value
		}
	}
	delete(merged, "extends")
	return merged
}
