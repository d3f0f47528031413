package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeFile writes a file so that a reader finds the old content or the new,
// never a part: a temporary file beside it is written, flushed to disk and
// renamed. A link goes on pointing at what is written. What is no plain file, a
// device or a pipe, is written to and never replaced.
func writeFile(path string, write func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		info, err := os.Stat(target)
		if err == nil && !info.Mode().IsRegular() {
			return writeInto(path, write)
		}
		path = target
	}
	return writeFileMode(path, 0o644, write)
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

func writeFileMode(path string, mode os.FileMode, write func(io.Writer) error) (err error) {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".shapevet-*")
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
	if err := temporary.Chmod(mode); err != nil {
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

func ignoreClosed(err error) error {
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// withoutPath removes the name of the temporary file, which the user has not
// given, from an error.
func withoutPath(err error) error {
	if path := (*os.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}
