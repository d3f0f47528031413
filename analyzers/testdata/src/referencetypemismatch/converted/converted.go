// Package converted holds references as text and makes ids of some of them.
package converted

import (
	"context"

	"github.com/kamva/mgm/v3"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Team struct {
	ID   bson.ObjectID `bson:"_id"`
	Name string        `bson:"name"`
}

func (t *Team) GetID() any { return t.ID }

type Player struct {
	ID      bson.ObjectID `bson:"_id"`
	TeamID  string        `bson:"teamId"`  // want `teamId is stored as string, but the _id of Team that it refers to as ObjectID: they match only where code converts them`
	TeamIDs []string      `bson:"teamIds"` // want `teamIds is stored as string, but the _id of Team that it refers to as ObjectID: they match only where code converts them`
}

type Coach struct {
	ID     bson.ObjectID `bson:"_id"`
	TeamID string        `bson:"teamId"` // want `teamId is stored as string, but the _id of Team that it refers to as ObjectID: they match only where code converts them`
}

type Game struct {
	ID     bson.ObjectID `bson:"_id"`
	TeamID string        `bson:"teamId"` // want `teamId is stored as string, but the _id of Team that it refers to as ObjectID: they never match`
}

// Fan is found by the text from which code also makes an id.
type Fan struct {
	ID     bson.ObjectID `bson:"_id"`
	TeamID string        `bson:"team"` // want `team is stored as string, but the _id of Team that it refers to as ObjectID: they match only where code converts them`
}

func of(ctx context.Context, db *mongo.Database, id string) (t Team, all []Fan, err error) {
	if t, err = team(ctx, db.Collection("teams"), id); err != nil {
		return t, nil, err
	}
	found, err := db.Collection("fans").Find(ctx, bson.M{"team": id})
	if err == nil {
		err = found.All(ctx, &all)
	}
	return t, all, err
}

// League lists teams under a name that does not say ids.
type League struct {
	ID        bson.ObjectID `bson:"_id"`
	Teams     []string      `bson:"teams"`     // want `teams is stored as string, but the _id of Team that it refers to as ObjectID: they match only where code converts them`
	HomeTeams []string      `bson:"homeTeams"` // names
	Leagues   []string      `bson:"below"`     // want `below is stored as string, but the _id of League that it refers to as ObjectID: they match only where code converts them`
}

func leagues(ctx context.Context, c *mongo.Collection, l League) (found []Team) {
	c.InsertOne(ctx, l)
	for _, id := range l.Teams {
		next, _ := team(ctx, c, id)
		found = append(found, next)
	}
	for _, id := range l.Leagues {
		next, _ := team(ctx, c, id)
		found = append(found, next)
	}
	return found
}

func store(ctx context.Context, teams, players, coaches, games, fans *mongo.Collection, t Team, p Player, c Coach, g Game, f Fan) {
	teams.InsertOne(ctx, t)
	fans.InsertOne(ctx, f)
	players.InsertOne(ctx, p)
	coaches.InsertOne(ctx, c)
	games.InsertOne(ctx, g)
}

func team(ctx context.Context, c *mongo.Collection, id string) (t Team, err error) {
	of, err := bson.ObjectIDFromHex(id)
	if err != nil {
		return t, err
	}
	return t, c.FindOne(ctx, bson.M{"_id": of}).Decode(&t)
}

func teams(ctx context.Context, c *mongo.Collection, p Player) (found []Team) {
	first, _ := team(ctx, c, p.TeamID)
	found = append(found, first)
	for _, id := range p.TeamIDs {
		next, _ := team(ctx, c, id)
		found = append(found, next)
	}
	return found
}

func coached(c Coach) (t Team) {
	mgm.Coll(&t).FindByID(c.TeamID, &t)
	return t
}

func home(ctx context.Context, c *mongo.Collection, g Game) (t Team, err error) {
	return t, c.FindOne(ctx, bson.M{"_id": g.TeamID}).Decode(&t)
}
