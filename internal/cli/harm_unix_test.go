//go:build unix

package cli

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// peaks measures the peak memory of a process where the system provides it. For
// a process that has ended, the system also counts the memory of the process
// that started it, which here is the test.
func peaks(command *exec.Cmd) (stop func() int64) {
	done, peak := make(chan struct{}), make(chan int64, 1)
	go func() {
		most := int64(0)
		for {
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", command.Process.Pid))
			if _, rest, found := bytes.Cut(status, []byte("VmHWM:")); found {
				var kilobytes int64
				if _, err := fmt.Sscan(string(rest), &kilobytes); err == nil {
					most = max(most, kilobytes<<10)
				}
			}
			select {
			case <-done:
				peak <- most
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	return func() int64 {
		close(done)
		return <-peak
	}
}

// maxRSS returns the peak memory of a command, in bytes.
func maxRSS(t *testing.T, command *exec.Cmd) int64 {
	t.Helper()
	usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage)
	require.True(t, ok)
	if runtime.GOOS == "darwin" {
		return usage.Maxrss
	}
	return usage.Maxrss << 10
}

// packed writes text, compressed, with a run of spaces in place of the gap.
func packed(t *testing.T, path, before string, gap int, after string) {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	require.NoError(t, err)
	spaces := bytes.Repeat([]byte{' '}, 1<<20)
	_, err = w.Write([]byte(before))
	require.NoError(t, err)
	for range gap >> 20 {
		_, err = w.Write(spaces)
		require.NoError(t, err)
	}
	_, err = w.Write([]byte(after))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
}

// TestWhiteSpaceTakesNoMemory: a small compressed file may hold any amount of
// white space, at any place where nothing else is.
func TestWhiteSpaceTakesNoMemory(t *testing.T) {
	t.Parallel()
	const gap, most = 160 << 20, 128 << 20
	for name, text := range map[string][2]string{
		"behind a document": {`{"id":1}`, ""}, "before a document": {"", `{"id":1}`}, "between documents": {`{"id":1}`, `{"id":2}`},
		"between elements": {`[{"id":1}`, `,{"id":2}]`}, "before an element": {`[{"id":1},`, `{"id":2}]`}, "at the end of an array": {`[{"id":1}`, `]`},
		"behind a line": {strings.Repeat("{\"id\":0}\n", 200_000) + `{"id":1}`, "\n{\"id\":2}\n"},
		"before a line": {strings.Repeat("{\"id\":0}\n", 200_000), "{\"id\":2}\n"},
	} {
		path := filepath.Join(t.TempDir(), "a.json.gz")
		packed(t, path, text[0], gap, text[1])
		assert.Less(t, peakOf(t, "--select", "missing-id", path), int64(most), name)
	}
}

// peakOf returns the peak memory of a check, in bytes.
func peakOf(t *testing.T, arguments ...string) int64 {
	t.Helper()
	command := exec.Command("shapevet", append([]string{"check", "--exit-zero", "--no-progress"}, arguments...)...)
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	require.NoError(t, command.Start())
	stop := peaks(command)
	err := command.Wait()
	peak := stop()
	require.NoError(t, err, "%v: %s", arguments, out.String())
	if peak == 0 {
		peak = maxRSS(t, command)
	}
	return peak
}

// TestMemoryOfALargeDocument: a document is held only once with its tokens, and
// a fix shows only as much as a person can read.
func TestMemoryOfALargeDocument(t *testing.T) {
	t.Parallel()
	const size, most = 32 << 20, 7
	text := `{"author":"u%d","text":"Nothing is certain but that this comes again and again","at":"2024-01-02T03:04:05Z","votes":%d}`
	for name, entry := range map[string]string{"a list": text, "a map": `"user%d":{"points":%d,"text":"Nothing is certain but that this comes again and again"}`} {
		open, end := `{"_id":"p1","comments":[`, `]}`
		if entry[0] == '"' {
			open, end = `{"_id":"p1","scores":{`, `}}`
		}
		b := bytes.NewBufferString(open)
		for i := 0; b.Len() < size; i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(b, entry, i, i)
		}
		b.WriteString(end)
		path := filepath.Join(t.TempDir(), "a.json")
		require.NoError(t, os.WriteFile(path, b.Bytes(), 0o600))
		peak := peakOf(t, path)
		t.Logf("%s: %d MB", name, peak>>20)
		assert.Less(t, peak, int64(most*size), name)
	}
}

// TestNoInputIsSlow compares the cost of a byte with that of a byte of real
// documents. The goal is at most ten times that; the test allows for a busy
// machine.
func TestNoInputIsSlow(t *testing.T) {
	t.Parallel()
	const (
		size = 4 << 20
		most = 20.0
	)
	costs := func(text string) float64 { // nanoseconds of processor time per byte
		path := filepath.Join(t.TempDir(), "a.jsonl")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		command := exec.Command("shapevet", "check", "--exit-zero", "--no-progress", "--jobs", "1", "-o", "json=/dev/null", path)
		out, err := command.CombinedOutput()
		if failed := (*exec.ExitError)(nil); !errors.As(err, &failed) || failed.ExitCode() != 2 { // no documents
			require.NoError(t, err, "%s", out)
		}
		return float64(command.ProcessState.UserTime()) / float64(len(text))
	}
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	var documents strings.Builder
	for _, name := range []string{"fhir/Patient.jsonl", "pokeapi/move.jsonl", "osv/vulns.jsonl"} {
		text, err := os.ReadFile(filepath.Join("../../testdata/accuracy", name))
		require.NoError(t, err)
		documents.Write(text)
	}
	standard := costs(fill(documents.String()))
	long := strings.Repeat("k", 1<<20)
	for name, input := range map[string]string{
		"commas":           fill(","),
		"commas behind":    `{"a":1}` + "\n" + fill(","),
		"long names":       fill(`{"` + long + `":1}` + "\n"),
		"brackets":         fill("["),
		"closing brackets": fill("]"),
		"braces":           fill("{"),
		"quotes":           fill(`"`),
		"backslashes":      `{"a":"` + fill(`\`) + `"}`,
		"colons":           `{` + fill(":") + `}`,
		"short numbers":    `{"a":[` + fill("1,") + `1]}`,
		"words":            fill("a "),
		"empty documents":  fill("{}"),
		"empty lines":      fill("{}\n"),
		"not quite equal":  fill("{}{ }{  }"),
		"empty elements":   "[" + fill("{},") + "{}]",
		"small documents":  fill(`{"a":1}{"a":2}`),
		"small lines":      fill(`{"a":1}` + "\n" + `{"b":2}` + "\n"),
		"empty arrays":     fill("[]\n"),
		"arrays of arrays": "[" + fill("[],") + "[]]",
		"scalars":          "{}\n" + fill("1\n"),
		"nulls":            `{"a":1}` + "\n" + fill("null\n"),
	} {
		ratio := costs(input) / standard
		t.Logf("%s: %.1f times", name, ratio)
		assert.Less(t, ratio, most, name)
	}
}

// TestManyCollections: eight times as many collections cost about eight times as much.
func TestManyCollections(t *testing.T) {
	t.Parallel()
	const most = 4.0
	costs := func(collections int) float64 { // seconds of processor time for each
		dir := t.TempDir()
		for c := range collections {
			var text strings.Builder
			for d := range 10 {
				fmt.Fprintf(&text, `{"_id":"%d-%d","size":%[2]d,"batch%[1]dId":"b%[1]dx%[2]d"}`+"\n", c, d)
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("things%d.jsonl", c)), []byte(text.String()), 0o600))
		}
		command := exec.Command("shapevet", "check", "--exit-zero", "--no-progress", "--jobs", "1", "-o", "json=/dev/null", dir)
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return command.ProcessState.UserTime().Seconds() / float64(collections)
	}
	few := costs(300)
	ratio := costs(2400) / few
	t.Logf("%.1f times", ratio)
	assert.Less(t, ratio, most)
}

