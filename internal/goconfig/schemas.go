package goconfig

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// Schemas reads the schemas that a configuration names; nil if it names none.
func Schemas(c *config.Config) *schema.Set {
	if len(c.Schemas) == 0 {
		return nil
	}
	var sources []schema.Source
	for _, collection := range slices.Sorted(maps.Keys(c.Schemas)) {
		path, pointer := c.Schemas[collection], ""
		if at := strings.LastIndex(path, "#/"); at >= 0 {
			path, pointer = path[:at], path[at:]
		}
		sources = append(sources, schema.Source{Collection: collection, Path: beside(c, path) + pointer})
	}
	return schema.Load(sources)
}

// beside makes a path that is relative to the configuration file relative to
// the working directory.
func beside(c *config.Config, path string) string {
	if c.Path == "" || filepath.IsAbs(path) {
		return path
	}
	absolute, err := filepath.Abs(filepath.Join(filepath.Dir(c.Path), path))
	if err != nil {
		return path
	}
	if wd, err := os.Getwd(); err == nil {
		if relative, err := filepath.Rel(wd, absolute); err == nil {
			return filepath.ToSlash(relative)
		}
	}
	return filepath.ToSlash(absolute)
}
