package profile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// orders are documents as services write them. As usual, values and orders of
// names mostly repeat.
func orders(n int) []placed {
	var docs []placed
	base := int64(0)
	for i := range n {
		var lines []string
		for j := range 1 + i%7 {
			note := ""
			if (i+j)%3 == 0 {
				note = `,"note":"please leave it at the door"`
			}
			lines = append(lines, fmt.Sprintf(`{"sku":"A-%05d","qty":%d,"price":%d.%02d,"tax":{"code":"V19","rate":0.19}%s}`,
				(i*31+j*17)%5000, j+1, i%90, j*7, note))
		}
		text := fmt.Sprintf(`{"_id":{"$oid":"%024x"},"customer":"urn:uuid:%08x-1d56-478e-8ab1-fb38e31ce7e2","status":"%s","placed":"2026-01-%02dT10:%02d:00Z","paid":%t,"lines":[%s],"shipping":null}`,
			i, i*7919, []string{"open", "sent", "paid"}[i%3], 1+i%28, i%60, i%2 == 0, strings.Join(lines, ","))
		docs = append(docs, placed{[]byte(text), base})
		base += int64(len(text)) + 1
	}
	return docs
}

func parsed(t require.TestingT, docs []placed) []*scan.Document {
	out := make([]*scan.Document, len(docs))
	for i, d := range docs {
		var p scan.Parser
		doc, err := p.Parse(d.text)
		require.NoError(t, err)
		out[i] = doc
	}
	return out
}

// TestAddDoesNotAllocate adds documents that contain nothing new: everything
// kept per value, path or document exists already.
func TestAddDoesNotAllocate(t *testing.T) {
	placed := orders(500)
	docs := parsed(t, placed)
	c := NewCollection("orders")
	var b Builder
	file := uint32(0)
	add := func() {
		for i, d := range docs {
			b.Add(c, d, file, placed[i].base)
		}
		file++
	}
	add()
	assert.Zero(t, testing.AllocsPerRun(10, add))
}

// TestAddAllocatesLittle adds documents with new values to a profile whose
// samples are full. There must be less than one allocation per hundred values.
func TestAddAllocatesLittle(t *testing.T) {
	placed := orders(24_000)
	docs := parsed(t, placed)
	c := NewCollection("orders")
	var b Builder
	for i := range 12_000 {
		b.Add(c, docs[i], 0, placed[i].base)
	}
	values, next := 0, 12_000
	allocs := testing.AllocsPerRun(10, func() {
		for range 1000 {
			b.Add(c, docs[next], 0, placed[next].base)
			values += len(docs[next].Tokens)
			next++
		}
	})
	assert.Less(t, allocs, float64(values)/11/100)
}

func BenchmarkAdd(b *testing.B) {
	placed := orders(2000)
	docs := parsed(b, placed)
	size := int64(0)
	for _, p := range placed {
		size += int64(len(p.text))
	}
	c := NewCollection("orders")
	var builder Builder
	file := uint32(0)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for i, d := range docs {
			builder.Add(c, d, file, placed[i].base)
		}
		file++
	}
}

func BenchmarkMerge(b *testing.B) {
	placed := orders(2000)
	part := build(b, placed)
	b.SetBytes(part.Bytes)
	b.ReportAllocs()
	for b.Loop() {
		c := NewCollection("orders")
		c.Merge(part)
		c.Merge(part)
	}
}

func BenchmarkFormOf(b *testing.B) {
	for _, text := range []string{"3b49dd18-1d56-478e-8ab1-fb38e31ce7e2", "2026-01-31T10:00:00Z", "some words of prose, as in a comment", "active"} {
		b.Run(text[:6], func(b *testing.B) {
			s := []byte(text)
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				FormOf(s)
			}
		})
	}
}
