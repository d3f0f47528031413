// Package asked asks the database whether the id is there before it adds it.
package asked

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type User struct {
	ID       string   `bson:"_id"`
	TopicIDs []string `bson:"topicIds"`
	GroupIDs []string `bson:"groupIds"` // want `groupIds refers to each group once`
	RoomIDs  []string `bson:"roomIds"`
	ClubIDs  []string `bson:"clubIds"` // want `clubIds refers to each club once`
}

type store struct{ users *mongo.Collection }

func (s store) create(ctx context.Context, u User) { s.users.InsertOne(ctx, u) }

func (s store) follows(ctx context.Context, user, topic string) *User {
	var u User
	if s.users.FindOne(ctx, bson.M{"_id": user, "topicIds": topic}).Decode(&u) != nil {
		return nil
	}
	return &u
}

func (s store) push(ctx context.Context, user, topic string) {
	s.users.UpdateOne(ctx, bson.M{"_id": user}, bson.M{"$push": bson.M{"topicIds": topic}})
}

func (s store) pushGroup(ctx context.Context, user, group string) {
	s.users.UpdateOne(ctx, bson.M{"_id": user}, bson.M{"$push": bson.M{"groupIds": group}})
}

func (s store) pushRoom(ctx context.Context, user, room string) {
	s.users.UpdateOne(ctx, bson.M{"_id": user}, bson.M{"$push": bson.M{"roomIds": room}})
}

func (s store) find(ctx context.Context, user string) (u User) {
	s.users.FindOne(ctx, bson.M{"_id": user}).Decode(&u)
	return u
}

func follow(ctx context.Context, s store, user, topic string) {
	if s.follows(ctx, user, topic) != nil {
		return
	}
	s.push(ctx, user, topic)
}

// join asks for something else.
func join(ctx context.Context, s store, user, group, topic string) {
	if u := s.follows(ctx, user, topic); u != nil {
		return
	}
	s.pushGroup(ctx, user, group)
}

// enter looks into the list that it has read.
func enter(ctx context.Context, s store, user, room string) {
	for _, id := range s.find(ctx, user).RoomIDs {
		if id == room {
			return
		}
	}
	s.pushRoom(ctx, user, room)
}

func (s store) member(ctx context.Context, club string) (u User, err error) {
	return u, s.users.FindOne(ctx, bson.M{"clubIds": club}).Decode(&u)
}

func (s store) pushClub(ctx context.Context, user, club string) {
	s.users.UpdateOne(ctx, bson.M{"_id": user}, bson.M{"$push": bson.M{"clubIds": club}})
}

// enroll asks for a member, and adds one whoever it is.
func enroll(ctx context.Context, s store, user, club string) string {
	first, err := s.member(ctx, club)
	if err != nil {
		return ""
	}
	s.pushClub(ctx, user, club)
	return first.ID
}
