// Package lsp serves the Language Server Protocol: it shows findings in Go
// files and JSON documents while they are edited.
//
// Files that are checked together form a unit: a Go module, the documents of a
// folder, or the documents that a configuration names. A unit is checked while
// one of its files is open, including unsaved text. A [Checker] does the
// checking.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/finding"
)

// A Checker checks files. Its methods may be called concurrently. Unsaved text,
// by absolute path, replaces the content of files. Paths in reports are
// absolute or relative to the working directory.
type Checker interface {
	// Documents checks the documents of one database. inputs are globs, absolute
	// paths of files, or absolute paths of directories whose direct files are
	// meant. The error is a *source.TooLargeError if there is too much to check
	// while somebody types.
	Documents(ctx context.Context, c *config.Config, inputs []string, shallow bool, unsaved map[string][]byte) (*finding.Report, error)

	// Code checks the packages of the module in a directory. If reload is false,
	// only unsaved text has changed since the last call. The notes explain why
	// something may not be reported.
	Code(ctx context.Context, c *config.Config, module string, unsaved map[string][]byte, reload bool) (report *finding.Report, notes []string, err error)
}

// Serve runs the protocol until the client sends exit, the input ends or ctx is
// done. clean is false if there was no shutdown before that.
func Serve(ctx context.Context, in io.Reader, out io.Writer, checker Checker, version string) (clean bool) {
	ctx, cancel := context.WithCancel(ctx)
	s := &server{
		ctx: ctx, checker: checker, version: version,
		documents: map[string]*document{}, units: map[string]*unit{}, broken: map[string]string{},
	}
	pipe := &stdio{Reader: in, Writer: out}
	s.mutex.Lock() // messages wait until there is a connection to reply on
	s.conn = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(pipe, jsonrpc2.VSCodeObjectCodec{}), s, jsonrpc2.SetLogger(silent{}))
	s.mutex.Unlock()
	<-s.conn.DisconnectNotify()
	cancel()
	s.mutex.Lock()
	for _, u := range s.units {
		u.stop()
	}
	clean = s.state == stopping
	s.mutex.Unlock()
	s.running.Wait()
	return clean
}

// stdio joins both directions. The process owns them, so it closes them.
type stdio struct {
	io.Reader
	io.Writer
}

func (*stdio) Close() error { return nil }

// silent discards the connection's log. Nobody reads it, and some editors treat
// anything on standard error as a failure.
type silent struct{}

func (silent) Printf(string, ...any) {}

// state is the state of the conversation.
type state int

const (
	starting state = iota // before initialize
	serving
	stopping // after shutdown
)

// server is one conversation. It handles messages one after another, so that
// changes apply in order. Checks run concurrently.
type server struct {
	ctx     context.Context
	checker Checker
	version string
	conn    *jsonrpc2.Conn
	running sync.WaitGroup

	mutex     sync.Mutex // guards the fields below
	state     state
	client    initializeParams
	documents map[string]*document // open, by path
	units     map[string]*unit
	broken    map[string]string // problems in configuration files, by file
}

// Handle answers one message. A panic here must not end the editor's server, so
// it becomes an error response.
func (s *server) Handle(ctx context.Context, conn *jsonrpc2.Conn, request *jsonrpc2.Request) {
	result, err := s.answerSafely(request)
	if request.Method == "exit" {
		_ = conn.Close() // fails only if it is closed already
		return
	}
	if request.Notif {
		if err != nil {
			s.log(messageError, err.Error())
		}
		return
	}
	// Do not reply to a client that is gone.
	if err == nil {
		_ = conn.Reply(ctx, request.ID, result)
		return
	}
	var respond *jsonrpc2.Error
	if !errors.As(err, &respond) {
		respond = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
	}
	_ = conn.ReplyWithError(ctx, request.ID, respond)
}

func (s *server) answerSafely(request *jsonrpc2.Request) (result any, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("internal error in %s, please report it: %v\n%s", request.Method, failure, debug.Stack())
		}
	}()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.answer(request)
}

