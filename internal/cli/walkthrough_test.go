package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
)

// A walkthrough is a copy of the service in testdata/walkthrough.
type walkthrough struct {
	t         *testing.T
	dir, tool string
}

func newWalkthrough(t *testing.T) walkthrough {
	t.Helper()
	w := walkthrough{t, t.TempDir(), filepath.Join(t.TempDir(), "shapevet")}
	require.NoError(t, os.CopyFS(w.dir, os.DirFS(filepath.Join("..", "..", "testdata", "walkthrough"))))
	out, err := exec.Command("go", "build", "-o", w.tool, "../../cmd/shapevet").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return w
}

// run runs a command line there and returns its output.
func (w walkthrough) run(line string) string {
	w.t.Helper()
	words := strings.Fields(strings.NewReplacer("$(which shapevet)", w.tool, "shapevet ", w.tool+" ").Replace(line + " "))
	command := exec.Command(words[0], words[1:]...)
	command.Dir = w.dir
	command.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "NO_COLOR=1")
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	if err := command.Run(); err != nil { // findings
		require.ErrorAs(w.t, err, new(*exec.ExitError), line)
	}
	if words[0] == "go" {
		return vetted(out.String())
	}
	return out.String()
}

// vetted sorts the output of go vet, whose packages come in the order they
// finish, and removes the names of the packages.
func vetted(text string) string {
	var findings []string
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "# "):
		case strings.Contains(line, ": \t") && len(findings) > 0: // belongs to the one above
			findings[len(findings)-1] += line
		default:
			findings = append(findings, line)
		}
	}
	slices.Sort(findings)
	return strings.Join(findings, "")
}

func (w walkthrough) findings(inputs string) []finding.Finding {
	w.t.Helper()
	var report struct {
		Findings []finding.Finding
		Errors   []finding.Problem
	}
	out := w.run("shapevet check --no-progress --db mongodb --output json " + inputs)
	require.NoError(w.t, json.Unmarshal([]byte(out), &report), out)
	require.Empty(w.t, report.Errors)
	return report.Findings
}

// told lists findings: the rule, the place, and + if there is also a place in
// documents.
func told(findings []finding.Finding) []string {
	var out []string
	for _, f := range findings {
		subject := f.Subject.Symbol
		if subject == "" {
			subject = f.Subject.Collection + " " + f.Subject.Path
		}
		line := f.Rule + " " + strings.TrimPrefix(subject, "example.com/kiln/")
		for _, r := range f.Related {
			if f.Subject.Kind == finding.KindGo && strings.HasPrefix(r.Location.File, "samples/") {
				line += " + " + r.Location.File
				break
			}
		}
		out = append(out, line)
	}
	return out
}

// TestWalkthrough counts the findings from code, from documents, and from both
// together.
func TestWalkthrough(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the commands of the walkthrough run code that other tests run")
	}
	w := newWalkthrough(t)
	w.run("go run ./makesamples made")
	made, err := filepath.Glob(filepath.Join(w.dir, "made", "*"))
	require.NoError(t, err)
	require.Len(t, made, 10)
	for _, file := range made {
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		have, err := os.ReadFile(filepath.Join(w.dir, "samples", filepath.Base(file)))
		require.NoError(t, err)
		assert.Equal(t, string(want), string(have), "%s is what makesamples writes", file)
	}
	require.NoError(t, os.RemoveAll(filepath.Join(w.dir, "made")))

	assert.Equal(t, []string{
		"unbounded-array courses.Course.Messages",
		"unbounded-array courses.Piece.Firings",
		"ttl-type courses.Session.ExpiresAt",
		"volatile-embed shop.Basket.Ware",
		"join-document shop.WareExhibition",
	}, told(w.findings("./...")), "code alone suspects five things")
	assert.Equal(t, []string{
		"dangling-reference bookings memberId",
		"unbounded-array courses messages",
		"aggregate-drift invoices total",
		"case-variant-values members email",
		"join-document showings ",
	}, told(w.findings("samples/")), "documents alone show five")
	together := []string{
		"struct-drift courses.Member + samples/members.jsonl",
		"unbounded-array courses.Course.Messages + samples/courses.jsonl",
		"ttl-type courses.Session.ExpiresAt",
		"dangling-reference bookings memberId",
		"aggregate-drift invoices total",
		"case-variant-values members email",
		"join-document shop.WareExhibition + samples/showings.jsonl",
	}
	assert.Equal(t, together, told(w.findings("./... samples/")), "together they show seven")

	var withdrawn []string
	for _, f := range w.findings("--strict ./... samples/") {
		if strings.Contains(f.Message, "; withdrawn: ") {
			withdrawn = append(withdrawn, told([]finding.Finding{f})...)
		}
	}
	assert.Equal(t, []string{"unbounded-array courses.Piece.Firings", "volatile-embed shop.Basket.Ware"}, withdrawn)

	// An evidence file replaces the documents where these cannot go.
	w.run("shapevet profile --no-progress samples/ -o default.shapevet.json")
	assert.Equal(t, []string{
		"struct-drift courses.Member",
		"unbounded-array courses.Course.Messages",
		"ttl-type courses.Session.ExpiresAt",
		"join-document shop.WareExhibition",
	}, told(w.findings("./...")), "what is found in code, without places in documents")
	vet := w.run("go vet -vettool=$(which shapevet) ./...")
	for _, want := range []string{
		"courses/courses.go:27:2: messages grows without bound: each call of Repository.Write adds to the list in Course (collection courses) (\"$push\": bson.M{\"messages\": m}); observed up to 640 elements, p95 35 (unbounded-array)\n",
		"courses/courses.go:12:6: Member has no field for newsletter ", "courses/courses.go:71:2: expiresAt ", "shop/shop.go:32:6: WareExhibition ",
	} {
		assert.Contains(t, vet, want)
	}
	assert.Len(t, regexp.MustCompile(`(?m) \([a-z-]+\)$`).FindAllString(vet, -1), 4)
	assert.Equal(t, together, told(w.findings("./... samples/")), "the documents of the run say the same as the file")
}

// TestWalkthroughStory checks that docs/walkthrough.md is true: it runs its
// commands in order.
func TestWalkthroughStory(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the commands of the walkthrough run code that other tests run")
	}
	w := newWalkthrough(t)
	page := filepath.Join("..", "..", "docs", "walkthrough.md")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	story := regexp.MustCompile("(?s)<!-- run: (.*?) -->\n```\n.*?```\n<!-- end -->")
	require.Regexp(t, story, string(text))
	want := story.ReplaceAllStringFunc(string(text), func(match string) string {
		line := story.FindStringSubmatch(match)[1]
		return fmt.Sprintf("<!-- run: %s -->\n```\n$ %s\n%s```\n<!-- end -->", line, line, w.run(line))
	})
	if *updateDocs {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(text), "out of date: go test ./internal/cli -run TestWalkthroughStory -update-docs")
}
