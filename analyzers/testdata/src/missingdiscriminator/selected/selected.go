// Package selected reads documents, and parts of others.
package selected

import (
	mgo "gopkg.in/mgo.v2"
	"gopkg.in/mgo.v2/bson"
)

type Shape interface{ Area() float64 }

type Poster struct {
	ID    string `bson:"_id"`
	Shape Shape  `bson:"shape"`
}

type Print struct {
	ID    string `bson:"_id"`
	Shape Shape  `bson:"shape"` // want `shape holds an interface`
}

func exchange(db *mgo.Database, posters []Poster, prints []Print) {
	db.C("posters").Insert(posters)
	db.C("prints").Insert(prints)
	db.C("posters").Find(bson.M{}).Select(bson.M{"_id": 1}).All(&posters)
	db.C("prints").Find(bson.M{}).All(&prints)
}
