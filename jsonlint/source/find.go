package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/globs"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// stdinInput is the input that names standard input.
const stdinInput = "-"

// A finder turns inputs into files.
type finder struct {
	ctx     context.Context
	set     *Set
	options Options
	seen    map[string]bool   // absolute paths
	known   map[identity]bool // files and directories, by identity
	// walked holds the files found by walking each directory.
	walked map[string][]*File
	root   string // directory whose walk is under way
	links  []link // met while walking, to be followed later
	met    int    // documents met while walking, including those already in the set
	total  int64  // bytes
}

// find adds the files that an input names.
func (f *finder) find(input string) error {
	if err := f.ctx.Err(); err != nil {
		return err
	}
	if input == stdinInput {
		return f.addStdin()
	}
	if scheme := remote.Scheme(input); scheme != "" {
		if open := f.options.Stores[scheme]; open != nil {
			return f.addObjects(open, remote.Parse(input))
		}
		return f.addRemote(scheme, input)
	}
	info, err := os.Stat(input)
	if err != nil && f.unsaved(input) != nil {
		return f.addFile(input, nil)
	}
	switch {
	case err == nil && info.IsDir():
		return f.addDirectory(input)
	case err == nil:
		return f.addFile(input, info)
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(input, "*?[{"):
		return f.addGlob(input)
	}
	f.problem(input, describe(err), didYouMean(input))
	return nil
}

func (f *finder) problem(given, message, hint string) {
	f.set.problem(finding.Problem{Message: message, Hint: hint, Location: finding.Location{File: reportedPath(given)}})
}

// describe explains an error of the file system, without the path and the
// system call, which are reported next to it.
func describe(err error) string {
	var pathErr *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or directory"
	case errors.As(err, &pathErr):
		return "cannot be read: " + pathErr.Err.Error()
	}
	return "cannot be read: " + err.Error()
}

// didYouMean returns the directory entry nearest to the path.
func didYouMean(missing string) string {
	if strings.HasPrefix(missing, "-") {
		return "it looks like a flag: the flag before it needs a value of its own"
	}
	dir, name := filepath.Split(filepath.Clean(missing))
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return "the directory " + filepath.ToSlash(filepath.Clean(dir)) + " does not exist either"
	}
	most := max(2, len(name)/3)
	nearest, least := "", most+1
	for _, entry := range entries {
		distance := lexicon.Damerau(strings.ToLower(name), strings.ToLower(entry.Name()), most)
		if stem := collectionName(entry.Name()); stem == name || stem == collectionName(name) {
			distance = min(distance, 1)
		}
		if distance < least {
			nearest, least = entry.Name(), distance
		}
	}
	if nearest == "" {
		return "check the path, or name a file, a directory, a ** glob or - for standard input"
	}
	return "did you mean " + filepath.ToSlash(filepath.Join(dir, nearest)) + "?"
}

func (f *finder) addStdin() error {
	name := cmp.Or(f.options.StdinFilename, "<stdin>")
	for _, file := range f.set.Files {
		if file.Stdin {
			return nil
		}
	}
	if f.options.Stdin == nil {
		return errors.New("the input is to be read from standard input, but there is none")
	}
	file := &File{Path: filepath.ToSlash(name), Stdin: true, given: name, Prose: isMarkdown(name)}
	if err := f.spool(file, f.options.Stdin); err != nil {
		return fmt.Errorf("keep standard input: %w", err)
	}
	f.set.Files = append(f.set.Files, file)
	return nil
}

// spool copies input that can be read only once, because documents are read a
// second time to locate findings.
func (f *finder) spool(file *File, r io.Reader) error {
	spooled, err := f.set.NewSpool()
	if err != nil {
		return err
	}
	file.spool = whole(spooled)
	type result struct {
		size int64
		err  error
	}
	done := make(chan result, 1)
	go func() { // a read from a terminal or pipe cannot be interrupted
		size, err := io.Copy(spooled, contextReader{f.ctx, r})
		done <- result{size, err}
	}()
	var copied result
	select {
	case copied = <-done:
		err = copied.err
	case <-f.ctx.Done():
		err = f.ctx.Err()
	}
	if err != nil {
		return err
	}
	file.Size = copied.size
	return nil
}

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

func (f *finder) addFile(given string, info fs.FileInfo) error {
	file, err := f.newFile(given, info)
	if file == nil || err != nil {
		return err
	}
	f.set.Files = append(f.set.Files, file)
	return nil
}

// unsaved returns the text to read instead of a file's, or nil.
func (f *finder) unsaved(name string) []byte {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil
	}
	text, ok := f.options.Unsaved[absolute]
	if ok && text == nil {
		text = []byte{}
	}
	return text
}

// grow adds a file's bytes to the total.
func (f *finder) grow(size int64) error {
	f.total += size
	if limit := f.options.MaxTotal; limit > 0 && f.total > limit {
		return &TooLargeError{limit}
	}
	return nil
}

