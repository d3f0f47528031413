package jsonlint

import (
	"context"
	"fmt"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// Documents are the inputs of a run that has ended.
type Documents struct{ set *source.Set }

// Locate finds the lines and columns of positions that the run told of. The
// location of a position that is not known is empty.
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

// Close removes the copy of standard input, if there was one.
func (d *Documents) Close() error {
	if err := d.set.Close(); err != nil {
		return fmt.Errorf("removing the copy of standard input: %w", err)
	}
	return nil
}
