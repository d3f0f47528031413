package firestoredb

import (
	"context"
	"net/http"
	"time"

	"cloud.google.com/go/firestore"
	"github.com/example/mapping"
)

type user struct {
	Name     string   `firestore:"name"`
	Visitors []string `firestore:"visitors"` // want `visitors grows without bound`
	Roles    []string `firestore:"roles"`
}

func save(ctx context.Context, c *firestore.Client, id string, u *user) {
	c.Collection("users").Doc(id).Set(ctx, u)
}

func visit(ctx context.Context, c *firestore.Client, id, visitor string) {
	c.Collection("users").Doc(id).Update(ctx, []firestore.Update{
		{Path: "visitors", Value: firestore.ArrayUnion(visitor)},
	})
}

type page struct {
	Title string `firestore:"title"`
	Lines []line `firestore:"lines"` // want `lines grows without bound: each request`
}

type line struct {
	ID string    `firestore:"id"`
	At time.Time `firestore:"at"`
}

// read decodes the data by a library.
func read(ctx context.Context, c *firestore.Client, id string) (*page, error) {
	doc, err := c.Collection("pages").Doc(id).Get(ctx)
	if err != nil {
		return nil, err
	}
	var p page
	mapping.Decode(doc.Data(), &p)
	return &p, nil
}

func write(ctx context.Context, c *firestore.Client, r *http.Request, l line) error {
	p, err := read(ctx, c, r.FormValue("id"))
	if err != nil {
		return err
	}
	p.Lines = append(p.Lines, l)
	_, err = c.Collection("pages").Doc(r.FormValue("id")).Set(ctx, p)
	return err
}

// room is read together with its messages, which have a collection of their own.
type room struct {
	Name     string    `firestore:"name"`
	Messages []message `firestore:"messages"`
}

type message struct {
	ID   string `firestore:"id"`
	Text string `firestore:"text"`
}

func open(ctx context.Context, c *firestore.Client, id string) (r room, err error) {
	doc, err := c.Collection("rooms").Doc(id).Get(ctx)
	if err != nil {
		return r, err
	}
	if err := doc.DataTo(&r); err != nil {
		return r, err
	}
	first, err := c.Collection("messages").Doc(id).Get(ctx)
	if err != nil {
		return r, err
	}
	var m message
	err = first.DataTo(&m)
	return room{Name: r.Name, Messages: []message{m}}, err
}
