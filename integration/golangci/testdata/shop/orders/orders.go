// Package orders declares what another package stores.
package orders

type Order struct {
	Number string  `bson:"number"`
	State  string  `bson:"state"`
	Events []Event `bson:"events"`
}

type Event struct {
	Kind string `bson:"kind"`
	At   int64  `bson:"at"`
}
