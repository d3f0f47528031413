package scan

import (
	"fmt"
	"math"
	"slices"
)

// A SyntaxError says where a text stops being JSON.
type SyntaxError struct {
	Offset  int // byte offset in the text
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Message) }

// DefaultMaxDepth is how deep arrays and objects may nest if [Parser.MaxDepth]
// is 0.
const DefaultMaxDepth = 1_000_000

// A Parser parses documents one after the other into memory that it reuses.
// The zero value is ready to use.
type Parser struct {
	// MaxDepth is how deep arrays and objects may nest; 0 means
	// [DefaultMaxDepth].
	MaxDepth int

	// Dialect is the dialect of the documents.
	Dialect Dialect

	doc Document

	malformed report // objects that are not the wrappers they were meant to be
	judged    uint32 // the end of the last one

	layouts layouts
}

func (p *Parser) maxDepth() int {
	if p.MaxDepth <= 0 {
		return DefaultMaxDepth
	}
	return p.MaxDepth
}

// Parse reads src, which must contain exactly one JSON value and white space.
// It rejects other text with a [*SyntaxError].
func (p *Parser) Parse(src []byte) (*Document, error) {
	doc, i, err := p.ParseNext(src, 0)
	if err != nil {
		return nil, err
	}
	if i = skipSpace(src, i); i < len(src) {
		return nil, &SyntaxError{i, "expected nothing after the document, found " + describe(src, i)}
	}
	return doc, nil
}

// ParseNext skips white space and reads the one JSON value that begins at
// src[from:]. It returns the value and the offset of the first byte after it.
// Offsets in the document and in a [*SyntaxError] count from src[0].
func (p *Parser) ParseNext(src []byte, from int) (*Document, int, error) {
	p.doc.Src, p.doc.Tokens, p.doc.Records, p.doc.Ident, p.doc.Dialect = src, p.doc.Tokens[:0], p.doc.Records[:0], Token{}, p.Dialect
	if p.doc.Malformed = nil; p.judged > 0 {
		p.malformed, p.judged = report{}, 0
	}
	if uint64(len(src)) > math.MaxUint32 {
		return nil, from, &SyntaxError{from, "the text is larger than 4 GB"}
	}
	start := skipSpace(src, from)
	if end, ok := p.repeated(src, start); ok {
		p.tellMalformed(end)
		return &p.doc, end, nil
	}
	p.doc.Tokens = p.doc.Tokens[:0]
	end, err := p.value(src, start, 0)
	if err != nil {
		return nil, end, err
	}
	p.tellMalformed(end)
	p.learn()
	if p.Dialect != Plain {
		p.doc.normalize(p.Dialect)
	}
	return &p.doc, end, nil
}

