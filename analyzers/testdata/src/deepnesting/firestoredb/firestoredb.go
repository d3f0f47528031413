package firestoredb

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Plan struct { // want `Plan is stored with 11 levels of objects and lists: a\.b\.c\.d\.list\[\]\.e\.f\.g\.tags; Cloud Firestore allows 20`
	ID string `firestore:"id"`
	A  struct {
		B struct {
			C struct {
				D struct {
					List []struct {
						E struct {
							F struct {
								G Leaf `firestore:"g"`
							} `firestore:"f"`
						} `firestore:"e"`
					} `firestore:"list"`
				} `firestore:"d"`
			} `firestore:"c"`
		} `firestore:"b"`
	} `firestore:"a"`
}

type Leaf struct {
	Name string `firestore:"name"`
	Tags []int  `firestore:"tags"`
}

func save(ctx context.Context, c *firestore.Client, p Plan) {
	c.Collection("plans").Doc(p.ID).Set(ctx, p)
}
