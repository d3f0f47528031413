#!/bin/bash
# Check that shards find what one process finds: of each directory, reports by one
# process and by 3 and 17 shards, which run four at a time and in another order
# each round, have to be the same to the byte.
#
# usage: run.sh SHAPEVET DIRECTORY...
set -euo pipefail
shapevet=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
options=(--strict --max-findings 0 --no-progress --exit-zero)
failed=0

for directory; do
  # Damaged documents are part of some sets: 2 says so.
  "$shapevet" check --docs "$directory" "${options[@]}" --output json="$work/one.json" 2>/dev/null || [ $? = 2 ]
  for shards in 3 17; do
    state=$work/state-$shards
    for round in 1 2 3; do
      seq "$shards" | sort -R --random-source=<(yes "$round") |
        xargs -P 4 -I{} "$shapevet" check --docs "$directory" "${options[@]}" --jobs 1 --shard {}/"$shards" --state "$state" 2>/dev/null
    done
    "$shapevet" check --docs "$directory" "${options[@]}" --merge --state "$state" --output json="$work/merged.json" 2>/dev/null || [ $? = 2 ]
    if cmp -s "$work/one.json" "$work/merged.json"; then
      echo "same: $directory, $shards shards, $(du -sk "$state" | cut -f1) KB of states"
    else
      echo "DIFFERENT: $directory, $shards shards"
      failed=1
    fi
    rm -rf "$state" "$work/merged.json"
  done
done
exit $failed
