// Package sifted takes elements out of a list by a loop that keeps the others.
package sifted

import (
	"context"
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Passkey struct {
	ID        string    `bson:"id"`
	PublicKey []byte    `bson:"publicKey"`
	CreatedAt time.Time `bson:"createdAt"`
}

type Member struct {
	ID       string    `bson:"_id"`
	Passkeys []Passkey `bson:"passkeys"`
}

// Guest has no way to take one out.
type Guest struct {
	ID       string    `bson:"_id"`
	Passkeys []Passkey `bson:"passkeys"` // want `passkeys grows without bound`
}

type server struct{ members, guests *mongo.Collection }

func (s server) member(ctx context.Context, id string) (m Member, err error) {
	err = s.members.FindOne(ctx, bson.M{"_id": id}).Decode(&m)
	return m, err
}

func (s server) save(ctx context.Context, m Member) error {
	_, err := s.members.ReplaceOne(ctx, bson.M{"_id": m.ID}, m)
	return err
}

func (s server) Register(w http.ResponseWriter, r *http.Request) {
	m, err := s.member(r.Context(), r.PathValue("id"))
	if err != nil {
		return
	}
	m.Passkeys = append(m.Passkeys, Passkey{ID: r.FormValue("key"), CreatedAt: time.Now()})
	s.save(r.Context(), m)
}

func (s server) Remove(w http.ResponseWriter, r *http.Request) {
	m, err := s.member(r.Context(), r.PathValue("id"))
	if err != nil {
		return
	}
	others := make([]Passkey, 0, len(m.Passkeys))
	for _, key := range m.Passkeys {
		if key.ID == r.FormValue("key") {
			continue
		}
		others = append(others, key)
	}
	m.Passkeys = others
	s.save(r.Context(), m)
}

func (s server) Visit(w http.ResponseWriter, r *http.Request) {
	var g Guest
	if err := s.guests.FindOne(r.Context(), bson.M{"_id": r.PathValue("id")}).Decode(&g); err != nil {
		return
	}
	g.Passkeys = append(g.Passkeys, Passkey{ID: r.FormValue("key"), CreatedAt: time.Now()})
	s.guests.ReplaceOne(r.Context(), bson.M{"_id": g.ID}, g)
}

// Locker has what a variable takes out, and Drawer what it only holds.
type Locker struct {
	ID   string    `bson:"_id"`
	Keys []Passkey `bson:"keys"`
}

type Drawer struct {
	ID   string    `bson:"_id"`
	Keys []Passkey `bson:"keys"` // want `keys grows without bound`
}

// Chest keeps the newest.
type Chest struct {
	ID   string    `bson:"_id"`
	Keys []Passkey `bson:"keys"`
}

type cellar struct{ lockers, drawers, chests *mongo.Collection }

func (c cellar) Fill(w http.ResponseWriter, r *http.Request) {
	var l Locker
	c.lockers.FindOne(r.Context(), bson.M{"_id": r.PathValue("id")}).Decode(&l)
	keys := l.Keys
	keys = append(keys, Passkey{ID: r.FormValue("key"), CreatedAt: time.Now()})
	l.Keys = keys
	c.lockers.ReplaceOne(r.Context(), bson.M{"_id": l.ID}, l)
	var d Drawer
	c.drawers.FindOne(r.Context(), bson.M{"_id": r.PathValue("id")}).Decode(&d)
	all := d.Keys
	all = append(all, Passkey{ID: r.FormValue("key"), CreatedAt: time.Now()})
	d.Keys = all
	c.drawers.ReplaceOne(r.Context(), bson.M{"_id": d.ID}, d)
}

func (c cellar) Empty(w http.ResponseWriter, r *http.Request) {
	var l Locker
	c.lockers.FindOne(r.Context(), bson.M{"_id": r.PathValue("id")}).Decode(&l)
	keys, at := l.Keys, 0
	for i, key := range keys {
		if key.ID == r.FormValue("key") {
			at = i
		}
	}
	keys = append(keys[:at], keys[at+1:]...)
	l.Keys = keys
	c.lockers.ReplaceOne(r.Context(), bson.M{"_id": l.ID}, l)
	var d Drawer
	c.drawers.FindOne(r.Context(), bson.M{"_id": r.PathValue("id")}).Decode(&d)
	others := []Passkey{{ID: "a"}, {ID: "b"}}
	others = append(others[:0], others[1:]...)
	d.Keys = others
}

const maxKeys = 9

func (c cellar) Lock(w http.ResponseWriter, r *http.Request) {
	var chest Chest
	c.chests.FindOne(r.Context(), bson.M{"_id": r.PathValue("id")}).Decode(&chest)
	keys := []Passkey{{ID: r.FormValue("key"), CreatedAt: time.Now()}}
	keys = append(keys, chest.Keys...)
	if len(keys) <= maxKeys {
		chest.Keys = keys
	} else {
		chest.Keys = keys[:maxKeys]
	}
	c.chests.ReplaceOne(r.Context(), bson.M{"_id": chest.ID}, chest)
}
