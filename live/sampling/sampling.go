// Package sampling decides which documents of a live database are read, so that
// they can be judged together. It reads small collections whole. From large ones
// it reads a sample and the documents that the sampled ones refer to. Two
// independent samples share hardly a key and show nothing about references.
package sampling

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// Collections up to these sizes are read whole.
const (
	WholeDocuments = 10_000
	WholeBytes     = 64 << 20
)

const (
	lookupBatch  = 1000 // ids that are looked up at once
	probeKeys    = 20   // values of a field that are tried first, to see whether it refers to a collection at all
	fieldKeys    = 5000 // values of a field that are remembered
	followFactor = 4    // at most this many documents are looked up per sampled document
	followRounds = 2    // because documents that were looked up refer to others
)

// A Collection is a collection of the database. Its sizes are estimates by the
// database.
type Collection struct {
	Name      string
	Documents int64
	Bytes     int64
}

// A Key is the id of a document: its type in the database, and a text that is
// equal for equal values of the type.
type Key struct {
	Type byte
	Text string
}

// A Document is a document that was read. Its memory is reused after the visit.
type Document struct {
	Raw []byte
	ID  Key

	// Itself identifies the document in its collection if ids are unique only
	// within a partition. Otherwise it is the zero Key.
	Itself Key

	// Values calls yield with the values that could be ids of other documents,
	// and their paths, without the positions in arrays.
	Values func(yield func(path string, value Key))
}

// A Store reads documents. If visit returns an error, the reading ends and the
// method returns that error.
type Store interface {
	// All reads a collection to its end.
	All(ctx context.Context, c Collection, visit func(Document) error) error

	// Some reads about n documents from all parts of a collection. It may read a
	// document twice.
	Some(ctx context.Context, c Collection, n int, visit func(Document) error) error

	// ByID reads the documents that have one of the ids, all of one type.
	ByID(ctx context.Context, c Collection, ids []Key, visit func(Document) error) error
}

// Options of [Run].
type Options struct {
	Documents int  // of a large collection; 0 is [remote.DefaultDocuments]
	Alone     bool // do not look up the documents that sampled ones refer to
}

// A Result says what was read from one collection.
type Result struct {
	Collection
	Read     int64
	Complete bool
}

// Run reads the collections of a store and passes the documents to write, each
// of them once.
func Run(ctx context.Context, store Store, collections []Collection, o Options, write func(c Collection, raw []byte) error) ([]Result, error) {
	if o.Documents == 0 {
		o.Documents = remote.DefaultDocuments
	}
	r := &run{ctx: ctx, store: store, options: o, write: write, fields: map[fieldName]*field{}}
	for _, c := range collections {
		r.parts = append(r.parts, &part{Result: Result{Collection: c}, met: map[Key]bool{}, seen: map[Key]bool{}})
	}
	for _, p := range r.parts {
		if err := r.read(p); err != nil {
			return nil, err
		}
	}
	for range followRounds {
		if o.Alone || !r.follow() {
			break
		}
	}
	var results []Result
	for _, p := range r.parts {
		results = append(results, p.Result)
	}
	return results, r.err
}

// Note says what was read, for people. It returns "" if everything was.
func (r Result) Note() string {
	if r.Complete {
		return ""
	}
	return fmt.Sprintf("%s: %s read, of about %s", r.Name, quantity.Of(r.Read, "document"), quantity.Grouped(max(r.Documents, r.Read)))
}

type run struct {
	ctx     context.Context
	store   Store
	options Options
	write   func(Collection, []byte) error
	parts   []*part
	fields  map[fieldName]*field
	names   []fieldName // in the order of their first occurrence
	err     error
}

// A part is the documents that were read from a collection.
type part struct {
	Result
	bytes int64
	met   map[Key]bool // documents
	seen  map[Key]bool // their ids
	types [256]bool    // of the ids
}

type fieldName struct{ collection, path string }

// A field has the values at one path of the documents of a collection.
type field struct {
	keys  map[Key]bool
	fresh []Key         // not looked up yet
	leads map[*part]int // documents that its values refer to
	asked map[*part]bool
}

