// Package shown has documents with a field that is filled after reading.
package shown

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Membership struct {
	ID     string `bson:"_id"`
	ClubID string `bson:"clubId"`
	UserID string `bson:"userId"`
	Status string `bson:"status"`
	Name   string `bson:"name"`
	Email  string `bson:"email"`
}

// Club is read with the membership of who asks; of what was read, code stores
// another field alone.
type Club struct {
	ID         string         `bson:"_id"`
	Title      string         `bson:"title"`
	Attributes map[string]any `bson:"attributes"`
	Member     *Membership
}

// Team is stored again with the membership that it was read with.
type Team struct {
	ID         string         `bson:"_id"`
	Title      string         `bson:"title"`
	Attributes map[string]any `bson:"attributes"`
	Member     *Membership    // want `member holds a whole Membership`
}

type store struct{ db *mongo.Database }

func (s *store) membership(ctx context.Context, of, user string) (*Membership, error) {
	var m Membership
	err := s.db.Collection("memberships").FindOne(ctx, bson.M{"clubId": of, "userId": user}).Decode(&m)
	return &m, err
}

func (s *store) join(ctx context.Context, m Membership) {
	s.db.Collection("memberships").InsertOne(ctx, m)
	s.db.Collection("memberships").UpdateOne(ctx, bson.M{"_id": m.ID}, bson.M{"$set": bson.M{"status": m.Status}})
}

func (s *store) club(ctx context.Context, id, user string) (*Club, error) {
	var c Club
	if err := s.db.Collection("clubs").FindOne(ctx, bson.M{"_id": id}).Decode(&c); err != nil {
		return nil, err
	}
	member, err := s.membership(ctx, id, user)
	c.Member = member
	return &c, err
}

func (s *store) found(ctx context.Context, c Club) { s.db.Collection("clubs").InsertOne(ctx, c) }

func (s *store) update(ctx context.Context, c *Club, user string) error {
	known, err := s.club(ctx, c.ID, user)
	if err != nil {
		return err
	}
	if c.Attributes == nil {
		c.Attributes = known.Attributes
	}
	set := bson.D{{Key: "title", Value: c.Title}}
	set = append(set, bson.E{Key: "attributes", Value: c.Attributes})
	_, err = s.db.Collection("clubs").UpdateOne(ctx, bson.M{"_id": c.ID}, bson.D{{Key: "$set", Value: set}})
	return err
}

func (s *store) team(ctx context.Context, id, user string) (*Team, error) {
	var t Team
	if err := s.db.Collection("teams").FindOne(ctx, bson.M{"_id": id}).Decode(&t); err != nil {
		return nil, err
	}
	member, err := s.membership(ctx, id, user)
	t.Member = member
	return &t, err
}

func (s *store) rename(ctx context.Context, id, title, user string) error {
	known, err := s.team(ctx, id, user)
	if err != nil {
		return err
	}
	known.Title = title
	_, err = s.db.Collection("teams").ReplaceOne(ctx, bson.M{"_id": id}, known)
	return err
}
