package couchbase

import (
	"net/http"
	"time"

	"github.com/couchbase/gocb/v2"
)

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

type Guest struct {
	Email string `json:"email"`
	Stays []Stay `json:"stays"` // want `stays grows without bound: .* \(cluster\.Query\("UPDATE hotel\.guests g SET g\.stays = ARRAY_APPEND`
	Cards []Stay `json:"cards"`
}

type Stay struct {
	Room string    `json:"room"`
	At   time.Time `json:"at"`
}

func arrive(c *gocb.Collection, g Guest) { c.Insert(g.Email, g, nil) }

func stay(cluster *gocb.Cluster) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		cluster.Query("UPDATE hotel.guests g SET g.stays = ARRAY_APPEND(g.stays, $stay) WHERE email = $email", nil)
		cluster.Query("UPDATE hotel.guests SET `cards` = ARRAY_REMOVE(`cards`, $card) WHERE email = $email", nil)
	}
}
