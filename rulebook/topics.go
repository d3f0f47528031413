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
	{"references", "References", "Ids of other documents: whether they lead anywhere, and whether both sides agree."},
	{"copies", "Embedding, copies and joins", "What belongs in one document, what does not, and copies that fall behind."},
	{"kinds", "Kinds and versions of documents", "Whether a reader can tell what kind of document it holds."},
	{"ids", "Ids and partitions", "What a document is found by."},
	{"values", "Names and values", "Fields and values that queries and programs trip over."},
	{"codecs", "Go types and their codecs", "What becomes of a struct when it is stored and read back."},
	{"input", "Input", "Text that is no document."},
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
