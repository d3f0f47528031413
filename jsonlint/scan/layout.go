package scan

// Documents of a collection repeat few structures. A parser that has learned
// one compares all the text between two values at once, instead of reading it
// quote by quote and name by name, and copies its tokens from a template.
//
// What is known is a tree for each place where objects may stand: one for
// documents, one for the elements of each array. A node is the text from the
// end of a value to the beginning of the next, and the kind of that value; the
// nodes that may follow are its children, the latest first. Where nothing in
// the tree fits, the ordinary code reads the value: the tape is the same.

// A Layout is the structure of an object as a collection repeats it: its
// names, their order, the kinds of its values, and the same of the objects
// nested in it. What arrays hold is not part of it: objects that are elements
// have layouts of their own.
//
// Objects of one parser with the same *Layout have the same names in the same
// order, written with the same bytes, and values of the same [Kind], where
// False and True count as one, wrapped alike; nested objects likewise. Whether
// a number is a Float and whether a string is Escaped is open.
type Layout struct {
	ID uint32 // 0, 1, 2, … in the parser that made it

	plainness plainness
}

// A Record says that the object at a token of the tape is written as a layout
// says.
type Record struct {
	Layout *Layout
	Token  uint32
}

// What is learned is bounded.
const (
	maxMemory     = 8 << 20 // bytes, about
	maxLayouts    = 4096
	maxSiblings   = 16   // nodes to choose from
	maxNest       = 16   // objects of a layout in one another
	maxPlaceDepth = 32   // arrays and objects around an element
	maxLiteral    = 4096 // bytes between two values, or of the names on the way to an array
	maxTemplate   = 256  // bytes of a value that are kept to compare the next one with
)

// layouts are what a parser has learned.
type layouts struct {
	root    place
	seen    *[1024]uint32 // structures, by their hash
	budget  int           // tokens that may be spent on learning
	count   uint32
	memory  int // bytes, about
	places  int
	records int    // how many records there are, while a document is read
	other   Token  // what the last slotOther holds
	path    []byte // of names, while learning
}

// A place is where objects may stand: as the document, or as the elements of
// the arrays that have the same path of names.
type place struct {
	first  *node             // what an object may begin with
	arrays map[string]*place // the places of arrays in such objects, by the names on the way
	inner  *place            // the place of elements of elements, if any
	depth  int               // arrays and objects around
	number uint16            // tells places apart in a hash
	trust  trust
}

// A node is the text between two values.
type node struct {
	// words are the literal text, and after it the value as it was the last
	// time, closing quote and wrapper included, if that is likely to come
	// again. Of the last word, only what is in the mask counts.
	words   []uint64
	mask    uint64
	size    int     // of all that, in bytes
	tokens  []Token // those of the text, by offsets in it; the last one is the value's
	steps   []step
	two     [2]Token // the first two of the tokens
	next    *node    // what may follow, the latest first
	sibling *node    // what may stand here instead
	literal int      // the size of the literal text
	slot    slot
	brace   bool   // slotEnd: there is nothing else in the text
	hits    uint32 // how often the value came again
	misses  uint8  // how often in a row it did not
	wait    uint16 // how many values are not kept
	depth   uint16 // arrays and objects around the value

	text   string // the literal text
	count  uint32 // slotEnd: the members of the object
	wrap   *wrap
	place  *place  // slotArray
	layout *Layout // slotEnd
}

// A slot is what stands after the literal text of a node.
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

// A wrap is how a slotWrapped is written.
type wrap struct {
	kind   Kind
	name   string // of the innermost wrapper
	quoted bool   // whether its payload is
	suffix string // the text after the payload, with its closing quote
}

// A step opens or closes an object in a node's text.
type step struct {
	level uint8
	close bool
	token uint16 // how many tokens of the node come before
	end   uint32 // the offset after '}' in the text
	count uint32 // the members
}
