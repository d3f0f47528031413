package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"go/format"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
)

// An editor is the client's side of the protocol.
type editor struct {
	*testing.T
	conn *jsonrpc2.Conn
	exit chan int // receives the exit code of the server

	mutex     sync.Mutex
	changed   chan struct{} // closed when something was received
	published map[string][]publication
	messages  []string // shown to the user
	logged    []string
	calls     []string // methods that the server called
}

type (
	lspPosition struct{ Line, Character int }
	lspRange    struct{ Start, End lspPosition }
	publication struct {
		URI         string
		Version     *int
		Diagnostics []lspDiagnostic
	}
	lspDiagnostic struct {
		Range              lspRange
		Severity           int
		Code, Message      string
		Source             string
		CodeDescription    struct{ Href string }
		RelatedInformation []struct {
			Location struct {
				URI   string
				Range lspRange
			}
			Message string
		}
	}
	lspEdit struct {
		Range   lspRange
		NewText string
	}
	lspAction struct {
		Title, Kind string
		IsPreferred bool
		Diagnostics []lspDiagnostic
		Edit        struct {
			Changes         map[string][]lspEdit
			DocumentChanges []struct {
				TextDocument struct {
					URI     string
					Version *int
				}
				Edits []lspEdit
			}
		}
	}
)

func (e *editor) Handle(_ context.Context, conn *jsonrpc2.Conn, request *jsonrpc2.Request) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	defer func() {
		close(e.changed)
		e.changed = make(chan struct{})
	}()
	var message struct{ Message string }
	switch request.Method {
	case "textDocument/publishDiagnostics":
		var p publication
		assert.NoError(e, json.Unmarshal(*request.Params, &p))
		assert.NotNil(e, p.Diagnostics, "the protocol wants a list, if an empty one")
		e.published[p.URI] = append(e.published[p.URI], p)
	case "window/showMessage":
		assert.NoError(e, json.Unmarshal(*request.Params, &message))
		e.messages = append(e.messages, message.Message)
	case "window/logMessage":
		assert.NoError(e, json.Unmarshal(*request.Params, &message))
		e.logged = append(e.logged, message.Message)
	default:
		e.calls = append(e.calls, request.Method+" "+string(*request.Params))
	}
	if !request.Notif {
		assert.NoError(e, conn.Reply(context.Background(), request.ID, nil))
	}
}

// start starts the server without sending anything.
func start(t *testing.T, flags ...string) *editor {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	e := &editor{T: t, exit: make(chan int, 1), changed: make(chan struct{}), published: map[string][]publication{}}
	var stderr bytes.Buffer
	go func() {
		e.exit <- (&app{stdin: toServer, stdout: fromServer, stderr: &stderr, check: jsonlint.Check}).run(context.Background(), append([]string{"lsp", "--stdio"}, flags...))
	}()
	e.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(struct {
		io.Reader
		io.WriteCloser
	}{toClient, fromClient}, jsonrpc2.VSCodeObjectCodec{}), e)
	t.Cleanup(func() {
		_ = e.conn.Close() // may be closed already
		_ = fromClient.Close()
		_ = toClient.Close()
		if !t.Failed() {
			assert.Empty(t, stderr.String())
		}
	})
	return e
}

const capabilities = `{
	"workspace": {"workspaceEdit": {"documentChanges": true}, "didChangeWatchedFiles": {"dynamicRegistration": true}},
	"textDocument": {
		"hover": {"contentFormat": ["markdown"]},
		"publishDiagnostics": {"relatedInformation": true, "versionSupport": true, "codeDescriptionSupport": true}
	}
}`

// edit starts the server and the conversation.
func edit(t *testing.T, flags ...string) *editor {
	t.Helper()
	e := start(t, flags...)
	var result struct {
		Capabilities struct {
			PositionEncoding string
			TextDocumentSync struct{ Change int }
		}
	}
	e.call("initialize", `{"processId": null, "rootUri": null, "capabilities": `+capabilities+`}`, &result)
	assert.Equal(t, "utf-16", result.Capabilities.PositionEncoding)
	assert.Equal(t, 2, result.Capabilities.TextDocumentSync.Change, "incremental")
	e.notify("initialized", map[string]any{})
	return e
}

