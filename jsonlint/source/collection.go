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

	"github.com/shapevet/shapevet/internal/globs"
)

// collectionName returns the name of a file's collection: the file name without
// the suffixes of formats and compression. It keeps inner dots.
func collectionName(name string) string {
	base := stem(path.Base(filepath.ToSlash(name)))
	switch strings.ToLower(path.Ext(base)) {
	case ".json", ".jsonl", ".ndjson", geoJSON, ".bson", ".archive", ".md", ".markdown", logExtension:
		base = base[:len(base)-len(path.Ext(base))]
	}
	return strings.Trim(base, "<>")
}

const geoJSON = ".geojson"

// isMap reports whether a file is GeoJSON.
func isMap(name string) bool { return strings.EqualFold(path.Ext(stem(name)), geoJSON) }

// Store returns the directory of a file whose collection has the name of the file, or is
// the directory or has a part there, and "" for all others.
func (f *File) Store() string {
	if f.named || f.Collection != f.Own && !f.inside {
		return ""
	}
	return path.Dir(f.Path)
}

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
	lone, err := loneFiles(walked)
	if err != nil {
		return err
	}
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
	leaveThings(names, walked)
	if err := setApart(names, walked); err != nil {
		return err
	}
	directories := map[*File]string{}
	for dir, name := range names {
		for _, f := range walked[dir] {
			if !f.isList() {
				directories[f], f.inside = name, true
			}
		}
	}
	for f, name := range lone {
		directories[f] = name
	}
	others := map[string]bool{} // collections of files that are not GeoJSON
	translated := translatedDirectories(s.Files)
	apart := otherDatabases(slices.DeleteFunc(slices.Clone(s.Files), func(f *File) bool { return directories[f] != "" || translated[filepath.Dir(f.Path)] }))
	for _, f := range s.Files {
		f.Own, f.named = cmp.Or(f.collection, apart[f], collectionName(f.Path)), f.collection != ""
		if dir := filepath.Dir(f.Path); translated[dir] && f.database == "" {
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
				f.Collection, f.Own, f.named = r.Name, r.Name, true
				break
			}
		}
	}
	return nil
}

func (r CollectionRule) matches(f *File) bool {
	return globs.List{r.Glob}.Match(f.Path, f.given)
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
		if l := (lexer{data: head[:size]}); len(f.members) == 1 && l.expect("{") && l.token() != nil && l.expect(":") {
			f.inner = memberNames(head[l.pos:size])
		}
		return 1, nil
	case p.refused == nil && p.whole && firstByte(head[:size]) == 0:
		return 0, nil
	}
	return 2, nil
}
