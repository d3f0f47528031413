// Package holders keeps comments in bugs and in tasks. Readers are taken out of both and
// added to those of tasks.
package holders

import (
	"context"
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Bug struct {
	ID    bson.ObjectID `bson:"_id"`
	Notes []Comment     `bson:"notes"`
}

type Task struct {
	ID    bson.ObjectID `bson:"_id"`
	Notes []Comment     `bson:"notes"`
}

type Comment struct {
	Text   string          `bson:"text"`
	ReadBy []bson.ObjectID `bson:"readBy"` // want `notes\[\].readBy grows without bound`
}

func store(ctx context.Context, db *mongo.Database, b Bug, t Task) {
	db.Collection("bugs").InsertOne(ctx, b)
	db.Collection("tasks").InsertOne(ctx, t)
}

func leave(ctx context.Context, db *mongo.Database, user bson.ObjectID) {
	db.Collection("bugs").UpdateMany(ctx, bson.M{}, bson.M{"$pull": bson.M{"notes.$[].readBy": user}})
	db.Collection("tasks").UpdateMany(ctx, bson.M{}, bson.M{"$pull": bson.M{"notes.$[].readBy": user}})
}

type server struct{ db *mongo.Database }

func (s *server) read(w http.ResponseWriter, r *http.Request) {
	user, _ := r.Context().Value("user").(bson.ObjectID)
	s.db.Collection("tasks").UpdateOne(r.Context(), bson.M{"notes.id": r.URL.Query().Get("id")}, bson.M{"$addToSet": bson.M{"notes.$.readBy": user}})
}
