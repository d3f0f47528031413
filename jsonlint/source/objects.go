package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sync/errgroup"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/globs"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// fetchers is how many objects are fetched concurrently.
const fetchers = 16

// An objectFinder turns the URL of objects into files.
type objectFinder struct {
	*finder
	store   remote.Store
	url     remote.URL
	root    string // the URL of the bucket, with a slash
	found   []object
	beside  map[string]bool  // keys of dump metadata
	dumps   map[string]bool  // directories with dumps
	visited map[string]visit // directories, by keys without the final slash
}

type object struct {
	key  string
	file *File
}

// A visit is how a walk treats a directory; see [finder.enters].
type visit struct{ picky, entered bool }

// addObjects adds the object that a URL names, the objects that its glob
// matches, or, if it ends with a slash or names just a bucket, the documents
// below it. Each becomes a file of that name.
func (f *finder) addObjects(open remote.StoreOpener, url remote.URL) error {
	bucket, key := url.Object()
	o := objectFinder{
		finder: f, url: url, root: remote.Scheme(url.Secret()) + "://" + bucket + "/",
		beside: map[string]bool{}, dumps: map[string]bool{}, visited: map[string]visit{strings.TrimSuffix(key, "/"): {entered: true}},
	}
	var err error
	if o.store, err = open(f.ctx, url); err != nil {
		return o.refuse(url.String(), err)
	}
	switch {
	case key == "" || strings.HasSuffix(key, "/"):
		err = o.walkBelow(key)
	case strings.ContainsAny(key, "*[{"):
		err = o.match(key)
	default:
		o.add(key, "")
		if isDump(key) { // metadata is optional, and the user may not be allowed to see it
			_ = o.list(withoutFormat(key), func(string) {})
		}
	}
	if err != nil {
		err = o.refuse(url.String(), err)
	} else {
		err = o.fetch()
	}
	if o.options.InPlace {
		o.set.stores = append(o.set.stores, o.store)
		return err
	}
	return errors.Join(err, o.store.Close())
}

// refuse reports that objects cannot be read. An interrupted run reports that
// itself.
func (o *objectFinder) refuse(name string, err error) error {
	refused := finding.Problem{
		Message: err.Error(), Hint: "check the name, the credentials and the rights of the user; a / at the end means all objects below a name",
		Location: finding.Location{File: name},
	}
	if hinted := (*hintedError)(nil); errors.As(err, &hinted) {
		refused.Hint = hinted.hint
	}
	o.set.problem(refused)
	return o.ctx.Err()
}

// A hintedError includes a hint on what to do about it.
type hintedError struct{ message, hint string }

func (e *hintedError) Error() string { return e.message }

// list calls visit with the keys of objects.
func (o *objectFinder) list(prefix string, visit func(key string)) error {
	for key, err := range o.store.List(o.ctx, prefix) {
		if err != nil {
			return err
		}
		if dir, base := splitKey(key); base != "" { // otherwise the key stands for a directory
			if besideDump(base) {
				o.beside[key] = true
			}
			if isDump(base) {
				o.dumps[dir] = true
			}
			visit(key)
		}
	}
	return nil
}

// splitKey returns the parts before and after the last slash.
func splitKey(key string) (dir, base string) {
	slash := strings.LastIndexByte(key, '/')
	return key[:max(slash, 0)], key[slash+1:]
}

func (o *objectFinder) add(key, dir string) {
	if name := o.root + key; !o.seen[name] {
		o.seen[name] = true
		o.found = append(o.found, object{key, &File{Path: name, given: name, Prose: isMarkdown(key), dir: dir}})
	}
}

// walkBelow finds the documents below a prefix like a walk of a directory.
func (o *objectFinder) walkBelow(prefix string) error {
	before, listed := o.set.left, false
	var candidates []string
	err := o.list(prefix, func(key string) {
		listed = true
		dir, base := splitKey(key)
		v := o.visit(dir)
		if leave := strings.HasPrefix(base, "."); v.entered && (!leave || len(o.options.Include) > 0) && o.wants(o.root+key, o.root+key, v.picky || leave) {
			candidates = append(candidates, key)
		}
	})
	found := false
	for _, key := range candidates {
		if dir, base := splitKey(key); !o.dumps[dir] || !besideDump(base) {
			found = true
			o.add(key, o.root+dir)
		}
	}
	switch {
	case err != nil:
		return err
	case !listed:
		return &hintedError{"there are no objects below this", "check the name; upper and lower case differ"}
	case !found:
		return &hintedError{"the objects below this hold no documents", o.whyNone(before)}
	}
	return nil
}

// visit decides once per directory.
func (o *objectFinder) visit(dir string) visit {
	v, ok := o.visited[dir]
	if !ok {
		parent, base := splitKey(dir)
		v = o.visit(parent)
		leave := strings.HasPrefix(base, ".")
		if v.entered = v.entered && (!leave || len(o.options.Include) > 0); v.entered {
			v.picky, v.entered = o.enters(o.root+dir, o.root+dir, v.picky || leave)
		}
		o.visited[dir] = v
	}
	return v
}

