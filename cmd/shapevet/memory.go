package main

import (
	"context"
	"os"
	"runtime/debug"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// frugalPercent is how much the heap may grow beyond what is in use before
// garbage is collected. Checking documents makes little garbage, so that
// collecting it often costs next to nothing and saves a third of the memory.
const frugalPercent = 40

// frugal has documents checked in less memory, unless the environment says how
// much there is.
func frugal(check checkFunc) checkFunc {
	return func(ctx context.Context, inputs []string, o jsonlint.Options) (*finding.Report, error) {
		if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
			defer debug.SetGCPercent(debug.SetGCPercent(frugalPercent))
		}
		return check(ctx, inputs, o)
	}
}
