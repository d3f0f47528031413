// Package gocb stands in for the library of the same path.
package gocb

type Bucket struct{}

func (*Bucket) Collection(name string) *Collection { return nil }

type (
	Collection   struct{}
	GetResult    struct{}
	MutateInSpec struct{}
)

func (*Collection) Insert(id string, value any, o *struct{}) (*struct{}, error) { return nil, nil }
func (*Collection) Upsert(id string, value any, o *struct{}) (*struct{}, error) { return nil, nil }
func (*Collection) MutateIn(id string, specs []MutateInSpec, o *struct{}) (*struct{}, error) {
	return nil, nil
}
func (*GetResult) Content(v any) error { return nil }

func ArrayAppendSpec(path string, value any, o *struct{}) MutateInSpec { return MutateInSpec{} }
func ArrayAddUniqueSpec(path string, value any, o *struct{}) MutateInSpec {
	return MutateInSpec{}
}
func IncrementSpec(path string, n int64, o *struct{}) MutateInSpec { return MutateInSpec{} }