// match finds the objects that a glob matches.
func (o *objectFinder) match(glob string) error {
	if err := globs.Check(glob); err != nil {
		return &hintedError{err.Error(), "quote brackets and braces that are part of a name with a backslash"}
	}
	prefix := glob[:strings.IndexAny(glob, `*[{\`)]
	base, _ := splitKey(prefix)
	found := false
	err := o.list(prefix, func(key string) {
		if doublestar.MatchUnvalidated(glob, key) && o.globTakes(glob, key, strings.TrimPrefix(key[len(base):], "/")) {
			found = true
			o.add(key, "")
		}
	})
	if err == nil && !found {
		err = &hintedError{"no object matches this glob", "quote it so that the shell leaves it alone; * stands for no slash, ** for any directories"}
	}
	return err
}

// fetch copies the objects found into temporary files, or, to read them in
// place, gets their sizes. Each fetcher has one file, because there may be more
// objects than files can be open.
func (o *objectFinder) fetch() error {
	objects := o.found
	for _, found := range o.found {
		for _, suffix := range metadataSuffixes {
			if key := withoutFormat(found.key) + suffix; isDump(found.key) && o.beside[key] {
				found.file.beside = &File{Path: o.root + key}
				objects = append(objects, object{key, found.file.beside})
			}
		}
	}
	var next atomic.Int64
	group, ctx := errgroup.WithContext(o.ctx)
	for range min(fetchers, len(objects)) {
		group.Go(func() error {
			var (
				spool *os.File
				end   int64
				err   error
			)
			if !o.options.InPlace {
				spool, err = o.set.NewSpool()
			}
			for err == nil {
				i := int(next.Add(1)) - 1
				if i >= len(objects) {
					return nil
				}
				if o.options.InPlace {
					err = o.place(ctx, objects[i])
				} else {
					end, err = o.fetchOne(ctx, objects[i], spool, end)
				}
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("keep the objects of %s: %w", o.url, err)
	}
	for _, found := range o.found {
		if found.file.spool == nil && found.file.object == nil {
			continue // reported as a problem
		}
		if dir := found.file.dir; dir != "" {
			o.walked[dir] = append(o.walked[dir], found.file)
		}
		o.set.Files = append(o.set.Files, found.file)
	}
	return nil
}

// fetchOne appends an object to a temporary file and returns the file's new
// end. An unreadable object is a problem and does not affect the others.
func (o *objectFinder) fetchOne(ctx context.Context, fetched object, spool *os.File, end int64) (int64, error) {
	from, _, err := o.store.Open(ctx, fetched.key, 0, -1)
	var size int64
	if err == nil {
		size, err = io.Copy(spool, contextReader{ctx, from})
		_ = from.Close() // everything needed was read
		if full := (*fs.PathError)(nil); errors.As(err, &full) && full.Path == spool.Name() {
			return end, full.Err
		}
		err = o.url.Error("the object cannot be read to its end", err)
	}
	switch {
	case ctx.Err() != nil:
		return end, ctx.Err()
	case err != nil:
		return end + size, o.refuse(fetched.file.Path, err)
	}
	fetched.file.spool, fetched.file.Size = io.NewSectionReader(spool, end, size), size
	return end + size, nil
}

// place sets up an object to be read in place.
func (o *objectFinder) place(ctx context.Context, found object) error {
	from, size, err := o.store.Open(ctx, found.key, 0, -1) // S3 rejects a range of an empty object
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return o.refuse(found.file.Path, err)
	}
	found.file.object, found.file.Size = &placedObject{o.ctx, o.store, found.key, size}, size
	return from.Close()
}

// A placedObject is read in place.
type placedObject struct {
	ctx   context.Context // of the run, because the interfaces of package io have no context
	store remote.Store
	key   string
	size  int64
}

func (o *placedObject) open() rawFile { return &objectFile{placedObject: o} }

// An objectFile requests the next bytes of an object before they are needed,
// more each time, up to largestWindow.
type objectFile struct {
	*placedObject
	at int64 // where Read continues

	mutex  sync.Mutex
	window []byte
	start  int64 // of the window
}

const (
	firstWindow   = 64 << 10
	largestWindow = 4 << 20
)

func (f *objectFile) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p[:min(len(p), largestWindow)], f.at)
	f.at += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

func (f *objectFile) ReadAt(p []byte, offset int64) (n int, err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for n < len(p) {
		at := offset + int64(n) - f.start
		if at < 0 || at >= int64(len(f.window)) {
			if offset+int64(n) >= f.size {
				return n, io.EOF
			}
			if err := f.ask(offset + int64(n)); err != nil {
				return n, err
			}
			continue
		}
		n += copy(p[n:], f.window[at:])
	}
	return n, nil
}

// ask moves the window to an offset before the end.
func (f *objectFile) ask(offset int64) error {
	size := min(largestWindow, max(firstWindow, 2*int64(len(f.window))), f.size-offset)
	from, _, err := f.store.Open(f.ctx, f.key, offset, size)
	if err != nil {
		return err
	}
	f.window, f.start = slices.Grow(f.window[:0], int(size))[:size], offset
	if _, err = io.ReadFull(from, f.window); err != nil {
		f.window = f.window[:0]
	}
	return errors.Join(err, from.Close())
}

func (*objectFile) Close() error { return nil }
