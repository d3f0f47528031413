package keys

import (
	"context"
	"strconv"

	"cloud.google.com/go/firestore"
)

type Shelf struct {
	ID   int64  `firestore:"id"`
	Name string `firestore:"name"`
}

// A Book refers to a shelf by its key.
type Book struct {
	ID      string `firestore:"id"`
	ShelfID string `firestore:"shelfId"`
}

func place(ctx context.Context, client *firestore.Client, s Shelf, b Book) {
	client.Collection("shelves").Doc(strconv.FormatInt(s.ID, 10)).Set(ctx, s)
	client.Collection("books").Doc(b.ID).Set(ctx, b)
}
