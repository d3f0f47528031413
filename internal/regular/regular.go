// Package regular reads whole files that others have named, so that no device,
// pipe or huge file blocks the program or fills its memory.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/shapevet/shapevet/internal/quantity"
)

// ReadFile returns the content of a regular file of at most limit bytes. Errors
// do not repeat the path; they wrap [fs.ErrNotExist] and the like.
func ReadFile(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	if err := Check(info); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer file.Close()
	// One byte more reveals a file that has grown or, like those in /proc, has no
	// size.
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, withoutPath(err)
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("it is larger than %s", quantity.Bytes(limit))
	}
	return text, nil
}

// Check returns an error that says what a file is unless it is regular.
func Check(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return errors.New("it is a directory")
	case mode&fs.ModeNamedPipe != 0:
		return errors.New("it is a named pipe and not a file")
	case mode&fs.ModeDevice != 0:
		return errors.New("it is a device and not a file")
	}
	return errors.New("it is not a regular file")
}

func withoutPath(err error) error {
	if wrapped := (*fs.PathError)(nil); errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
