package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/shapevet/shapevet/jsonlint"
)

// defineShards adds the flags for several processes that check one set of
// documents.
func (f *checkFlags) defineShards(set *pflag.FlagSet) {
	set.StringVar(&f.shard, "shard", "", "read share `I/N` of the documents, such as 2/8, and store the results in the directory of --state")
	set.StringVar(&f.state, "state", "", "store the results of shards in `DIR`, which all of them share")
	set.BoolVar(&f.merge, "merge", false, "report the results of the shards in the directory of --state")
}

// part returns this process's part of a run of several, or nil if there is only
// one.
func (f *checkFlags) part(set *pflag.FlagSet, s *settings, g given) (*jsonlint.Part, error) {
	switch {
	case f.shard == "" && !f.merge && f.state != "":
		return nil, errors.New("--state needs --shard I/N, which fills the directory, or --merge, which reports its content")
	case f.shard == "" && !f.merge:
		return nil, nil
	case f.shard != "" && f.merge:
		return nil, errors.New("--merge reports the results of shards: leave out --shard")
	case f.state == "":
		return nil, errors.New("add --state DIR: the directory that all shards share")
	}
	for _, flag := range []string{"fix", "diff", "changed", "diff-base"} {
		if set.Changed(flag) {
			return nil, fmt.Errorf("--%s needs a single process: leave out --shard and --merge", flag)
		}
	}
	if _, code := g.sorted(s); len(code) > 0 {
		return nil, fmt.Errorf("shards read only documents, and %s is Go code: check it in a separate run", code[0])
	}
	if f.merge {
		shards, err := jsonlint.ShardsIn(f.state)
		if err != nil {
			return nil, fmt.Errorf("--merge: %w", err)
		}
		return &jsonlint.Part{Shards: shards, Dir: f.state}, nil
	}
	p := &jsonlint.Part{Dir: f.state}
	var rest string
	if n, _ := fmt.Sscanf(f.shard+" end", "%d/%d %s", &p.Shard, &p.Shards, &rest); n != 3 || rest != "end" || p.Shard < 1 || p.Shard > p.Shards {
		return nil, fmt.Errorf("--shard %q is not I/N: --shard 2/8 is the second of eight", f.shard)
	}
	if p.Shards > mostShards {
		return nil, fmt.Errorf("--shard %s: there can be at most %d shards", f.shard, mostShards)
	}
	if err := os.MkdirAll(p.Dir, 0o777); err != nil {
		return nil, fmt.Errorf("--state: %w", err)
	}
	return p, nil
}

// mostShards is more than anyone has machines. Each shard loads what all others
// have gathered.
const mostShards = 10_000

// runShard gathers what one shard can gather now.
func (a *app) runShard(command *cobra.Command, s *settings, g given) error {
	docs, _ := g.sorted(s)
	err := abandonable(command.Context(), func() error {
		_, err := a.checkInputs(command.Context(), s, docs, s.engineOptions(a))
		return err
	})
	unfinished := (*jsonlint.UnfinishedError)(nil)
	switch name := fmt.Sprintf("shard %d/%d", s.part.Shard, s.part.Shards); {
	case errors.Is(err, jsonlint.ErrShardDone):
		a.complain(fmt.Sprintf("%s is done: once all shards are, run shapevet check --merge --state %s", name, s.part.Dir))
	case errors.As(err, &unfinished):
		a.complain(fmt.Sprintf("%s has done round %d of at most 3: run all shards again", name, unfinished.Round+1))
	default:
		return err
	}
	return nil
}
