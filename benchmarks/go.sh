#!/usr/bin/env bash
# What the Go rules cost on a tree of packages:
#   benchmarks/go.sh DIRECTORY [PATTERN...]
# prints shapevet check against a bare load of the same packages, and again when
# nothing has changed; go vet with shapevet against plain go vet, with nothing in
# the cache and with everything; and the memory of the largest process of each.
# ROUNDS (3) runs of each take turns; the best counts. The ratio is that of wall
# time; processor time stands beside it for busy machines.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
target=$1
shift
[ $# -gt 0 ] || set -- ./...
rounds=${ROUNDS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SHAPEVET_CACHE=off
type -P time >/dev/null || { echo "GNU time is needed: apt-get install time" >&2; exit 2; }

(cd "$here" && go build -o "$work/shapevet" ./cmd/shapevet && go build -o "$work/bareload" ./benchmarks/bareload)
cd "$target"

measure() { # measure NAME COMMAND...: note wall and processor seconds, and the kilobytes of the largest process
  local name=$1
  shift
  # Findings make a run fail; what a run prints is not the question here.
  command time -q -o "$work/time" -f '%e %U %S %M' "$@" >/dev/null 2>&1 || true
  awk -v name="$name" '{print name, $1, $2 + $3, $4}' "$work/time" >>"$work/times"
}

best() { awk -v name="$1" -v column="$2" '$1 == name && (low == "" || $column < low) {low = $column} END {print low}' "$work/times"; }

compare() { # compare WHAT NAME BASE LIMIT
  awk -v what="$1" -v limit="$4" -v a="$(best "$2" 2)" -v ac="$(best "$2" 3)" -v b="$(best "$3" 2)" -v bc="$(best "$3" 3)" 'BEGIN {
    printf "%-24s %7.2f s against %7.2f s: %.2f times, %s is the aim (processor: %.2f s against %.2f s, %.2f times)\n", what, a, b, a / b, limit, ac, bc, ac / bc
  }'
}

go vet "$@" >/dev/null 2>&1 || true # compiles what is imported, for all of them
echo "$("$work/bareload" "$@") packages in $target, best of $rounds"
for round in $(seq "$rounds"); do
  measure bare "$work/bareload" "$@"
  measure check "$work/shapevet" check --output concise --no-progress "$@"
done
compare "shapevet check" check bare 2
for round in $(seq 0 "$rounds"); do # the first one remembers
  SHAPEVET_CACHE=$work/cache measure "again-$((round > 0))" "$work/shapevet" check --output concise --no-progress "$@"
done
compare "nothing has changed" again-1 check 1

for round in $(seq "$rounds"); do
  # The go command knows results by what the tool says of itself: shapevet says
  # the hash of its binary, vet its name and release. A binary and a name of
  # their own find nothing in the cache.
  (cd "$here" && go build -ldflags "-buildid=$round-$$-$RANDOM" -o "$work/cold" ./cmd/shapevet)
  plain=$work/vet-$round-$$-$RANDOM
  go build -o "$plain" cmd/vet
  measure vet-cold go vet -vettool="$plain" "$@"
  measure vet-warm go vet -vettool="$plain" "$@"
  measure shapes-cold go vet -vettool="$work/cold" "$@"
  measure shapes-warm go vet -vettool="$work/cold" "$@"
done
compare "go vet, nothing cached" shapes-cold vet-cold 1.3
compare "go vet, all cached" shapes-warm vet-warm 1.3
awk '$4 > most[$1] {most[$1] = $4} END {
  may = 1.5 * most["vet-cold"] + most["bare"]
  printf "largest process          shapevet check %.0f MB; bare load %.0f MB, go vet %.0f MB, with shapevet %.0f MB: %.2f of what is the aim, 1.5 times go vet and the load\n",
    most["check"] / 1024, most["bare"] / 1024, most["vet-cold"] / 1024, most["shapes-cold"] / 1024, most["check"] / may
}' "$work/times"
