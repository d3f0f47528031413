// Package inlineblob reports files kept inside documents: base64, data URIs,
// binary values, and very long texts.
package inlineblob

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/explained"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/size"
)

// Rule is inline-blob on documents.
var Rule = check.Rule{Name: "inline-blob", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		if inGridFS(e.Root().Object) {
			continue
		}
		var found []*kept
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Scalars == nil || p.Lexicon.Has(lexicon.BlobExempt, naming.ListName(n)) {
				return true
			}
			longest := n.Max
			if n.Types[profile.Object]+n.Types[profile.Array] > 0 {
				longest = 0 // it may be the length of an object
			}
			switch {
			case n.Scalars.Blobs > 0:
				found = add(found, read(p, e, n, n.Scalars.BlobAt, true))
			case float64(longest) >= p.Threshold("text-bytes"),
				longest >= shortestImage && float64(n.Bytes) >= p.Threshold("blob-bytes") && 2*n.Bytes >= e.Root().Bytes:
				found = add(found, read(p, e, n, n.MaxAt, false))
			}
			return true
		})
		for _, k := range found {
			report(p, e, k)
		}
	}
}}

// shortestImage is the length from which a data URI counts if most bytes of the documents are
// such: whoever reads any field of them reads these.
const shortestImage = 4 << 10

// inGridFS reports whether documents are pieces of files, as the drivers of MongoDB
// keep these apart from all other documents.
func inGridFS(o *profile.ObjectStats) bool {
	return o != nil && len(o.Fields()) == 4 && o.Field("files_id") != nil && o.Field("n") != nil && o.Field("data") != nil
}

// A kept is a field that holds files.
type kept struct {
	node *profile.Node
	at   profile.Pos // of one file
	hash uint64      // of its content
	blob bool
	data bool    // it is a data URI
	same []*kept // fields with the same content
}

// read reads the file at a position. It returns nil if the file is too short to
// report.
func read(p *check.Pass, e *model.Entity, n *profile.Node, at profile.Pos, blob bool) *kept {
	d, err := p.Document(at)
	if err != nil {
		return nil
	}
	i, ok := scalarAt(d, at)
	if !ok {
		return nil
	}
	least, data := p.Threshold("text-bytes"), bytes.HasPrefix(d.Text(i), []byte("data:"))
	switch {
	case blob:
		least = p.Threshold("blob-bytes")
	case data:
		least = shortestImage
	}
	if float64(size.Of(p.Limits.Name, d.Document, i)) < least {
		return nil
	}
	noteBlobs(p, e, n, least)
	return &kept{node: n, at: at, hash: d.Hash(i), blob: blob, data: data}
}

func add(found []*kept, k *kept) []*kept {
	if k == nil {
		return found
	}
	for _, other := range found {
		if other.hash == k.hash {
			other.same = append(other.same, k)
			return found
		}
	}
	return append(found, k)
}

func report(p *check.Pass, e *model.Entity, k *kept) {
	n, at, blob := k.node, k.at, k.blob
	d, err := p.Document(at)
	if err != nil {
		return
	}
	i, ok := scalarAt(d, at)
	if !ok {
		return
	}
	length := size.Of(p.Limits.Name, d.Document, i)
	form, media := blobForm(d, i)
	name := naming.ListName(n)
	f := finding.Finding{
		Severity: finding.Warning, Confidence: 0.9,
		Message: fmt.Sprintf("%s holds %s of up to %s in %s", name, form, quantity.Bytes(length), wording.Count(n.Scalars.Blobs, "value")),
		Evidence: []finding.Evidence{
			{Name: "bytes", Value: length},
			{Name: "form", Value: form},
			{Name: "values", Value: n.Scalars.Blobs},
			{Name: "bytes.max", Value: n.Max},
			{Name: "documents", Value: e.N()},
		},
	}
	switch {
	case blob:
	case k.data:
		f.Message = fmt.Sprintf("%s holds data URIs of up to %s, %s of the bytes of all documents", name, quantity.Bytes(length),
			quantity.Percent(float64(n.Bytes)/float64(e.Root().Bytes)))
	default:
		f.Confidence = 0.7
		f.Message = fmt.Sprintf("%s holds a text of up to %s", name, quantity.Bytes(length))
	}
	if limit := p.Limits.DocumentBytes; limit > 0 && float64(length) >= p.Threshold("limit-share")*float64(limit) {
		f.Severity = finding.Error
		f.Message += fmt.Sprintf(", %s of what a document in %s may hold", quantity.Percent(float64(length)/float64(limit)), p.Limits.Title)
	}
	style := naming.StyleOf(n.Parent)
	words := lexicon.Tokens(name)
	names := [3]string{style.Join(append(words, "url")...), style.Join(append(words, "size")...), style.Join(append(words, "type")...)}
	f.Advice = fmt.Sprintf("Put the content into blob storage and keep %s, %s and %s in the document: "+
		"every read and write of the document carries it, and no cache or CDN can serve it from here.", names[0], names[1], names[2])
	f.Fixes = moveBlob(e, n, d, names, media)
	at.Len = min(at.Len, blobMarked)
	r := check.Raw{Finding: f, At: at}
	for _, same := range k.same {
		same.at.Len = min(same.at.Len, blobMarked)
		r.Related = append(r.Related, check.RawRelated{Message: same.node.Path().String() + " holds the same", At: same.at})
	}
	p.Report(e, n.Path(), r)
}

