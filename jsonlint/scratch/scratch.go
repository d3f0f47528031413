// Package scratch is where a run puts what it has to remember of all documents:
// into memory as long as there is room, into temporary files beyond that.
package scratch

import (
	"os"
	"sync/atomic"
)

// A Space is the room that all parts of a run share.
type Space struct {
	// File makes a temporary file that is gone with the run.
	File func() (*os.File, error)

	left atomic.Int64 // bytes of memory
}

// New returns a space with so many bytes of memory, and with temporary files.
func New(memory int64, file func() (*os.File, error)) *Space {
	s := &Space{File: file}
	s.left.Store(memory)
	return s
}

// Take asks for bytes of memory, and says whether they were left.
func (s *Space) Take(bytes int64) bool {
	if s.left.Add(-bytes) >= 0 {
		return true
	}
	s.left.Add(bytes)
	return false
}
