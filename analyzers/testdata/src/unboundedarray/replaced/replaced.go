// Package replaced stores pages that an editor sends as a whole.
package replaced

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Page struct {
	ID     bson.ObjectID `bson:"_id"`
	Blocks []Block       `bson:"blocks"`
}

type Block struct {
	Text     string    `bson:"text"`
	Comments []Comment `bson:"comments"` // want `blocks\[\].comments grows .*each Page keeps all its elements in one document`
	Notices  []Notice  `bson:"messages"` // nobody says who wrote them
}

// Comment says who wrote it and when.
type Comment struct {
	EmployeeID string    `bson:"employee_id"`
	Text       string    `bson:"text"`
	CreatedAt  time.Time `bson:"created_at"`
}

type Notice struct {
	Text      string    `bson:"text"`
	CreatedAt time.Time `bson:"created_at"`
}

// Theme is what a game says.
type Theme struct {
	ID      string    `bson:"_id"`
	Escaped []Notice  `bson:"escaped_messages"`
	Said    []Comment `bson:"said_messages"` // want `said_messages grows .*each Theme keeps all its elements in one document`
}

func choose(ctx context.Context, c *mongo.Collection, t Theme) { c.InsertOne(ctx, t) }

// TestLog is what a test said.
type TestLog struct {
	ID    bson.ObjectID `bson:"_id"`
	Lines []string      `bson:"lines"` // want `lines grows .*each TestLog keeps all its elements in one document`
}

type Drawing struct {
	ID    bson.ObjectID `bson:"_id"`
	Lines []string      `bson:"lines"`
}

func Draw(ctx context.Context, c *mongo.Collection, log TestLog, drawing Drawing) {
	c.InsertOne(ctx, log)
	c.InsertOne(ctx, drawing)
}

func Save(ctx context.Context, c *mongo.Collection, page Page) error {
	_, err := c.UpdateOne(ctx, bson.M{"_id": page.ID}, bson.M{"$set": page})
	return err
}

func Create(ctx context.Context, c *mongo.Collection, page Page) error {
	_, err := c.InsertOne(ctx, page)
	return err
}
