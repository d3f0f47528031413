// Package explained records what a rule has reported, so that another rule does not
// report the same thing again.
package explained

import (
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/size"
)

// BlobsReported are the fields whose blobs are reported, and the size from which a
// value is a blob. Anything else that these make large has the same cause.
type BlobsReported struct {
	Paths []profile.Path
	Least []int64
}

func ReportedBlobs(p *check.Pass) map[*model.Entity]BlobsReported {
	return check.Once(p, "blobs", func() map[*model.Entity]BlobsReported { return map[*model.Entity]BlobsReported{} })
}

func BlobsOf(p *check.Pass, e *model.Entity) BlobsReported { return ReportedBlobs(p)[e] }

// In returns how many bytes the blobs take in a document.
func (b BlobsReported) In(d *profile.Document, l limits.Profile) (bytes int64) {
	for i, path := range b.Paths {
		for v := range d.Select(0, path) {
			if n := size.Of(l.Name, d.Document, v); n >= b.Least[i] {
				bytes += n
			}
		}
	}
	return bytes
}

// ReportedLists are the arrays that are reported as growing. Anything that they make
// large has the same cause.
func ReportedLists(p *check.Pass) map[*model.Entity][]profile.Path {
	return check.Once(p, "lists", func() map[*model.Entity][]profile.Path { return map[*model.Entity][]profile.Path{} })
}

// outliers are the documents and fields that have been reported with confidence.
// Anything else that is odd about them has the same cause.
type outliers struct {
	Documents map[places.DocumentPos]bool
	Fields    map[OutlyingField]int64 // fields that only foreign documents have, and how many of them
}

type OutlyingField struct{ Collection, Path string }

func Outliers(p *check.Pass) *outliers {
	return check.Once(p, "outliers", func() *outliers {
		return &outliers{Documents: map[places.DocumentPos]bool{}, Fields: map[OutlyingField]int64{}}
	})
}

// Joins are the kinds of document that are reported because they only link two
// others. What they lack as independent documents has the same cause.
func Joins(p *check.Pass) map[*model.Entity]bool {
	return check.Once(p, "joins", func() map[*model.Entity]bool { return map[*model.Entity]bool{} })
}

// Shapes are the collections for which a finding already explains why they have
// several shapes: one shape replaced another at some time, or their kind is stored
// under two names.
func Shapes(p *check.Pass) map[*model.Collection]bool {
	return check.Once(p, "shapes", func() map[*model.Collection]bool { return map[*model.Collection]bool{} })
}

// Lost are the fields that are reported for texts in place of missing values, and
// how many values of each are such texts.
func Lost(p *check.Pass) map[*profile.Node]int64 {
	return check.Once(p, "lost", func() map[*profile.Node]int64 { return map[*profile.Node]int64{} })
}
