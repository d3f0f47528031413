package jsonlint

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/shapevet/shapevet/jsonlint/state"
)

// MergeStates merges the files of several shards, and merged ones, of the first
// round or of the second, in any order: for schedulers that hand states on
// themselves. What rules ask for in the third round can be merged only by a run.
func MergeStates(states ...[]byte) ([]byte, error) {
	if len(states) == 0 {
		return nil, errors.New("there are no states to merge")
	}
	head, err := state.HeadOf(states[0])
	switch {
	case err != nil:
		return nil, err
	case Round(head.Round) == Profiles:
		return mergeStates(profilesRound(nil), head, states)
	case Round(head.Round) == Kinds:
		return mergeStates(kindsRound(nil), head, states)
	}
	return nil, fmt.Errorf("states of round %d cannot be merged without a run", head.Round)
}

func mergeStates[T any](r round[T], head state.Head, states [][]byte) ([]byte, error) {
	all, err := r.mergeAll(len(states), func(i int) (T, error) {
		loaded := r.fresh()
		of, err := state.HeadOf(states[i])
		if err == nil {
			head.Shard = of.Shard
			err = state.Unpack(bytes.NewReader(states[i]), head, r.codec, r.saved(loaded)...)
		}
		return loaded, err
	})
	if err != nil {
		return nil, fmt.Errorf("merge what shards have gathered: %w", err)
	}
	var merged bytes.Buffer
	head.Shard = 0
	err = state.Pack(&merged, head, r.codec, r.saved(all)...)
	return merged.Bytes(), err
}
