package firestoredb

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Page struct {
	Name string `firestore:"name"`
	Kind string `firestore:"__kind__"`  // want `the name "__kind__" is of the form __x__, which Cloud Firestore reserves`
	Seen int    `firestore:"seen[all]"` // want `the name "seen\[all\]" contains '\['`
}

func save(ctx context.Context, c *firestore.Client, p Page) {
	c.Collection("pages").Doc(p.Name).Set(ctx, p)
}
