package check

import (
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// DeclaredBound returns the maximum length that a collection's schema allows a
// list.
func (p *Pass) DeclaredBound(e *model.Entity, path profile.Path) (schema.Bound, bool) {
	if d := p.Declared[e.Collection.Name]; d != nil {
		bound, ok := d.Bounds[path.String()]
		return bound, ok
	}
	return schema.Bound{}, false
}

// DeclaredMap reports whether the schema of a collection describes an object as
// a map.
func (p *Pass) DeclaredMap(e *model.Entity, path profile.Path) bool {
	if d := p.Declared[e.Collection.Name]; d != nil {
		_, ok := d.Maps[path.String()]
		return ok
	}
	return false
}

// DeclaredDiscriminator returns the field that distinguishes objects at a path
// according to the schema of their collection, or "".
func (p *Pass) DeclaredDiscriminator(collection string, path profile.Path) string {
	if d := p.Declared[collection]; d != nil {
		return d.Discriminators[path.String()].Path
	}
	return ""
}
