#!/usr/bin/env bash
# Runs the language server in a real editor, headless neovim, on a Go file and
# a JSON document: what is shown, and what a code action makes of the files, is
# compared with what is expected and with what "shapevet check --fix" does.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

if ! command -v nvim >/dev/null; then
  sudo=; [ "$(id -u)" = 0 ] || sudo=sudo
  ($sudo apt-get update && $sudo apt-get install -y --no-install-recommends neovim) >"$work/apt.log" 2>&1 || { cat "$work/apt.log"; exit 1; }
fi
nvim --version | sed -n 1p
(cd "$here/../.." && go build -o "$work/shapevet" ./cmd/shapevet)

cp -r "$here/samples" "$work/samples"
cp "$work/samples/store/store.go.txt" "$work/samples/store/store.go"
rm "$work/samples/store/store.go.txt"
cp -r "$work/samples" "$work/fixed"
(cd "$work/fixed" && "$work/shapevet" check --fix --fail-on never --output json=/dev/null --docs . --go ./... 2>"$work/fix.log") || { cat "$work/fix.log"; exit 1; }

# A home of its own keeps out what the machine has configured.
GOCACHE=$(go env GOCACHE) GOMODCACHE=$(go env GOMODCACHE) GOPATH=$(go env GOPATH)
export GOCACHE GOMODCACHE GOPATH
export HOME=$work/home XDG_CONFIG_HOME=$work/home XDG_DATA_HOME=$work/home XDG_STATE_HOME=$work/home XDG_CACHE_HOME=$work/home
mkdir -p "$HOME"
SHAPEVET=$work/shapevet SAMPLES=$work/samples timeout 600 nvim --headless --clean -i NONE -c "luafile $here/test.lua" >"$work/out" 2>"$work/err" || {
  cat "$work/out" "$work/err"; exit 1
}
cat "$work/out"
grep ' ms after ' "$work/err"
diff -u "$here/expected.txt" "$work/out" || { echo "neovim shows something else"; cat "$work/err"; exit 1; }
diff -ru "$work/fixed" "$work/samples" || { echo "code actions and --fix make different files"; exit 1; }
echo "neovim: diagnostics, hover, code actions and typing work on Go files and documents"
