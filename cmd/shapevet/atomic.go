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
// renamed.
func writeFile(path string, write func(io.Writer) error) error {
	return writeFileMode(path, 0o644, write)
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