func (e *editor) call(method string, params, result any) {
	e.Helper()
	if text, ok := params.(string); ok {
		params = json.RawMessage(text)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	require.NoError(e, e.conn.Call(ctx, method, params, result))
}

func (e *editor) notify(method string, params any) {
	e.Helper()
	require.NoError(e, e.conn.Notify(context.Background(), method, params))
}

// wait waits until a condition on the received messages holds.
func (e *editor) wait(what string, holds func() bool) {
	e.Helper()
	limit := time.After(2 * time.Minute)
	for {
		e.mutex.Lock()
		done, changed := holds(), e.changed
		state := append([]string{}, append(e.messages, e.logged...)...)
		e.mutex.Unlock()
		if done {
			return
		}
		select {
		case <-changed:
		case <-limit:
			require.FailNow(e, "never came: "+what, strings.Join(state, "\n"))
		}
	}
}

// diagnostics waits for the diagnostics of a version of a file.
func (e *editor) diagnostics(path string, version int) (p publication) {
	e.Helper()
	e.wait("diagnostics", func() bool {
		all := e.published[fileURI(path)]
		if len(all) == 0 || all[len(all)-1].Version == nil || *all[len(all)-1].Version != version {
			return false
		}
		p = all[len(all)-1]
		return true
	})
	return p
}

func fileURI(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

func (e *editor) open(path, text string) {
	e.Helper()
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": fileURI(path), "languageId": "json", "version": 1, "text": text,
	}})
}

// change replaces a range of a file.
func (e *editor) change(path string, version int, at *lspRange, text string) {
	e.Helper()
	change := map[string]any{"text": text}
	if at != nil {
		change["range"] = rangeJSON(*at)
	}
	e.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": fileURI(path), "version": version}, "contentChanges": []any{change},
	})
}

func rangeJSON(r lspRange) map[string]any {
	at := func(p lspPosition) map[string]int { return map[string]int{"line": p.Line, "character": p.Character} }
	return map[string]any{"start": at(r.Start), "end": at(r.End)}
}

func (e *editor) actions(path string, at lspRange, only ...string) (actions []lspAction) {
	e.Helper()
	about := map[string]any{"diagnostics": []any{}}
	if len(only) > 0 {
		about["only"] = only
	}
	e.call("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": fileURI(path)}, "range": rangeJSON(at), "context": about,
	}, &actions)
	return actions
}

func (e *editor) hover(path string, at lspPosition) string {
	e.Helper()
	var result *struct{ Contents struct{ Kind, Value string } }
	e.call("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": fileURI(path)}, "position": rangeJSON(lspRange{Start: at})["start"]}, &result)
	if result == nil {
		return ""
	}
	assert.Equal(e, "markdown", result.Contents.Kind)
	return result.Contents.Value
}

// after applies the edits of an action to a text.
func (a lspAction) after(t *testing.T, path, text string) string {
	t.Helper()
	for _, change := range a.Edit.DocumentChanges {
		if change.TextDocument.URI != fileURI(path) {
			continue
		}
		edits := slices.Clone(change.Edits)
		slices.SortStableFunc(edits, func(a, b lspEdit) int { return at(text, b.Range.Start) - at(text, a.Range.Start) })
		for _, edit := range edits {
			text = text[:at(text, edit.Range.Start)] + edit.NewText + text[at(text, edit.Range.End):]
		}
		return text
	}
	require.Fail(t, "the action does not edit "+path)
	return ""
}

// at is the byte offset of a position.
func at(text string, p lspPosition) int {
	lines := strings.SplitAfter(text, "\n")
	offset := len(strings.Join(lines[:p.Line], ""))
	units := 0
	for i, r := range lines[p.Line] {
		if units >= p.Character {
			return offset + i
		}
		units++
		if r > 0xffff {
			units++
		}
	}
	return offset + len(lines[p.Line])
}

func (e *editor) shutdown() int {
	e.Helper()
	e.call("shutdown", nil, nil)
	e.notify("exit", nil)
	return e.exited()
}

func (e *editor) exited() int {
	e.Helper()
	select {
	case code := <-e.exit:
		return code
	case <-time.After(time.Minute):
		require.FailNow(e, "the server does not end")
		return -1
	}
}

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// twice has a duplicate name in one object, after characters of one, two and
// three bytes and one of two UTF-16 code units.
const twice = `{"id": "b1", "pages": 120, "title": "A"}
{"id": "b2", "motto": "é€😀", "pages": 90, "title": "B", "pages": 91}
{"id": "b3", "pages": 77, "title": "C"}
`

