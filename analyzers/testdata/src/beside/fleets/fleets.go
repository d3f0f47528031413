// Package fleets keeps the ids of documents that have the id of their fleet already.
package fleets

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"beside/machines"
)

type Fleet struct {
	FleetID    string   `bson:"fleet_id"`
	MachineIDs []string `bson:"machine_ids"`
}

type store struct{ fleets, machines *mongo.Collection }

func (s store) create(ctx context.Context, f Fleet) error {
	_, err := s.fleets.InsertOne(ctx, f)
	return err
}

func (s store) register(ctx context.Context, m machines.EdgeMachine) error {
	if _, err := s.machines.InsertOne(ctx, m); err != nil {
		return err
	}
	_, err := s.fleets.UpdateOne(ctx, bson.D{{"fleet_id", m.FleetID}}, bson.D{{"$push", bson.D{{"machine_ids", m.MachineID}}}})
	return err
}

func (s store) remove(ctx context.Context, m machines.EdgeMachine) error {
	_, err := s.fleets.UpdateOne(ctx, bson.D{{"fleet_id", m.FleetID}}, bson.D{{"$pull", bson.D{{"machine_ids", m.MachineID}}}})
	return err
}
