// Package expression stands in for the library of the same path.
package expression

type (
	NameBuilder     struct{}
	ValueBuilder    struct{}
	SetValueBuilder struct{}
	UpdateBuilder   struct{}
)

func Name(name string) NameBuilder                           { return NameBuilder{} }
func Value(value any) ValueBuilder                           { return ValueBuilder{} }
func ListAppend(a, b any) SetValueBuilder                    { return SetValueBuilder{} }
func Plus(a, b any) SetValueBuilder                          { return SetValueBuilder{} }
func Set(name NameBuilder, value any) UpdateBuilder          { return UpdateBuilder{} }
func Add(name NameBuilder, value ValueBuilder) UpdateBuilder { return UpdateBuilder{} }

func (UpdateBuilder) Set(name NameBuilder, value any) UpdateBuilder          { return UpdateBuilder{} }
func (UpdateBuilder) Add(name NameBuilder, value ValueBuilder) UpdateBuilder { return UpdateBuilder{} }
func Delete(name NameBuilder, value ValueBuilder) UpdateBuilder              { return UpdateBuilder{} }
