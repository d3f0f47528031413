// Command table measures programs against each other:
//
//	table ROUNDS NAME COMMAND [NAME COMMAND]...
//
// Commands are run by the shell in turns, ROUNDS times each; a name that ends in
// "*" is a slow program's and is run once. It prints the medians as a table in
// Markdown: seconds on the clock, seconds of the processors, the largest memory.
// The environment variable BYTES_<i> is how much the i-th program reads, from 0.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

type program struct {
	name, command string
	slow          bool
	bytes         float64
	runs          []run
}

type run struct{ wall, cpu, memory float64 }

func main() {
	if err := table(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func table(args []string, out io.Writer) error {
	if len(args) < 3 || len(args)%2 == 0 {
		return errors.New("usage: table ROUNDS NAME COMMAND, and more names and commands")
	}
	rounds, err := strconv.Atoi(args[0])
	if err != nil {
		return fmt.Errorf("rounds: %w", err)
	}
	var programs []*program
	for i := 1; i < len(args); i += 2 {
		name, slow := strings.CutSuffix(args[i], "*")
		p := &program{name: name, command: args[i+1], slow: slow}
		if p.bytes, err = strconv.ParseFloat(os.Getenv(fmt.Sprintf("BYTES_%d", len(programs))), 64); err != nil {
			return fmt.Errorf("bytes of %s: %w", name, err)
		}
		programs = append(programs, p)
	}
	for round := range rounds {
		for _, p := range programs {
			if p.slow && round > 0 {
				continue
			}
			if err := p.run(); err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	fmt.Fprintln(out, "| program | MB read | wall s | CPU s | MB/s | MB/s of CPU | peak MB | runs |")
	fmt.Fprintln(out, "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, p := range programs {
		m := p.median()
		fmt.Fprintf(out, "| %s | %.0f | %.2f | %.2f | %.0f | %.0f | %.0f | %d |\n",
			p.name, p.bytes/1e6, m.wall, m.cpu, p.bytes/1e6/m.wall, p.bytes/1e6/m.cpu, m.memory/1e6, len(p.runs))
	}
	return nil
}

// run runs the program once. That a checker finds something, and says so by
// exit code 1, is no failure.
func (p *program) run() error {
	command := exec.Command("sh", "-c", "exec "+p.command)
	command.Stderr = os.Stderr
	start := time.Now()
	err := command.Run()
	wall := time.Since(start)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 && strings.HasPrefix(p.name, "shapevet") {
		err = nil
	}
	if err != nil {
		return err
	}
	state := command.ProcessState
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return errors.New("this system does not say what a process used")
	}
	p.runs = append(p.runs, run{wall.Seconds(), (state.UserTime() + state.SystemTime()).Seconds(), float64(usage.Maxrss) * 1024})
	return nil
}

func (p *program) median() run {
	of := func(value func(run) float64) float64 {
		var all []float64
		for _, r := range p.runs {
			all = append(all, value(r))
		}
		slices.Sort(all)
		middle := len(all) / 2
		if len(all)%2 == 0 {
			return (all[middle-1] + all[middle]) / 2
		}
		return all[middle]
	}
	return run{
		of(func(r run) float64 { return r.wall }), of(func(r run) float64 { return r.cpu }), of(func(r run) float64 { return r.memory }),
	}
}