// newFile returns nil for a file already in the set. info may be nil for a file
// that exists only as unsaved text.
func (f *finder) newFile(given string, info fs.FileInfo) (*File, error) {
	absolute, err := filepath.Abs(given)
	if err != nil {
		return nil, err
	}
	if f.seen[absolute] {
		return nil, nil
	}
	f.seen[absolute] = true
	if info != nil && f.again(info, absolute) {
		return nil, nil
	}
	file := &File{Path: reportedPath(given), given: given, open: given, Prose: isMarkdown(given)}
	if file.unsaved = f.unsaved(given); file.unsaved == nil && info.Mode().IsRegular() {
		file.unsaved = readLog(given)
	}
	if file.unsaved != nil {
		file.Size = int64(len(file.unsaved))
		return file, f.grow(file.Size)
	}
	file.Size = info.Size()
	if info.Mode().IsRegular() {
		return file, f.grow(file.Size)
	}
	// A named pipe, such as the shell's <(command).
	pipe, err := openPipe(f.ctx, given)
	if err != nil {
		if f.ctx.Err() != nil {
			return nil, err
		}
		f.problem(given, describe(err), "")
		return nil, nil
	}
	if err := f.spool(file, pipe); err != nil {
		return nil, fmt.Errorf("%s: %w", given, err)
	}
	return file, pipe.Close()
}

// openPipe opens a file whose opening may block until the other side opens it.
func openPipe(ctx context.Context, name string) (*os.File, error) {
	type result struct {
		file *os.File
		err  error
	}
	done := make(chan result, 1)
	go func() {
		file, err := os.Open(name)
		done <- result{file, err}
	}()
	select {
	case r := <-done:
		return r.file, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (f *finder) addGlob(pattern string) error {
	slashed := filepath.ToSlash(pattern)
	if err := globs.Check(slashed); err != nil {
		f.problem(pattern, err.Error(), "quote brackets and braces that are part of a name with a backslash")
		return nil
	}
	matches, err := f.matches(slashed)
	if err != nil {
		return fmt.Errorf("glob %s: %w", pattern, err)
	}
	slices.Sort(matches)
	base, _ := doublestar.SplitPattern(slashed)
	found := false
	for _, match := range matches {
		below, err := filepath.Rel(base, match)
		if err != nil {
			below = ""
		}
		if !f.globTakes(slashed, match, below) {
			continue
		}
		info, err := os.Stat(match)
		if err != nil {
			f.problem(match, describe(err), "")
			continue
		}
		found = true
		if err := f.addFile(match, info); err != nil {
			return err
		}
	}
	if !found {
		f.problem(pattern, "no file matches this glob", "quote it so that the shell leaves it alone, and check the directory it starts in")
	}
	return nil
}

// globTakes reports whether to read a file that a glob matches. below is its
// path from where the glob begins. A glob that leaves the extension open means
// documents.
func (f *finder) globTakes(glob, match, below string) bool {
	open := strings.ContainsAny(path.Ext(glob), "*?[{") || path.Ext(glob) == "" || strings.Contains(path.Ext(glob), "/")
	switch {
	case isHidden(below):
		return false
	case open && f.options.Defaults && NoDocument(below):
		f.set.left.Files++
		return false
	}
	return !(open && !isDocumentName(match) && !isMarkdown(match) || strings.HasSuffix(match, evidenceSuffix))
}

// matches lists the files that a glob matches, and stops if the run is
// interrupted.
func (f *finder) matches(pattern string) ([]string, error) {
	base, rest := doublestar.SplitPattern(path.Clean(pattern))
	var found []string
	err := doublestar.GlobWalk(os.DirFS(filepath.FromSlash(base)), rest, func(name string, _ fs.DirEntry) error {
		found = append(found, filepath.Join(filepath.FromSlash(base), filepath.FromSlash(name)))
		return f.ctx.Err()
	}, doublestar.WithFilesOnly())
	return found, cmp.Or(f.ctx.Err(), err)
}

// isHidden reports whether a path contains a hidden directory or file.
func isHidden(name string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(name), "/"), func(part string) bool {
		return strings.HasPrefix(part, ".") && part != "." && part != ".."
	})
}

// stem removes compression suffixes.
func stem(name string) string {
	for {
		lower := strings.ToLower(name)
		switch {
		case strings.HasSuffix(lower, ".gz"):
			name = name[:len(name)-len(".gz")]
		case strings.HasSuffix(lower, ".zst"):
			name = name[:len(name)-len(".zst")]
		default:
			return name
		}
	}
}

// evidenceSuffix is the suffix of evidence files, which lie next to documents
// but contain none.
const evidenceSuffix = ".shapevet.json"

func isDocumentName(name string) bool {
	name = strings.ToLower(name)
	if strings.HasSuffix(name, evidenceSuffix) {
		return false
	}
	switch strings.ToLower(path.Ext(stem(filepath.ToSlash(name)))) {
	case ".json", ".jsonl", ".ndjson", geoJSON, ".bson", ".archive":
		return true
	}
	return false
}

func isMarkdown(name string) bool {
	switch strings.ToLower(path.Ext(stem(filepath.ToSlash(name)))) {
	case ".md", ".markdown":
		return true
	}
	return false
}

// reportedPath returns a path as shown to users: with slashes, and relative to
// the working directory if it is an absolute path below it.
func reportedPath(given string) string {
	cleaned := filepath.Clean(given)
	if filepath.IsAbs(cleaned) {
		if wd, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(wd, cleaned); err == nil && filepath.IsLocal(rel) {
				cleaned = rel
			}
		}
	}
	return filepath.ToSlash(cleaned)
}

func comparePaths(a, b *File) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.open, b.open))
}
