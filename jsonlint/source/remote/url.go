package remote

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// A URL names a database. It may hold credentials, which printing or
// marshalling omits. Only an [Opener] asks for them.
type URL struct{ parts *parts }

type parts struct {
	text    string // with credentials
	scheme  string
	shown   string
	secrets []string
}

// hidden replaces a secret.
const hidden = "***"

// Scheme returns the scheme of a URL, or "" for other text.
func Scheme(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || rest == "" || scheme == "" {
		return ""
	}
	for i, r := range scheme {
		if !('a' <= r && r <= 'z' || i > 0 && (r == '+' || '0' <= r && r <= '9')) {
			return ""
		}
	}
	return scheme
}

// Parse reads a URL. It may list several hosts, as MongoDB allows.
func Parse(text string) URL {
	p := &parts{text: text, scheme: Scheme(text)}
	rest := strings.TrimPrefix(text, p.scheme+"://")
	rest, query, _ := strings.Cut(rest, "?")
	host := rest
	authority, _, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(rest, '@')
	if at >= 0 && strings.ContainsAny(authority, "@:") { // a password may hold an unescaped slash, and a path an @
		host = rest[at+1:]
		_, password, _ := strings.Cut(rest[:at], ":")
		p.hide(rest[:at], password)
	}
	p.shown = p.scheme + "://" + host
	for option := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		// Some options hold keys and tokens, so show none.
		if _, value, _ := strings.Cut(option, "="); len(value) >= 8 {
			p.hide(value)
		}
	}
	p.hide(text)
	return URL{p}
}

// hide keeps texts from being shown, both as written and unescaped.
func (p *parts) hide(texts ...string) {
	for _, text := range texts {
		if text == "" {
			continue
		}
		p.secrets = append(p.secrets, text)
		for _, unescape := range []func(string) (string, error){url.PathUnescape, url.QueryUnescape} {
			if meant, err := unescape(text); err == nil && meant != text && meant != "" {
				p.secrets = append(p.secrets, meant)
			}
		}
	}
}

// Hide adds a secret that is not part of the URL, such as a key in the
// environment.
func (u URL) Hide(secret string) {
	if secret != "" {
		u.parts.secrets = append(u.parts.secrets, secret)
	}
}

// Secret returns the URL as the user wrote it, with credentials.
func (u URL) Secret() string { return u.parts.text }

// String returns the URL without credentials and options.
func (u URL) String() string { return u.parts.shown }

// Object returns the bucket and the key in the URL of an object.
func (u URL) Object() (bucket, key string) {
	bucket, key, _ = strings.Cut(strings.TrimPrefix(u.parts.shown, u.parts.scheme+"://"), "/")
	return bucket, key
}

// GoString keeps %#v from showing the credentials.
func (u URL) GoString() string { return u.parts.shown }

// MarshalText keeps encoders from showing the credentials.
func (u URL) MarshalText() ([]byte, error) { return []byte(u.parts.shown), nil }

// Redact removes the secrets from a text, longer ones first, because a short
// one may be part of another.
func (u URL) Redact(text string) string {
	text = strings.ReplaceAll(text, u.parts.text, u.parts.shown)
	longestFirst := slices.SortedFunc(slices.Values(u.parts.secrets), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, secret := range longestFirst {
		text = strings.ReplaceAll(text, secret, hidden)
	}
	return text
}

// Error returns err without secrets, described as what went wrong. Wrapped
// errors could be printed, so it drops them, except the one that ended the run.
func (u URL) Error(what string, err error) error {
	if err == nil {
		return nil
	}
	return &failure{text: fmt.Sprintf("%s: %s", what, u.Redact(err.Error())), cause: err}
}

type failure struct {
	text  string
	cause error
}

func (f *failure) Error() string { return f.text }

// Is distinguishes an interrupted run from a failed one.
func (f *failure) Is(target error) bool { return errors.Is(f.cause, target) }
