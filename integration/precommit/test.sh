#!/usr/bin/env bash
# Tries the hooks of this repository with the real pre-commit: good files, which
# must pass, and bad ones, which must fail and name the mistake. Then, installed
# once, single files, more files than pre-commit passes in one go, and the time
# that the tool itself takes.
set -euo pipefail
shapevet=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
revision=$(git -C "$shapevet" rev-parse HEAD)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
export PRE_COMMIT_HOME=$work/cache GIT_CONFIG_GLOBAL=$work/gitconfig SHAPEVET_CACHE=$work/memory
# pre-commit gives each environment a GOPATH of its own. The modules are downloaded once for all of them.
export GOMODCACHE=$work/modules
git config --global user.name "A Tester"
git config --global user.email tester@example.com
git config --global safe.directory '*'
git config --global init.defaultBranch main
git config --global uploadpack.allowAnySHA1InWant true

fail() { echo "pre-commit: $1"; cat "$work/out"; exit 1; }
# outcome HOOK: what pre-commit printed about one hook, its result first
outcome() { awk -v name="$1" '/\.\.\.(Passed|Failed)|\.\.\..*Skipped/ { on = index($0, name) == 1 } on' "$work/out"; }
# Nothing here may stop reading early: under pipefail that would be a failure.
verdict() { outcome "$1" | sed -n '1s/.*\(Passed\|Failed\)$/\1/p'; }
passed() { [ "$(verdict "$1")" = Passed ] || fail "$2: $1 does not pass:"; echo "pre-commit: $2: $1 passes"; }
stopped() {
  [ "$(verdict "$1")" = Failed ] || fail "$2: $1 does not fail:"
  outcome "$1" | grep -- "$3" >/dev/null || fail "$2: $1 does not name $3:"
  echo "pre-commit: $2: $1 stops it with $3"
}
documents="shapevet (documents)" code="shapevet (Go)" configuration="shapevet (configuration)"

git init -q "$work/project"
cd "$work/project"
mkdir samples store
for i in 1 2 3 4 5; do
  echo "{\"id\": \"p$i\", \"name\": \"Post $i\", \"recentComments\": [{\"id\": \"c$i\", \"text\": \"first\"}]}"
done >samples/posts.jsonl
echo '[{"id": "t1", "name": "new"}, {"id": "t2", "name": "old"}]' >samples/tags.json
for i in 1 2 3 4 5; do echo "{\"id\": \"a$i\", \"name\": \"Author $i\"}"; done >samples/authors.jsonl
for i in 0 1 2; do echo "{\"_id\": {\"\$oid\": \"64b7f1c2a1b2c3d4e5f6071$i\"}, \"title\": \"Book $i\", \"sold\": {\"\$numberLong\": \"$i\"}}"; done >samples/books.ndjson
printf 'module example.com/shop\n\ngo 1.24\n' >go.mod
cat >store/store.go <<'GO'
package store

//shapevet:document collection=posts
type Post struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}
GO
cp store/store.go "$work/good.go"
printf 'version: 1\ndocs: [samples]\n' >.shapevet.yaml
git add . && git commit -qm "good files"

# The hooks for people without Go install the package that a release publishes;
# integration/npm tries them on packages built here.
export SKIP=shapevet-documents-npm,shapevet-config-npm
try() { pre-commit try-repo "$shapevet" --ref "$revision" --all-files --verbose >"$work/out" 2>&1; }
try || fail "the good files do not pass:"
for hook in "$documents" "$code" "$configuration"; do passed "$hook" "good files"; done

for i in 1 2 3 4 5; do echo "{\"authorId\": \"a$i\", \"bookId\": \"64b7f1c2a1b2c3d4e5f6071$((i % 3))\"}"; done >samples/author-books.jsonl
cat >>store/store.go <<'GO'

//shapevet:document collection=threads
type Thread struct {
	ID       string    `json:"id"`
	Comments []Comment `json:"comments"`
}

type Comment struct{ Text string }

func (t *Thread) Add(c Comment) { t.Comments = append(t.Comments, c) }
GO
mkdir team
printf 'version: 1\nrules:\n  unbounded-aray: {severity: off}\n' >team/.shapevet.yaml
git add . && git commit -qm "bad files"
if try; then fail "the bad files pass:"; fi
stopped "$documents" "bad files" join-document
stopped "$code" "bad files" unbounded-array
stopped "$configuration" "bad files" 'did you mean "unbounded-array"'

