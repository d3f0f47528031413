package traced

import (
	"context"

	"github.com/example/traced"
	"go.mongodb.org/mongo-driver/v2/bson"
)

type Recording struct {
	Key    string          `bson:"key"`
	Finds  []bson.ObjectID `bson:"finds"` // want `finds grows without bound`
	Labels []string        `bson:"labels"`
}

type Sum struct {
	Key   string          `bson:"key"`
	Finds []bson.ObjectID `bson:"sums"`
}

type Line struct {
	Key   string          `bson:"key"`
	Finds []bson.ObjectID `bson:"lines"`
}

func record(ctx context.Context, c *traced.Calls, s *traced.Stats, l *traced.Lines, r Recording) {
	c.InsertOne(ctx, r)
	s.InsertOne(ctx, Sum{Key: r.Key}, "sum")
	l.InsertOne(ctx, Line{Key: r.Key})
}

// extend is given a recording of what is new, with labels that may be known.
func extend(ctx context.Context, c *traced.Calls, r Recording) {
	c.UpdateOne(ctx, bson.M{"key": r.Key}, bson.M{"$push": bson.M{"finds": bson.M{"$each": r.Finds}}})
	c.UpdateOne(ctx, bson.M{"key": r.Key}, bson.M{"$addToSet": bson.M{"labels": bson.M{"$each": r.Labels}}})
	c.UpdateOne(ctx, bson.M{"key": r.Key}, bson.M{"$push": bson.M{"sums": bson.M{"$each": r.Finds}}})
	c.UpdateOne(ctx, bson.M{"key": r.Key}, bson.M{"$push": bson.M{"lines": bson.M{"$each": r.Finds}}})
}
