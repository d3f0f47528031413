// Package dumptest makes dumps for tests: BSON documents from JSON, and
// archives in the format of mongodump.
package dumptest

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc64"
	"math"
	"strconv"
	"time"
)

// Document encodes a JSON object as a BSON document. It supports the Extended
// JSON of ObjectIds and dates.
func Document(text string) []byte {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	if _, err := d.Token(); err != nil {
		panic(err)
	}
	_, doc := container(d, 0x03)
	return doc
}

// Documents encodes JSON Lines.
func Documents(lines string) []byte {
	var dump []byte
	for line := range bytes.Lines([]byte(lines)) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			dump = append(dump, Document(string(line))...)
		}
	}
	return dump
}

// container encodes what follows an opening bracket, which has been read.
func container(d *json.Decoder, kind byte) (byte, []byte) {
	out := make([]byte, 4)
	for i := 0; d.More(); i++ {
		name := strconv.Itoa(i)
		if kind == 0x03 {
			name = token(d).(string)
		}
		if kind == 0x03 && i == 0 && (name == "$oid" || name == "$date") {
			text := token(d).(string)
			token(d) // the closing bracket
			if name == "$oid" {
				id, err := hex.DecodeString(text)
				must(err)
				return 0x07, id
			}
			at, err := time.Parse(time.RFC3339Nano, text)
			must(err)
			return 0x09, binary.LittleEndian.AppendUint64(nil, uint64(at.UnixMilli()))
		}
		kindOfValue, value := value(d)
		out = append(append(append(out, kindOfValue), name...), 0)
		out = append(out, value...)
	}
	token(d)
	out = append(out, 0)
	binary.LittleEndian.PutUint32(out, uint32(len(out)))
	return kind, out
}

func value(d *json.Decoder) (kind byte, out []byte) {
	switch v := token(d).(type) {
	case json.Delim:
		if v == '[' {
			return container(d, 0x04)
		}
		return container(d, 0x03)
	case string:
		out = binary.LittleEndian.AppendUint32(nil, uint32(len(v)+1))
		return 0x02, append(append(out, v...), 0)
	case json.Number:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			if n == int64(int32(n)) {
				return 0x10, binary.LittleEndian.AppendUint32(nil, uint32(n))
			}
			return 0x12, binary.LittleEndian.AppendUint64(nil, uint64(n))
		}
		f, err := v.Float64()
		must(err)
		return 0x01, binary.LittleEndian.AppendUint64(nil, math.Float64bits(f))
	case bool:
		if v {
			return 0x08, []byte{1}
		}
		return 0x08, []byte{0}
	}
	return 0x0a, nil
}

func token(d *json.Decoder) json.Token {
	t, err := d.Token()
	must(err)
	return t
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// A Collection is a collection of an archive.
type Collection struct {
	Database, Name string
	Lines          string // documents as JSON Lines
	Metadata       string // Extended JSON
}

var end = []byte{0xff, 0xff, 0xff, 0xff}

// Archive writes the collections like mongodump --archive. It interleaves their
// documents in blocks of block documents.
func Archive(block int, collections ...Collection) []byte {
	out := []byte{0x6d, 0xe2, 0x99, 0x81}
	out = append(out, Document(`{"concurrent_collections":4,"version":"0.1","server_version":"7.0","tool_version":"100"}`)...)
	var documents [][][]byte
	for _, c := range collections {
		out = append(out, Document(fmt.Sprintf(`{"db":%q,"collection":%q,"metadata":%q,"size":0,"type":"collection"}`, c.Database, c.Name, c.Metadata))...)
		var list [][]byte
		for line := range bytes.Lines([]byte(c.Lines)) {
			list = append(list, Document(string(line)))
		}
		documents = append(documents, list)
	}
	out = append(out, end...)
	crc := make([]uint64, len(collections))
	for open := len(collections); open > 0; {
		for i, c := range collections {
			if documents[i] == nil {
				continue
			}
			n := min(block, len(documents[i]))
			if n > 0 {
				out = append(out, header(c, false, 0)...)
			}
			for _, doc := range documents[i][:n] {
				out = append(out, doc...)
				crc[i] = crc64.Update(crc[i], crc64.MakeTable(crc64.ECMA), doc)
			}
			if n > 0 {
				out = append(out, end...)
			}
			if documents[i] = documents[i][n:]; len(documents[i]) == 0 {
				out = append(append(out, header(c, true, int64(crc[i]))...), end...)
				documents[i] = nil
				open--
			}
		}
	}
	return out
}

// header begins a block. The checksum is always a 64-bit integer.
func header(c Collection, eof bool, crc int64) []byte {
	doc := Document(fmt.Sprintf(`{"db":%q,"collection":%q,"EOF":%t}`, c.Database, c.Name, eof))
	doc = append(doc[:len(doc)-1], "\x12CRC\x00"...)
	doc = append(binary.LittleEndian.AppendUint64(doc, uint64(crc)), 0)
	binary.LittleEndian.PutUint32(doc, uint32(len(doc)))
	return doc
}