func TestLanguageServerOnDocuments(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"books.jsonl": "{\"id\": \"on disk\"}\n", ".shapevet.yaml": "version: 1\nselect: [duplicate-key]\n"})
	books := filepath.Join(dir, "books.jsonl")
	e := edit(t)
	e.open(books, twice)
	p := e.diagnostics(books, 1)
	require.Len(t, p.Diagnostics, 1, "what is open counts, not what is on disk")
	d := p.Diagnostics[0]
	line := strings.Split(twice, "\n")[1]
	assert.Equal(t, "duplicate-key", d.Code)
	assert.Equal(t, "shapevet", d.Source)
	assert.Contains(t, d.CodeDescription.Href, "rulebook/duplicate-key/README.md")
	assert.Equal(t, 1, d.Range.Start.Line)
	marked := line[at(line, lspPosition{0, d.Range.Start.Character}):at(line, lspPosition{0, d.Range.End.Character})]
	assert.Equal(t, `"pages"`, marked, "columns count UTF-16 code units")
	require.NotEmpty(t, d.RelatedInformation)
	assert.Equal(t, fileURI(books), d.RelatedInformation[0].Location.URI)
	assert.Equal(t, 1, d.RelatedInformation[0].Location.Range.Start.Line)

	text := e.hover(books, d.Range.Start)
	for _, part := range []string{"duplicate-key", "% sure", "**Advice**", "**Seen**", "**Fix** (unsafe)"} {
		assert.Contains(t, text, part)
	}
	assert.Empty(t, e.hover(books, lspPosition{0, 3}), "nothing is wrong here")

	actions := e.actions(books, d.Range)
	require.Len(t, actions, 1)
	assert.Contains(t, actions[0].Title, "(unsafe: changes stored data")
	assert.False(t, actions[0].IsPreferred)
	assert.Equal(t, "quickfix", actions[0].Kind)
	require.Len(t, actions[0].Diagnostics, 1)
	require.Len(t, actions[0].Edit.DocumentChanges, 1)
	assert.Equal(t, 1, *actions[0].Edit.DocumentChanges[0].TextDocument.Version)
	mended := strings.Replace(twice, `"pages": 90, "title": "B"`, `"title": "B"`, 1)
	assert.Equal(t, mended, actions[0].after(t, books, twice))
	assert.Empty(t, e.actions(books, d.Range, "refactor"))
	assert.Empty(t, e.actions(books, lspRange{lspPosition{0, 0}, lspPosition{0, 5}}))

	// Typing behind characters of several units: "pages" is renamed.
	e.change(books, 2, &lspRange{lspPosition{1, d.Range.End.Character - 1}, lspPosition{1, d.Range.End.Character - 1}}, "Read")
	assert.Empty(t, e.diagnostics(books, 2).Diagnostics)
	e.change(books, 3, nil, twice)
	require.Len(t, e.diagnostics(books, 3).Diagnostics, 1)

	// Findings move with text that has not been checked yet.
	e.change(books, 4, &lspRange{}, "{\"id\": \"b0\", \"pages\": 1, \"title\": \"Z\"}\n")
	below := lspPosition{2, d.Range.Start.Character}
	assert.Contains(t, e.hover(books, below), "duplicate-key")
	assert.Equal(t, 2, e.diagnostics(books, 4).Diagnostics[0].Range.Start.Line)

	e.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": fileURI(books)}})
	e.wait("an empty list for the closed file", func() bool {
		all := e.published[fileURI(books)]
		return len(all[len(all)-1].Diagnostics) == 0
	})
	assert.Equal(t, exitOK, e.shutdown())
}

func TestLanguageServerChecksTheWholeDatabase(t *testing.T) {
	t.Parallel()
	var posts, authors strings.Builder
	for i := range 40 {
		posts.WriteString(`{"id": "p` + string(rune('A'+i)) + `", "title": "t", "authorId": "a` + string(rune('A'+i%20)) + `"}` + "\n")
	}
	for i := range 19 {
		authors.WriteString(`{"id": "a` + string(rune('A'+i)) + `", "name": "n"}` + "\n")
	}
	whole := authors.String() + `{"id": "aT", "name": "n"}` + "\n"
	dir := folder(t, map[string]string{
		"export/posts.jsonl": posts.String(), "export/authors.jsonl": whole, "tsconfig.json": "{}", "elsewhere/x.jsonl": twice,
		".shapevet.yaml": "version: 1\ndocs: [export]\nselect: [dangling-reference]\n",
	})
	e := edit(t)
	path := filepath.Join(dir, "export", "authors.jsonl")
	e.open(path, whole)
	assert.Empty(t, e.diagnostics(path, 1).Diagnostics)
	e.change(path, 2, nil, authors.String()) // an author is deleted but not saved
	e.wait("a finding in the other file", func() bool {
		all := e.published[fileURI(filepath.Join(dir, "export", "posts.jsonl"))]
		return len(all) > 0 && len(all[len(all)-1].Diagnostics) > 0 && all[len(all)-1].Diagnostics[0].Code == "dangling-reference"
	})
	e.open(filepath.Join(dir, "elsewhere", "x.jsonl"), twice)
	e.open(filepath.Join(dir, "tsconfig.json"), "{}")
	assert.Equal(t, exitOK, e.shutdown())
	assert.Empty(t, e.published[fileURI(filepath.Join(dir, "elsewhere", "x.jsonl"))], "docs: does not name it")
	assert.Empty(t, e.published[fileURI(filepath.Join(dir, "tsconfig.json"))])
}

