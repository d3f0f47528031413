package halves

import (
	"context"
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Person may have a repair shop. The owner of a shop is not who likes it.
type Person struct {
	ID                  bson.ObjectID   `bson:"_id"`
	RepairShopID        *bson.ObjectID  `bson:"repairShopId"`
	FavoriteRepairShops []bson.ObjectID `bson:"favoriteRepairShops"`
}

type RepairShop struct {
	ID       bson.ObjectID `bson:"_id"`
	PersonID bson.ObjectID `bson:"personId"`
}

// Album names one of its pictures, which says nothing about the others.
type Album struct {
	ID             bson.ObjectID   `bson:"_id"`
	CoverPictureID bson.ObjectID   `bson:"coverPictureId"`
	Pictures       []bson.ObjectID `bson:"pictures"` // want `pictures grows without bound`
}

type Picture struct {
	ID      bson.ObjectID `bson:"_id"`
	AlbumID bson.ObjectID `bson:"albumId"`
}

func save(ctx context.Context, db *mongo.Database, p Person, g RepairShop, a Album, i Picture) {
	db.Collection("persons").InsertOne(ctx, p)
	db.Collection("repairShops").InsertOne(ctx, g)
	db.Collection("albums").InsertOne(ctx, a)
	db.Collection("pictures").InsertOne(ctx, i)
}

type server struct {
	db           *mongo.Database
	person, shop bson.ObjectID
}

func (s server) like(w http.ResponseWriter, r *http.Request) {
	s.db.Collection("persons").UpdateOne(r.Context(), bson.M{"_id": s.person}, bson.M{"$addToSet": bson.M{"favoriteRepairShops": s.shop}})
}

func (s server) dislike(w http.ResponseWriter, r *http.Request) {
	s.db.Collection("persons").UpdateOne(r.Context(), bson.M{"_id": s.person}, bson.M{"$pull": bson.M{"favoriteRepairShops": s.shop}})
}

func add(ctx context.Context, db *mongo.Database, album, picture bson.ObjectID) {
	db.Collection("albums").UpdateOne(ctx, bson.M{"_id": album}, bson.M{"$addToSet": bson.M{"pictures": picture}})
}

func remove(ctx context.Context, db *mongo.Database, album, picture bson.ObjectID) {
	db.Collection("albums").UpdateOne(ctx, bson.M{"_id": album}, bson.M{"$pull": bson.M{"pictures": picture}})
}
