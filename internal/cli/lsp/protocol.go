package lsp

import (
	"github.com/sourcegraph/jsonrpc2"
)

// This is the part of the Language Server Protocol 3.17 that the server uses.

// Error codes of the protocol in addition to JSON-RPC's.
const (
	codeNotInitialized = -32002
	codeInvalidRequest = jsonrpc2.CodeInvalidRequest
)

type (
	position struct {
		Line      int `json:"line"`
		Character int `json:"character"` // UTF-16 code units
	}
	textRange struct {
		Start position `json:"start"`
		End   position `json:"end"`
	}
	location struct {
		URI   string    `json:"uri"`
		Range textRange `json:"range"`
	}
	textEdit struct {
		Range   textRange `json:"range"`
		NewText string    `json:"newText"`
	}
	documentID struct {
		URI string `json:"uri"`
	}
	versionedID struct {
		URI     string `json:"uri"`
		Version *int32 `json:"version"`
	}
	markupContent struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}
)

type (
	initializeParams struct {
		Capabilities struct {
			Workspace struct {
				WorkspaceEdit struct {
					DocumentChanges bool `json:"documentChanges"`
				} `json:"workspaceEdit"`
				DidChangeWatchedFiles struct {
					DynamicRegistration bool `json:"dynamicRegistration"`
				} `json:"didChangeWatchedFiles"`
			} `json:"workspace"`
			TextDocument struct {
				Hover struct {
					ContentFormat []string `json:"contentFormat"`
				} `json:"hover"`
				PublishDiagnostics struct {
					RelatedInformation     bool `json:"relatedInformation"`
					VersionSupport         bool `json:"versionSupport"`
					CodeDescriptionSupport bool `json:"codeDescriptionSupport"`
				} `json:"publishDiagnostics"`
			} `json:"textDocument"`
		} `json:"capabilities"`
	}
	initializeResult struct {
		Capabilities serverCapabilities `json:"capabilities"`
		ServerInfo   serverInfo         `json:"serverInfo"`
	}
	serverInfo struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	serverCapabilities struct {
		PositionEncoding   string            `json:"positionEncoding"`
		TextDocumentSync   syncOptions       `json:"textDocumentSync"`
		HoverProvider      bool              `json:"hoverProvider"`
		CodeActionProvider codeActionOptions `json:"codeActionProvider"`
	}
	syncOptions struct {
		OpenClose bool `json:"openClose"`
		Change    int  `json:"change"`
		Save      bool `json:"save"`
	}
	codeActionOptions struct {
		CodeActionKinds []string `json:"codeActionKinds"`
	}
)

// syncIncremental is the TextDocumentSyncKind for changes of ranges.
const syncIncremental = 2

type (
	didOpenParams struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version int32  `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
	}
	didChangeParams struct {
		TextDocument   versionedID    `json:"textDocument"`
		ContentChanges []contentEvent `json:"contentChanges"`
	}
	contentEvent struct {
		Range *textRange `json:"range"` // nil means the whole text
		Text  string     `json:"text"`
	}
	documentParams struct {
		TextDocument documentID `json:"textDocument"`
	}
	watchedFilesParams struct {
		Changes []struct {
			URI string `json:"uri"`
		} `json:"changes"`
	}
	hoverParams struct {
		TextDocument documentID `json:"textDocument"`
		Position     position   `json:"position"`
	}
	hover struct {
		Contents markupContent `json:"contents"`
		Range    textRange     `json:"range"`
	}
	codeActionParams struct {
		TextDocument documentID `json:"textDocument"`
		Range        textRange  `json:"range"`
		Context      struct {
			Only []string `json:"only"`
		} `json:"context"`
	}
	codeAction struct {
		Title       string        `json:"title"`
		Kind        string        `json:"kind"`
		Diagnostics []diagnostic  `json:"diagnostics,omitempty"`
		IsPreferred bool          `json:"isPreferred,omitempty"`
		Edit        workspaceEdit `json:"edit"`
	}
	workspaceEdit struct {
		Changes         map[string][]textEdit `json:"changes,omitempty"`
		DocumentChanges []documentEdit        `json:"documentChanges,omitempty"`
	}
	documentEdit struct {
		TextDocument versionedID `json:"textDocument"`
		Edits        []textEdit  `json:"edits"`
	}
)

// Kinds of code action.
const (
	kindQuickFix = "quickfix"
	kindFixAll   = "source.fixAll.shapevet"
)

type (
	publishParams struct {
		URI         string       `json:"uri"`
		Version     *int32       `json:"version,omitempty"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}
	diagnostic struct {
		Range              textRange         `json:"range"`
		Severity           int               `json:"severity"`
		Code               string            `json:"code,omitempty"`
		CodeDescription    *codeDescription  `json:"codeDescription,omitempty"`
		Source             string            `json:"source"`
		Message            string            `json:"message"`
		RelatedInformation []relatedLocation `json:"relatedInformation,omitempty"`
	}
	codeDescription struct {
		Href string `json:"href"`
	}
	relatedLocation struct {
		Location location `json:"location"`
		Message  string   `json:"message"`
	}
	messageParams struct {
		Type    messageType `json:"type"`
		Message string      `json:"message"`
	}
	messageType int
)

// Types of messages to the user.
const (
	messageError   messageType = 1
	messageWarning messageType = 2
	messageInfo    messageType = 3
)

// Severities of a diagnostic.
const (
	severityError   = 1
	severityWarning = 2
	severityInfo    = 3
)

type (
	registrationParams struct {
		Registrations []registration `json:"registrations"`
	}
	registration struct {
		ID              string `json:"id"`
		Method          string `json:"method"`
		RegisterOptions any    `json:"registerOptions"`
	}
	watchOptions struct {
		Watchers []fileWatcher `json:"watchers"`
	}
	fileWatcher struct {
		GlobPattern string `json:"globPattern"`
	}
)
