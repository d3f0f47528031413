// Package parties keeps chats of two people, who hide them.
package parties

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Chat struct {
	ID        bson.ObjectID   `bson:"_id,omitempty"`
	Buyer     bson.ObjectID   `bson:"buyer"`
	Seller    bson.ObjectID   `bson:"seller"`
	HiddenBy  []bson.ObjectID `bson:"hiddenBy,omitempty"`
	MutedBy   []bson.ObjectID `bson:"mutedBy,omitempty"`
	ReadBy    []bson.ObjectID `bson:"readBy,omitempty"`    // want `readBy grows without bound`
	WantedBy  []bson.ObjectID `bson:"wantedBy,omitempty"`  // want `wantedBy grows without bound`
	SharedBy  []bson.ObjectID `bson:"sharedBy,omitempty"`  // want `sharedBy grows without bound`
	LikedBy   []bson.ObjectID `bson:"likedBy,omitempty"`   // want `likedBy grows without bound`
	OpenedBy  []bson.ObjectID `bson:"openedBy,omitempty"`  // want `openedBy grows without bound`
	LoudestBy []bson.ObjectID `bson:"loudestBy,omitempty"` // want `loudestBy grows without bound`
}

type session struct{ UserID bson.ObjectID }

type chats struct{ all *mongo.Collection }

var errOther = errors.New("not in this chat")

func (c *chats) find(ctx context.Context, id bson.ObjectID) (chat Chat, err error) {
	err = c.all.FindOne(ctx, bson.M{"_id": id}).Decode(&chat)
	return chat, err
}

// Hide is for the two of them.
func (c *chats) Hide(ctx context.Context, id, user bson.ObjectID) error {
	chat, _ := c.find(ctx, id)
	if chat.Buyer != user && chat.Seller != user {
		return errOther
	}
	_, err := c.all.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"hiddenBy": user}})
	return err
}

// Mute is for the two of them too, and another function adds.
func (c *chats) Mute(ctx context.Context, id, user bson.ObjectID) error {
	chat, _ := c.find(ctx, id)
	if chat.Buyer != user && chat.Seller != user {
		return errOther
	}
	return c.mute(ctx, id, user)
}

func (c *chats) mute(ctx context.Context, id, who bson.ObjectID) error {
	_, err := c.all.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"mutedBy": who}})
	return err
}

// Read adds one of them each time.
func (c *chats) Read(ctx context.Context, id, user bson.ObjectID) error {
	chat, _ := c.find(ctx, id)
	if chat.Buyer != user && chat.Seller != user {
		return errOther
	}
	_, err := c.all.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"readBy": user}})
	return err
}

// Want is for all others.
func (c *chats) Want(ctx context.Context, id, user bson.ObjectID) error {
	chat, _ := c.find(ctx, id)
	if chat.Buyer == user {
		return errOther
	}
	_, err := c.all.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"wantedBy": user}})
	return err
}

// Share only logs that it is somebody else.
func (c *chats) Share(ctx context.Context, id, user bson.ObjectID, log func()) error {
	chat, _ := c.find(ctx, id)
	if chat.Buyer != user && chat.Seller != user {
		log()
	}
	_, err := c.all.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"sharedBy": user}})
	return err
}

// Like refuses one more user only if a setting says so.
func (c *chats) Like(ctx context.Context, id, user bson.ObjectID, closed bool) error {
	chat, _ := c.find(ctx, id)
	if chat.Buyer != user && closed {
		return errOther
	}
	_, err := c.all.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"likedBy": user}})
	return err
}

// Open compares the user with the one of the session.
func (c *chats) Open(ctx context.Context, id, user bson.ObjectID, s session) error {
	if s.UserID != user {
		return errOther
	}
	_, err := c.all.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"openedBy": user}})
	return err
}

// Shout adds before it asks.
func (c *chats) Shout(ctx context.Context, id, user bson.ObjectID) error {
	chat, _ := c.find(ctx, id)
	c.all.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"loudestBy": user}})
	if chat.Buyer != user && chat.Seller != user {
		return errOther
	}
	return nil
}

func (c *chats) Start(ctx context.Context, buyer, seller bson.ObjectID) {
	c.all.InsertOne(ctx, Chat{Buyer: buyer, Seller: seller})
}
