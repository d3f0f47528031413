package lsp

import (
	"net/url"
	"path/filepath"
	"strings"
)

// pathOf returns the path of a file URI. ok is false for other URIs, such as
// those of unnamed files.
func pathOf(uri string) (path string, ok bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return "", false
	}
	path = u.Path
	if isDrive(strings.TrimPrefix(path, "/")) {
		path = path[1:]
		path = strings.ToUpper(path[:1]) + path[1:]
	}
	if u.Host != "" && u.Host != "localhost" {
		path = "//" + u.Host + path
	}
	path = filepath.Clean(filepath.FromSlash(path))
	return path, filepath.IsAbs(path)
}

// uriOf is the inverse of [pathOf].
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if isDrive(path) {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// isDrive reports whether a path with slashes starts with a Windows drive.
func isDrive(path string) bool {
	return len(path) >= 2 && path[1] == ':' && ('a' <= path[0]|0x20 && path[0]|0x20 <= 'z')
}
