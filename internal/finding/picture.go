package finding

// A Picture is what a run learned of the shape of a database: enough to draw
// its collections and what ties them. It serves formats that show more than
// findings, and is empty where none was drawn.
type Picture struct {
	Collections []PictureCollection // by name
	References  []PictureReference  // by source, path and target
}

// A PictureCollection is a collection, and the fields its documents have.
type PictureCollection struct {
	Name          string
	Documents     int64
	Bytes         int64
	Kinds         []PictureKind // of document, if there are several
	Discriminator string        // the path that tells them apart, if one does
	Fields        []PictureField
}

// A PictureKind is one of several kinds of document in a collection.
type PictureKind struct {
	Name      string
	Documents int64
}

// A PictureField is a field of documents or of what is embedded in them. What
// is embedded follows the field that holds it, one level deeper.
type PictureField struct {
	Path     string // as in [Subject]
	Name     string
	Depth    int      // 0 in the document itself
	Types    []string // string, number, …; most frequent first
	Presence float64  // share of the objects around it that have it, 0 to 1
	ID       bool     // documents are addressed by it

	Lengths *Lengths // of the arrays, or of the objects used as maps; nil if there are none
}

// Lengths is a distribution of lengths, or of other numbers of things.
type Lengths struct {
	P50, P95, P99, Max int64
	Bins               []Bin // how many are how long, in order, without gaps
}

// A Bin counts values in [From, To].
type Bin struct{ From, To, Count int64 }

// A PictureReference is a field that holds keys of other documents.
type PictureReference struct {
	From, Path string // collection and path of the field
	To, Key    string // collection and path of the key

	PerDocument *Lengths // keys that one document holds; nil if the field is no list, and it holds one
	PerTarget   *Lengths // documents that hold the key of one target, for the keys that are held
	Resolved    float64  // share of the distinct values that are keys of the target, 0 to 1
}
