package docmodel

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// How certain it is that a type is a document, by the best evidence for it.
const (
	sureDirective = 1.0
	sureWritten   = 0.95
	sureRead      = 0.85
	sureGuessed   = 0.85 // written through a library whose source was not read
	sureMethod    = 0.8
	sureTag       = 0.8
	sureKeyTag    = 0.7
	sureAlone     = 0.6 // as a method or tag, in a program that is not seen to store anything
	sureName      = 0.4
	sureView      = 0.4
)

// A candidate is a type with evidence that it is stored.
type candidate struct {
	named       *types.Named
	key         string
	confidence  float64
	reasons     []Reason
	codec       Codec
	codecSure   float64
	db          string
	partition   string
	collections map[string]bool
	keys        []keyText // of the calls that write it
	below       bool      // its collection is one of another document
	written     bool
	readStored  bool
	readWhole   bool
	readView    bool
	replaced    *Replacement
	changed     bool // a call sets stored values as a whole
	never       bool
	mgo         bool
	driver      bool
	stored      token.Pos
	storedIn    *Package
	uses        []token.Pos

	alwaysReplaced bool
	wordings       []wording // nil for a value that the database's library encodes
}

// wording returns the names under which code writes out all values of a type, or nil.
func (c *candidate) wording() wording {
	all := wording{}
	for _, names := range c.wordings {
		if names == nil {
			return nil
		}
		maps.Copy(all, names)
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

// tagOnly reports whether only tags on fields suggest that the type is stored.
func (c *candidate) tagOnly() bool {
	return !c.written && !c.readStored && !c.readView && len(c.collections) == 0 && len(c.reasons) > 0 &&
		!slices.ContainsFunc(c.reasons, func(r Reason) bool {
			return !strings.HasPrefix(r.Text, "a tag") && !strings.HasPrefix(r.Text, "it has an id")
		})
}

// say adds evidence. The strongest evidence decides.
func (c *candidate) say(confidence float64, codec Codec, text string, pos token.Pos) {
	c.confidence = max(c.confidence, confidence)
	if codec != "" && (confidence > c.codecSure || confidence == c.codecSure && c.taggedFor(codec) && !c.taggedFor(c.codec)) {
		c.codec, c.codecSure = codec, confidence
	}
	if !slices.ContainsFunc(c.reasons, func(r Reason) bool { return r.Text == text }) {
		c.reasons = append(c.reasons, Reason{Text: text, Pos: pos})
	}
}

// taggedFor reports whether the type has tags for a codec. A type that several databases
// store is described as it is in the one for which it has tags.
func (c *candidate) taggedFor(codec Codec) bool {
	return structNamed(c.named) != nil && hasTag(c.named, codec)
}
