package source

import (
	"errors"
	"fmt"
	"io"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
)

// Remote is what a live database says about one of its collections.
type Remote struct {
	Database remote.Database
	remote.Collection
}

// A remoteSample is a sampled database.
type remoteSample struct {
	database remote.Database
	sample   remote.Sample
	archive  *File // the spool
}

// addRemote samples the database that a URL names into a temporary file. The
// set reads that file as often as needed, but never the database again.
func (f *finder) addRemote(scheme, text string) error {
	url := remote.Parse(text)
	refuse := func(message, hint string) {
		f.set.problem(finding.Problem{Message: message, Hint: hint, Location: finding.Location{File: url.String()}})
	}
	open := f.options.Openers[scheme]
	if open == nil {
		hint := "copy the documents to a file and check that"
		if len(f.options.Openers) == 0 {
			hint = "use a released program, or build one in the directory live: go install ./cmd/shapevet"
		}
		refuse("this program does not read what is at "+scheme+"://", hint)
		return nil
	}
	database, err := open(f.ctx, url, f.options.Remote)
	if err != nil {
		return f.refusedBy(refuse, url, err)
	}
	s := remoteSample{database: database}
	spool, err := f.set.NewSpool()
	if err == nil {
		s.sample, err = database.Sample(f.ctx, spool)
	}
	if err != nil {
		return errors.Join(f.refusedBy(refuse, url, err), database.Close())
	}
	size, err := spool.Seek(0, io.SeekEnd)
	if err != nil {
		return errors.Join(fmt.Errorf("keep a sample of %s: %w", url, err), database.Close())
	}
	s.archive = &File{Path: url.String(), given: url.String(), spool: whole(spool), Size: size}
	f.set.remotes = append(f.set.remotes, s)
	if len(s.sample.Collections) == 0 {
		refuse("there are no user documents", "name a database that has some, as in "+scheme+"://HOST/DATABASE")
		return nil
	}
	if !s.sample.Lines {
		f.set.Files = append(f.set.Files, s.archive) // its members come later
		return nil
	}
	for _, c := range s.sample.Collections {
		file := &File{Path: url.String() + "#" + c.Name, given: url.String(), spool: s.archive.spool, collection: c.Name, segments: []segment{}}
		for _, part := range c.Parts {
			file.segments = append(file.segments, segment{part.Start, part.Length, file.Size})
			file.Size += part.Length
		}
		f.set.Files = append(f.set.Files, file)
	}
	return nil
}

// refusedBy reports that a database cannot be read. An interrupted run reports
// that itself.
func (f *finder) refusedBy(refuse func(message, hint string), url remote.URL, err error) error {
	if f.ctx.Err() != nil {
		return f.ctx.Err()
	}
	refuse(url.Redact(err.Error()), "check the address, the credentials and the rights of the user")
	return nil
}

// describeRemotes adds to the files from a database what is known about them.
func (s *Set) describeRemotes() {
	for _, r := range s.remotes {
		for _, f := range s.Files {
			if f.spool != r.archive.spool {
				continue
			}
			name := f.collection
			if f.database != "" {
				name = f.database + "." + f.collection
			}
			for _, c := range r.sample.Collections {
				if c.Name == name {
					f.Remote = &Remote{r.database, c}
				}
			}
		}
	}
}

// Notes say what was read from databases and what was not.
func (s *Set) Notes() []string {
	var notes []string
	for _, r := range s.remotes {
		notes = append(notes, r.sample.Notes...)
	}
	return notes
}
