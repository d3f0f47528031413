// Package mgm stands in for the library of the same path.
package mgm

import "context"

type (
	Model      interface{ GetID() any }
	Collection struct{}
)

type DefaultModel struct {
	ID [12]byte `bson:"_id,omitempty"`
}

func (*DefaultModel) GetID() any { return nil }

func Coll(m Model) *Collection { return nil }

func (*Collection) Create(m Model) error                             { return nil }
func (*Collection) CreateWithCtx(ctx context.Context, m Model) error { return nil }
func (*Collection) Update(m Model) error                             { return nil }
func (*Collection) FindByID(id any, m Model) error                   { return nil }
