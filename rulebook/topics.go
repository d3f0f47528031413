package rulebook

import "slices"

// A Topic is rules on one subject.
type Topic struct {
	Key   string // as pages name it
	Name  string
	About string
}

var topics = [...]Topic{
	{"growth", "Growth and size", "Documents that get larger with every year of use."},
	{"references", "References", "Ids of other documents: whether the documents exist, and whether both sides agree."},
	{"copies", "Embedding, copies and joins", "What belongs in one document, what does not, and copies that go stale."},
	{"kinds", "Kinds and versions of documents", "Whether a reader can tell what kind of document it holds."},
	{"ids", "Ids and partitions", "How documents are found."},
	{"values", "Names and values", "Field names and values that cause trouble in queries and programs."},
	{"codecs", "Go types and their codecs", "How structs are stored and read back."},
	{"input", "Input", "Text that is not a valid document."},
}

// Topics are the subjects of rules, in the order in which people look for them.
func Topics() []Topic { return slices.Clone(topics[:]) }

// Pages are the pages of the rules on the topic, sorted by name.
func (t Topic) Pages() []Page {
	var pages []Page
	for _, p := range All() {
		if p.Topic == t.Key {
			pages = append(pages, p)
		}
	}
	return pages
}
