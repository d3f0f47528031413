package source

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/globs"
)

// LeftOut counts what directories hold besides the files of a set.
type LeftOut struct {
	Files       int      // lock files, settings, schemas and the like
	Directories int      // with dependencies or build output
	Excluded    int      // by [Options.Skip]
	Unread      []string // data files in formats that are not read
}

// A link is a symbolic link met on a walk. Links are followed last, so that a
// file is called by its own path rather than a link's.
type link struct {
	name, dir string
	info      fs.FileInfo
	rules     ignoreRules
	picky     bool
}

// addDirectory walks a directory.
func (f *finder) addDirectory(dir string) error {
	met, left := f.met, f.set.left
	f.root = filepath.Clean(dir)
	if err := f.walkAll(dir); err != nil {
		return err
	}
	if f.met == met {
		f.problem(dir, "the directory holds no documents", f.whyNone(left))
	}
	return nil
}

// whyNone returns a hint for a directory without documents. left is what was
// left out before it.
func (f *finder) whyNone(left LeftOut) string {
	switch now := f.set.left; {
	case len(now.Unread) > len(left.Unread):
		return "it holds data in other formats, such as " + now.Unread[len(left.Unread)] + ": " + hintFormats
	case now.Files+now.Directories > left.Files+left.Directories:
		return "it has only files of tools: --no-default-excludes reads them"
	}
	return "looked for *.json, *.jsonl, *.ndjson, *.geojson, *.bson and *.archive, also as .gz and .zst, that are neither hidden nor git-ignored; name other files on the command line"
}

// walkAll walks a directory and then follows the links met in it.
func (f *finder) walkAll(dir string) error {
	err := f.walk(dir, parentRules(dir), false)
	for err == nil && len(f.links) > 0 {
		next := f.links[0]
		f.links = f.links[1:]
		err = f.take(next.dir, next.name, next.info, next.rules, next.picky)
	}
	return err
}

// again reports whether a file or directory was met before, under any name.
func (f *finder) again(info fs.FileInfo, absolute string) bool {
	id, ok := identify(info, absolute)
	if !ok || f.known[id] {
		return ok
	}
	if f.known == nil {
		f.known = map[identity]bool{}
	}
	f.known[id] = true
	return false
}

// walk adds the documents below dir. If picky, it adds only files included by
// name.
func (f *finder) walk(dir string, rules ignoreRules, picky bool) error {
	if err := f.ctx.Err(); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err == nil {
		if absolute, absErr := filepath.Abs(dir); absErr == nil && f.again(info, absolute) {
			return nil
		}
	}
	entries, readErr := os.ReadDir(dir) // sorted
	if err == nil {
		err = readErr
	}
	if err != nil {
		f.problem(dir, describe(err), "")
		return nil
	}
	rules = rules.enter(dir)
	dump := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return isDump(e.Name()) || hasMetadata(entries, e.Name()) })
	for _, entry := range entries {
		name := filepath.Join(dir, entry.Name())
		linked := entry.Type()&fs.ModeSymlink != 0
		if !linked && !entry.IsDir() && !entry.Type().IsRegular() || dump && besideDump(entry.Name()) {
			continue
		}
		leave := strings.HasPrefix(entry.Name(), ".") || rules.ignored(entry.Name(), entry.IsDir())
		if leave && len(f.options.Include) == 0 {
			continue
		}
		if linked {
			info, err = os.Stat(name)
		} else {
			info, err = entry.Info()
		}
		switch {
		case err != nil:
			if isDocumentName(name) && !leave {
				f.met++
				f.problem(name, describe(err), "")
			}
		case linked:
			f.links = append(f.links, link{name, dir, info, rules, picky || leave})
		default:
			if err := f.take(dir, name, info, rules, picky || leave); err != nil {
				return err
			}
		}
	}
	return nil
}

// take walks a directory or adds a file in dir.
func (f *finder) take(dir, name string, info fs.FileInfo, rules ignoreRules, picky bool) error {
	reported := reportedPath(name)
	if info.IsDir() {
		if picky, ok := f.enters(reported, name, picky); ok {
			return f.walk(name, rules, picky)
		}
	} else if info.Mode().IsRegular() && f.wants(reported, name, picky) {
		return f.addWalked(dir, name, info)
	}
	return nil
}

// enters reports whether a walk enters a directory, and whether it is picky
// there.
func (f *finder) enters(reported, name string, picky bool) (pickyThere, ok bool) {
	switch {
	case globs.List(f.options.Skip).Match(reported, name):
		f.set.left.Excluded++
		return picky, false
	case f.options.Shallow:
		return picky, false
	case f.options.Defaults && !picky && noDocumentsIn(name):
		f.set.left.Directories++
		picky = true
	}
	return picky, !picky || globs.List(f.options.Include).Below(reported)
}

// wants reports whether a walk takes a file.
func (f *finder) wants(reported, name string, picky bool) bool {
	switch {
	case globs.List(f.options.Skip).Match(reported, name):
		f.set.left.Excluded++
	case globs.List(f.options.Include).Match(reported, name):
		return true
	case picky:
	case f.options.Defaults && isDocumentName(name) && (noDocument(path.Base(reported)) || isTranslation(name)):
		f.set.left.Files++
	case isDocumentName(name), isLog(name):
		return true
	case holdsOtherData(name):
		f.set.left.Unread = append(f.set.left.Unread, reported)
	}
	return false
}

// unwalk removes a file that turns out to hold no documents.
func (f *finder) unwalk(file *File) {
	f.walked[file.dir] = slices.DeleteFunc(f.walked[file.dir], func(other *File) bool { return other == file })
}

func (f *finder) addWalked(dir, name string, info fs.FileInfo) error {
	f.met++
	file, err := f.newFile(name, info)
	if file == nil || err != nil {
		return err
	}
	file.dir, file.root = dir, f.root
	f.set.Files = append(f.set.Files, file)
	f.walked[dir] = append(f.walked[dir], file)
	return nil
}

// Below counts the files with documents that reading a directory would find. It
// opens none of them.
func Below(ctx context.Context, dir string, o Options) (int, error) {
	f := finder{ctx: ctx, set: &Set{known: map[problemKey]bool{}}, options: o, seen: map[string]bool{}, walked: map[string][]*File{}}
	err := f.walkAll(dir)
	return f.met, err
}
