package rules

import "github.com/shapevet/shapevet/jsonlint/profile"

// A packedPos is a [profile.Pos] in less memory, for probes that keep many. Its
// offset is counted from the start of the document.
type packedPos struct {
	doc                    int64
	off, len, docLen, file uint32
}

func pack(p profile.Pos) packedPos {
	return packedPos{doc: p.Doc, off: uint32(p.Off - p.Doc), len: p.Len, docLen: p.DocLen, file: p.File}
}

func (p packedPos) pos() profile.Pos {
	return profile.Pos{File: p.file, Len: p.len, Off: p.doc + int64(p.off), Doc: p.doc, DocLen: p.docLen}
}

func (p packedPos) compare(q packedPos) int { return p.pos().Compare(q.pos()) }

func earlierPacked(a, b packedPos) packedPos {
	if b.compare(a) < 0 {
		return b
	}
	return a
}
