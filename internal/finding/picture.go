package finding

// A Picture is what a run learned about the shape of a database: enough to draw
// its collections and their connections. It is for formats that show more than
// findings, and empty unless it was asked for.
type Picture struct {
	Collections []PictureCollection // by name
	References  []PictureReference  // by source, path and target
}

// A PictureCollection is a collection with the fields of its documents.
type PictureCollection struct {
	Name          string
	Documents     int64
	Bytes         int64
	Kinds         []PictureKind // of document, if there are several
	Discriminator string        // path that distinguishes them, or ""
	Fields        []PictureField
}

// A PictureKind is one of several kinds of document in a collection.
type PictureKind struct {
	Name      string
	Documents int64
}

// A PictureField is a field of documents or of their embedded objects. Embedded
// fields follow the field that holds them, one level deeper.
type PictureField struct {
	Path     string // as in [Subject]
	Name     string
	Depth    int      // 0 in the document itself
	Types    []string // string, number, …; most frequent first
	Presence float64  // share of the enclosing objects that have it, 0 to 1
	ID       bool     // the field addresses documents

	Lengths *Lengths // of arrays, or of objects used as maps; may be nil
}

// Lengths is a distribution of lengths or other counts.
type Lengths struct {
	P50, P95, P99, Max int64
	Bins               []Bin // number of values per range, in order, without gaps
}

// A Bin counts values in [From, To].
type Bin struct{ From, To, Count int64 }

// A PictureReference is a field that holds keys of other documents.
type PictureReference struct {
	From, Path string // collection and path of the field
	To, Key    string // collection and path of the key

	PerDocument *Lengths // keys per document; nil if the field is not a list and so holds one
	PerTarget   *Lengths // documents per referenced target
	Resolved    float64  // share of the distinct values that are keys of the target, 0 to 1
}
