package jsonlint

import (
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/catalog"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// catalogs reads what the database says about the collections of a dump. A
// validator stands in for the schema of a collection that the user gave none
// for.
func (e *engine) catalogs(s *schemas) map[string]*catalog.Collection {
	out := map[string]*catalog.Collection{}
	for _, f := range e.set.Files {
		if len(f.Metadata) == 0 {
			continue
		}
		c, err := catalog.Parse(f.Collection, f.Path, f.Metadata)
		if err != nil {
			s.broken = append(s.broken, finding.Problem{
				Message: err.Error(), Hint: "dump it again; the documents were checked without it", Location: finding.Location{File: f.Path},
			})
			continue
		}
		out[c.Name] = c
		if c.Validator == nil || s.declared[c.Name] != nil {
			continue
		}
		// Parts of a validator that are not a schema, or not understood, are left to
		// the server.
		if d, err := schema.DeclaredBy(c.Name, f.Path, c.Validator); err == nil {
			if s.declared == nil {
				s.declared = map[string]*schema.Declared{}
			}
			s.declared[c.Name] = d
		}
	}
	return out
}
