// Package pipeline checks documents in an Apache Beam pipeline. Each worker reads
// a share of them, and the report is the same as that of one process.
//
// A run of several processes has up to three rounds, see [jsonlint.Part], and so
// has the pipeline. Each share is read, the results are combined, and the next
// round gets them as a side input. The answers for rules in the last round are
// stored in files, which are grouped for the one step that judges.
//
//	shares → gather → combine profiles
//	                    ↓
//	shares → gather → combine kinds
//	                    ↓
//	shares → gather → files → judge → report
package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // for reports
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/shapevet/shapevet/internal/cli"
	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/live/objects"
)

func init() {
	register.DoFn7x1[context.Context, int, func(*[]byte) bool, func(*[]byte) bool, func([]byte), func([]byte), func(int, Kept), error](&gather{})
	register.DoFn5x1[context.Context, int, func(*Kept) bool, func(*[]byte) bool, func(*[]byte) bool, error](&judge{})
	register.Combiner3[gathered, []byte, []byte](&combine{})
	register.Emitter1[[]byte]()
	register.Emitter2[int, Kept]()
	register.Iter1[[]byte]()
	register.Iter1[Kept]()
}

// A Job is what a pipeline does.
type Job struct {
	Check  []string // the arguments of "shapevet check"
	Shards int      // at least two
	States string   // the directory or object prefix for the results of shares, which all workers can write and read
	Report string   // the file or object for the report; "" for the standard output of the worker that judges
	Config string   // the configuration that applies where the pipeline is made, see [config.Find]
}

// Build adds the steps to a pipeline.
func (j Job) Build(s beam.Scope) {
	numbers := make([]int, j.Shards)
	for i := range numbers {
		numbers[i] = i + 1
	}
	shares := beam.Reshuffle(s, beam.CreateList(s, numbers))
	round := func(r jsonlint.Round, profiles, kinds beam.PCollection) (_, _, _ beam.PCollection) {
		return beam.ParDo3(s, &gather{j, r}, shares, beam.SideInput{Input: profiles}, beam.SideInput{Input: kinds})
	}
	nothing := beam.Impulse(s)
	each, _, _ := round(jsonlint.Profiles, nothing, nothing)
	profiles := beam.Combine(s, &combine{}, each)
	_, each, early := round(jsonlint.Kinds, profiles, nothing)
	kinds := beam.Combine(s, &combine{}, each)
	_, _, late := round(jsonlint.Probes, profiles, kinds)
	probes := beam.GroupByKey(s, beam.Flatten(s, early, late))
	beam.ParDo0(s, &judge{j}, probes, beam.SideInput{Input: profiles}, beam.SideInput{Input: kinds})
}

// run runs shapevet check.
func (j Job) run(ctx context.Context, stdout, stderr io.Writer, more ...string) (code int, err error) {
	found, err := config.Find(".")
	if err != nil {
		return 0, err
	}
	if found != j.Config {
		return 0, fmt.Errorf("the configuration of this worker is %q, and that of the pipeline %q: name one that all have with --config", found, j.Config)
	}
	args := append(append([]string{"check", "--no-progress"}, j.Check...), more...)
	return shapevet(ctx, args, stdout, stderr), nil
}

// shapevet runs its command lines, without databases, because these cannot be
// read share by share.
var shapevet = cli.Runner(nil, objects.Stores())

// gather reads a share of the documents.
type gather struct {
	Job   Job
	Round jsonlint.Round
}

// ProcessElement emits the results of a share, given the results of all shares
// in the rounds before.
func (g *gather) ProcessElement(ctx context.Context, shard int, profiles, kinds func(*[]byte) bool, emitProfiles, emitKinds func([]byte), emitProbes func(int, Kept)) error {
	dir, known, err := g.Job.directory(profiles, kinds)
	defer os.RemoveAll(dir)
	if err != nil || known < g.Round {
		return err // the round before had no questions, so this one is already done
	}
	part := jsonlint.Part{Shard: shard, Shards: g.Job.Shards, Dir: dir}
	var said bytes.Buffer
	code, err := g.Job.run(ctx, io.Discard, &said, "--shard", fmt.Sprintf("%d/%d", shard, part.Shards), "--state", dir)
	switch {
	case err != nil:
		return err
	case code != 0:
		return fmt.Errorf("shard %d/%d: %s", shard, part.Shards, &said)
	}
	for round, emit := range []func([]byte){emitProfiles, emitKinds} {
		switch text, err := os.ReadFile(part.File(jsonlint.Round(round))); {
		case err == nil:
			emit(text)
		case !errors.Is(err, os.ErrNotExist):
			return err
		}
	}
	probes := part.File(jsonlint.Probes)
	if _, err := os.Stat(probes); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	kept := Kept{shard, fmt.Sprintf("%s/%s-%s", g.Job.States, filepath.Base(dir), filepath.Base(probes))} // the name is different in each attempt
	if err := copyFile(ctx, kept.Path, probes); err != nil {
		return err
	}
	emitProbes(0, kept)
	return nil
}

