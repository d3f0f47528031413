// Shapevet-beam checks documents in an Apache Beam pipeline. It accepts the flags
// of shapevet check and those of Beam runners:
//
//	shapevet-beam --shards 8 --output json 'dump/*.jsonl'
//	shapevet-beam --shards 200 --states /mnt/states --report /mnt/report.json --output json --runner flink --endpoint localhost:8099 /mnt/dump
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/shapevet/shapevet/beam/pipeline"
	"github.com/shapevet/shapevet/internal/config"
)

func main() {
	var job pipeline.Job
	flag.IntVar(&job.Shards, "shards", 4, "read the documents in `N` shares, two at least")
	flag.StringVar(&job.States, "states", "", "keep what shares gather in `DIR`, or below gs://bucket/prefix, which all workers can write and read (default: a temporary directory of this machine)")
	flag.StringVar(&job.Report, "report", "", "write the report to `FILE`, which may be an object, gs://bucket/report.json (default: standard output)")
	ofBeam, ofCheck := split(os.Args[1:])
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: shapevet-beam [FLAG...] INPUT...\n\nThe inputs and all flags of \"shapevet check\" are taken, and these:")
		flag.PrintDefaults()
	}
	_ = flag.CommandLine.Parse(ofBeam) // ends the process itself
	job.Check = ofCheck
	log.LogLevel = "warn"
	beam.Init() // a worker of a runner goes no further
	code, err := run(job)
	if err != nil {
		fmt.Fprintln(os.Stderr, "shapevet-beam:", err)
		code = 2
	}
	os.Exit(code)
}

// split separates the flags of this program and of Beam from the arguments of
// shapevet check.
func split(args []string) (ofBeam, ofCheck []string) {
	for i := 0; i < len(args); i++ {
		name, _, withValue := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		known := flag.Lookup(name)
		if !strings.HasPrefix(args[i], "-") || known == nil && name != "help" && name != "h" {
			ofCheck = append(ofCheck, args[i])
			continue
		}
		ofBeam = append(ofBeam, args[i])
		if known == nil || withValue {
			continue
		}
		if b, ok := known.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
			continue
		}
		if i++; i < len(args) {
			ofBeam = append(ofBeam, args[i])
		}
	}
	return ofBeam, ofCheck
}

func run(job pipeline.Job) (code int, err error) {
	here := (*runners.Runner == "" || *runners.Runner == "prism") && *jobopts.Endpoint == ""
	switch {
	case job.Shards < 2:
		return 0, fmt.Errorf("--shards %d: two at least; one process is \"shapevet check\"", job.Shards)
	case (job.Report == "" || job.States == "") && !here && !jobopts.IsLoopback():
		return 0, errors.New("add --states and --report, places that all workers and you can reach")
	}
	if job.States == "" {
		if job.States, err = os.MkdirTemp("", "shapevet-beam-"); err != nil {
			return 0, err
		}
		defer os.RemoveAll(job.States)
	}
	if job.Config, err = config.Find("."); err != nil {
		return 0, err
	}
	p, s := beam.NewPipelineWithRoot()
	job.Build(s)
	result, err := beamx.RunWithMetrics(context.Background(), p)
	if err != nil {
		return 0, err
	}
	return pipeline.ExitCode(result), nil
}
