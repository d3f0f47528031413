package profile

import (
	"encoding/binary"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// links are guesses at the next member: the members that came next in earlier
// objects, after the same member or at the start, latest first. The documents
// of a collection repeat the order of their names, so that a name seldom has to
// be looked up.
type links [2]*Node

// headOf packs the first 8 bytes of a name for [Node.named]; those of a shorter
// name fill the upper bytes.
func headOf(name string) uint64 {
	var head [8]byte
	copy(head[8-min(len(name), 8):], name)
	return binary.LittleEndian.Uint64(head[:])
}

// named reports whether the name at src[from:to] is that of n.
func (n *Node) named(src []byte, from, to uint32) bool {
	length := to - from
	if length != n.nameLen {
		return false
	}
	if length <= 8 && int(from)+8 <= len(src) {
		return binary.LittleEndian.Uint64(src[from:])<<(64-8*length) == n.nameHead
	}
	return string(src[from:to]) == n.Step.Name
}

// follow finds or makes the node of the name at k among the members of n. l
// holds the links of the member before. It returns nil if the name is not kept.
func (b *Builder) follow(n *Node, o *ObjectStats, l *links, k int, inRest bool) *Node {
	t := &b.d.Tokens[k]
	if t.Flags&scan.Escaped == 0 {
		for _, c := range l {
			if c != nil && c.named(b.d.Src, t.A, t.B) {
				return c
			}
		}
	}
	shift := o.shift
	c := b.child(n, o, b.name(k), inRest)
	if c != nil && o.shift == shift { // otherwise names were dropped, and no link may lead to those
		l[0], l[1] = c, l[0]
	}
	return c
}

// name returns the name at k with its escapes resolved. It is valid until the
// next call.
func (b *Builder) name(k int) []byte {
	name := b.d.Text(k)
	if b.d.Tokens[k].Flags&scan.Escaped != 0 {
		b.keyBuf = scan.AppendUnescaped(b.keyBuf[:0], name)
		name = b.keyBuf
	}
	return name
}
