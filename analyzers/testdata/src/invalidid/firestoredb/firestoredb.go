package firestoredb

import (
	"context"
	"fmt"

	"cloud.google.com/go/firestore"
)

type Review struct {
	Book  string `firestore:"book"`
	Stars int    `firestore:"stars"`
}

func store(ctx context.Context, c *firestore.Client, user string, r Review) {
	reviews := c.Collection("reviews")
	reviews.Doc(user+"/"+r.Book).Set(ctx, r)               // want `the id of this Review contains a slash: it is the path of a collection`
	ref := reviews.Doc(fmt.Sprintf("%s/%s", user, r.Book)) // want `the id of this Review contains a slash`
	ref.Create(ctx, r)
	reviews.Doc("__all__").Set(ctx, r) // want `Firestore reserves the id "__all__"`

	reviews.Doc(fmt.Sprintf("%s/of/%s", user, r.Book)).Set(ctx, r) // a subcollection
	reviews.Doc(user+":"+r.Book).Set(ctx, r)
	reviews.Doc(user).Set(ctx, r)
}
