package inlineblob

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
)

// ask compares a finding with documents: how long the values are.
func ask(p *docmodel.Program, s check.Shown, on *check.Finding) *check.Verdict {
	f := on.Field
	if f == nil {
		return nil
	}
	n := s.Root.At(f.Path)
	if n != nil && f.List() {
		n = n.Elem
	}
	if n == nil || n.Scalars() == 0 {
		return nil
	}
	v := &check.Verdict{Seen: n.Scalars(), At: n.Longest()}
	v.Item("bytes.max", n.Max)
	v.Item("bytes.mean", n.Bytes/n.Values)
	v.Item("blobs", n.Blobs)
	switch {
	case n.Blobs > 0:
		v.Confirms, v.Severity = true, finding.Warning
		v.Note = fmt.Sprintf("%s of up to %s", quantity.Of(n.Blobs, "file"), quantity.Bytes(n.Max))
	case float64(n.Max) < p.Threshold("inline-blob", "blob-bytes"):
		v.Acquits = true
		v.Note = fmt.Sprintf("%s values in documents of %s have at most %s", quantity.Grouped(n.Scalars()), s.Name, quantity.Bytes(n.Max))
	}
	return v
}