const storing = `package store

import "encoding/json"

// Post is what readers see: é€😀.
//
//shapevet:document collection=posts db=mongodb
type Post struct {
	ID       string    ` + "`json:\"id\"`" + `
	Title    string    ` + "`json:\"title\"`" + `
	Comments []Comment ` + "`json:\"comments\"`" + `
	Rank     int       ` + "`json:\"rank\" bson:\"rank,string\"`" + `
}

type Comment struct {
	ID     string ` + "`json:\"id\"`" + `
	Author string ` + "`json:\"author\"`" + `
	Text   string ` + "`json:\"text\"`" + `
}

func Encode(p Post) ([]byte, error) { return json.Marshal(p) }

func Add(p *Post, c Comment) { p.Comments = append(p.Comments, c) }
`

func TestLanguageServerOnGo(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"go.mod": "module example.com/app\n\ngo 1.21\n", "store/store.go": storing})
	path := filepath.Join(dir, "store", "store.go")
	e := edit(t)
	e.open(path, storing)
	p := e.diagnostics(path, 1)
	i := slices.IndexFunc(p.Diagnostics, func(d lspDiagnostic) bool { return d.Code == "unbounded-array" })
	require.GreaterOrEqual(t, i, 0, "%+v", p.Diagnostics)
	d := p.Diagnostics[i]
	assert.Equal(t, 10, d.Range.Start.Line)

	actions := e.actions(path, d.Range)
	i = slices.IndexFunc(actions, func(a lspAction) bool { return strings.HasPrefix(a.Title, "ignore unbounded-array") })
	require.GreaterOrEqual(t, i, 0, "%+v", actions)
	ignored := actions[i].after(t, path, storing)
	i = slices.IndexFunc(p.Diagnostics, func(d lspDiagnostic) bool { return d.Code == "unknown-tag-option" })
	require.GreaterOrEqual(t, i, 0, "%+v", p.Diagnostics)
	actions = append(actions, e.actions(path, p.Diagnostics[i].Range)...)
	k := slices.IndexFunc(actions, func(a lspAction) bool { return a.IsPreferred })
	require.GreaterOrEqual(t, k, 0, "%+v", actions)
	fixed := actions[k].after(t, path, storing)
	assert.Contains(t, fixed, `bson:"rank"`)
	clean, err := format.Source([]byte(fixed))
	require.NoError(t, err)
	assert.Equal(t, string(clean), fixed, "what was formatted stays so")
	all := e.actions(path, lspRange{}, "source.fixAll")
	require.Len(t, all, 1)
	assert.Equal(t, "source.fixAll.shapevet", all[0].Kind)
	assert.Equal(t, fixed, all[0].after(t, path, storing))
	assert.Contains(t, ignored, "\n\t//shapevet:ignore unbounded-array ")
	e.change(path, 2, nil, ignored)
	for _, left := range e.diagnostics(path, 2).Diagnostics {
		assert.NotEqual(t, "unbounded-array", left.Code, "what is not saved is checked")
	}

	for _, a := range actions {
		if a.IsPreferred {
			assert.NotContains(t, a.Title, "unsafe")
		}
	}
	assert.Equal(t, exitOK, e.shutdown())
}

func TestLanguageServerConfiguration(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"books.jsonl": twice, ".shapevet.yaml": "version: 1\nselct: [duplicate-key]\n"})
	path, configuration := filepath.Join(dir, "books.jsonl"), filepath.Join(dir, ".shapevet.yaml")
	e := edit(t)
	e.open(path, twice)
	e.wait("what is wrong with the configuration", func() bool {
		return len(e.published[fileURI(configuration)]) > 0 && len(e.messages) > 0 && strings.Contains(strings.Join(e.calls, "\n"), ".shapevet.yaml")
	})
	e.mutex.Lock()
	wrong := e.published[fileURI(configuration)][0].Diagnostics
	assert.Contains(t, strings.Join(e.calls, "\n"), ".shapevet.yaml", "the server asks to be told of changes")
	e.mutex.Unlock()
	require.Len(t, wrong, 1)
	assert.Equal(t, 1, wrong[0].Range.Start.Line)
	assert.Contains(t, wrong[0].Message, "select")

	require.NoError(t, os.WriteFile(configuration, []byte("version: 1\nrules:\n  duplicate-key: info\n"), 0o600))
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": fileURI(configuration), "type": 2}}})
	last := func(path string) []lspDiagnostic { // of what was published, which a check with the wrong configuration may have been before
		all := e.published[fileURI(path)]
		if len(all) == 0 {
			return nil
		}
		return all[len(all)-1].Diagnostics
	}
	e.wait("the finding as information, and the configuration mended", func() bool {
		return len(last(configuration)) == 0 && slices.ContainsFunc(last(path), func(d lspDiagnostic) bool {
			return d.Code == "duplicate-key" && d.Severity == 3
		})
	})
	assert.Equal(t, exitOK, e.shutdown())
}

