package untraceablecopy

import (
	"encoding/binary"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

type tupleSettings struct {
	path  profile.Path
	names []string
}

// A tupleProbe counts the combinations of values in some fields of objects.
type tupleProbe struct {
	settings *tupleSettings
	tuples   *sample.ByHash[tuple]
	objects  int64
	places   []tuplePlace // the first ones
}

type tuple struct {
	count int64
	at    profile.Pos // of the first document with it
}

type tuplePlace struct {
	tuple uint64
	open  profile.Pos // of the object's opening brace
}

const maxTuplePlaces = 256

func (t *tupleProbe) New() check.Probe {
	return &tupleProbe{settings: t.settings, tuples: t.tuples}
}

func (t *tupleProbe) Visit(d *profile.Document) {
	for v := range d.Select(0, t.settings.path) {
		if d.Tokens[v].Kind != scan.Object {
			continue
		}
		hash, ok := t.hash(d, v)
		if !ok {
			continue
		}
		t.objects++
		open := d.At(v)
		open.Len = 1
		t.place(tuplePlace{hash, open})
		t.tuples.Put(hash, tuple{1, d.Start()}, tuple.and)
	}
}

// hash combines the values of the fields. It is not ok if one is missing.
func (t *tupleProbe) hash(d *profile.Document, v int) (uint64, bool) {
	var buf []byte
	for _, name := range t.settings.names {
		f, ok := d.Get(v, name)
		if !ok || d.Tokens[f].Kind == scan.Null || d.Tokens[f].Kind >= scan.Object {
			return 0, false
		}
		buf = binary.LittleEndian.AppendUint64(buf, d.Hash(f))
	}
	return profile.HashText(buf), true
}

func (t tuple) and(more tuple) tuple {
	return tuple{t.count + more.count, profile.Earlier(t.at, more.at)}
}

func (t *tupleProbe) place(more ...tuplePlace) {
	t.places = places.KeepFirst(t.places, maxTuplePlaces, func(a, b tuplePlace) int { return a.open.Compare(b.open) }, more...)
}

func (t *tupleProbe) Merge(other check.Probe) {
	o := other.(*tupleProbe)
	t.objects += o.objects
	t.place(o.places...)
	t.tuples.Merge(o.tuples, tuple.and)
}
