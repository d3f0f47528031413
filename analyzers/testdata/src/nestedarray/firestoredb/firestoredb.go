package firestoredb

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Board struct {
	Name   string      `firestore:"name"`
	Rows   [][]string  `firestore:"rows"`   // want `rows is a list of lists: Cloud Firestore rejects every Board that has it \(nested-array\)`
	Points [][]float64 `firestore:"points"` // want `points is a list of lists`
	Chunks [][]byte    `firestore:"chunks"`
	Lanes  []Lane      `firestore:"lanes"`
	// A map between the two lists gives the inner ones a name.
	Days map[string][]string `firestore:"days"`
	Kept [][]string          `firestore:"-"`
}

type Lane struct {
	Cells Grid `firestore:"cells"` // want `lanes\[\]\.cells is a list of lists`
}

// Grid is a list of lists by another name.
type Grid [][]string

func save(ctx context.Context, c *firestore.Client, b Board) {
	c.Collection("boards").Doc(b.Name).Set(ctx, b)
}
