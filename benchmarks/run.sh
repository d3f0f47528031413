#!/usr/bin/env bash
# Shapevet against programs that look at the same documents:
#   benchmarks/run.sh [FILE...]
# measures each FILE of JSON Lines (.zst is unpacked first); without FILE, sets
# grown from the fixtures of this project: fhir (medium-sized documents, in the
# proportions of the fixtures), pokeapi (large ones), osv (nested ones).
# It prints a table for each file: medians of ROUNDS (5) runs, the programs in
# turns. The Node programs but DuckDB read the first SLOW_MB (40) of the file
# only, once each: they keep all documents in memory or take minutes. GROW_MB
# (200) is the size of the grown sets. PEERS=none measures shapevet and the walk
# alone. Needs Go, Node with npm, and jq; the peers, pinned in
# benchmarks/peers/package.json and benchmarks/walk/go.mod, are installed in
# CACHE (~/.cache/shapevet-benchmarks).
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
rounds=${ROUNDS:-5}
slow_mb=${SLOW_MB:-40}
grow_mb=${GROW_MB:-200}
cache=${CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/shapevet-benchmarks}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$cache"

build() { (cd "$1" && go build -o "$work/$2" "$3"); }
build "$here" shapevet ./cmd/shapevet
build "$here" grow ./benchmarks/grow
build "$here" table ./benchmarks/table
build "$here/benchmarks/walk" walk .
build "$here/integration/bson" tobson ./tobson
if [ "${PEERS:-all}" != none ]; then
  cp "$here"/benchmarks/peers/* "$cache/"
  (cd "$cache" && npm install --no-audit --no-fund --silent)
fi

if [ $# -eq 0 ]; then
  for set in fhir pokeapi osv; do
    "$work/grow" repeat "$((grow_mb * 1000000))" "$here"/testdata/accuracy/"$set"/*.jsonl >"$work/$set.jsonl"
    set -- "$@" "$work/$set.jsonl"
  done
fi

quoted() { printf '%q' "$1"; }

table() { # table FILE: file and what is read of it by the slow programs
  local file slow bytes slow_bytes n=0
  file=$(quoted "$1")
  bytes=$(wc -c <"$1")
  local -a programs=()
  add() { # add BYTES NAME COMMAND
    export "BYTES_$n=$1"
    n=$((n + 1))
    programs+=("$2" "$3")
  }
  add "$bytes" "shapevet check, 1 core" "env GOMAXPROCS=1 $work/shapevet check --jobs 1 --no-progress --output json=/dev/null $file"
  add "$bytes" "shapevet check, 2 cores" "env GOMAXPROCS=2 $work/shapevet check --jobs 2 --no-progress --output json=/dev/null $file"
  gzip -c "$1" >"$work/packed.jsonl.gz"
  add "$bytes" "shapevet check of gzip, 1 core" "env GOMAXPROCS=1 $work/shapevet check --jobs 1 --no-progress --output json=/dev/null $work/packed.jsonl.gz"
  if command -v zstd >/dev/null; then
    zstd -q -f "$1" -o "$work/packed.jsonl.zst"
    add "$bytes" "shapevet check of zstd, 1 core" "env GOMAXPROCS=1 $work/shapevet check --jobs 1 --no-progress --output json=/dev/null $work/packed.jsonl.zst"
  fi
  "$work/tobson" <"$1" >"$work/documents.bson" # the bytes counted are those of the text
  add "$bytes" "shapevet check of BSON, 1 core" "env GOMAXPROCS=1 $work/shapevet check --jobs 1 --no-progress --output json=/dev/null $work/documents.bson"
  add "$bytes" "jscan walk, 1 core" "env GOMAXPROCS=1 $work/walk $file >/dev/null"
  if [ "${PEERS:-all}" != none ]; then
    slow=$work/slow.jsonl
    head -c "$((slow_mb * 1000000))" "$1" | { if [ "$bytes" -gt "$((slow_mb * 1000000))" ]; then sed '$d'; else cat; fi; } >"$slow"
    slow_bytes=$(wc -c <"$slow")
    node="node --max-old-space-size=8192 $(quoted "$cache/peer.mjs")"
    add "$bytes" "DuckDB read_json, 1 thread" "$node duckdb $file 1"
    add "$bytes" "DuckDB read_json, 2 threads" "$node duckdb $file 2"
    add "$slow_bytes" "jq, parse only*" "jq -n 'reduce inputs as \$d (0; . + 1)' $slow >/dev/null"
    for peer in mongodb-schema quicktype genson generate-schema; do
      add "$slow_bytes" "$peer*" "$node $peer $slow 1"
    done
  fi
  "$work/table" "$rounds" "${programs[@]}"
}

for file in "$@"; do
  echo "## $(basename "$file" .zst), $(uname -m), $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown)"
  echo
  case $file in
  *.zst)
    "$work/grow" unpack "$file" >"$work/unpacked.jsonl"
    table "$work/unpacked.jsonl"
    ;;
  *) table "$file" ;;
  esac
  echo
done
