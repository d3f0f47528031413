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

// editable leaves out the fixes that would edit a file which must not be
// edited, and says why not by its name. The findings of c stay as they are.
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

// refusal says why a file must not be edited, "" if it may.
func (c *collected) refusal(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		return err.Error()
	}
	if hash, known := c.report.Hashes[name]; known && hash != xxh3.Hash(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		return "it was changed while it was checked: run this again"
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

// write replaces files and returns what they held, those alone that change;
// expected is what they have to hold. If one cannot be written, those before it
// get their content back.
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

// replaceFile gives a file new content. Its owner and its permissions stay, and
// a link goes on pointing at it.
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
