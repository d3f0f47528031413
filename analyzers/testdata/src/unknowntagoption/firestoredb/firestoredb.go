package firestoredb

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Post struct {
	Title string `firestore:"title,omitempty"`
	Text  string `firestore:"text,required"` // want `firestore does not know the option "required" and fails to write the document`
}

func store(ctx context.Context, d *firestore.DocumentRef, p Post) { d.Set(ctx, p) }
