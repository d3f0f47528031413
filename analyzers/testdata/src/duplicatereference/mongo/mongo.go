package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Book struct {
	ID        bson.ObjectID   `bson:"_id"`
	AuthorIDs []bson.ObjectID `bson:"authorIds"` // want `authorIds refers to each author once, but addAuthor adds the id again if the request is repeated`
	LikedBy   []string        `bson:"likedBy"`
	ReaderIDs []string        `bson:"readerIds"`
	FanIDs    []string        `bson:"fanIds"`
	ReviewIDs []bson.ObjectID `bson:"reviewIds"`
	Readers   []string        `bson:"readers"` // want `readers refers to each reader once`
	Tags      []string        `bson:"tags"`
	VisitIDs  []string        `bson:"visitIds"`
}

type Review struct {
	ID   bson.ObjectID `bson:"_id"`
	Text string        `bson:"text"`
}

type Reader struct {
	ID string `bson:"_id"`
}

// Playlist holds the same song twice if somebody likes it.
type Playlist struct {
	ID      bson.ObjectID   `bson:"_id"`
	SongIDs []bson.ObjectID `bson:"songIds"`
}

type repository struct{ books, reviews, lists *mongo.Collection }

func (r repository) store(ctx context.Context, b Book, review Review, p Playlist) {
	r.books.InsertOne(ctx, b)
	r.reviews.InsertOne(ctx, review)
	r.lists.InsertOne(ctx, p)
}

func (r repository) join(ctx context.Context, reader Reader) { r.reviews.InsertOne(ctx, reader) }

func (r repository) addAuthor(ctx context.Context, book, author bson.ObjectID) {
	r.books.UpdateOne(ctx, bson.M{"_id": book}, bson.M{"$push": bson.M{"authorIds": author}})
}

func (r repository) read(ctx context.Context, book bson.ObjectID, reader string) {
	r.books.UpdateOne(ctx, bson.M{"_id": book}, bson.D{{"$push", bson.D{{"readers", reader}}}})
	r.books.UpdateOne(ctx, bson.M{"_id": book}, bson.M{"$push": bson.M{"tags": reader}})
}

// addReader looks first.
func (r repository) addReader(ctx context.Context, book bson.ObjectID, reader string) {
	r.books.UpdateOne(ctx, bson.M{"_id": book, "readerIds": bson.M{"$ne": reader}}, bson.M{"$push": bson.M{"readerIds": reader}})
}

// addFan takes it out before.
func (r repository) addFan(ctx context.Context, book bson.ObjectID, fan string) {
	r.books.UpdateOne(ctx, bson.M{"_id": book}, bson.M{"$pull": bson.M{"fanIds": fan}})
	r.books.UpdateOne(ctx, bson.M{"_id": book}, bson.M{"$push": bson.M{"fanIds": fan}})
}

// review adds an id that no list can hold yet.
func (r repository) review(ctx context.Context, book bson.ObjectID, text string) {
	review := Review{ID: bson.NewObjectID(), Text: text}
	r.reviews.InsertOne(ctx, review)
	r.books.UpdateOne(ctx, bson.M{"_id": book}, bson.M{"$push": bson.M{"reviewIds": review.ID}})
}

// last keeps a bounded list.
func (r repository) last(ctx context.Context, book bson.ObjectID, visits []string) {
	r.books.UpdateOne(ctx, bson.M{"_id": book}, bson.M{"$push": bson.M{"visitIds": bson.M{"$each": visits, "$slice": -10}}})
}

func (r repository) addSong(ctx context.Context, list, song bson.ObjectID) {
	r.lists.UpdateOne(ctx, bson.M{"_id": list}, bson.M{"$push": bson.M{"songIds": song}})
}
