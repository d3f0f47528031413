package source

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
)

// chunkSize is how much of a file is read at a time, and roughly the size of a
// batch.
const chunkSize = 512 << 10

// mostSpans bounds the documents of a batch. The spans of very small documents
// would take many times the memory of their text.
const mostSpans = 1 << 14

// A Head is the beginning of a file, up to where it is to be read.
type Head struct {
	*File
	End int64 // offset in the decoded file; somewhat more may be read

	// Next returns the first offset, from the given one on, from which documents
	// are wanted again, or [WholeFile] if there is none. Anything before it may be
	// skipped. A nil Next wants everything.
	Next func(offset int64) int64
}

// WholeFile is the End for reading to the end of the file.
const WholeFile = math.MaxInt64

// Read streams the documents of the given files, or of all if files is nil, to
// visit. It calls visit from jobs goroutines; worker is the goroutine's number,
// from 0. Batches come in no particular order, but every call cuts a file into
// the same spans.
//
// Memory is bounded by the size of the largest document times jobs. The error
// is from visit or the context.
func (s *Set) Read(ctx context.Context, files []Head, jobs int, visit func(worker int, b *Batch) error) error {
	if files == nil {
		for _, f := range s.Files {
			files = append(files, Head{File: f, End: WholeFile})
		}
	}
	jobs = max(jobs, 1)
	group, ctx := errgroup.WithContext(ctx)
	queue := make(chan Head)
	batches := make(chan *Batch, jobs)
	consumed := s.meter(files)

	group.Go(func() error {
		defer close(queue)
		for _, f := range files {
			select {
			case queue <- f:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	var readers sync.WaitGroup
	for range min(jobs, len(files)) {
		readers.Add(1)
		group.Go(func() error {
			defer readers.Done()
			for f := range queue {
				r := reader{ctx: ctx, set: s, file: f.File, end: f.End, next: f.Next, out: batches}
				if err := r.read(consumed); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	group.Go(func() error {
		readers.Wait()
		close(batches)
		return nil
	})
	for worker := range jobs {
		group.Go(func() error {
			for b := range batches {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := visit(worker, b); err != nil {
					return err
				}
				s.freeBuffer(b.Data)
				s.freeSpans(b.Spans)
			}
			return nil
		})
	}
	return group.Wait()
}

// meter returns a function to call with the number of bytes read from disk, or
// nil if there is no progress report.
func (s *Set) meter(files []Head) func(n int) {
	if s.progress == nil {
		return nil
	}
	var total, done int64
	for _, f := range files {
		size := f.Size
		if f.text != nil {
			size = f.text.size
		}
		total += min(size, f.End)
	}
	var mutex sync.Mutex
	return func(n int) {
		mutex.Lock()
		defer mutex.Unlock()
		done += int64(n)
		s.progress(min(done, total), total)
	}
}

// newBuffer returns a buffer of n bytes. It reuses buffers of the usual sizes.
func (s *Set) newBuffer(n int) []byte {
	switch {
	case n <= s.chunkSize:
		return pooled(&s.chunks, n, s.chunkSize)
	case n <= s.headSize:
		return pooled(&s.heads, n, s.headSize)
	}
	return make([]byte, n)
}

func pooled(pool *sync.Pool, n, size int) []byte {
	if b, ok := pool.Get().(*[]byte); ok {
		return (*b)[:n]
	}
	return make([]byte, n, size)
}

func (s *Set) freeBuffer(b []byte) {
	b = b[:cap(b)]
	switch len(b) {
	case s.chunkSize:
		s.chunks.Put(&b)
	case s.headSize:
		s.heads.Put(&b)
	}
}

// newSpans returns reusable memory for the spans of a batch.
func (s *Set) newSpans() []Span {
	if spans, ok := s.spans.Get().(*[]Span); ok {
		return (*spans)[:0]
	}
	return nil
}

func (s *Set) freeSpans(spans []Span) { s.spans.Put(&spans) }

// isCut reports whether err means that a stream ended early.
func isCut(err error) bool { return err != nil && err != io.EOF }

// A reader reads one file and cuts it into batches.
type reader struct {
	ctx  context.Context
	set  *Set
	file *File
	end  int64 // offset to read up to
	next func(offset int64) int64
	out  chan<- *Batch

	stream *stream
	base   int64     // offset of the buffer's first byte
	marker *marker   // nil if there are marks or none are needed
	copy   *textCopy // nil without a copy
}

func (r *reader) read(consumed func(n int)) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	stream, err := openStream(r.file, consumed)
	if err != nil {
		r.problem(describe(err), "")
		return nil
	}
	r.stream = stream
	if stream.plain >= 0 && r.file.marks == nil && r.end == WholeFile && r.next == nil && r.file.text == nil {
		r.marker = newMarker(r.set.hash)
	}
	tally := damageTally{set: r.set, file: r.file}
	if stream.bson != nil && r.end == WholeFile && !r.file.damageKnown {
		stream.bson.damaged = tally.add
	}
	err = r.frame()
	if stream.bson != nil && stream.bson.damaged != nil && r.ctx.Err() == nil {
		tally.close()
		if stream.compression == "" {
			r.file.marks = stream.bson.marks
		}
	}
	if closeErr := stream.Close(); err == nil && closeErr != nil {
		r.problem(describe(closeErr), "")
	}
	return err
}

func (r *reader) problem(message, hint string) {
	r.set.problem(finding.Problem{Message: message, Hint: hint, Location: finding.Location{File: r.file.Path}})
}

// frame decides on the layout and streams the batches of the file.
func (r *reader) frame() error {
	if r.file.Prose {
		return r.frameProse()
	}
	data := r.set.newBuffer(r.set.headSize)
	n, readErr := fill(r.stream, data)
	data = data[:n]
	p := planFile(data, r.file.Path, readErr != nil, isCut(readErr), r.set.maxDocument)
	switch {
	case p.refused != nil:
		r.set.freeBuffer(data)
		if isCut(readErr) {
			r.endedEarly(int64(n), readErr)
		} else {
			r.problem(p.refused.message, p.refused.hint)
		}
		return nil
	case p.whole:
		r.readAll(data)
		for _, start := range p.tooLong {
			r.tooLong(int64(start))
		}
		if err := r.send(data, p.spans); err != nil {
			return err
		}
		r.endedEarly(int64(n), readErr)
		return nil
	}
	switch f := p.stream.(type) {
	case *framer:
		f.tooLong = func(start int) { r.tooLong(r.base + int64(start)) }
	case *lineFramer:
		f.tooLong = func(start int) { r.tooLong(r.base + int64(start)) }
	}
	r.copyText(data)
	return r.follow(data, p.stream)
}

// follow streams the rest of a file that begins with data.
func (r *reader) follow(data []byte, framing spanFramer) error {
	var readErr error
	for {
		ended := readErr != nil
		setCut(framing, isCut(readErr))
		keep := framing.frame(data, ended)
		spans := framing.take()
		full := len(spans) >= mostSpans // the data may hold more
		if r.marker != nil {
			r.marker.pass(data[:keep])
		}
		if ended && !full {
			r.readAll(data[keep:])
			r.copied(readErr)
			end := r.base + int64(len(data))
			if err := r.send(data, spans); err != nil {
				return err
			}
			r.endedEarly(end, readErr)
			if f, ok := framing.(*framer); ok && f.outer != atTop && !f.cut && !f.regions {
				r.set.problemAt(r.ctx, r.file, end, "the array of documents is not closed: the file seems to be cut off",
					"export the file again; the documents before this place were checked")
			}
			return nil
		}
		if err := r.ctx.Err(); err != nil {
			return err
		}
		rest := data[keep:]
		next := data
		size := r.set.chunkSize
		if full {
			size = max(size, len(rest))
		} else if len(rest) > size/2 {
			size = 2 * len(rest)
			if left := r.file.Size - r.base - int64(len(data)); r.stream.plain >= 0 && left >= 0 { // as much as there is
				size = min(size, max(r.set.chunkSize, len(rest)+int(left)+1))
			}
		}
		switch {
		case len(spans) > 0:
			framing.use(r.set.newSpans())
			next = r.set.newBuffer(size)
			copy(next, rest)
			if err := r.send(data[:keep], spans); err != nil {
				return err
			}
		case size > cap(data):
			next = make([]byte, size)
			copy(next, rest)
			r.set.freeBuffer(data)
		default:
			next = data[:cap(data)]
			copy(next, rest)
		}
		framing.shift(keep)
		r.base += int64(keep)
		if r.base >= r.end {
			r.set.freeBuffer(next)
			return nil
		}
		if full {
			data = next[:len(rest)]
			continue
		}
		if lines, ok := framing.(*lineFramer); ok && r.skip(len(rest)) {
			later := &lineFramer{max: lines.max, most: lines.most, tooLong: lines.tooLong, dropping: true}
			later.use(lines.spans)
			framing, rest = later, nil
		}
		var n int
		n, readErr = fill(r.stream, next[len(rest):])
		data = next[:len(rest)+n]
		r.copyMore(data[len(rest):])
	}
}

// leadIn is how far before the wanted documents reading resumes: further than a
// document of several lines is followed.
const leadIn = 2 * attemptSize

// skip moves to where lines are wanted again, if that is far ahead. The reader
// is then usually in the middle of a line.
func (r *reader) skip(read int) bool {
	if r.next == nil || r.stream.plain < 0 {
		return false
	}
	to := min(r.next(r.base), r.file.Size) - leadIn
	if to < r.base+int64(read+r.set.chunkSize) {
		return false
	}
	r.base = to
	r.stream.Reader = io.NewSectionReader(r.stream.file, r.stream.plain+to, math.MaxInt64-r.stream.plain-to)
	return true
}

// readAll is called after the file has been read to its end, with the text that
// the marker has not passed yet.
func (r *reader) readAll(rest []byte) {
	if r.marker != nil {
		r.marker.finish(r.file, rest)
	}
}

// setCut informs a framer that its stream ended early.
func setCut(framing spanFramer, cut bool) {
	switch f := framing.(type) {
	case *framer:
		f.cut = cut
	case *lineFramer:
		f.cut = cut
	}
}

// send passes data to the workers, together with the buffer.
func (r *reader) send(data []byte, spans []Span, labels ...string) error {
	if len(spans) == 0 {
		r.set.freeBuffer(data)
		return nil
	}
	select {
	case r.out <- &Batch{File: r.file, Base: r.base, Data: data, Spans: spans, Labels: labels}:
		return nil
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
}

func (r *reader) tooLong(start int64) {
	r.set.problemAt(r.ctx, r.file, start,
		fmt.Sprintf("this document is longer than %s, or never closed: it was left out", quantity.Bytes(int64(r.set.maxDocument))),
		"no document database stores documents of this size; look for a missing bracket")
}

// endedEarly reports a stream that failed at the offset end.
func (r *reader) endedEarly(end int64, err error) {
	if isCut(err) {
		message, hint := cutOff(r.stream.compression, err)
		r.set.problemAt(r.ctx, r.file, end, message, hint)
	}
}
