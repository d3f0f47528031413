// Package mgo makes indexes that expire with the older driver.
package mgo

import (
	"time"

	"gopkg.in/mgo.v2"
)

type Session struct {
	ID      string    `bson:"_id"`
	Created string    `bson:"created"` // want `created is stored as a string, but its TTL index needs a date`
	Seen    time.Time `bson:"seen"`
	Owner   string    `bson:"owner"`
}

func setup(c *mgo.Collection) {
	c.EnsureIndex(mgo.Index{Key: []string{"-created"}, ExpireAfter: time.Hour})
	c.EnsureIndex(mgo.Index{Key: []string{"seen"}, ExpireAfter: time.Hour})
	c.EnsureIndex(mgo.Index{Key: []string{"owner"}})
}

func start(c *mgo.Collection, s Session) { c.Insert(s) }
