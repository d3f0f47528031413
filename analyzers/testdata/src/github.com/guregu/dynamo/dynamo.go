// Package dynamo stands in for the library of the same path.
package dynamo

type (
	DB     struct{}
	Table  struct{}
	Put    struct{}
	Query  struct{}
	Update struct{}
)

func (*DB) Table(name string) Table             { return Table{} }
func (Table) Put(item any) *Put                 { return nil }
func (*Put) Run() error                         { return nil }
func (Table) Get(name string, value any) *Query { return nil }
func (*Query) One(out any) error                { return nil }
func (*Query) All(out any) error                { return nil }

func (Table) Update(name string, value any) *Update                   { return nil }
func (*Update) Set(path string, value any) *Update                    { return nil }
func (*Update) Append(path string, value any) *Update                 { return nil }
func (*Update) Add(path string, value any) *Update                    { return nil }
func (*Update) AddStringsToSet(path string, values ...string) *Update { return nil }
func (*Update) If(expr string, args ...any) *Update                   { return nil }
func (*Update) Run() error                                            { return nil }
