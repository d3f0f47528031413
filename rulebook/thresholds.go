package rulebook

import (
	"bytes"
	"io"
	"io/fs"
	"strings"
	"sync"
)

// Thresholds returns those of the page of a rule, by name. A check needs the
// ones of all rules and nothing else of the pages, so no more is read of each
// than its front matter.
func Thresholds(rule string) map[string]Threshold {
	if head, ok := readHead(files, rule+".md"); ok {
		if thresholds, ok := thresholdsIn(head); ok {
			return thresholds
		}
	}
	page, _ := Find(rule)
	return page.Thresholds
}

// readHead reads the front matter of a page; ok is false if that takes a look
// at the whole page.
func readHead(from fs.FS, name string) (head string, ok bool) {
	file, err := from.Open(name)
	if err != nil {
		return "", false
	}
	defer file.Close()
	start := heads.Get().(*[4096]byte)
	defer heads.Put(start)
	n, _ := io.ReadFull(file, start[:]) // whatever the reason is that there is no more
	inside, ok := bytes.CutPrefix(start[:n], []byte(fence))
	if !ok {
		return "", false
	}
	inside, _, ok = bytes.Cut(inside, []byte("\n"+fence))
	return string(inside) + "\n", ok
}

var heads = sync.Pool{New: func() any { return new([4096]byte) }}

// thresholdsIn reads the thresholds in front matter; ok is false if that takes
// a YAML library.
func thresholdsIn(head string) (thresholds map[string]Threshold, ok bool) {
	_, block, found := strings.Cut("\n"+head, "\nthresholds:\n")
	if !found {
		return nil, !strings.Contains(head, "thresholds")
	}
	n := 0
	for line := range strings.Lines(block) {
		if !strings.HasPrefix(line, " ") {
			break
		}
		n += len(line)
	}
	return plainThresholds(strings.Split(strings.TrimSuffix(block[:n], "\n"), "\n"))
}
