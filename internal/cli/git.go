package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A repository and its configuration may come from anywhere, and the
// configuration can name programs for git to run: a file system monitor, hooks,
// filters, helpers that fetch missing objects. So only commands that read
// objects are used, with all of these switched off. Files are written here, not
// by git.
var harmless = []string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.pager=cat", "--no-optional-locks", "--no-replace-objects"}

func gitCommand(ctx context.Context, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, "git", slices.Concat(harmless, arguments)...)
	// Do not fetch objects that a partial clone lacks, because that would run
	// programs from the configuration. Older versions of git only support the
	// setting for protocols.
	command.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0")
	return command
}

// git returns the output of a command.
func git(ctx context.Context, arguments ...string) (string, error) {
	command := gitCommand(ctx, arguments...)
	var out, complaint bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaint
	if err := command.Run(); err != nil {
		if text := strings.TrimSpace(complaint.String()); text != "" {
			return "", errors.New(text)
		}
		return "", fmt.Errorf("git %s: %w", arguments[0], err)
	}
	return out.String(), nil
}

// An entry is a file or link in a revision.
type entry struct {
	name string // relative to the top of the repository
	hash string
	mode fs.FileMode // permissions and link bit
}

// checkOut writes the files of a revision to a new directory.
func checkOut(ctx context.Context, revision, dir string) (err error) {
	commit, err := git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return errors.New("git does not know this revision: fetch it first if the clone is shallow, as in CI")
	}
	list, err := git(ctx, "ls-tree", "-r", "-z", "--full-tree", strings.TrimSpace(commit))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	// This keeps names and links in the revision inside the directory.
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return writeEntries(ctx, root, entriesOf(list))
}

// entriesOf parses the output of "git ls-tree -z". It skips submodules and
// names that no work tree can have.
func entriesOf(list string) []entry {
	var entries []entry
	for line := range strings.SplitSeq(list, "\x00") {
		about, name, _ := strings.Cut(line, "\t")
		fields := strings.Fields(about) // mode, type, hash
		if len(fields) != 3 || fields[1] != "blob" || !fs.ValidPath(name) || inGitDirectory(name) {
			continue
		}
		e := entry{name: name, hash: fields[2], mode: 0o600}
		switch fields[0] {
		case "120000":
			e.mode = fs.ModeSymlink
		case "100755":
			e.mode = 0o700
		}
		entries = append(entries, e)
	}
	return entries
}

func inGitDirectory(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.EqualFold(part, ".git") })
}

// writeEntries writes files with the contents that one git process prints.
func writeEntries(ctx context.Context, root *os.Root, entries []entry) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	command := gitCommand(ctx, "cat-file", "--batch")
	in, err := command.StdinPipe()
	if err != nil {
		return err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	asked := make(chan error, 1)
	go func() {
		asked <- errors.Join(ask(in, entries), in.Close())
	}()
	objects := bufio.NewReaderSize(out, 64<<10)
	for _, e := range entries {
		if err = writeEntry(root, e, objects); err != nil {
			err = fmt.Errorf("%s: %w", e.name, err)
			stop()
			break
		}
	}
	if asking := <-asked; err == nil {
		err = asking
	}
	if waited := command.Wait(); err == nil {
		err = waited
	}
	return err
}

func ask(in io.Writer, entries []entry) error {
	for _, e := range entries {
		if _, err := io.WriteString(in, e.hash+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// writeEntry writes one file with the next object that git prints.
func writeEntry(root *os.Root, e entry, objects *bufio.Reader) (err error) {
	header, err := objects.ReadString('\n') // hash, type, size
	if err != nil {
		return err
	}
	fields := strings.Fields(header)
	if len(fields) != 3 {
		return errors.New("the repository does not have this file: fetch it first if the clone is partial, as in CI")
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return err
	}
	content := io.LimitReader(objects, size)
	if err := root.MkdirAll(path.Dir(e.name), 0o700); err != nil {
		return err
	}
	if e.mode == fs.ModeSymlink {
		target, err := io.ReadAll(content)
		if err == nil {
			err = root.Symlink(string(target), e.name)
		}
		if err != nil {
			return err
		}
	} else {
		file, err := root.OpenFile(e.name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, e.mode)
		if err != nil {
			return err
		}
		_, err = io.Copy(file, content)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	_, err = objects.Discard(1) // the line break after each object
	return err
}
