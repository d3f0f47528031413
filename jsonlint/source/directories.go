package source

import (
	"cmp"
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/shapevet/shapevet/internal/lexicon"
)

// directoryCollection returns the name of the collection that the files of a
// directory form, or "" if they form none. There must be at least two files,
// each with exactly one document and a name that fits a single document. One in ten may
// be a list of something else, such as of what the others tell more about.
func (s *Set) directoryCollection(ctx context.Context, dir string, files []*File) (string, error) {
	lines := slices.ContainsFunc(files, func(f *File) bool {
		return strings.ToLower(path.Ext(stem(f.Path))) != ".json"
	})
	plurals := !slices.ContainsFunc(files, func(f *File) bool { // users and admins are names of collections
		name := strings.ToLower(collectionName(f.Path))
		return lexicon.Singular(name) == name
	})
	if lines || plurals || len(files) < 2 {
		return "", nil
	}
	documents, lists := 0, 0
	name, err := directoryName(dir, files[0].root)
	for _, f := range files {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return "", err
		}
		if f.isList() {
			lists++
		} else {
			documents += f.single
		}
		if f.single < 0 || f.isList() && collectionName(f.Path) == name {
			return "", nil
		}
	}
	wrapped := underOwnName(files)
	if documents < 2 || !fewLists(lists, files) || unlike(files, documents) && !wrapped {
		return "", nil
	}
	for _, f := range files {
		f.Wrapped = wrapped && !f.isList()
	}
	return name, nil
}

// fewLists reports whether so many of the files of a directory may be lists if the others are
// a collection.
func fewLists(lists int, files []*File) bool { return 10*lists <= len(files) }

// isList reports whether a file holds several documents, see countSingle.
func (f *File) isList() bool { return f.single > 1 }

// underOwnName reports whether most files hold one document under the name of the file,
// {"adder":{…}} in adder.json, and most members of these documents are in most of them.
// Responses of an API also have names around them, but hold different things.
func underOwnName(files []*File) bool {
	own, with := 0, map[string]int{}
	for _, f := range files {
		if len(f.inner) > 0 && lexicon.Fold(strings.Trim(f.members[0], `"`)) == lexicon.Fold(collectionName(f.Path)) {
			own++
			for _, name := range f.inner {
				with[name]++
			}
		}
	}
	common := 0
	for _, n := range with {
		if 2*n > own {
			common++
		}
	}
	return 2*own > len(files) && common > 1 && 2*common > len(with)
}

// directoryName returns the name of a directory, also of ".". A part of a collection
// is named after the collection, events/2024-01-03 after events, unless it is the root
// of the walk.
func directoryName(dir, root string) (string, error) {
	absolute, err := filepath.Abs(wholeDirectory(dir, root))
	if err != nil {
		return "", err
	}
	return filepath.Base(absolute), nil
}

// wholeDirectory returns the directory of the collection of which a directory is a part.
func wholeDirectory(dir, root string) string {
	for dir = filepath.Clean(dir); dir != root && isPart(filepath.Base(dir)); {
		dir = filepath.Dir(dir)
	}
	return dir
}

// isPart reports whether a directory is named after the part of a collection that it
// holds: a date or a number, or the value of a field, month=01.
func isPart(name string) bool {
	field, _, named := strings.Cut(name, "=")
	return named && field != "" || strings.Trim(name, "0123456789-_.") == "" && strings.ContainsAny(name, "0123456789")
}

// leaveThings leaves out the directories that each hold the documents of one thing,
// one in each of a few collections: chain.json and assets.json in each of hundreds of
// chains. Most of their file names occur in many directories. Numbers are names of
// documents.
func leaveThings(names map[string]string, walked map[string][]*File) {
	directories := map[string]int{} // by the names of their files
	for dir := range names {
		for _, f := range walked[dir] {
			directories[collectionName(f.Path)]++
		}
	}
	maps.DeleteFunc(names, func(dir, _ string) bool {
		recurring := 0
		for _, f := range walked[dir] {
			name := collectionName(f.Path)
			if directories[name] > 2*len(walked[dir]) && strings.Trim(name, "0123456789") != "" {
				recurring++
			}
		}
		return 2*recurring > len(walked[dir])
	})
}

