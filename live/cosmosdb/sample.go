package cosmosdb

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/shapevet/shapevet/jsonlint/source/remote"
	"github.com/shapevet/shapevet/live/sampling"
)

// pageSize is how many documents are requested at once.
const pageSize = 1000

// Sample reads the containers, each document into a line.
func (s *store) Sample(ctx context.Context, spool io.Writer) (remote.Sample, error) {
	sample, err := s.sample(ctx, spool)
	return sample, s.problem("read the database", err)
}

func (s *store) sample(ctx context.Context, spool io.Writer) (remote.Sample, error) {
	sample := remote.Sample{Store: "cosmosdb", Lines: true}
	containers, err := s.list(ctx)
	if err != nil {
		return sample, err
	}
	slices.SortFunc(containers, func(a, b container) int { return cmp.Compare(a.name, b.name) })
	var collections []sampling.Collection
	for _, c := range containers {
		collections = append(collections, sampling.Collection{Name: c.name, Documents: c.documents, Bytes: c.bytes})
	}
	lines := lines{w: spool, parts: map[string][]remote.Part{}}
	results, err := sampling.Run(ctx, s, collections, sampling.Options{Documents: s.options.Documents}, lines.write)
	if err != nil {
		return sample, err
	}
	for i, r := range results {
		sample.Collections = append(sample.Collections, remote.Collection{
			Name: r.Name, Complete: r.Complete, PartitionKey: containers[i].partitionKey, Parts: lines.parts[r.Name],
		})
		if note := r.Note(); note != "" {
			sample.Notes = append(sample.Notes, note)
		}
	}
	sample.Notes = append(sample.Notes, fmt.Sprintf("%.1f request units spent", s.spent))
	return sample, lines.flush()
}

// lines writes documents, and records where those of each container are.
type lines struct {
	w       io.Writer
	at      int64
	last    string
	parts   map[string][]remote.Part
	pending bytes.Buffer
}

// writeSize is the approximate size of one write.
const writeSize = 1 << 20

func (l *lines) write(c sampling.Collection, raw []byte) error {
	before := l.pending.Len()
	if err := json.Compact(&l.pending, raw); err != nil {
		return fmt.Errorf("a document of %s: %w", c.Name, err)
	}
	l.pending.WriteByte('\n')
	length := int64(l.pending.Len() - before)
	parts := l.parts[c.Name]
	if l.last == c.Name {
		parts[len(parts)-1].Length += length
	} else {
		parts = append(parts, remote.Part{Start: l.at, Length: length})
	}
	l.parts[c.Name], l.last = parts, c.Name
	l.at += length
	if l.pending.Len() < writeSize {
		return nil
	}
	return l.flush()
}

func (l *lines) flush() error {
	if _, err := l.pending.WriteTo(l.w); err != nil {
		return fmt.Errorf("keep the sample: %w", err)
	}
	return nil
}

// query reads the results of a query.
func (s *store) query(ctx context.Context, name, text string, parameters []azcosmos.QueryParameter, visit func([]byte) error) error {
	pager := s.containers[name].NewQueryItemsPager(text, azcosmos.NewPartitionKey(), &azcosmos.QueryOptions{PageSizeHint: pageSize, QueryParameters: parameters})
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		for _, item := range page.Items {
			if err := visit(item); err != nil {
				return err
			}
		}
		if err := s.charge(page.RequestCharge); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) All(ctx context.Context, c sampling.Collection, visit func(sampling.Document) error) error {
	return s.query(ctx, c.Name, "SELECT * FROM c", nil, documents(visit))
}

// Some reads the beginning of the change feed of each partition range, which is
// the cheapest way to read from all parts of a container. If the server has no
// change feeds, it reads the first documents.
func (s *store) Some(ctx context.Context, c sampling.Collection, n int, visit func(sampling.Document) error) error {
	container := s.containers[c.Name]
	ranges, err := container.ReadFeedRanges(ctx, nil)
	if err != nil || len(ranges) == 0 {
		return s.first(ctx, c, n, visit)
	}
	for _, r := range ranges {
		left, continuation := (n+len(ranges)-1)/len(ranges), (*string)(nil)
		for left > 0 {
			page, err := container.ReadChangeFeed(ctx, &azcosmos.ChangeFeedOptions{FeedRange: &r, MaxItemCount: int32(min(left, pageSize)), Continuation: continuation})
			if err != nil {
				return s.first(ctx, c, n, visit)
			}
			for _, item := range page.Items {
				if err := documents(visit)(item); err != nil {
					return err
				}
			}
			if err := s.charge(page.RequestCharge); err != nil {
				return err
			}
			if len(page.Items) == 0 || page.ContinuationToken == "" {
				break
			}
			left -= len(page.Items)
			continuation = &page.ContinuationToken
		}
	}
	return nil
}

