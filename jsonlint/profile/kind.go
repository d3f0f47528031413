package profile

// NewKind returns the profile of no documents of one kind among the several of
// a collection. It keeps fewer ids than that of a whole collection.
func NewKind(name string) *Collection {
	c := NewCollection(name)
	c.Root.ofKind = true
	return c
}
