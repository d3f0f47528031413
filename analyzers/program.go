package analyzers

import (
	"context"
	"errors"
	"fmt"

	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// Program reads the packages that patterns match and infers which types they
// store. warnings are about packages read only in part. An error lists what
// cannot be read at all.
func Program(ctx context.Context, patterns []string, options docmodel.Options) (program *docmodel.Program, warnings []string, err error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	l, err := load(ctx, patterns, nil)
	if err != nil {
		return nil, nil, err
	}
	if err := errors.Join(l.problems...); err != nil {
		return nil, l.warnings, fmt.Errorf("read packages: %w", err)
	}
	return docmodel.New(l.packages, options), l.warnings, nil
}
