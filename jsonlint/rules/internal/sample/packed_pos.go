package sample

import (
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A PackedPos is a [profile.Pos] in less memory, for probes that keep many. Its
// offset is relative to the start of the document.
type PackedPos struct {
	Doc                    int64
	off, len, DocLen, File uint32
}

func Pack(p profile.Pos) PackedPos {
	return PackedPos{Doc: p.Doc, off: uint32(p.Off - p.Doc), len: p.Len, DocLen: p.DocLen, File: p.File}
}

func (p PackedPos) Pos() profile.Pos {
	return profile.Pos{File: p.File, Len: p.len, Off: p.Doc + int64(p.off), Doc: p.Doc, DocLen: p.DocLen}
}

// Words returns the position as three words, for [Unpack].
func (p PackedPos) Words() (a, b, c uint64) {
	return uint64(p.Doc), uint64(p.off)<<32 | uint64(p.len), uint64(p.DocLen)<<32 | uint64(p.File)
}

func Unpack(a, b, c uint64) PackedPos {
	return PackedPos{Doc: int64(a), off: uint32(b >> 32), len: uint32(b), DocLen: uint32(c >> 32), File: uint32(c)}
}

func (p PackedPos) Compare(q PackedPos) int { return p.Pos().Compare(q.Pos()) }

func EarlierPacked(a, b PackedPos) PackedPos {
	if b.Compare(a) < 0 {
		return b
	}
	return a
}
