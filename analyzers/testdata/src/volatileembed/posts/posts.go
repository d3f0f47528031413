// Package posts has what refers to the same documents, which makes no copy.
package posts

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Position struct {
	PositionID   string    `bson:"position_id"`
	DepartmentID string    `bson:"department_id"`
	Name         string    `bson:"name"`
	Balance      float64   `bson:"balance"`
	Price        float64   `bson:"price"`
	CreatedAt    time.Time `bson:"created_at"`
	UpdatedAt    time.Time `bson:"updated_at"`
}

// Stint says which position somebody had, where and when.
type Stint struct {
	PositionID   string    `bson:"position_id"`
	DepartmentID string    `bson:"department_id"`
	CreatedAt    time.Time `bson:"created_at"`
	UpdatedAt    time.Time `bson:"updated_at"`
}

// Opening has what changes of the position in it.
type Opening struct {
	PositionID string    `bson:"position_id"`
	Balance    float64   `bson:"balance"`
	Price      float64   `bson:"price"`
	UpdatedAt  time.Time `bson:"updated_at"`
}

type Worker struct {
	WorkerID  string    `bson:"worker_id"`
	UpdatedAt time.Time `bson:"updated_at"`
	Stints    []Stint   `bson:"stints"`
	Openings  []Opening `bson:"openings"` // want `openings copies Position into Worker`
}

func store(ctx context.Context, db *mongo.Database, p Position, w Worker) {
	db.Collection("positions").InsertOne(ctx, p)
	db.Collection("workers").InsertOne(ctx, w)
}
