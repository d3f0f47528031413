package lexicon

import (
	"sync"

	"github.com/gertd/go-pluralize"
)

// Singular returns the singular of an English word in lower case. It returns a
// word unchanged that is already singular or has no plural.
func Singular(word string) string {
	if !inflectable(word) {
		return word
	}
	return inflections().word(&inflections().singular, word, inflections().client.Singular)
}

// Plural returns the plural of an English word in lower case.
func Plural(word string) string {
	if !inflectable(word) {
		return word
	}
	return inflections().word(&inflections().plural, word, inflections().client.Plural)
}

// inflectable excludes digits, foreign letters and single letters from the
// English rules.
func inflectable(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return len(word) >= 2
}

// An inflector caches its answers. The rules behind them are about a hundred
// regular expressions, and the same few words come again and again.
type inflector struct {
	client           *pluralize.Client // read-only after construction
	mu               sync.RWMutex
	singular, plural map[string]string
}

// remembered bounds an inflector's cache. Names may be data, as in an object
// used as a map, and then there is no end of them.
const remembered = 8192

func (in *inflector) word(known *map[string]string, word string, rule func(string) string) string {
	in.mu.RLock()
	answer, ok := (*known)[word]
	in.mu.RUnlock()
	if ok {
		return answer
	}
	answer = rule(word)
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(*known) >= remembered {
		clear(*known)
	}
	(*known)[word] = answer
	return answer
}

var inflections = sync.OnceValue(func() *inflector {
	client := pluralize.NewClient()
	// Words from software and documents that the general rules get wrong.
	for _, pair := range [][2]string{
		{"cache", "caches"}, {"lens", "lenses"}, {"axis", "axes"}, {"virus", "viruses"}, {"sku", "skus"},
		{"cpu", "cpus"}, {"gpu", "gpus"}, {"menu", "menus"}, {"focus", "focuses"}, {"corpus", "corpora"},
	} {
		client.AddIrregularRule(pair[0], pair[1])
	}
	for _, word := range []string{
		"data", "metadata", "meta", "media", "feedback", "telemetry", "basis", "us", "is", "has", "this", "was",
		"sms", "mms", "gps", "https", "dns", "aws", "os", "ios", "macos", "css", "js", "ms", "ns", "ts", "rss", "tls", "pos", "cors",
		"kubernetes", "redis", "postgres", "previous", "yes", "news", "analytics", "info", "goods", "species", "series",
	} {
		client.AddUncountableRule(word)
	}
	return &inflector{client: client, singular: map[string]string{}, plural: map[string]string{}}
})
