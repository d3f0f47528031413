// Package scratch stores what a run has to remember about all documents: in
// memory while there is room, then in temporary files.
package scratch

import (
	"os"
	"sync/atomic"
)

// A Space is shared by all parts of a run.
type Space struct {
	// File makes a temporary file that is removed with the run.
	File func() (*os.File, error)

	left atomic.Int64 // bytes of memory
}

// New returns a space with the given bytes of memory, and with temporary files.
func New(memory int64, file func() (*os.File, error)) *Space {
	s := &Space{File: file}
	s.left.Store(memory)
	return s
}

// Take reserves bytes of memory and reports whether that many were left.
func (s *Space) Take(bytes int64) bool {
	if s.left.Add(-bytes) >= 0 {
		return true
	}
	s.left.Add(bytes)
	return false
}
