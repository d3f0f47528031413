// Package helped asks for its documents with filters of its own. The name in the
// tag stands in what it shows.
package helped

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Helped struct {
	Email    string `json:"email"`
	HomeTown string `json:"homeTown"`
}

type filter map[string]any

func store(ctx context.Context, c *mongo.Collection, h Helped) {
	c.InsertOne(ctx, h)
	c.FindOne(ctx, filter{"hometown": "x"})
}

func show(h Helped) bson.M { return bson.M{"homeTown": h.HomeTown} }
