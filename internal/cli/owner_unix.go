//go:build unix && !aix && !illumos && !solaris

package cli

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// linksTo returns the number of names that a file has.
func linksTo(info os.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink) //nolint:unconvert // it is narrower on some systems
	}
	return 1
}

// keepOwner gives a new file the owner and group of the one it replaces.
func keepOwner(file *os.File, like os.FileInfo) error {
	there, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if here, ok := info.Sys().(*syscall.Stat_t); ok && here.Uid == there.Uid && here.Gid == there.Gid {
		return nil
	}
	if err := file.Chown(int(there.Uid), int(there.Gid)); err != nil {
		return fmt.Errorf("it belongs to user %d and group %d, which cannot be kept: %w", there.Uid, there.Gid, withoutPath(err))
	}
	return nil
}

// lock locks a file as long as this process has it open.
func lock(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX) //nolint:gosec // descriptors are small
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOLCK):
			return nil // other processes cannot lock it either, and leave it alone
		default:
			return err
		}
	}
}

// tryLock reports whether no other process has locked the file.
func tryLock(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil //nolint:gosec // descriptors are small
}
