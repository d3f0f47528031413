package cli

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/rulebook"
)

// A topic is rules on one subject.
type topic struct {
	key   string // as pages name it
	name  string
	about string
}

// topics are the subjects of rules, in the order in which people look for them.
var topics = []topic{
	{"growth", "Growth and size", "Documents that get larger with every year of use."},
	{"references", "References", "Ids of other documents: whether the documents exist, and whether both sides agree."},
	{"copies", "Embedding, copies and joins", "What belongs in one document, what does not, and copies that go stale."},
	{"kinds", "Kinds and versions of documents", "Whether a reader can tell what kind of document it holds."},
	{"ids", "Ids and partitions", "How documents are found."},
	{"values", "Names and values", "Field names and values that cause trouble in queries and programs."},
	{"codecs", "Go types and their codecs", "How structs are stored and read back."},
	{"input", "Input", "Text that is not a valid document."},
}

// pages are the pages of the rules on the topic, sorted by name.
func (t topic) pages() []rulebook.Page {
	var pages []rulebook.Page
	for _, p := range rulebook.All() {
		if p.Topic == t.key {
			pages = append(pages, p)
		}
	}
	return pages
}

// TestTopics has every rule under one topic.
func TestTopics(t *testing.T) {
	t.Parallel()
	var listed []string
	for _, topic := range topics {
		pages := topic.pages()
		require.NotEmpty(t, pages, topic.name)
		for _, p := range pages {
			listed = append(listed, p.Name)
		}
	}
	assert.ElementsMatch(t, rulebook.Names(), listed)
}
