// Package keys stores entities under the text of their number.
package keys

import (
	"strconv"

	"github.com/couchbase/gocb/v2"
)

type Entity struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// A Cell refers to an entity by its key.
type Cell struct {
	ID       string `json:"id"`
	EntityID string `json:"entityId"`
}

func save(c *gocb.Collection, e Entity, at Cell) {
	c.Upsert(strconv.FormatInt(e.ID, 10), e, nil)
	c.Upsert(at.ID, at, nil)
}
