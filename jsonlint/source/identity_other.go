//go:build !unix

package source

import (
	"io/fs"
	"path/filepath"
)

// An identity identifies a file, whatever links lead to it.
type identity string

func identify(_ fs.FileInfo, absolute string) (identity, bool) {
	real, err := filepath.EvalSymlinks(absolute)
	return identity(real), err == nil
}
