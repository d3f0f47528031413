package sample

import (
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A PackedPos is a [profile.Pos] in less memory, for probes that keep many. Its
// offset is counted from the start of the document.
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

func (p PackedPos) Compare(q PackedPos) int { return p.Pos().Compare(q.Pos()) }

func EarlierPacked(a, b PackedPos) PackedPos {
	if b.Compare(a) < 0 {
		return b
	}
	return a
}
