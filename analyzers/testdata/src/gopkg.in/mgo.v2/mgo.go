// Package mgo stands in for the library of the same path.
package mgo

import "time"

type (
	Database   struct{}
	Collection struct{}
	Query      struct{}
)

func (*Database) C(name string) *Collection { return nil }

func (*Collection) Insert(docs ...any) error                 { return nil }
func (*Collection) Upsert(selector, update any) (any, error) { return nil, nil }
func (*Collection) UpsertId(id, update any) (any, error)     { return nil, nil }
func (*Collection) Update(selector, update any) error        { return nil }
func (*Collection) Find(query any) *Query                    { return nil }
func (*Query) Select(selector any) *Query                    { return nil }
func (*Query) One(result any) error                          { return nil }
func (*Query) All(result any) error                          { return nil }

type Index struct {
	Key         []string
	ExpireAfter time.Duration
}

func (*Collection) EnsureIndex(index Index) error { return nil }
