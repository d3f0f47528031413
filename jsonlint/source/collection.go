package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/shapevet/shapevet/internal/globs"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// collectionName returns the name of a file's collection: the file name without
// the suffixes of formats and compression. It keeps inner dots.
func collectionName(name string) string {
	base := stem(path.Base(filepath.ToSlash(name)))
	switch strings.ToLower(path.Ext(base)) {
	case ".json", ".jsonl", ".ndjson", geoJSON, ".bson", ".archive", ".md", ".markdown":
		base = base[:len(base)-len(path.Ext(base))]
	}
	return strings.Trim(base, "<>")
}

const geoJSON = ".geojson"

// isMap reports whether a file is GeoJSON.
func isMap(name string) bool { return strings.EqualFold(path.Ext(stem(name)), geoJSON) }

func checkRules(rules []CollectionRule) error {
	for _, r := range rules {
		if r.Name == "" {
			return fmt.Errorf("collection for %q has no name: want NAME=GLOB", r.Glob)
		}
		if err := globs.Check(r.Glob); err != nil {
			return fmt.Errorf("collection %s: %q %w", r.Name, r.Glob, err)
		}
	}
	return nil
}

// nameCollections assigns each file a collection: by the rules, or that of its
// directory, or its own.
func (s *Set) nameCollections(ctx context.Context, rules []CollectionRule, walked map[string][]*File) error {
	names := map[string]string{} // of the directories that are collections
	for dir, files := range walked {
		name, err := s.directoryCollection(ctx, dir, files)
		if err != nil {
			return err
		}
		if name != "" {
			names[dir] = name
		}
	}
	things := thingDirectories(names, walked)
	directories := map[*File]string{}
	for dir, name := range names {
		for _, f := range walked[dir] {
			if !things[dir] {
				directories[f] = name
			}
		}
	}
	for f, name := range lone(walked) {
		directories[f] = name
	}
	others := map[string]bool{} // collections of files that are not GeoJSON
	translated := translatedDirectories(s.Files)
	for _, f := range s.Files {
		f.Own = cmp.Or(f.collection, collectionName(f.Path))
		if dir := filepath.Dir(f.Path); translated[dir] {
			f.Own = filepath.Base(dir) + "." + f.Own
		}
		others[f.Own] = others[f.Own] || !isMap(f.Path)
	}
	for _, f := range s.Files {
		if isMap(f.Path) && others[f.Own] {
			f.Own += geoJSON // the same things in another form
		}
		f.Collection = f.Own
		if name, ok := directories[f]; ok {
			f.Collection = name
		}
		for _, r := range rules {
			if r.matches(f) {
				f.Collection, f.Own = r.Name, r.Name
				break
			}
		}
	}
	return nil
}

func (r CollectionRule) matches(f *File) bool {
	return globs.List{r.Glob}.Match(f.Path, f.given)
}

// directoryCollection returns the name of the collection that the files of a
// directory form, or "" if they form none. There must be at least two files,
// each with exactly one document and a name that fits a single document.
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
	documents := 0
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if f.single < 0 || f.single > 1 {
			return "", nil
		}
		documents += f.single
	}
	if documents < 2 || unlike(files, documents) {
		return "", nil
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.Base(absolute), nil
}

// thingDirectories returns those of the directories that each hold the documents
// of one thing, one in each of a few collections: chain.json and assets.json in
// each of hundreds of chains. Most of their file names occur in many directories
// beside them. Numbers are names of documents.
func thingDirectories(names map[string]string, walked map[string][]*File) map[string]bool {
	type sibling struct{ parent, name string }
	directories := map[sibling]int{}
	for dir := range names {
		for _, f := range walked[dir] {
			directories[sibling{filepath.Dir(dir), collectionName(f.Path)}]++
		}
	}
	things := map[string]bool{}
	for dir := range names {
		recurring := 0
		for _, f := range walked[dir] {
			name := collectionName(f.Path)
			if directories[sibling{filepath.Dir(dir), name}] > 2*len(walked[dir]) && strings.Trim(name, "0123456789") != "" {
				recurring++
			}
		}
		things[dir] = 2*recurring > len(walked[dir])
	}
	return things
}

// lone returns the collections of files that have directories to themselves and
// names that say nothing: cocktails/mojito/data.json beside
// ingredients/rum/data.json. They are named after the directory that holds
// those.
func lone(walked map[string][]*File) map[*File]string {
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
		if above[h.name] > 1 && len(in) >= several {
			for _, f := range in {
				collections[f] = filepath.Base(h.above)
			}
		}
	}
	return collections
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
// responses of an API: no member occurs in half of them.
func unlike(files []*File, documents int) bool {
	with, most := map[string]int{}, 0
	for _, f := range files {
		for _, name := range f.members {
			with[name]++
			most = max(most, with[name])
		}
	}
	return len(with) > 0 && 2*most < documents
}

// memberNames returns the names of the members of the object that a text begins
// with, as far as the text goes, each once.
func memberNames(text []byte) (names []string) {
	l := lexer{data: text}
	depth, before := 0, byte(0)
	for token := l.token(); token != nil; token = l.token() {
		c := token[0]
		switch {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return names
			}
		case c == '"' && depth == 1 && (before == '{' || before == ',') && !slices.Contains(names, string(token)):
			names = append(names, string(token))
		}
		before = c
	}
	return names
}

// severalObjects reports whether a text, possibly damaged, holds one object
// after another, judging by the brackets.
func severalObjects(text []byte) bool {
	objects, depth, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				objects++
			}
		}
	}
	return objects > 1 && depth == 0
}

// countSingle returns 1 for a file that is one object, whose members it notes, 0 for
// an empty one, and 2 for all others. It examines only the head of the file.
func (s *Set) countSingle(f *File) (n int, err error) {
	stream, err := openStream(f, nil)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, stream.Close()) }()
	head := s.newBuffer(s.headSize)
	defer s.freeBuffer(head)
	size, readErr := fill(stream, head)
	p := planFile(head[:size], f.Path, readErr != nil, isCut(readErr), s.maxDocument)
	switch {
	case p.single && p.whole && severalObjects(head[:size]):
		return 2, nil
	case p.single:
		f.members = memberNames(head[:size])
		return 1, nil
	case p.refused == nil && p.whole && firstByte(head[:size]) == 0:
		return 0, nil
	}
	return 2, nil
}
