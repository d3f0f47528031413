#!/usr/bin/env bash
# Tries the hook of this repository with the real pre-commit: a repository of
# sample documents gets a good commit, which must pass, and a bad one, which
# must fail and name the mistake.
set -euo pipefail
shapevet=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
revision=$(git -C "$shapevet" rev-parse HEAD)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
export PRE_COMMIT_HOME=$work/cache GIT_CONFIG_GLOBAL=$work/gitconfig
git config --global user.name "A Tester"
git config --global user.email tester@example.com
git config --global safe.directory '*'

git init -q "$work/samples"
cd "$work/samples"
try() { pre-commit try-repo "$shapevet" shapevet-documents --ref "$revision" --all-files --verbose >"$work/out" 2>&1; }

for i in 1 2 3 4 5; do
  echo "{\"id\": \"p$i\", \"name\": \"Post $i\", \"recentComments\": [{\"id\": \"c$i\", \"text\": \"first\"}]}"
done >posts.jsonl
git add posts.jsonl && git commit -qm "good documents"
if ! try; then
  echo "the good commit does not pass:"; cat "$work/out"; exit 1
fi
grep -q "Passed" "$work/out" || { echo "the hook did not run:"; cat "$work/out"; exit 1; }

for i in 1 2 3 4 5; do echo "{\"authorId\": \"a$i\", \"bookId\": \"b$((i % 3))\"}"; done >author-books.jsonl
for i in 1 2 3 4 5; do echo "{\"id\": \"a$i\", \"name\": \"Author $i\"}"; done >authors.jsonl
for i in 0 1 2; do echo "{\"id\": \"b$i\", \"title\": \"Book $i\"}"; done >books.jsonl
git add . && git commit -qm "a join table as documents"
if try; then
  echo "the bad commit passes:"; cat "$work/out"; exit 1
fi
grep -q "join-document" "$work/out" || { echo "the bad commit fails for another reason:"; cat "$work/out"; exit 1; }
echo "pre-commit: the good commit passes, the bad one is stopped"
