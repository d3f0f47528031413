package firestoredb

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Post struct {
	Title  string `firestore:"title"`
	author string `firestore:"author"` // want `author is unexported: it is never stored as author`
	draft  bool   `firestore:"-"`
	_      string `firestore:"id"`
}

func store(ctx context.Context, d *firestore.DocumentRef, p Post) { d.Set(ctx, p) }