// directory creates a directory with the results of all shares, and returns the
// number of rounds.
func (j Job) directory(profiles, kinds func(*[]byte) bool) (dir string, known jsonlint.Round, err error) {
	if dir, err = os.MkdirTemp("", "shapevet-beam-"); err != nil {
		return "", 0, err
	}
	for round, next := range []func(*[]byte) bool{profiles, kinds} {
		var text []byte
		if !next(&text) || len(text) == 0 {
			break
		}
		known++
		if err := os.WriteFile(jsonlint.Part{Shards: j.Shards, Dir: dir}.File(jsonlint.Round(round)), text, 0o600); err != nil {
			return dir, known, err
		}
	}
	return dir, known, nil
}

// Kept names the file with the answers of a share for rules. They grow with the
// number of documents and are too large for a runner to pass on.
type Kept struct {
	Shard int
	Path  string
}

// copyFile copies a file or an object.
func copyFile(ctx context.Context, to, from string) error {
	in, err := filesystem.New(ctx, from)
	if err != nil {
		return err
	}
	defer in.Close()
	r, err := in.OpenRead(ctx, from)
	if err != nil {
		return err
	}
	defer r.Close()
	return write(ctx, to, r)
}

// write writes a file or an object.
func write(ctx context.Context, path string, from io.Reader) error {
	files, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer files.Close()
	to, err := files.OpenWrite(ctx, path)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// combine merges the results of shares. Merging is associative and commutative,
// so a runner may place accumulators anywhere.
type combine struct{}

// gathered are states that are not merged yet. Merging reads all of them and
// writes one, so it is worth it only for several.
type gathered struct{ States [][]byte }

// mostStates is how many states are held at once.
const mostStates = 16

func (*combine) CreateAccumulator() gathered { return gathered{} }

func (*combine) AddInput(g gathered, s []byte) (gathered, error) {
	g.States = append(g.States, s)
	return g.bounded()
}

func (*combine) MergeAccumulators(g, o gathered) (gathered, error) {
	g.States = append(g.States, o.States...)
	return g.bounded()
}

func (*combine) ExtractOutput(g gathered) ([]byte, error) { return g.merged() }

func (g gathered) bounded() (gathered, error) {
	if len(g.States) < mostStates {
		return g, nil
	}
	s, err := g.merged()
	return gathered{[][]byte{s}}, err
}

func (g gathered) merged() ([]byte, error) { return jsonlint.MergeStates(g.States...) }

// judge writes the report from the results of all shares.
type judge struct{ Job Job }

// A counter passes on the exit code of the check, with every runner.
const (
	counterSpace = "shapevet"
	counterName  = "exit-code"
)

// ProcessElement writes the report.
func (j *judge) ProcessElement(ctx context.Context, _ int, probes func(*Kept) bool, profiles, kinds func(*[]byte) bool) error {
	dir, _, err := j.Job.directory(profiles, kinds)
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	for kept := (Kept{}); probes(&kept); {
		part := jsonlint.Part{Shard: kept.Shard, Shards: j.Job.Shards, Dir: dir}
		if err := copyFile(ctx, part.File(jsonlint.Probes), kept.Path); err != nil {
			return err
		}
	}
	var report bytes.Buffer
	code, err := j.Job.run(ctx, &report, os.Stderr, "--merge", "--state", dir)
	if err != nil {
		return err
	}
	beam.NewCounter(counterSpace, counterName).Inc(ctx, int64(code))
	if j.Job.Report == "" {
		_, err := report.WriteTo(os.Stdout)
		return err
	}
	return write(ctx, j.Job.Report, &report)
}

// ExitCode returns the exit code of the check from the counters of a pipeline that
// has run.
func ExitCode(result beam.PipelineResult) (code int) {
	for _, c := range result.Metrics().AllMetrics().Counters() {
		if c.Namespace() == counterSpace && c.Name() == counterName {
			code += int(c.Result())
		}
	}
	return code
}
