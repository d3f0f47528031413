// Package garage stores documents in Couchbase well; tests break it.
package garage

import "github.com/couchbase/gocb/v2"

type Car struct {
	ID    string  `json:"id"`
	Plate string  `json:"plate"`
	Items []Entry `json:"items"`
}

type Entry struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	At   int64  `json:"createdAt"`
}

func Save(c *gocb.Collection, car Car) error {
	_, err := c.Upsert(car.ID, car, nil)
	return err
}

// Show stores the few items that are left, which the caller has cut.
func Show(c *gocb.Collection, id string, items []Entry) error {
	_, err := c.MutateIn(id, []gocb.MutateInSpec{gocb.UpsertSpec("items", items, nil)}, nil)
	return err
}
