// Package upward looks for files that rule in the directories below them, such
// as go.mod.
package upward

import (
	"os"
	"path/filepath"
)

// Find returns the nearest directory, dir or above it, that holds a file of
// this name; "" if none does. dir has to be absolute.
func Find(dir, name string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
