// Package looks asks another function whether the id is there.
package looks

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type User struct {
	ID       string   `bson:"_id"`
	TopicIDs []string `bson:"topicIds"`
	GroupIDs []string `bson:"groupIds"` // want `groupIds refers to each group once`
}

func find(u *User, id string) (string, error) {
	for _, topic := range u.TopicIDs {
		if topic == id {
			return topic, nil
		}
	}
	return "", errors.New("not there")
}

func has(u *User, id string) bool {
	_, err := find(u, id)
	return err == nil
}

func follow(ctx context.Context, c *mongo.Collection, u *User, id string) {
	if has(u, id) {
		return
	}
	c.UpdateOne(ctx, bson.M{"_id": u.ID}, bson.M{"$push": bson.M{"topicIds": id}})
}

func join(ctx context.Context, c *mongo.Collection, u *User, id string) {
	c.UpdateOne(ctx, bson.M{"_id": u.ID}, bson.M{"$push": bson.M{"groupIds": id}})
}

// Team takes in who is in no team yet.
type Team struct {
	ID        string   `bson:"_id"`
	MemberIDs []string `bson:"memberIds"`
}

type Member struct {
	ID     string `bson:"_id"`
	InTeam bool   `bson:"inTeam"`
}

func team(ctx context.Context, teams, members *mongo.Collection, t Team, m Member) error {
	if m.InTeam {
		return errors.New("in a team already")
	}
	if _, err := teams.UpdateOne(ctx, bson.M{"_id": t.ID}, bson.M{"$push": bson.M{"memberIds": m.ID}}); err != nil {
		return err
	}
	_, err := members.UpdateOne(ctx, bson.M{"_id": m.ID}, bson.M{"$set": bson.M{"inTeam": true}})
	return err
}

func found(ctx context.Context, teams, members *mongo.Collection) (t Team, m Member, err error) {
	if err = teams.FindOne(ctx, nil).Decode(&t); err != nil {
		return t, m, err
	}
	return t, m, members.FindOne(ctx, nil).Decode(&m)
}

func create(ctx context.Context, c *mongo.Collection, u User) { c.InsertOne(ctx, u) }

// Guest has the list of a Meeting under another name.
type Guest struct {
	ID   string
	Seen []string
}

func guest(ctx context.Context, c *mongo.Collection, id string) (*Guest, error) {
	var m Meeting
	err := c.FindOne(ctx, bson.M{"_id": id}).Decode(&m)
	return &Guest{ID: m.ID, Seen: m.GuestIDs}, err
}

// Meeting takes in guests that the copy of its list does not have.
type Meeting struct {
	ID       string   `bson:"_id"`
	GuestIDs []string `bson:"guestIds"`
	ChairIDs []string `bson:"chairIds"` // want `chairIds refers to each chair once`
}

func visit(ctx context.Context, c *mongo.Collection, meeting, id string) error {
	g, err := guest(ctx, c, meeting)
	if err != nil {
		return err
	}
	for _, seen := range g.Seen {
		if seen == id {
			return errors.New("there already")
		}
	}
	return enter(ctx, c, g, id)
}

func enter(ctx context.Context, c *mongo.Collection, g *Guest, id string) error {
	_, err := c.UpdateOne(ctx, bson.M{"_id": g.ID}, bson.M{"$push": bson.M{"guestIds": id}})
	return err
}

func chair(ctx context.Context, c *mongo.Collection, g *Guest, id string) {
	c.UpdateOne(ctx, bson.M{"_id": g.ID}, bson.M{"$push": bson.M{"chairIds": id}})
}

// Crew takes in sailors who have no berth yet.
type Crew struct {
	ID        string   `bson:"_id"`
	SailorIDs []string `bson:"sailorIds"`
	GuideIDs  []string `bson:"guideIds"` // want `guideIds refers to each guide once`
	MateIDs   []string `bson:"mateIds"`
	PilotIDs  []string `bson:"pilotIds"` // want `pilotIds refers to each pilot once`
}

type Sailor struct {
	ID    string `bson:"_id"`
	Berth string `bson:"berth"`
	Rank  string `bson:"rank"`
	Trips int    `bson:"trips"`
}

// mate takes a sailor only before the first trip, which it counts.
func mate(ctx context.Context, crews, sailors *mongo.Collection, c Crew, s Sailor) error {
	if s.Trips > 0 {
		return errors.New("sailed already")
	}
	if _, err := crews.UpdateOne(ctx, bson.M{"_id": c.ID}, bson.M{"$push": bson.M{"mateIds": s.ID}}); err != nil {
		return err
	}
	_, err := sailors.UpdateOne(ctx, bson.M{"_id": s.ID}, bson.M{"$inc": bson.M{"trips": 1}})
	return err
}

// pilot takes a sailor a few times.
func pilot(ctx context.Context, crews, sailors *mongo.Collection, c Crew, s Sailor) error {
	if s.Trips > 9 {
		return errors.New("too old")
	}
	if _, err := crews.UpdateOne(ctx, bson.M{"_id": c.ID}, bson.M{"$push": bson.M{"pilotIds": s.ID}}); err != nil {
		return err
	}
	_, err := sailors.UpdateOne(ctx, bson.M{"_id": s.ID}, bson.M{"$inc": bson.M{"trips": 1}})
	return err
}

func hire(ctx context.Context, crews, sailors *mongo.Collection, c Crew, s Sailor, berth string) error {
	if s.Berth != "" {
		return errors.New("hired already")
	}
	if _, err := crews.UpdateOne(ctx, bson.M{"_id": c.ID}, bson.M{"$push": bson.M{"sailorIds": s.ID}}); err != nil {
		return err
	}
	_, err := sailors.UpdateOne(ctx, bson.M{"_id": s.ID}, bson.M{"$set": bson.M{"berth": berth}})
	return err
}

func guide(ctx context.Context, crews, sailors *mongo.Collection, c Crew, s Sailor, berth string) error {
	if s.Rank == "cook" {
		return errors.New("no guide")
	}
	if _, err := crews.UpdateOne(ctx, bson.M{"_id": c.ID}, bson.M{"$push": bson.M{"guideIds": s.ID}}); err != nil {
		return err
	}
	_, err := sailors.UpdateOne(ctx, bson.M{"_id": s.ID}, bson.M{"$set": bson.M{"berth": berth}})
	return err
}

func muster(ctx context.Context, crews, sailors *mongo.Collection) (c Crew, s Sailor, err error) {
	if err = crews.FindOne(ctx, nil).Decode(&c); err != nil {
		return c, s, err
	}
	return c, s, sailors.FindOne(ctx, nil).Decode(&s)
}
