// Package claims has a type with tags that is signed and never stored.
package claims

import "go.mongodb.org/mongo-driver/v2/bson"

type Registered struct {
	Issuer string `json:"iss,omitempty"`
	Expiry int64  `json:"exp,omitempty"`
}

type Claims struct {
	ID    bson.ObjectID `bson:"_id"`
	Email string        `bson:"email"`
	Registered
}
