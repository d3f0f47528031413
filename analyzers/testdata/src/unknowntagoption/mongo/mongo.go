package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Base struct {
	N int `bson:"n"`
}

type Post struct {
	ID       string            `bson:"_id"`
	Title    string            `bson:"title, omitempty"`  // want `bson does not know the option " omitempty" and ignores it \(unknown-tag-option\)`
	Text     string            `bson:"text,omitEmpty"`    // want `does not know the option "omitEmpty"`
	Author   string            `bson:"author,omitempy"`   // want `does not know the option "omitempy"`
	Rank     int               `bson:"rank,string"`       // want `does not know the option "string"`
	Tags     []string          `bson:"tags,omitzero"`     // want `does not know the option "omitzero"`
	Roles    []string          `bson:"roles,set"`         // want `does not know the option "set"`
	Marks    []string          `bson:"marks,stringsets"`  // want `does not know the option "stringsets"`
	Note     string            `bson:"omitempty"`         // want `the tag names the field "omitempty": an option needs a comma before it`
	Link     string            `bson:"link;omitempty"`    // want `the field is stored under the name "link;omitempty": options are separated by commas`
	Slug     string            `bsno:"slug,omitempty"`    // want `the tag key bsno is unknown: the field is stored as "slug"`
	Views    int               `bson: "viewCount"`        // want `the bson tag is malformed and ignored: the field is stored as "views", not as "viewCount"`
	Secret   string            `json:"-",bson:"-"`        // want `the bson tag is malformed and ignored: the field is stored, as "secret"`
	Twice    string            `bson:"once" bson:"twice"` // want `the tag has the key bson twice: "once" counts, "twice" is ignored`
	Phone    string            `bson:"phone"`
	Mobile   string            `bson:"phone"`         // want `Phone and Mobile of Post have the same name "phone": bson fails to write and to read it`
	Other    string            `bson:"other,special"` // read by somebody else, perhaps
	Mail     string            `bson:"mail,unique"`   // want `does not know the option "unique"`
	Nick     string            `bson:"nick,max=24"`   // want `does not know the option "max=24"`
	Fine     int64             `bson:"fine,omitempty,minsize,truncate" json:"fine, omitempty"`
	Validate string            `bson:"validate" validate:"required,omitempty"`
	Base     `bson:", inline"` // want `does not know the option " inline"`
}

func store(ctx context.Context, c *mongo.Collection, p Post) { c.InsertOne(ctx, p) }
