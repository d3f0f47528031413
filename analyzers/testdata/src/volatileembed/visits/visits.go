package visits

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"
)

// Location is stored once for each user, and changes with each step.
type Location struct {
	ID        string    `firestore:"id"`
	Latitude  float64   `firestore:"latitude"`
	Speed     float64   `firestore:"speed"`
	Balance   float64   `firestore:"balance"`
	UpdatedAt time.Time `firestore:"updated_at"`
}

// Visit says where its user was: the request brings the location, whoever calls
// with it.
type Visit struct {
	Place     string    `firestore:"place"`
	Location  Location  `firestore:"location"`
	UpdatedAt time.Time `firestore:"updated_at"`
}

// Meeting holds the location of the user who called it.
type Meeting struct {
	Place     string    `firestore:"place"`
	Location  Location  `firestore:"location"` // want `location copies Location into Meeting`
	UpdatedAt time.Time `firestore:"updated_at"`
}

type request struct {
	Place    string
	Location Location
}

func move(ctx context.Context, client *firestore.Client, user string, to Location) {
	client.Collection("locations").Doc(user).Set(ctx, to)
}

func last(ctx context.Context, client *firestore.Client, user string) Location {
	snapshot, _ := client.Collection("locations").Doc(user).Get(ctx)
	var location Location
	snapshot.DataTo(&location)
	return location
}

func handle(ctx context.Context, client *firestore.Client, r request) {
	visit(ctx, client, r.Place, r.Location)
}

func visit(ctx context.Context, client *firestore.Client, place string, location Location) {
	client.Collection("visits").Add(ctx, Visit{Place: place, Location: location, UpdatedAt: time.Now()})
}

func meet(ctx context.Context, client *firestore.Client, place, user string) {
	location := last(ctx, client, user)
	client.Collection("meetings").Add(ctx, Meeting{Place: place, Location: location, UpdatedAt: time.Now()})
}
