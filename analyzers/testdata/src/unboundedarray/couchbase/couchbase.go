package couchbase

import "github.com/couchbase/gocb/v2"

type Account struct {
	ID      string   `json:"id"`
	Entries []Entry  `json:"entries"` // want `entries grows without bound`
	Emails  []string `json:"emails"`
}

type Entry struct {
	ID     string `json:"id"`
	Amount int    `json:"amount"`
}

func open(c *gocb.Collection, a Account) {
	c.Insert(a.ID, a, nil)
}

func book(c *gocb.Collection, id string, e Entry) {
	c.MutateIn(id, []gocb.MutateInSpec{gocb.ArrayAppendSpec("entries", e, nil)}, nil)
}