func TestLanguageServerCancelsWhatIsOutdated(t *testing.T) {
	t.Parallel()
	dir := folder(t, nil)
	path := filepath.Join(dir, "books.jsonl")
	e := edit(t)
	e.open(path, strings.Repeat(`{"id": "x", "a": 1}`+"\n", 20_000))
	for version := 2; version < 40; version++ {
		e.change(path, version, &lspRange{}, " ")
		e.notify("$/cancelRequest", map[string]any{"id": version})
	}
	e.change(path, 40, nil, twice)
	e.diagnostics(path, 40)
	e.mutex.Lock()
	assert.Less(t, len(e.published[fileURI(path)]), 39, "not every version is shown")
	e.mutex.Unlock()
	assert.Equal(t, exitOK, e.shutdown())
}

func TestLanguageServerLeavesOutWhatIsTooLarge(t *testing.T) {
	t.Parallel()
	large := strings.Repeat(`{"id": "x", "text": "`+strings.Repeat("a", 1000)+`"}`+"\n", 1500)
	dir := folder(t, map[string]string{"large.jsonl": large, "books.jsonl": twice})
	books := filepath.Join(dir, "books.jsonl")
	e := edit(t, "--max-size", "1")
	e.open(books, twice)
	p := e.diagnostics(books, 1)
	var said []string
	for _, d := range p.Diagnostics {
		said = append(said, d.Code+" "+d.Message)
	}
	assert.Contains(t, strings.Join(said, "\n"), "checked without the documents beside it: the documents are larger than 1 MB together")
	assert.Contains(t, strings.Join(said, "\n"), "duplicate-key", "it is checked by itself")
	e.open(filepath.Join(dir, "large.jsonl"), large)
	p = e.diagnostics(filepath.Join(dir, "large.jsonl"), 1)
	require.Len(t, p.Diagnostics, 1)
	assert.Contains(t, p.Diagnostics[0].Message, "not checked: the documents are larger than 1 MB together")
	assert.Equal(t, 3, p.Diagnostics[0].Severity)
	assert.Equal(t, exitOK, e.shutdown())
}

func TestLanguageServerLifecycle(t *testing.T) {
	t.Parallel()
	code := func(err error) int64 {
		var response *jsonrpc2.Error
		require.ErrorAs(t, err, &response)
		return response.Code
	}
	ctx := context.Background()
	e := start(t)
	assert.Equal(t, int64(-32002), code(e.conn.Call(ctx, "textDocument/hover", map[string]any{}, nil)), "before initialize")
	e.notify("textDocument/didOpen", "nonsense before initialize is dropped")
	e.call("initialize", `{"capabilities": {}}`, nil)
	assert.Equal(t, int64(-32600), code(e.conn.Call(ctx, "initialize", map[string]any{}, nil)), "once is enough")
	assert.Equal(t, int64(-32601), code(e.conn.Call(ctx, "textDocument/rename", map[string]any{}, nil)))
	assert.Equal(t, int64(-32602), code(e.conn.Call(ctx, "textDocument/hover", "nonsense", nil)))
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": "untitled:Untitled-1", "text": "{"}})
	e.call("shutdown", nil, nil)
	assert.Equal(t, int64(-32600), code(e.conn.Call(ctx, "textDocument/hover", map[string]any{}, nil)), "after shutdown")
	e.notify("exit", nil)
	assert.Equal(t, exitOK, e.exited())

	e = start(t)
	e.call("initialize", `{"capabilities": {}}`, nil)
	e.notify("exit", nil)
	assert.Equal(t, 1, e.exited(), "exit without shutdown")

	e = start(t)
	e.call("initialize", `{"capabilities": {}}`, nil)
	require.NoError(t, e.conn.Close())
	assert.Equal(t, 1, e.exited(), "the editor is gone")
}