func (s *store) first(ctx context.Context, c sampling.Collection, n int, visit func(sampling.Document) error) error {
	return s.query(ctx, c.Name, "SELECT * FROM c", nil, documents(func(d sampling.Document) error {
		if n--; n < 0 {
			return sampling.ErrEnough
		}
		return visit(d)
	}))
}

func (s *store) ByID(ctx context.Context, c sampling.Collection, ids []sampling.Key, visit func(sampling.Document) error) error {
	var names []string
	for _, id := range ids {
		names = append(names, id.Text)
	}
	return s.byID(ctx, c.Name, "*", names, documents(visit))
}

func (s *store) byID(ctx context.Context, name, what string, ids []string, visit func([]byte) error) error {
	const most = 200 // parameters make a query longer, and the service rejects long queries
	for part := range slices.Chunk(ids, most) {
		err := s.query(ctx, name, "SELECT "+what+" FROM c WHERE ARRAY_CONTAINS(@ids, c.id)", []azcosmos.QueryParameter{{Name: "@ids", Value: part}}, visit)
		if err != nil {
			return err
		}
	}
	return nil
}

// text is the type of ids: those of Cosmos DB are strings.
const text = 's'

// documents passes the documents that were read to visit.
func documents(visit func(sampling.Document) error) func([]byte) error {
	return func(raw []byte) error {
		var head struct {
			ID  string `json:"id"`
			RID string `json:"_rid"` // unique in the account, ids only in a partition
		}
		if err := json.Unmarshal(raw, &head); err != nil {
			return fmt.Errorf("a document that is none: %w", err)
		}
		d := sampling.Document{Raw: raw, ID: sampling.Key{Type: text, Text: head.ID}}
		if head.RID != "" {
			d.Itself = sampling.Key{Type: 'r', Text: head.RID}
		}
		d.Values = func(yield func(string, sampling.Key)) {
			var value any
			if json.Unmarshal(raw, &value) == nil {
				values("", value, yield)
			}
		}
		return visit(d)
	}
}

// longestID is the longest id that Cosmos DB accepts, in bytes.
const longestID = 1023

// values calls yield with the texts in a value.
func values(path string, value any, yield func(string, sampling.Key)) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			switch name {
			case "_rid", "_self", "_etag", "_attachments", "_ts": // of the service
			default:
				values(path+"."+name, v[name], yield)
			}
		}
	case []any:
		for _, element := range v {
			values(path, element, yield)
		}
	case string:
		if v != "" && len(v) <= longestID {
			yield(path, sampling.Key{Type: text, Text: v})
		}
	}
}

// Dangling looks up references. A reference dangles if no document has the id
// now, and if the document that holds the reference still does so afterwards.
func (s *store) Dangling(ctx context.Context, to string, references []remote.Reference) ([]bool, error) {
	asked := *s
	asked.budget = 0 // a reference must be looked up before it is reported
	dangling, err := asked.dangling(ctx, to, references)
	s.spent = asked.spent
	return dangling, s.problem("look references up", err)
}

func (s *store) dangling(ctx context.Context, to string, references []remote.Reference) ([]bool, error) {
	ids := make([]string, len(references))
	holders := make([]sampling.Document, len(references))
	wanted := map[string]bool{}
	for i, r := range references {
		if json.Unmarshal(r.Value, &ids[i]) != nil {
			continue // ids are texts, so this one cannot exist; whether it is a reference is not known
		}
		wanted[ids[i]] = true
		err := documents(func(d sampling.Document) error {
			holders[i] = d
			return nil
		})(r.Document)
		if err != nil {
			return nil, err
		}
	}
	err := s.byID(ctx, to, "c.id", slices.Sorted(maps.Keys(wanted)), documents(func(d sampling.Document) error {
		delete(wanted, d.ID.Text)
		return nil
	}))
	if err != nil {
		return nil, err
	}
	again := map[string]map[string]bool{} // ids of documents to read again, by container
	for i, r := range references {
		if wanted[ids[i]] {
			if again[r.From] == nil {
				again[r.From] = map[string]bool{}
			}
			again[r.From][holders[i].ID.Text] = true
		}
	}
	type holder struct {
		from          string
		itself, value sampling.Key
	}
	holds := map[holder]bool{}
	for from, set := range again {
		err := s.byID(ctx, from, "*", slices.Sorted(maps.Keys(set)), documents(func(d sampling.Document) error {
			d.Values(func(_ string, value sampling.Key) { holds[holder{from, d.Itself, value}] = true })
			return nil
		}))
		if err != nil {
			return nil, err
		}
	}
	dangling := make([]bool, len(references))
	for i, r := range references {
		dangling[i] = wanted[ids[i]] && holds[holder{r.From, holders[i].Itself, sampling.Key{Type: text, Text: ids[i]}}]
	}
	return dangling, nil
}