// scalarAt finds the scalar at a position.
func scalarAt(d *profile.Document, at profile.Pos) (int, bool) {
	for i := range d.Tokens {
		if d.Base+int64(d.Tokens[i].Start) == at.Off && d.Tokens[i].Kind < scan.Object {
			return i, true
		}
	}
	return 0, false
}

// blobMarked is how many bytes of a blob are marked as its place.
const blobMarked = 40

// magic are the first letters of common files in base64.
var magic = []struct{ prefix, media string }{
	{"iVBORw0KGgo", "image/png"}, {"/9j/", "image/jpeg"}, {"R0lGOD", "image/gif"}, {"JVBERi0", "application/pdf"},
	{"UEsDB", "application/zip"}, {"PHN2Zy", "image/svg+xml"}, {"H4sI", "application/gzip"}, {"SUQz", "audio/mpeg"},
}

// blobForm returns what a blob is, and its media type if its beginning shows
// that.
func blobForm(d *profile.Document, i int) (form, media string) {
	text := d.Text(i)
	head := string(text[:min(64, len(text))])
	media = "application/octet-stream"
	for _, m := range magic {
		if strings.HasPrefix(head, m.prefix) {
			media = m.media
		}
	}
	switch {
	case d.Tokens[i].Kind == scan.Binary:
		return "binary data", media
	case strings.HasPrefix(head, "data:"):
		if t, _, ok := strings.Cut(head[len("data:"):], ";"); ok {
			media = t
		}
		return "a data URI", media
	case profile.FormOf(text) == profile.FormText:
		return "a text", "text/plain"
	}
	return "base64", media
}

// moveBlob shows the document with the blob moved to object storage.
func moveBlob(e *model.Entity, n *profile.Node, d *profile.Document, names [3]string, media string) []finding.Fix {
	path := n.Path()
	id := e.ID()
	if n.Step.Kind != profile.Field || id == nil {
		return nil
	}
	before, _ := plans.ShownCut(d.Document, 3)
	if before == nil {
		return nil
	}
	after := before.Clone()
	ids := before.Select(id.Path)
	if len(ids) != 1 || ids[0].Kind() >= scan.Object {
		return nil
	}
	fix := finding.Fix{
		Title: fmt.Sprintf("keep the content of %s in blob storage (shown with a shortened document)", n.Step.Name), Safety: finding.Plan,
		Before: before.AppendJSON(nil),
	}
	sizes := map[string]int64{} // of the blobs, by their beginning
	for i := range d.Select(0, path) {
		sizes[plans.CutLong(reshape.From(d.Document, i), 0).Text()] = int64(d.Tokens[i].B - d.Tokens[i].A)
	}
	var blobs []finding.DocumentInPlace
	for k, holder := range after.Select(path[:len(path)-1]) {
		content := holder.Get(n.Step.Name)
		if content == nil || content.Kind() >= scan.Object || holder.Has(names[0]) || holder.Has(names[1]) || holder.Has(names[2]) {
			continue
		}
		key := fmt.Sprintf("%s/%s/%s", e.Collection.Name, ids[0].Text(), n.Step.Name)
		if k > 0 {
			key += fmt.Sprintf("/%d", k+1)
		}
		holder.InsertAfter(n.Step.Name, names[0], reshape.String(key))
		holder.InsertAfter(names[0], names[1], reshape.Int(sizes[content.Text()]))
		holder.InsertAfter(names[1], names[2], reshape.String(media))
		holder.Remove(n.Step.Name)
		blob := reshape.Object(reshape.Member{Name: "key", Value: reshape.String(key)}, reshape.Member{Name: "content", Value: content.Clone()})
		blobs = append(blobs, finding.DocumentInPlace{Collection: "(blob storage)", Document: blob.AppendJSON(nil)})
	}
	if len(blobs) == 0 {
		return nil
	}
	fix.After = append([]finding.DocumentInPlace{{Collection: e.Collection.Name, Document: after.AppendJSON(nil)}}, blobs...)
	return []finding.Fix{fix}
}

func noteBlobs(p *check.Pass, e *model.Entity, n *profile.Node, least float64) {
	reported := explained.ReportedBlobs(p)
	b := reported[e]
	b.Paths, b.Least = append(b.Paths, n.Path()), append(b.Least, int64(least))
	reported[e] = b
}
