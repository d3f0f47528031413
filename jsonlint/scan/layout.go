package scan

// The documents of a collection share a few structures. A parser that has
// learned a structure compares all the text between two values at once, instead
// of quote by quote and name by name, and copies its tokens from a template.
//
// There is a tree for each place where objects may occur: one for documents,
// one for the elements of each array. A node is the text from the end of one
// value to the beginning of the next, and the kind of that next value. Its
// children are the nodes that may follow, latest first. If nothing in the tree
// fits, the ordinary code reads the value. The tape is the same.

// A Layout is the structure of an object that a collection repeats: its names,
// their order, the kinds of its values, and the same for the objects nested in
// it. It excludes the contents of arrays: objects that are elements have
// layouts of their own.
//
// Objects of one parser with the same *Layout have the same names in the same
// order, written with the same bytes, and values of the same [Kind] with the
// same wrappers; False and True count as one kind. The same holds for nested
// objects. Numbers may differ in Float and strings in Escaped.
type Layout struct {
	ID uint32 // 0, 1, 2, … in the parser that made it

	plainness plainness
}

// A Record says that the object at a token has a layout.
type Record struct {
	Layout *Layout
	Token  uint32
}

// Limits on what is learned.
const (
	maxMemory     = 8 << 20 // bytes, approximately
	maxLayouts    = 4096
	maxSiblings   = 16   // nodes to choose from
	maxNest       = 16   // levels of objects in a layout
	maxPlaceDepth = 32   // arrays and objects around an element
	maxLiteral    = 4096 // bytes between two values, or of the names on the path to an array
	maxTemplate   = 256  // bytes of a value kept to compare with the next one
)

// layouts is what a parser has learned.
type layouts struct {
	root    place
	seen    *[1024]uint32 // structures seen, by hash
	budget  int           // tokens left to spend on learning
	count   uint32
	memory  int // bytes, approximately
	places  int
	records int    // number of records while a document is read
	other   Token  // token of the last slotOther
	path    []byte // of names, while learning
}

// A place is where objects may occur: as the document, or as elements of the
// arrays with one path of names.
type place struct {
	first  *node             // what an object may begin with
	arrays map[string]*place // places of arrays in such objects, by the names on the path
	inner  *place            // place of elements of elements, if any
	depth  int               // arrays and objects around it
	number uint16            // distinguishes places in a hash
	trust  trust
}

// A node is the text between two values.
type node struct {
	// words are the literal text, followed by the last value, with its closing
	// quote and wrapper, if that is likely to repeat. The mask selects the bytes
	// of the last word that count.
	words   []uint64
	mask    uint64
	size    int     // of words, in bytes
	tokens  []Token // tokens of the text, with offsets in it; the last is the value's
	steps   []step
	two     [2]Token // the first two tokens
	next    *node    // what may follow, latest first
	sibling *node    // an alternative to this node
	literal int      // size of the literal text
	slot    slot
	brace   bool   // slotEnd: there is nothing else in the text
	hits    uint32 // how often the value repeated
	misses  uint8  // how often in a row it did not
	wait    uint16 // values to skip before keeping one
	depth   uint16 // arrays and objects around the value

	text   string // the literal text
	count  uint32 // slotEnd: members of the object
	wrap   *wrap
	place  *place  // slotArray
	layout *Layout // slotEnd
}

// A slot is what follows the literal text of a node.
type slot uint8

const (
	slotEnd slot = iota // nothing: the object ends with the text
	slotString
	slotNumber
	slotBool
	slotArray
	slotWrapped // a wrapper whose payload is one string or number
	slotOther   // any other wrapper
)

// A wrap is how a slotWrapped value is written.
type wrap struct {
	kind   Kind
	name   string // of the innermost wrapper
	quoted bool   // the payload is quoted
	suffix string // the text after the payload, with its closing quote
}

// A step opens or closes an object in a node's text.
type step struct {
	level uint8
	close bool
	token uint16 // tokens of the node before this step
	end   uint32 // the offset after '}' in the text
	count uint32 // number of members
}
