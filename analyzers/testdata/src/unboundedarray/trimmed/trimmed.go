// Package trimmed cuts the log of a fight before it stores the fight.
package trimmed

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Entry struct {
	Message   string    `bson:"message"`
	CreatedAt time.Time `bson:"createdAt"`
}

type Fight struct {
	ID      string  `bson:"_id"`
	Logs    []Entry `bson:"logs"`
	History []Entry `bson:"history"` // want `history grows without bound`
}

func (f *Fight) note(e Entry) {
	f.Logs = append(f.Logs, e)
	f.History = append(f.History, e)
}

func (f *Fight) trim(most int) {
	if len(f.Logs) > most {
		f.Logs = f.Logs[len(f.Logs)-most:]
	}
}

// Hit loads a fight and stores it again.
func Hit(ctx context.Context, fights *mongo.Collection, id string) error {
	var fight Fight
	if err := fights.FindOne(ctx, bson.M{"_id": id}).Decode(&fight); err != nil {
		return err
	}
	fight.note(Entry{Message: "hit", CreatedAt: time.Now()})
	fight.trim(20)
	_, err := fights.ReplaceOne(ctx, bson.M{"_id": id}, fight)
	return err
}
