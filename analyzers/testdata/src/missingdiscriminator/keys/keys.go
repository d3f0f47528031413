// Package keys stores several types in one bucket. Where their keys begin with
// different words, these tell them apart.
package keys

import (
	"fmt"

	"github.com/couchbase/gocb/v2"
)

type User struct {
	ID   string `json:"id"`
	Mail string `json:"mail"`
}

type Cart struct {
	ID    string   `json:"id"`
	Items []string `json:"items"`
}

// Counter is stored once.
type Counter struct {
	Last int `json:"last"`
}

const counterKey = "counter"

func all(cluster *gocb.Cluster) {
	cluster.Query("SELECT s.* FROM `shop` s", nil)
	cluster.Query("SELECT t.* FROM `things`._default._default t", nil)
}

func save(cluster *gocb.Cluster, u User, c Cart, n Counter) {
	shop := cluster.Bucket("shop").DefaultCollection()
	shop.Upsert("user::"+u.ID, u, nil)
	key := fmt.Sprintf("cart::%s", c.ID)
	shop.Upsert(key, c, nil)
	shop.Upsert(counterKey, n, nil)
}

type Lamp struct { // want `Lamp shares the collection things with Chair`
	ID    string `json:"id"`
	Watts int    `json:"watts"`
}

type Chair struct { // want `Chair shares the collection things with Lamp`
	ID   string `json:"id"`
	Legs int    `json:"legs"`
}

func furnish(cluster *gocb.Cluster, l Lamp, c Chair) {
	things := cluster.Bucket("things").DefaultCollection()
	things.Upsert("thing::"+l.ID, l, nil)
	things.Upsert("thing::"+c.ID, c, nil)
}
