package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/shapevet/shapevet/internal/baseline"
	"github.com/shapevet/shapevet/internal/finding"
)

// atRevision checks the same inputs as of the base revision, in a separate
// directory, and returns the findings. New findings are then those that are
// found now but not there. This does not depend on which lines changed: a field
// that outgrew its limit is reported even if another document of the collection
// changed.
func (a *app) atRevision(ctx context.Context, s *settings, g given) (_ *baseline.Baseline, err error) {
	top, prefix, err := repository(ctx)
	if err != nil {
		return nil, fmt.Errorf("--diff-base %s: %w", s.diffBase, err)
	}
	temporary, err := os.MkdirTemp("", "shapevet-")
	if err != nil {
		return nil, fmt.Errorf("--diff-base %s: %w", s.diffBase, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	// Keep the name, because a directory of documents names a collection.
	old := filepath.Join(temporary, filepath.Base(top))
	if err := checkOut(ctx, s.diffBase, old); err != nil {
		return nil, fmt.Errorf("--diff-base %s: %w", s.diffBase, err)
	}
	there := filepath.Join(old, filepath.FromSlash(prefix))
	if err := os.MkdirAll(there, 0o700); err != nil { // the working directory may be new
		return nil, fmt.Errorf("--diff-base %s: %w", s.diffBase, err)
	}
	then := s.movedTo(top, old)
	var found []finding.Finding
	err = inDirectory(there, func() error {
		inputs := g.movedTo(top, old).existing()
		if inputs.empty() && !g.empty() {
			return nil
		}
		quiet := *a
		quiet.stderr = io.Discard
		filter := then.filter()
		filter.MaxPerPath = 0
		r, err := quiet.findings(ctx, then, inputs, filter)
		if r != nil {
			found = r.Findings
		}
		return err
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		a.complain(fmt.Sprintf("warning: --diff-base %s: that revision could not be checked, so all findings count as new: %v", s.diffBase, err))
	}
	return baseline.Of(found), nil
}

// repository returns the top directory of the git repository around the working
// directory, and the path from there to the working directory.
func repository(ctx context.Context) (top, prefix string, err error) {
	out, err := git(ctx, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return "", "", err
	}
	top, prefix, _ = strings.Cut(strings.TrimRight(out, "\n"), "\n")
	return filepath.FromSlash(top), prefix, nil
}

// inDirectory runs a function in another working directory. Inputs, paths of
// findings and the go command all depend on the working directory. Nothing else
// runs at the same time, so changing it for the process is safe.
func inDirectory(dir string, do func() error) error {
	home, err := os.Getwd()
	if err != nil {
		return err
	}
	if err := os.Chdir(dir); err != nil {
		return err
	}
	err = do()
	return errors.Join(err, os.Chdir(home))
}

// movedTo returns the settings for a copy of the tree at top.
func (s *settings) movedTo(top, to string) *settings {
	moved, c := *s, *s.Config
	moved.Config, moved.copied = &c, true
	c.Progress = false
	c.Path = movePath(c.Path, top, to)
	return &moved
}

func (g given) movedTo(top, to string) given {
	move := func(paths []string) []string {
		moved := make([]string, len(paths))
		for i, path := range paths {
			moved[i] = path
			if filepath.IsAbs(path) {
				moved[i] = movePath(path, top, to)
			}
		}
		return moved
	}
	return given{docs: move(g.docs), code: move(g.code), either: move(g.either)}
}

// movePath returns the path in the copy of a path below top. Other paths stay.
func movePath(path, top, to string) string {
	if path == "" {
		return ""
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		absolute = real // git resolves the links in top
	}
	relative, err := filepath.Rel(top, absolute)
	if err != nil || relative == ".." || strings.HasPrefix(relative, ".."+string(filepath.Separator)) {
		return path
	}
	return filepath.Join(to, relative)
}

// existing drops standard input and paths that do not exist, such as a folder
// that the change added.
func (g given) existing() given {
	keep := func(paths []string) []string {
		var kept []string
		for _, path := range paths {
			_, err := os.Stat(path)
			if err == nil || path != "-" && strings.ContainsAny(path, "*?[{") || strings.Contains(path, "...") || importPath.MatchString(path) {
				kept = append(kept, path)
			}
		}
		return kept
	}
	return given{docs: keep(g.docs), code: keep(g.code), either: keep(g.either)}
}

func (g given) empty() bool { return len(g.docs)+len(g.code)+len(g.either) == 0 }
