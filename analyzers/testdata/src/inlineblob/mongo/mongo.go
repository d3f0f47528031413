package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type User struct {
	ID          bson.ObjectID `bson:"_id"`
	Name        string        `bson:"name"`
	Email       string        `bson:"email"`
	Photo       []byte        `bson:"photo"`         // want `photo keeps a file inside every User, as bytes, of which MongoDB allows 16 MB a document \(inline-blob\)`
	Attachments [][]byte      `bson:"attachments"`   // want `attachments keeps files inside every User`
	Uploads     []byte        `bson:"uploads"`       // a list of their names
	Thumbnail   []byte        `bson:"thumbnail"`     // small
	Password    []byte        `bson:"password_hash"` // no file
	Image       []byte        `bson:"-"`
	FileHash    []byte        `bson:"file_hash"`
	CertBase64  string        `bson:"cert_base64"`
	Avatar      [32]byte      `bson:"avatar"`
	Logo        string        `bson:"logo"`
	Payload     []byte        `bson:"payload"` // anything
}

// Portrait has the fields that take the place of its picture.
type Portrait struct {
	ID         bson.ObjectID `bson:"_id"`
	Title      string        `bson:"title"`
	Artist     string        `bson:"artist"`
	Picture    []byte        `bson:"picture"` // want `picture keeps a file`
	PictureURL string        `bson:"pictureUrl"`
}

type Letter struct {
	ID         bson.ObjectID `bson:"_id"`
	Sender     string        `bson:"sender"`
	Subject    string        `bson:"subject"`
	ScanBase64 string        `bson:"scan_base64"` // want `scan_base64 keeps a file inside every Letter, as base64`
}

type Member struct {
	ID      bson.ObjectID `bson:"_id"`
	Name    string        `bson:"name"`
	Email   string        `bson:"email"`
	Picture string        `bson:"picture"` // base64 // want `picture keeps a file inside every Member, as base64`
}

// Upload is nothing but the file.
type Upload struct {
	ID       bson.ObjectID `bson:"_id"`
	Filename string        `bson:"filename"`
	File     []byte        `bson:"file"`
}

// Proof says of its content that it is a file.
type Proof struct {
	ID       bson.ObjectID `bson:"_id"`
	Holder   string        `bson:"holder"`
	FileName string        `bson:"fileName"`
	Content  []byte        `bson:"content"` // want `content keeps a file inside every Proof, as bytes`
	Seal     []byte        `bson:"seal"`
	Data     string        `bson:"data"`   // text
	Raw      string        `bson:"raw"`    // base64 // want `raw keeps a file inside every Proof, as base64`
	Base64   string        `bson:"base64"` // of anything
}

func save(ctx context.Context, db *mongo.Database, u User, v Upload, p Portrait, l Letter, m Member, r Proof) {
	db.Collection("users").InsertOne(ctx, u)
	db.Collection("uploads").InsertOne(ctx, v)
	db.Collection("letters").InsertOne(ctx, l)
	db.Collection("members").InsertOne(ctx, m)
	db.Collection("proofs").InsertOne(ctx, r)
	db.Collection("portraits").InsertOne(ctx, p)
}
