package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Device struct {
	ID    string  `bson:"_id"`
	Image *Image  `bson:"image"` // seen nowhere to be a copy
	Other *Second `bson:"other"`
}

type Image struct {
	ID      string `bson:"_id"`
	Name    string `bson:"name"`
	Size    int64  `bson:"size"`
	Signed  bool   `bson:"signed"`
	Checked string `bson:"checked"`
}

// Second is part of the device alone.
type Second struct {
	ID      string `bson:"_id"`
	Name    string `bson:"name"`
	Size    int64  `bson:"size"`
	Signed  bool   `bson:"signed"`
	Checked string `bson:"checked"`
}

// ImageEvent records what the image was.
type ImageEvent struct {
	ID    string `bson:"_id"`
	Image Image  `bson:"image"`
}

func save(ctx context.Context, db *mongo.Database, d Device, i Image, e ImageEvent) {
	db.Collection("devices").InsertOne(ctx, d)
	db.Collection("images").InsertOne(ctx, i)
	db.Collection("events").InsertOne(ctx, e)
}

// Rack holds the image that was read for it.
type Rack struct {
	ID    string `bson:"_id"`
	Image *Image `bson:"image"` // want `image holds a whole Image, which is stored as a document too`
}

func rack(ctx context.Context, db *mongo.Database, r Rack) error {
	var i Image
	if err := db.Collection("images").FindOne(ctx, nil).Decode(&i); err != nil {
		return err
	}
	r.Image = &i
	_, err := db.Collection("racks").InsertOne(ctx, r)
	return err
}

// Imagery is called almost as an image, and is not the document of one.
type Imagery struct {
	ID    string `bson:"_id"`
	Image Image  `bson:"image"` // want `image holds a whole Image, which is stored as a document too`
}

func imagery(ctx context.Context, db *mongo.Database, m Imagery) error {
	var i Image
	if err := db.Collection("images").FindOne(ctx, nil).Decode(&i); err != nil {
		return err
	}
	m.Image = i
	_, err := db.Collection("imagery").InsertOne(ctx, m)
	return err
}

// Images is a page of them.
type Images struct {
	ID    string `bson:"_id"`
	First Image  `bson:"first"`
}

func page(ctx context.Context, db *mongo.Database, m Images) error {
	var i Image
	if err := db.Collection("images").FindOne(ctx, nil).Decode(&i); err != nil {
		return err
	}
	m.First = i
	_, err := db.Collection("pages").InsertOne(ctx, m)
	return err
}

// Shelf is handed images one by one; a plan gets its images all at once, and
// they may have been made for it.
type Shelf struct {
	ID     string  `bson:"_id"`
	Images []Image `bson:"images"` // want `images holds a whole Image, which is stored as a document too`
}

type Plan struct {
	ID     string  `bson:"_id"`
	Drafts []Image `bson:"drafts"`
}

func shelve(ctx context.Context, db *mongo.Database, id string, i *Image, drafts []Image) error {
	if _, err := db.Collection("shelves").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"images": i}}); err != nil {
		return err
	}
	_, err := db.Collection("plans").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"drafts": drafts}})
	return err
}

func found(ctx context.Context, db *mongo.Database) (s Shelf, p Plan, err error) {
	if err = db.Collection("shelves").FindOne(ctx, nil).Decode(&s); err != nil {
		return s, p, err
	}
	return s, p, db.Collection("plans").FindOne(ctx, nil).Decode(&p)
}

// Ticket is made with its image at hand.
type Ticket struct {
	ID    string `bson:"_id"`
	Image Image  `bson:"image"` // want `image holds a whole Image, which is stored as a document too`
}

func open(ctx context.Context, db *mongo.Database, id string) error {
	i := Image{ID: id, Name: "new"}
	t := Ticket{ID: id, Image: i}
	_, err := db.Collection("tickets").InsertOne(ctx, t)
	return err
}

// Camera holds the image that was read for it. Who changes an image changes
// those of all cameras, so that none goes stale.
type Camera struct {
	ID    string `bson:"_id"`
	Image *Image `bson:"image"`
}

func camera(ctx context.Context, db *mongo.Database, c Camera) error {
	var i Image
	if err := db.Collection("images").FindOne(ctx, nil).Decode(&i); err != nil {
		return err
	}
	c.Image = &i
	_, err := db.Collection("cameras").InsertOne(ctx, c)
	return err
}

func rename(ctx context.Context, db *mongo.Database, i Image) error {
	if _, err := db.Collection("images").ReplaceOne(ctx, bson.M{"_id": i.ID}, i); err != nil {
		return err
	}
	_, err := db.Collection("cameras").UpdateMany(ctx, bson.M{"image._id": i.ID}, bson.M{"$set": bson.M{"image.name": i.Name, "image.size": i.Size}})
	return err
}
