package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Post struct {
	ID      string         `bson:"_id"`
	Tags    []string       `bson:"tags"`  // want `tags is stored as null while it is nil, but \$push fails on null \(null-collection\)`
	Votes   map[string]int `bson:"votes"` // want `votes is stored as null while it is nil, but \$set fails on null`
	Notes   []string       `bson:"notes,omitempty"`
	Words   []string       `bson:"words"`
	Image   []byte         `bson:"image"`
	Corners [4]int         `bson:"corners"`
}

type Thread struct {
	ID    string   `bson:"_id"`
	Names []string `bson:"names"`
	Likes []string `bson:"likes"`
}

func create(ctx context.Context, c *mongo.Collection, id string) {
	c.InsertOne(ctx, Post{ID: id})
	t := Thread{ID: id, Names: []string{}}
	t.Likes = []string{}
	c.InsertOne(ctx, t)
}

func update(ctx context.Context, c *mongo.Collection, id, tag, user string) {
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"tags": tag, "notes": tag}})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"votes." + user: 1}})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"names": user, "likes": user}})
}

// Shelf is stored with a list; the other literal is a filter.
type Shelf struct {
	ID    string   `bson:"_id"`
	Books []string `bson:"books"`
}

func shelve(ctx context.Context, c *mongo.Collection, s Shelf, book string) {
	s.Books = make([]string, 0)
	c.InsertOne(ctx, s)
	c.FindOne(ctx, Shelf{ID: "a"})
	c.UpdateOne(ctx, bson.M{"_id": s.ID}, bson.M{"$push": bson.M{"books": book}})
}

// Club has a member before it is stored; the other literal is shown.
type Club struct {
	ID      string   `bson:"_id"`
	Members []string `bson:"members"`
}

func CreateClub(ctx context.Context, c *mongo.Collection, read func(any), founder string) {
	var club Club
	read(&club)
	club.Members = append(club.Members, founder)
	save(ctx, c, &club)
}

func save(ctx context.Context, c *mongo.Collection, club *Club) { c.InsertOne(ctx, club) }

func named(id string) *Club { return &Club{ID: id} }

func join(ctx context.Context, c *mongo.Collection, id, member string) {
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"members": member}})
}

// Customer is completed by a function before it is stored.
type Customer struct {
	ID    string         `bson:"_id"`
	Usage map[string]int `bson:"usage"`
}

func register(ctx context.Context, c *mongo.Collection, id, product string) {
	customer := &Customer{ID: id}
	subscribe(customer)
	c.InsertOne(ctx, customer)
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"usage." + product: 1}})
}

func subscribe(c *Customer) {
	if c.Usage == nil {
		c.Usage = map[string]int{}
	}
}

// Farm has a list that is looked at before code adds to it.
type Farm struct {
	ID        string   `bson:"_id"`
	Addresses []string `bson:"addresses"`
	Owners    []string `bson:"owners"` // want `owners is stored as null while it is nil, but \$push fails on null`
}

func grow(ctx context.Context, c *mongo.Collection, id, address string) {
	c.InsertOne(ctx, Farm{ID: id})
	var farm Farm
	c.FindOne(ctx, bson.M{"_id": id}).Decode(&farm)
	if len(farm.Addresses) == 0 {
		c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"addresses": []string{address}}})
	} else {
		c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"addresses": address}})
	}
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"owners": address}})
}

// Notice is stored with null for who it is to, but guests are only taken out
// of notices that have them. Readers are taken out of all.
type Notice struct {
	ID      string  `bson:"_id"`
	Guests  []Guest `bson:"guests"`
	Readers []Guest `bson:"readers"` // want `readers is stored as null while it is nil, but \$pull fails on null`
}

type Guest struct {
	User string `bson:"user"`
}

func notify(ctx context.Context, c *mongo.Collection, id string) { c.InsertOne(ctx, Notice{ID: id}) }

func leave(ctx context.Context, c *mongo.Collection, users []string) {
	c.UpdateMany(ctx, bson.M{"guests.user": bson.M{"$in": users}}, bson.M{"$pull": bson.M{"guests": bson.M{"user": bson.M{"$in": users}}}})
	c.UpdateMany(ctx, bson.M{"_id": bson.M{"$ne": ""}}, bson.M{"$pull": bson.M{"readers": bson.M{"user": bson.M{"$in": users}}}})
}
