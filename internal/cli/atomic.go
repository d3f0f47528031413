package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/shapevet/shapevet/internal/lazyregexp"
)

// writeFile writes a file so that a reader finds the old content or the new,
// never a part: it writes a temporary file next to it, flushes that to disk and
// renames it. For a link, it replaces the target. It writes directly to devices
// and pipes.
func writeFile(path string, write func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		info, err := os.Stat(target)
		if err == nil && !info.Mode().IsRegular() {
			return writeInto(path, write)
		}
		path = target
	}
	removeLeft(filepath.Dir(path))
	return writeFileMode(path, 0o644, write)
}

// writable returns an error if a file cannot be written. It leaves nothing
// behind.
func writable(path string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		info, err := os.Stat(target)
		switch {
		case err != nil:
			return fmt.Errorf("write %s: %w", path, withoutPath(err))
		case info.IsDir():
			return fmt.Errorf("write %s: it is a directory", path)
		case !info.Mode().IsRegular(): // opening a pipe waits for its reader
			return nil
		}
		path = target
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".shapevet-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, withoutPath(err))
	}
	return errors.Join(temporary.Close(), os.Remove(temporary.Name()))
}

func writeInto(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, withoutPath(err))
	}
	if err := errors.Join(write(file), file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// writeFileMode writes a file with these permissions.
func writeFileMode(path string, mode os.FileMode, write func(io.Writer) error) error {
	return writeBeside(path, write, func(file *os.File) error { return file.Chmod(mode) })
}

// writeLike writes a file with the owner and the permissions of another.
func writeLike(path string, like os.FileInfo, write func(io.Writer) error) error {
	return writeBeside(path, write, func(file *os.File) error {
		if err := keepOwner(file, like); err != nil {
			return err
		}
		return file.Chmod(like.Mode() & (os.ModePerm | os.ModeSetuid | os.ModeSetgid | os.ModeSticky))
	})
}

func writeBeside(path string, write func(io.Writer) error, prepare func(*os.File) error) (err error) {
	temporary, err := createTemporary(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("write %s: %w", path, withoutPath(err))
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write %s: %w", path, err), ignoreClosed(temporary.Close()), os.Remove(temporary.Name()))
		}
	}()
	if err := write(temporary); err != nil {
		return err
	}
	if err := prepare(temporary); err != nil {
		return err
	}
	if err := temporary.Sync(); err != nil {
		return err
	}
	if err := temporary.Close(); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}

// Temporary files have names that nothing else uses, so that one left by a
// killed run is recognizable.
const temporaryPattern = ".shapevet-*.tmp"

var isTemporary = lazyregexp.New(`^\.shapevet-[0-9]+\.tmp$`)

// createTemporary makes a temporary file and locks it.
func createTemporary(dir string) (*os.File, error) {
	for {
		file, err := os.CreateTemp(dir, temporaryPattern)
		if err != nil {
			return nil, err
		}
		if err := lock(file); err != nil {
			return nil, errors.Join(err, file.Close(), os.Remove(file.Name()))
		}
		// Before the lock, another process may have removed the file as a leftover.
		if _, err := os.Lstat(file.Name()); err == nil {
			return file, nil
		}
		if err := file.Close(); err != nil {
			return nil, err
		}
	}
}

// removeLeft removes the temporary files in a directory that no process has
// locked. One that cannot be removed does no harm.
func removeLeft(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if !entry.Type().IsRegular() || !isTemporary.MatchString(entry.Name()) {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		file, err := os.Open(path)
		if err != nil {
			continue
		}
		if tryLock(file) {
			_ = os.Remove(path)
		}
		_ = file.Close()
	}
}

func ignoreClosed(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// withoutPath removes the name of the temporary file, which means nothing to
// the user, from an error.
func withoutPath(err error) error {
	if path := (*os.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}
