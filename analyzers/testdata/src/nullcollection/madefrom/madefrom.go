// Package madefrom makes a project of which it stores a task only.
package madefrom

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Project struct {
	ID        bson.ObjectID   `bson:"_id,omitempty"`
	Name      string          `bson:"name"`
	MemberIDs []bson.ObjectID `bson:"memberIds"`
}

type Task struct {
	ID        bson.ObjectID `bson:"_id,omitempty"`
	ProjectID bson.ObjectID `bson:"projectId"`
	Title     string        `bson:"title"`
}

// Group has its members from elsewhere.
type Group struct {
	ID        bson.ObjectID   `bson:"_id,omitempty"`
	Name      string          `bson:"name"`
	MemberIDs []bson.ObjectID `bson:"memberIds"` // want `memberIds is stored as null while it is nil, but \$pull fails on null`
}

// Folder has groups in it.
type Folder struct {
	ID    bson.ObjectID `bson:"_id,omitempty"`
	Group Group         `bson:"group"`
}

type store struct{ db *mongo.Database }

func (s *store) create(ctx context.Context, name string, user bson.ObjectID) {
	s.db.Collection("projects").InsertOne(ctx, Project{Name: name, MemberIDs: []bson.ObjectID{user}})
	s.db.Collection("groups").InsertOne(ctx, Group{Name: name, MemberIDs: []bson.ObjectID{user}})
}

func (s *store) ensure(ctx context.Context, source Project, user bson.ObjectID) Project {
	project := Project{Name: source.Name, MemberIDs: []bson.ObjectID{user}}
	s.db.Collection("projects").InsertOne(ctx, project)
	return project
}

func (s *store) load(ctx context.Context, title string, user bson.ObjectID) {
	source := Project{Name: "Imported"}
	project := s.ensure(ctx, source, user)
	task := clone(project, title)
	s.db.Collection("tasks").InsertOne(ctx, task)
}

func clone(p Project, title string) Task { return Task{ProjectID: p.ID, Title: title} }

func (s *store) file(ctx context.Context) {
	group := Group{Name: "Imported"}
	folder := inside(group)
	s.db.Collection("folders").InsertOne(ctx, folder)
}

func inside(g Group) Folder { return Folder{Group: g} }

func (s *store) leave(ctx context.Context, user bson.ObjectID) {
	s.db.Collection("projects").UpdateMany(ctx, bson.M{}, bson.M{"$pull": bson.M{"memberIds": user}})
	s.db.Collection("groups").UpdateMany(ctx, bson.M{}, bson.M{"$pull": bson.M{"memberIds": user}})
}
