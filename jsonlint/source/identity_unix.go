//go:build unix

package source

import (
	"io/fs"
	"syscall"
)

// An identity identifies a file, whatever it is called.
type identity struct{ device, inode uint64 }

func identify(info fs.FileInfo, _ string) (identity, bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}, false
	}
	return identity{uint64(stat.Dev), uint64(stat.Ino)}, true //nolint:unconvert,gosec // their types differ by system
}
