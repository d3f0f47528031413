package dynamickeys

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// ask compares a finding with documents: how many different names the objects
// have.
func ask(p *docmodel.Program, s check.Shown, on *check.Finding) *check.Verdict {
	f := on.Field
	if f == nil {
		return nil
	}
	n := s.Root.At(f.Path)
	if n == nil || n.Objects() == 0 {
		return nil
	}
	v := &check.Verdict{Seen: n.Objects(), At: n.FirstAny()}
	distinct := n.Names.Most + int64(len(n.Fields))
	v.Item("keys.distinct", distinct)
	v.Item("keys.max", n.Keys.Max)
	switch {
	case n.Fold == evidence.Map:
		v.Confirms, v.Severity = true, finding.Warning
		v.Note = fmt.Sprintf("%s different keys, up to %s in one document", n.Names.AtMost(), quantity.Grouped(n.Keys.Max))
	case n.Fold == evidence.Unfolded && n.Rest == nil && float64(len(n.Fields)) <= p.Threshold("dynamic-keys", "record-names"):
		v.Acquits = true
		v.Note = fmt.Sprintf("%s objects in documents of %s have %s between them", quantity.Grouped(n.Objects()), s.Name, quantity.Of(int64(len(n.Fields)), "name"))
	}
	return v
}

// declared withdraws a finding if the schema says that the names are data.
func declared(d *schema.Declared, _ check.Shown, on *check.Finding) *check.Declaration {
	if on.Field == nil {
		return nil
	}
	place, ok := d.Maps[on.Field.Path]
	if !ok {
		return nil
	}
	return &check.Declaration{Acquits: fmt.Sprintf("the schema of %s declares it as a map", d.Collection), At: place}
}
