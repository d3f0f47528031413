package source

import (
	"bytes"
	"encoding/json"
	"os"
	"path"
	"strings"
)

// logExtension is that of NeDB's stores, and of SQLite's.
const logExtension = ".db"

// isLog reports whether a file is a store of NeDB.
func isLog(name string) bool {
	if strings.ToLower(path.Ext(name)) != logExtension {
		return false
	}
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, 1)
	_, err = file.Read(head)
	return err == nil && head[0] == '{'
}

// readLog returns the text of a store of NeDB, or nil if the file is none. NeDB writes
// changes after the documents, one in a line: a later line replaces the earlier ones with
// its id. These lines, and those that are no documents, become spaces.
func readLog(name string) []byte {
	if !isLog(name) {
		return nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil // whoever opens it says so
	}
	newer := map[string]bool{}
	for end := len(text); end > 0; end-- {
		start := bytes.LastIndexByte(text[:end], '\n') + 1
		var document struct {
			ID json.RawMessage `json:"_id"`
		}
		_ = json.Unmarshal(text[start:end], &document) // what is damaged is reported later
		id := string(document.ID)
		if newer[id] || bytes.HasPrefix(text[start:end], []byte(`{"$$`)) {
			copy(text[start:end], bytes.Repeat([]byte(" "), end-start))
		}
		newer[id] = id != ""
		end = start
	}
	return text
}