// setApart puts the name of the directory above before the names of directories that
// are called alike and hold different things: metadata.tokens and labels.tokens. So it
// does if a list beside the directory has its name and other members: heroes.json tells
// of each of heroes/*.json less than that file.
func setApart(names map[string]string, walked map[string][]*File) error {
	called := map[string][]string{}
	for _, dir := range slices.Sorted(maps.Keys(names)) {
		called[names[dir]] = append(called[names[dir]], dir)
	}
	for name, dirs := range called {
		first := usualMembers(walked[dirs[0]])
		differ := slices.ContainsFunc(dirs[1:], func(dir string) bool {
			usual := usualMembers(walked[dir])
			least := min(len(first), len(usual))
			usual = slices.DeleteFunc(usual, func(member string) bool { return !slices.Contains(first, member) })
			return 2*len(usual) < least
		})
		for _, dir := range dirs {
			root := walked[dir][0].root
			above := filepath.Dir(wholeDirectory(dir, root))
			if !differ && !listed(name, walked[dir], walked[above]) {
				continue
			}
			holder, err := directoryName(above, root)
			if err != nil {
				return err
			}
			names[dir] = holder + "." + name
		}
	}
	return nil
}

// listed reports whether a list among the files beside a directory has its name and
// documents of another form than its files.
func listed(name string, files, beside []*File) bool {
	within := glimpse{usual: usualMembers(files), several: true}
	slices.Sort(within.usual)
	return slices.ContainsFunc(beside, func(f *File) bool {
		return collectionName(f.Path) == name && f.single != 1 && !within.alike(glimpseOf(f))
	})
}

// usualMembers returns the members that half of the files of a directory have.
func usualMembers(files []*File) (usual []string) {
	with := map[string]int{}
	for _, f := range files {
		members := f.members
		if f.Wrapped {
			members = f.inner
		}
		for _, name := range members {
			if with[name]++; 2*with[name] == len(files) || 2*with[name] == len(files)+1 {
				usual = append(usual, strings.Trim(name, `"`))
			}
		}
	}
	return usual
}

// loneFiles returns the collections of files that have directories to themselves and
// names that say nothing: cocktails/mojito/data.json beside
// ingredients/rum/data.json. They are named after the directory that holds
// those.
func loneFiles(walked map[string][]*File) (map[*File]string, error) {
	const several = 3 // directories beside each other
	type holder struct{ above, name string }
	files := map[holder][]*File{}
	for dir, in := range walked {
		if len(in) == 1 && in[0].single == 1 {
			h := holder{filepath.Dir(dir), collectionName(in[0].Path)}
			files[h] = append(files[h], in[0])
		}
	}
	above := map[string]int{} // by name
	for h, in := range files {
		if len(in) >= several {
			above[h.name]++
		}
	}
	collections := map[*File]string{}
	for h, in := range files {
		if above[h.name] < 2 || len(in) < several {
			continue
		}
		name, err := directoryName(h.above, in[0].root)
		if err != nil {
			return nil, err
		}
		for _, f := range in {
			collections[f] = name
		}
	}
	return collections, nil
}

// translatedDirectories returns the directories that hold the same collections in
// one language each: de/quests.json beside fr/quests.json. Values in different
// languages are not compared. One name at least must not be that of a country:
// data of several countries are one collection.
func translatedDirectories(files []*File) map[string]bool {
	const several = 3
	type sibling struct{ parent, collection string }
	directories := map[sibling][]string{}
	for _, f := range files {
		dir := filepath.Dir(f.Path)
		tag := filepath.Base(dir)
		base, _, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
		if f.dir == "" || len(base) != 2 || !languageTag().MatchString(tag) {
			continue // of three letters, many words are languages
		}
		if _, err := language.ParseBase(base); err == nil {
			s := sibling{filepath.Dir(dir), collectionName(f.Path)}
			directories[s] = append(directories[s], dir)
		}
	}
	translated := map[string]bool{}
	for _, dirs := range directories {
		if len(dirs) < several || !slices.ContainsFunc(dirs, func(dir string) bool {
			region, err := language.ParseRegion(filepath.Base(dir))
			return err != nil || !region.IsCountry()
		}) {
			continue
		}
		for _, dir := range dirs {
			translated[dir] = true
		}
	}
	return translated
}

// unlike reports whether the files of a directory hold different things, such as
// responses of an API: no member occurs in half of them, or only one that is a small
// part of what they hold, such as a note. Ids as names say nothing.
func unlike(files []*File, documents int) bool {
	with, named := map[string]int{}, false
	for _, f := range files {
		for _, name := range f.members {
			named = true
			if !mostlyDigits(name) {
				with[name]++
			}
		}
	}
	usual, common, all := 0, 0, 0
	for _, n := range with {
		if all += n; n > 1 && 2*n >= documents {
			usual++
			common += n
		}
	}
	return named && (usual == 0 || usual == 1 && 4*common < all)
}

// mostlyDigits reports whether most of a name are digits.
func mostlyDigits(name string) bool {
	digits := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, name)
	return 2*len(digits) > len(name)
}
