package mongodb

import (
	"fmt"
	"hash/crc64"
	"io"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// An archive is written as mongodump --archive does: a header, the metadata of
// all collections, then blocks of documents of one collection each.
//
// Source: https://github.com/mongodb/mongo-tools/tree/master/common/archive
type archive struct {
	w       io.Writer
	open    string // the collection whose block is being written
	sums    map[string]uint64
	names   map[string]*namespace
	pending []byte
}

var (
	magic    = []byte{0x6d, 0xe2, 0x99, 0x81}
	blockEnd = []byte{0xff, 0xff, 0xff, 0xff}
	crcTable = crc64.MakeTable(crc64.ECMA)
)

// writeSize is the approximate size of one write.
const writeSize = 1 << 20

func newArchive(w io.Writer, namespaces []*namespace) (*archive, error) {
	a := &archive{w: w, sums: map[string]uint64{}, names: map[string]*namespace{}}
	a.pending = append(a.pending, magic...)
	if err := a.add(bson.D{{Key: "concurrent_collections", Value: int32(1)}, {Key: "version", Value: "0.1"}, {Key: "server_version", Value: ""}, {Key: "tool_version", Value: appName}}); err != nil {
		return nil, err
	}
	for _, n := range namespaces {
		metadata, err := n.metadata()
		if err != nil {
			return nil, err
		}
		a.names[n.name()] = n
		err = a.add(bson.D{
			{Key: "db", Value: n.database}, {Key: "collection", Value: n.collection}, {Key: "metadata", Value: metadata},
			{Key: "size", Value: int32(min(n.bytes, 1<<31-1))}, {Key: "type", Value: "collection"},
		})
		if err != nil {
			return nil, err
		}
	}
	a.pending = append(a.pending, blockEnd...)
	return a, nil
}

func (a *archive) add(document bson.D) error {
	raw, err := bson.Marshal(document)
	a.pending = append(a.pending, raw...)
	return err
}

// write adds a document of a collection.
func (a *archive) write(name string, raw []byte) error {
	if a.open != name {
		if err := a.begin(name, false); err != nil {
			return err
		}
	}
	a.sums[name] = crc64.Update(a.sums[name], crcTable, raw)
	if a.pending = append(a.pending, raw...); len(a.pending) < writeSize {
		return nil
	}
	return a.flush()
}

// begin begins a block.
func (a *archive) begin(name string, last bool) error {
	if a.open != "" {
		a.pending = append(a.pending, blockEnd...)
	}
	a.open = name
	n, sum := a.names[name], int64(0)
	if last {
		sum = int64(a.sums[name])
	}
	return a.add(bson.D{{Key: "db", Value: n.database}, {Key: "collection", Value: n.collection}, {Key: "EOF", Value: last}, {Key: "CRC", Value: sum}})
}

// close ends all collections.
func (a *archive) close(namespaces []*namespace) error {
	for _, n := range namespaces {
		if err := a.begin(n.name(), true); err != nil {
			return err
		}
	}
	if a.open != "" {
		a.pending = append(a.pending, blockEnd...)
	}
	return a.flush()
}

func (a *archive) flush() error {
	_, err := a.w.Write(a.pending)
	a.pending = a.pending[:0]
	if err != nil {
		return fmt.Errorf("keep the sample: %w", err)
	}
	return nil
}
