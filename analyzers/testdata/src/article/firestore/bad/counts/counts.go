// Package counts counts the books of an author and forgets to.
package counts

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Author struct {
	ID   string `firestore:"id"`
	Name string `firestore:"name"`
	//shapevet:bounded max=50
	Books        []string `firestore:"books"`
	CountOfBooks int      `firestore:"countOfBooks"`
}

func SaveAuthor(ctx context.Context, db *firestore.Client, a Author) error {
	_, err := db.Collection("authors").Doc(a.ID).Set(ctx, a)
	return err
}

func AddBook(ctx context.Context, db *firestore.Client, id string, added string) error {
	_, err := db.Collection("authors").Doc(id).Update(ctx, []firestore.Update{
		{Path: "books", Value: firestore.ArrayUnion(added)},
	})
	return err
}
