package source

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
)

// glimpsed is how much of a file shows which members its documents have, in bytes.
const glimpsed = 64 << 10

// A glimpse is what the first documents of a file look like.
type glimpse struct {
	usual   []string // the members that half of them have, sorted
	several bool     // the file does not hold one object
}

// A database is directories whose files of one name hold documents of one form.
type database struct {
	name        string
	directory   string // the first
	files       int
	collections map[string]glimpse // by name
}

// alike reports whether the collections that the database and the files of a directory
// have in common hold documents of one form, and whether there are any.
func (d *database) alike(in map[string]glimpse) bool {
	shared := false
	for name, g := range in {
		if known, ok := d.collections[name]; ok {
			if shared = true; !known.alike(g) {
				return false
			}
		}
	}
	return shared
}

// alike reports whether most of the members that either has are in both. Documents that
// have ids are not those that have none. A file with one object may be any document of
// a collection.
func (g glimpse) alike(o glimpse) bool {
	if !g.several && !o.several || len(g.usual) == 0 || len(o.usual) == 0 {
		return true
	}
	both, ids := 0, 0
	for _, name := range g.usual {
		if _, ok := slices.BinarySearch(o.usual, name); ok {
			both++
		}
	}
	for _, usual := range [][]string{g.usual, o.usual} {
		if slices.ContainsFunc(usual, func(name string) bool { return strings.TrimLeft(lexicon.Fold(name), "_$") == "id" }) {
			ids++
		}
	}
	return ids != 1 && 2*both >= len(g.usual)+len(o.usual)-both
}

// otherDatabases returns the names of the collections of files that are not from the
// database that most files are from: raw.posts for raw/posts.json beside data/posts.json,
// whose documents have other members.
func otherDatabases(files []*File) map[*File]string {
	files = slices.DeleteFunc(slices.Clone(files), func(f *File) bool {
		return f.bson || f.database != "" || f.Prose || f.Stdin || f.object != nil
	})
	in := map[string]map[string]*File{} // the first file, by directory and collection
	directories := map[string]int{}     // by collection
	for _, f := range files {
		dir, name := databaseDirectory(f), collectionName(f.Path)
		if in[dir] == nil {
			in[dir] = map[string]*File{}
		}
		if in[dir][name] == nil {
			in[dir][name] = f
			directories[name]++
		}
	}
	found, of := databasesIn(in, directories)
	first := nameDatabases(found)
	names := map[*File]string{}
	for _, f := range files {
		name := collectionName(f.Path)
		if d := of[databaseDirectory(f)]; d != nil && first[name] != nil && first[name] != d {
			names[f] = d.name + "." + name
		}
	}
	return names
}

// databasesIn returns the databases that directories are, the one with most files first,
// and which a directory is. It is given the first file of each collection of a directory,
// and in how many directories a collection is: those in one tell nothing.
func databasesIn(in map[string]map[string]*File, directories map[string]int) (found []*database, of map[string]*database) {
	of = map[string]*database{}
	for _, dir := range slices.Sorted(maps.Keys(in)) {
		glimpses := map[string]glimpse{}
		for name, f := range in[dir] {
			if directories[name] > 1 {
				glimpses[name] = glimpseOf(f)
			}
		}
		if len(glimpses) == 0 {
			continue
		}
		i := slices.IndexFunc(found, func(d *database) bool { return d.alike(glimpses) })
		if i < 0 {
			i = len(found)
			found = append(found, &database{directory: dir, collections: map[string]glimpse{}})
		}
		d := found[i]
		of[dir] = d
		d.files += len(in[dir])
		for name, g := range glimpses {
			if len(d.collections[name].usual) == 0 {
				d.collections[name] = g
			}
		}
	}
	slices.SortStableFunc(found, func(a, b *database) int { return cmp.Compare(b.files, a.files) })
	return found, of
}

// nameDatabases names databases after their directories, with as many steps of the path as
// tell them apart, and returns the first that has a collection.
func nameDatabases(found []*database) (first map[string]*database) {
	first = map[string]*database{}
	called := map[string]bool{}
	for _, d := range found {
		for name := range d.collections {
			if first[name] == nil {
				first[name] = d
			}
		}
		for n := 1; d.name == "" || called[d.name]; n++ {
			steps := strings.Split(filepath.ToSlash(d.directory), "/")
			if n > len(steps) {
				break
			}
			d.name = strings.Join(steps[len(steps)-n:], ".")
		}
		called[d.name] = true
	}
	return first
}

// databaseDirectory returns the directory of the database of a file: not that of its
// collection, raw/posts/posts.json, or of a part of it.
func databaseDirectory(f *File) string {
	dir := filepath.Dir(filepath.FromSlash(f.Path))
	for dir != f.root && dir != filepath.Dir(dir) && (isPart(filepath.Base(dir)) || lexicon.Fold(filepath.Base(dir)) == lexicon.Fold(collectionName(f.Path))) {
		dir = filepath.Dir(dir)
	}
	return dir
}

// glimpseOf returns what the first documents of a file look like. A file that cannot be
// read reports that when it is read.
func glimpseOf(f *File) (g glimpse) {
	if f.single == 1 {
		for _, name := range f.members {
			g.usual = append(g.usual, strings.Trim(name, `"`))
		}
		slices.Sort(g.usual)
		return g
	}
	stream, err := openStream(f, nil)
	if err != nil {
		return glimpse{}
	}
	defer func() { _ = stream.Close() }()
	head := make([]byte, glimpsed)
	size, _ := fill(stream, head)
	l := lexer{data: head[:size]}
	with, documents := map[string]int{}, 0
	depth, at, before := 0, 1, byte(0) // at is the depth of the members of documents
	for token := l.token(); token != nil; token = l.token() {
		c := token[0]
		switch {
		case c == '{':
			if depth++; depth == at {
				documents++
			}
		case c == '[':
			if depth++; depth == 1 {
				at = 2
			}
		case c == '}' || c == ']':
			depth--
		case c == '"' && depth == at && (before == '{' || before == ','):
			with[strings.Trim(string(token), `"`)]++
		}
		before = c
	}
	g.several = at == 2 || documents > 1
	for _, name := range slices.Sorted(maps.Keys(with)) {
		if 2*with[name] >= documents {
			g.usual = append(g.usual, name)
		}
	}
	return g
}
