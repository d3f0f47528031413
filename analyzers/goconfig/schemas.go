package goconfig

import (
	"maps"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// Schemas reads the schemas that a configuration names, or returns nil if it
// names none.
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
		sources = append(sources, schema.Source{Collection: collection, Path: c.Beside(path) + pointer})
	}
	return schema.Load(sources)
}