// TestSignalsEndARun sends a signal at some point in a long run. The goal is to
// end within a tenth of a second. Wall-clock time depends on the machine, so
// the test measures processor time.
func TestSignalsEndARun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for c := range 200 {
		var b bytes.Buffer
		for i := range 600 {
			fmt.Fprintf(&b, `{"_id":"%d-%d","other":"%d-%d","tags":["a","b"],"at":"2024-01-02T03:04:05Z","n":%d}`+"\n", c, i, (c+1)%200, i, i)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("c%02d.jsonl", c)), b.Bytes(), 0o600))
	}
	var most time.Duration
	for round := range 12 {
		command := exec.Command("shapevet", "check", "--exit-zero", "--no-progress", "--min-confidence", "0", "--max-findings", "0", dir)
		command.Env = append(os.Environ(), "GOMAXPROCS=2")
		require.NoError(t, command.Start())
		time.Sleep(time.Duration(100+rand.IntN(1200)) * time.Millisecond) //nolint:gosec // any point will do
		before, known := spent(command.Process.Pid)
		signal := []os.Signal{os.Interrupt, syscall.SIGTERM}[round%2]
		if err := command.Process.Signal(signal); errors.Is(err, os.ErrProcessDone) {
			require.NoError(t, command.Wait())
			continue // it was already over
		}
		err := command.Wait()
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
			require.NoError(t, err)
			continue
		}
		if status, ok := command.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() && known && before < starting {
			continue // on a busy machine it was not listening yet, so the system ended it
		}
		assert.Equal(t, exitInterrupted, command.ProcessState.ExitCode(), "%v", err)
		if known {
			most = max(most, command.ProcessState.UserTime()+command.ProcessState.SystemTime()-before)
		}
	}
	t.Logf("at most %v of the processor", most)
	assert.Less(t, most, 250*time.Millisecond)
}

// starting is the processor time that the program may use before it listens to
// signals, with the race detector and beside other programs.
const starting = 400 * time.Millisecond

// spent returns the processor time of a process where the system provides it.
func spent(pid int) (time.Duration, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if err != nil || len(fields) < 13 {
		return 0, false
	}
	user, userErr := strconv.Atoi(fields[11])
	system, systemErr := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond, userErr == nil && systemErr == nil
}
