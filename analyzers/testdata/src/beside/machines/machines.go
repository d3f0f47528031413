// Package machines has the documents of a collection of its own.
package machines

// EdgeMachine says itself to which fleet it belongs.
type EdgeMachine struct {
	MachineID string `bson:"machine_id"`
	FleetID   string `bson:"fleet_id"`
	Platform  string `bson:"platform"`
	Version   string `bson:"version"`
	Token     string `bson:"token"`
	Region    string `bson:"region"`
	Active    bool   `bson:"active"`
}