// value reads the value that begins at src[i], appends its tokens to the tape
// and returns the offset after it. depth is the number of containers around it.
// There is no separate stack: the A of an open container holds the index of its
// parent.
func (p *Parser) value(src []byte, i, depth int) (int, error) {
	const none = math.MaxUint32
	toks := p.doc.Tokens
	defer func() { p.doc.Tokens = toks }()

	maxDepth, from := p.maxDepth(), i
	open, object := uint32(none), false // the innermost open container, and whether it is an object

	for {
		if i >= len(src) {
			return i, p.endsInside(toks, open, i)
		}
		if cap(toks)-len(toks) < 2 {
			toks = longer(toks, i-from, len(src)-i)
		}
		start := i
		switch c := src[i]; c {
		case '"':
			end, flags, err := scanString(src, i+1)
			if err != nil {
				return err.Offset, err
			}
			i = end
			toks = append(toks, Token{uint32(start), uint32(i), uint32(start + 1), uint32(i - 1), String, flags})
		case '{', '[':
			if depth++; depth > maxDepth {
				return i, &SyntaxError{i, fmt.Sprintf("arrays and objects nest deeper than %d levels", maxDepth)}
			}
			kind := Array
			object = c == '{'
			if object {
				kind = Object
			}
			toks = append(toks, Token{uint32(start), 0, open, 0, kind, 0})
			open = uint32(len(toks) - 1)
			i++
			if i < len(src) && src[i] <= ' ' {
				i = oneSpace(src, i)
			}
			switch {
			case i < len(src) && src[i] == c+2: // '{'+2 is '}', '['+2 is ']'
				goto closeContainer
			case object:
				goto name
			}
			continue
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			end, flags, err := scanNumber(src, i)
			if err != nil {
				return err.Offset, err
			}
			i = end
			toks = append(toks, Token{uint32(start), uint32(i), uint32(start), uint32(i), Number, flags})
		case 't', 'f', 'n':
			word, kind := "true", True
			switch c {
			case 'f':
				word, kind = "false", False
			case 'n':
				word, kind = "null", Null
			}
			if len(src)-i < len(word) || string(src[i:i+len(word)]) != word {
				return i, &SyntaxError{i, "expected a value, found " + describe(src, i)}
			}
			i += len(word)
			toks = append(toks, Token{uint32(start), uint32(i), uint32(start), uint32(i), kind, 0})
		default:
			return i, &SyntaxError{i, "expected a value, found " + describe(src, i)}
		}

	afterValue:
		if open == none {
			return i, nil
		}
		toks[open].B++
		if i < len(src) && src[i] <= ' ' {
			i = oneSpace(src, i)
		}
		if i >= len(src) {
			return i, p.endsInside(toks, open, i)
		}
		switch c := src[i]; {
		case c == ',':
			i++
			if i < len(src) && src[i] <= ' ' {
				i = oneSpace(src, i)
			}
			if object {
				goto name
			}
			if i < len(src) && src[i] == ']' {
				return i, &SyntaxError{i, "expected an element after ',', found ']'"}
			}
			continue
		case c == '}' && object, c == ']' && !object:
			goto closeContainer
		case object:
			return i, &SyntaxError{i, "expected ',' or '}' after a member, found " + describe(src, i)}
		default:
			return i, &SyntaxError{i, "expected ',' or ']' after an element, found " + describe(src, i)}
		}

	closeContainer:
		i++
		depth--
		{
			t := &toks[open]
			up := t.A
			t.End, t.A = uint32(i), uint32(len(toks))
			if object && dollar(src, toks, open) {
				var ok bool
				if toks, ok = collapse(src, toks, open); !ok && depth > 0 { // a document is not a scalar value
					p.notWrapped(src, toks, open)
				}
			}
			if open = up; open != none {
				object = toks[open].Kind == Object
			}
		}
		goto afterValue

	name:
		if i >= len(src) {
			return i, p.endsInside(toks, open, i)
		}
		if src[i] != '"' {
			what := "expected a member's name in double quotes or '}', found "
			if toks[open].B > 0 {
				what = "expected a member's name in double quotes after ',', found "
			}
			return i, &SyntaxError{i, what + describe(src, i)}
		}
		{
			start := i
			end, flags, err := scanString(src, i+1)
			if err != nil {
				return err.Offset, err
			}
			i = end
			toks = append(toks, Token{uint32(start), uint32(i), uint32(start + 1), uint32(i - 1), String, flags | Key})
		}
		if i < len(src) && src[i] <= ' ' {
			i = oneSpace(src, i)
		}
		if i >= len(src) {
			return i, p.endsInside(toks, open, i)
		}
		if src[i] != ':' {
			return i, &SyntaxError{i, "expected ':' after a member's name, found " + describe(src, i)}
		}
		i++
		if i < len(src) && src[i] <= ' ' {
			i = oneSpace(src, i)
		}
	}
}

// longer returns the tokens with room for more. For a large text it estimates
// what the rest needs from what was read: doubling would take three times the
// memory while copying.
func longer(toks []Token, read, left int) []Token {
	n := max(64, len(toks))
	if read >= 1<<20 {
		n = min(8*n, int(float64(len(toks))*1.05*float64(left)/float64(read))+1024)
	}
	return slices.Grow(toks, n)
}

// endsInside returns the error for a text that ends where something should
// follow.
func (p *Parser) endsInside(toks []Token, open uint32, i int) error {
	if int64(open) >= int64(len(toks)) {
		return &SyntaxError{i, "expected a value, found the end of the text"}
	}
	what := "array"
	if toks[open].Kind == Object {
		what = "object"
	}
	return &SyntaxError{i, fmt.Sprintf("the text ends inside the %s opened at offset %d", what, toks[open].Start)}
}

// oneSpace is skipSpace where a single space is likely.
func oneSpace(src []byte, i int) int {
	if i+1 < len(src) && src[i] == ' ' && src[i+1] > ' ' {
		return i + 1
	}
	return skipSpace(src, i)
}
