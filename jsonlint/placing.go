package jsonlint

import (
	"context"
	"fmt"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// textStart is the offset in a file at which its decoded text starts. It is not
// ok if decoded offsets do not match the file's own.
type textStart struct {
	offset int64
	ok     bool
}

// place converts byte positions to lines and columns.
func (e *engine) place(ctx context.Context, raw []check.Raw) ([]finding.Finding, error) {
	var ranges []source.Range
	want := func(p profile.Pos) {
		if p.Known() {
			ranges = append(ranges, source.Range{File: e.set.Files[p.File], Start: p.Off, End: p.Off + int64(p.Len)})
		}
	}
	for _, r := range raw {
		want(r.At)
		for _, rel := range r.Related {
			want(rel.At)
		}
	}
	locations, err := e.set.Locate(ctx, ranges)
	if err != nil {
		return nil, err
	}
	next := func(p profile.Pos) (l finding.Location) {
		if p.Known() {
			l, locations = locations[0], locations[1:]
		}
		return l
	}
	out := make([]finding.Finding, 0, len(raw))
	for _, r := range raw {
		f := r.Finding
		f.Location = next(r.At)
		if err := e.edits(&f, r.Edits); err != nil {
			return nil, err
		}
		f.Related = make([]finding.Related, 0, len(r.Related))
		for _, rel := range r.Related {
			f.Related = append(f.Related, finding.Related{Message: rel.Message, Location: next(rel.At)})
		}
		f.Related = append(f.Related, r.Outside...)
		out = append(out, f)
	}
	return out, nil
}

// edits adds the edits to the finding's first fix. If the file's bytes are not
// those that were read (it is compressed, say), it cannot be edited and the fix
// becomes a plan.
func (e *engine) edits(f *finding.Finding, raw []check.RawEdit) error {
	for i := range f.Fixes {
		if f.Fixes[i].Edits == nil {
			f.Fixes[i].Edits = []finding.Edit{}
		}
	}
	for _, r := range raw {
		file := e.set.Files[r.At.File]
		text, err := e.start(file)
		if err != nil {
			return err
		}
		if !text.ok {
			f.Fixes[0].Safety, f.Fixes[0].Edits, f.Fixes[0].Uneditable = finding.Plan, []finding.Edit{}, file.Path
			return nil
		}
		f.Fixes[0].Edits = append(f.Fixes[0].Edits, finding.Edit{
			File: file.Path, Start: text.offset + r.At.Off, End: text.offset + r.At.Off + int64(r.At.Len), NewText: r.NewText,
		})
	}
	return nil
}

func (e *engine) start(f *source.File) (textStart, error) {
	if s, known := e.starts[f.ID]; known {
		return s, nil
	}
	offset, ok, err := e.set.Start(f)
	if err != nil {
		return textStart{}, err
	}
	if e.starts == nil {
		e.starts = map[uint32]textStart{}
	}
	e.starts[f.ID] = textStart{offset, ok}
	return e.starts[f.ID], nil
}

// Documents are the inputs of a run that has ended.
type Documents struct{ set *source.Set }

// Locate returns the lines and columns of positions that the run reported. The
// location of an unknown position is empty.
func (d *Documents) Locate(ctx context.Context, at []profile.Pos) ([]finding.Location, error) {
	out := make([]finding.Location, len(at))
	var known []int
	var ranges []source.Range
	for i, p := range at {
		if p.Known() {
			known = append(known, i)
			ranges = append(ranges, source.Range{File: d.set.Files[p.File], Start: p.Off, End: p.Off + int64(p.Len)})
		}
	}
	locations, err := d.set.Locate(ctx, ranges)
	if err != nil {
		return nil, err
	}
	for i, l := range locations {
		out[known[i]] = l
	}
	return out, nil
}

// Close removes the copy of standard input, if there is one.
func (d *Documents) Close() error {
	if err := d.set.Close(); err != nil {
		return fmt.Errorf("removing the copy of standard input: %w", err)
	}
	return nil
}
