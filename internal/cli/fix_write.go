package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/shapevet/shapevet/internal/finding"
)

// editable drops fixes that would edit a file that must not be edited, and
// returns the reasons by file name. It does not change c.
func (c *collected) editable(findings []finding.Finding) (kept []finding.Finding, refused map[string]string) {
	refused = map[string]string{}
	reasons := map[string]string{}
	kept = slices.Clone(findings)
	for i, f := range findings {
		kept[i].Fixes = slices.DeleteFunc(slices.Clone(f.Fixes), func(fix finding.Fix) bool {
			drop := false
			for _, edit := range fix.Edits {
				reason, known := reasons[edit.File]
				if !known {
					reason = c.refusal(edit.File)
					reasons[edit.File] = reason
				}
				if reason != "" {
					refused[edit.File], drop = reason, true
				}
			}
			return drop
		})
	}
	return kept, refused
}

// refusal returns the reason not to edit a file, or "".
func (c *collected) refusal(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		return err.Error()
	}
	if hash, known := c.report.Hashes[name]; known && hash != xxh3.Hash(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		return "it changed while it was being checked: run this again"
	}
	info, err := os.Stat(name)
	if err != nil {
		return err.Error()
	}
	if names := linksTo(info); names > 1 {
		return fmt.Sprintf("it has %d names (hard links), and the others would keep the old text: make a copy of it first", names)
	}
	return ""
}

// write replaces files that must still hold expected, and returns the previous
// content of those that changed. If a file cannot be written, it restores those
// before it.
func write(files, expected map[string][]byte) (undo map[string][]byte, err error) {
	undo = map[string][]byte{}
	tidied := map[string]bool{}
	for name := range files {
		if path, err := filepath.EvalSymlinks(name); err == nil && !tidied[filepath.Dir(path)] {
			tidied[filepath.Dir(path)] = true
			removeLeft(filepath.Dir(path))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		before, err := os.ReadFile(name)
		switch {
		case err != nil:
		case bytes.Equal(before, files[name]):
			continue
		case !bytes.Equal(before, expected[name]):
			err = fmt.Errorf("%s was changed by somebody else just now: run this again", name)
		default:
			err = replaceFile(name, files[name])
		}
		if err != nil {
			for _, written := range slices.Sorted(maps.Keys(undo)) {
				err = errors.Join(err, replaceFile(written, undo[written]))
			}
			return nil, fmt.Errorf("apply fixes: %w", err)
		}
		undo[name] = before
	}
	return undo, nil
}

// replaceFile replaces the content of a file. It keeps owner, permissions and
// links.
func replaceFile(name string, content []byte) error {
	path, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s is read-only", name)
	}
	return writeLike(path, info, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}
