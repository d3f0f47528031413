package profile

// Fold treats the objects at n as maps: the values of all names become the
// values of one node, Rest. What was known of the single names is returned,
// in the order of their first appearance.
func (n *Node) Fold() []*Node {
	o := n.Object
	fields := o.Fields()
	rest := o.rest(n)
	for _, f := range fields {
		rest.merge(f)
	}
	o.fields, o.first, o.Shapes = map[string]*Node{}, links{}, nil
	return fields
}