// answer handles a message according to the state of the conversation.
func (s *server) answer(request *jsonrpc2.Request) (any, error) {
	switch {
	case request.Method == "exit":
		return nil, nil
	case s.state == starting && request.Method != "initialize":
		if request.Notif {
			return nil, nil
		}
		return nil, &jsonrpc2.Error{Code: codeNotInitialized, Message: "the server is not initialized"}
	case s.state == stopping:
		if request.Notif {
			return nil, nil
		}
		return nil, &jsonrpc2.Error{Code: codeInvalidRequest, Message: "the server is shutting down"}
	}
	handle := methods[request.Method]
	switch {
	case handle != nil:
		return handle(s, request)
	case request.Notif: // includes $/cancelRequest: answers never take long
		return nil, nil
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "no such method: " + request.Method}
}

// methods are the handlers of messages by method.
var methods = map[string]func(*server, *jsonrpc2.Request) (any, error){
	"initialize":                      with((*server).initialize),
	"initialized":                     func(s *server, _ *jsonrpc2.Request) (any, error) { s.watchFiles(); return nil, nil },
	"shutdown":                        func(s *server, _ *jsonrpc2.Request) (any, error) { s.shutDown(); return nil, nil },
	"textDocument/didOpen":            with(notified((*server).didOpen)),
	"textDocument/didChange":          with(notified((*server).didChange)),
	"textDocument/didSave":            with(notified((*server).didSave)),
	"textDocument/didClose":           with(notified((*server).didClose)),
	"workspace/didChangeWatchedFiles": with(notified((*server).didChangeWatchedFiles)),
	"textDocument/hover":              with((*server).hover),
	"textDocument/codeAction":         with((*server).codeActions),
}

// with decodes the parameters of a message.
func with[T any](handle func(*server, T) (any, error)) func(*server, *jsonrpc2.Request) (any, error) {
	return func(s *server, request *jsonrpc2.Request) (any, error) {
		var params T
		err := errors.New("it wants parameters")
		if request.Params != nil {
			err = json.Unmarshal(*request.Params, &params)
		}
		if err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: request.Method + ": " + err.Error()}
		}
		return handle(s, params)
	}
}

// notified adapts a handler of notifications, which have no answer.
func notified[T any](handle func(*server, T)) func(*server, T) (any, error) {
	return func(s *server, params T) (any, error) {
		handle(s, params)
		return nil, nil
	}
}

func (s *server) shutDown() {
	s.state = stopping
	for _, u := range s.units {
		u.stop()
	}
}

func (s *server) initialize(client initializeParams) (any, error) {
	if s.state != starting {
		return nil, &jsonrpc2.Error{Code: codeInvalidRequest, Message: "the server is initialized already"}
	}
	s.client, s.state = client, serving
	return initializeResult{
		Capabilities: serverCapabilities{
			PositionEncoding:   "utf-16",
			TextDocumentSync:   syncOptions{OpenClose: true, Change: syncIncremental, Save: true},
			HoverProvider:      true,
			CodeActionProvider: codeActionOptions{CodeActionKinds: []string{kindQuickFix, kindFixAll}},
		},
		ServerInfo: serverInfo{Name: "shapevet", Version: s.version},
	}, nil
}

// watchFiles asks the client to report files that other programs change.
func (s *server) watchFiles() {
	if !s.client.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		return
	}
	params := registrationParams{Registrations: []registration{{
		ID: "files", Method: "workspace/didChangeWatchedFiles",
		RegisterOptions: watchOptions{Watchers: []fileWatcher{
			{"**/" + config.FileName}, {"**/*.go"}, {"**/go.{mod,sum,work}"}, {"**/*.{json,jsonl,ndjson}"},
		}},
	}}}
	s.running.Go(func() {
		if err := s.conn.Call(s.ctx, "client/registerCapability", params, nil); err != nil && s.ctx.Err() == nil {
			s.log(messageWarning, "changes made outside of the editor go unnoticed until a file is saved: "+err.Error())
		}
	})
}

// log writes a line to the editor's log.
func (s *server) log(kind messageType, text string) {
	s.notify("window/logMessage", messageParams{kind, text})
}

// show shows a message to the user.
func (s *server) show(kind messageType, text string) {
	s.notify("window/showMessage", messageParams{kind, text})
}

// notify sends a notification. If that fails the client is gone, which ends the
// conversation anyway.
func (s *server) notify(method string, params any) { _ = s.conn.Notify(s.ctx, method, params) }

// absolute returns the absolute form of a path in a report.
func absolute(path string) string {
	if wd, err := os.Getwd(); err == nil {
		return joined(wd, path)
	}
	return path
}