# From here on the hooks are installed as a project does it.
git rm -qr team
cat >.pre-commit-config.yaml <<YAML
repos:
  - repo: file://$shapevet
    rev: $revision
    hooks: [{id: shapevet-documents}, {id: shapevet-go}, {id: shapevet-config}]
YAML
git add . && git commit -qm "hooks"
run() { pre-commit run --verbose "$@" >"$work/out" 2>&1 || true; }

# The join table is known by what it refers to, which has not changed.
run --files samples/author-books.jsonl
stopped "$documents" "a join table among files that did not change" join-document
run --files samples/posts.jsonl
passed "$documents" "a collection that has nothing to do with it"
git rm -q samples/author-books.jsonl
cp "$work/good.go" store/store.go

# What the tool itself takes, the first time and when there is nothing new. The
# limit is on processor time, and is half as much again as pre-commit needs to say
# its version: a figure in milliseconds would hold on one machine and not on a
# slower one. On an idle machine the tool needs less than pre-commit.
binary=$(find "$PRE_COMMIT_HOME" -type f -name shapevet -perm -u+x -print -quit)
[ -n "$binary" ] || fail "no program was installed:"
slow=0
took() { # took COMMAND...: milliseconds by the clock, and of processor time
  local TIMEFORMAT='%R %U %S'
  { time "$@" >"$work/out" 2>&1; } 2>"$work/time" || fail "$* fails:"
  awk '{ printf "%d %d\n", $1 * 1000, ($2 + $3) * 1000 }' "$work/time"
}
measure() { # measure WHAT COMMAND...: at most so many ms when there is nothing new, the least of five
  local what=$1 first again=999999 ms
  processor=999999
  shift
  rm -rf "$SHAPEVET_CACHE"
  read -r first _ <<<"$(took "$@")"
  for _ in 1 2 3 4 5; do
    read -r -a ms <<<"$(took "$@")"
    [ "${ms[0]}" -ge "$again" ] || again=${ms[0]}
    [ "${ms[1]}" -ge "$processor" ] || processor=${ms[1]}
  done
  echo "pre-commit: $what: $first ms the first time; with nothing new $again ms, $processor ms of processor time"
  [ "$processor" -le "${most:-$limit}" ] || slow=1
}
limit=999999
measure "pre-commit --version" pre-commit --version
limit=$((processor * 3 / 2))
measure "documents, 4 of 4 files" "$binary" check --changed --no-progress samples/posts.jsonl samples/authors.jsonl samples/books.ndjson samples/tags.json
measure "Go, 1 file of a small module" "$binary" check --changed --no-progress store/store.go
measure "the configuration" "$binary" config verify .shapevet.yaml

# More files than one batch: a collection of 4,000 documents, one a file, in a
# folder whose name is so long that pre-commit has to pass them in several goes.
folder=samples/$(printf 'measurements-of-a-station-%.0s' 1 2 3 4)
mkdir "$folder"
for i in $(seq 4000); do echo "{\"id\": \"m$i\", \"station\": \"s$((i % 9))\", \"celsius\": $((i % 40)).5}" >"$folder/$i.json"; done
git add . && git commit -qm "many files" --no-verify
run --all-files
passed "$documents" "4,000 files"
batches=$(outcome "$documents" | grep -c '^No findings in ' || true)
whole=$(outcome "$documents" | grep -c '^No findings in 4,01[0-9] documents' || true)
[ "$batches" -gt 1 ] || fail "4,000 files were $batches batches, so nothing was tried:"
[ "$batches" -eq "$whole" ] || fail "a batch was checked without the rest of its database:"
echo "pre-commit: each of the $batches batches was checked with the whole database"
echo '{"id": 17, "station": "s1", "celsius": 1.5}' >"$folder/17.json"
git add .
run
stopped "$documents" "one file of 4,000" mixed-id-type
git checkout -q HEAD -- "$folder"

most=5000 measure "documents, 1 of 4,000 files" "$binary" check --changed --no-progress "$folder/1.json"
cd "$shapevet"
measure "Go, 1 file of this module" "$binary" check --changed --no-progress cmd/shapevet/main.go
[ $slow -eq 0 ] || fail "a commit with nothing new takes more than $limit ms of processor time in the tool, half as much again as pre-commit needs to start"
