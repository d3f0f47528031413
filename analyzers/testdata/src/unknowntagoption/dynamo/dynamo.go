// Package dynamo has the options of guregu/dynamo.
package dynamo

import (
	"context"

	"github.com/guregu/dynamo"
)

// Reading has the options by which the library makes a table, and one that it does not know.
type Reading struct {
	Station string `dynamo:"station,hash"`
	At      int64  `dynamo:"at,range"`
	Note    string `dynamo:"note,omitzero"` // want `guregu/dynamo does not know the option "omitzero"`
}

func store(ctx context.Context, t dynamo.Table, r Reading) error {
	return t.Put(r).Run()
}
