// Package gocb stands in for the library of the same path.
package gocb

type Cluster struct{}

func (*Cluster) Query(statement string, o *struct{}) (*struct{}, error) { return nil, nil }

func (*Cluster) Bucket(name string) *Bucket { return nil }

type Bucket struct{}

func (*Bucket) DefaultCollection() *Collection { return nil }

func (*Bucket) Collection(name string) *Collection { return nil }

type (
	Collection   struct{}
	GetResult    struct{}
	MutateInSpec struct{}
	UpsertOp     struct {
		ID    string
		Value any
	}
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
func RemoveSpec(path string, o *struct{}) MutateInSpec             { return MutateInSpec{} }

// A MutateInBuilder is what version 1 has in place of MutateInSpec.
type MutateInBuilder struct{}

func (*Bucket) Upsert(key string, value any, expiry uint32) (uint64, error) { return 0, nil }
func (*Bucket) Get(key string, value any) (uint64, error)                   { return 0, nil }
func (*Bucket) MutateIn(key string) *MutateInBuilder                        { return nil }

func (*MutateInBuilder) ArrayAppend(path string, value any, create bool) *MutateInBuilder { return nil }
func (*MutateInBuilder) ArrayAppendMulti(path string, value any, create bool) *MutateInBuilder {
	return nil
}

type (
	TransactionAttemptContext struct{}
	TransactionGetResult      struct{}
)

func (*TransactionAttemptContext) Insert(c *Collection, id string, value any) (*TransactionGetResult, error) {
	return nil, nil
}
func (*TransactionGetResult) Content(v any) error                 { return nil }
func UpsertSpec(path string, value any, o *struct{}) MutateInSpec { return MutateInSpec{} }
