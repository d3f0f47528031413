// Package imported keeps the ids of the system from which it imports.
package imported

import (
	"context"
	"encoding/json"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type User struct {
	ID     bson.ObjectID `bson:"_id"`
	Source Origin        `bson:"source"`
}

type Remark struct {
	ID     bson.ObjectID `bson:"_id"`
	UserID bson.ObjectID `bson:"user_id"`
	Source Origin        `bson:"source"`
}

// Origin has the ids of that system: queries find a user by source.id.
type Origin struct {
	ID     string `bson:"id"`
	UserID string `bson:"user_id"`
}

func add(ctx context.Context, users, remarks *mongo.Collection, user User, body []byte) {
	users.InsertOne(ctx, user)
	var r Remark
	json.Unmarshal(body, &r)
	users.FindOne(ctx, bson.M{"source.id": r.Source.UserID}).Decode(&user)
	r.UserID = user.ID
	remarks.InsertOne(ctx, r)
}