// ErrEnough ends the reading of a collection that is larger than the database
// said. A [Store] returns it when its budget is spent. The documents read until
// then are the sample.
var ErrEnough = errors.New("enough was read")

// read reads a collection, or a sample of it.
func (r *run) read(p *part) error {
	if p.Documents <= WholeDocuments && p.Bytes <= WholeBytes {
		err := r.store.All(r.ctx, p.Collection, func(d Document) error {
			if p.Read >= 2*WholeDocuments || p.bytes >= 2*WholeBytes {
				return ErrEnough
			}
			return r.keep(p, d)
		})
		p.Complete = err == nil
		return unlessEnough(err)
	}
	return unlessEnough(r.store.Some(r.ctx, p.Collection, r.options.Documents, func(d Document) error { return r.keep(p, d) }))
}

func unlessEnough(err error) error {
	if errors.Is(err, ErrEnough) {
		return nil
	}
	return err
}

// keep writes a document that has not been read before, and records what it may
// refer to.
func (r *run) keep(p *part, d Document) error {
	itself := d.Itself
	if itself == (Key{}) {
		itself = d.ID
	}
	if p.met[itself] {
		return nil
	}
	p.met[itself], p.seen[d.ID] = true, true
	p.types[d.ID.Type] = true
	p.Read++
	p.bytes += int64(len(d.Raw))
	d.Values(func(path string, value Key) { r.note(fieldName{p.Name, path}, value) })
	return r.write(p.Collection, d.Raw)
}

func (r *run) note(name fieldName, value Key) {
	f := r.fields[name]
	if f == nil {
		f = &field{keys: map[Key]bool{}, leads: map[*part]int{}, asked: map[*part]bool{}}
		r.fields[name] = f
		r.names = append(r.names, name)
	}
	if f.keys[value] || len(f.keys) == fieldKeys {
		return
	}
	f.keys[value] = true
	f.fresh = append(f.fresh, value)
}

// follow looks up what the documents read so far refer to in the collections
// that were not read whole, and reports whether it found any.
func (r *run) follow() bool {
	before := int64(0)
	for _, p := range r.parts {
		before += p.Read
	}
	for _, name := range slices.Clone(r.names) {
		f := r.fields[name]
		fresh := f.fresh
		f.fresh = nil
		for _, p := range r.parts {
			if p.Complete || p.Read == 0 {
				continue
			}
			if r.err = r.lookUp(f, p, fresh); r.err != nil {
				return false
			}
		}
	}
	after := int64(0)
	for _, p := range r.parts {
		after += p.Read
	}
	return after > before
}

// lookUp reads the documents of a collection whose ids are values of a field. A
// few values show whether the field refers to the collection at all.
func (r *run) lookUp(f *field, p *part, fresh []Key) error {
	var keys []Key
	for _, key := range fresh {
		if !p.types[key.Type] {
			continue
		}
		if p.seen[key] {
			f.leads[p]++
			continue
		}
		keys = append(keys, key)
	}
	if !f.asked[p] && f.leads[p] == 0 {
		f.asked[p] = true
		probe := min(len(keys), probeKeys)
		if err := r.byID(f, p, keys[:probe]); err != nil {
			return err
		}
		keys = keys[probe:]
	}
	if f.leads[p] == 0 {
		return nil
	}
	return r.byID(f, p, keys)
}

func (r *run) byID(f *field, p *part, keys []Key) error {
	slices.SortStableFunc(keys, func(a, b Key) int { return int(a.Type) - int(b.Type) })
	for len(keys) > 0 && p.Read < int64((1+followFactor)*r.options.Documents) {
		n := 1
		for n < len(keys) && n < lookupBatch && keys[n].Type == keys[0].Type {
			n++
		}
		err := r.store.ByID(r.ctx, p.Collection, keys[:n], func(d Document) error {
			f.leads[p]++
			return r.keep(p, d)
		})
		if errors.Is(err, ErrEnough) {
			return nil
		}
		if err != nil {
			return err
		}
		keys = keys[n:]
	}
	return nil
}
