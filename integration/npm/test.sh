#!/usr/bin/env bash
# The npm packages: made of a binary as the release makes them, packed,
# installed into an empty project without the network, and run.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case $(node -p 'process.platform + "-" + process.arch') in
linux-x64) os=linux arch=amd64 ;;
linux-arm64) os=linux arch=arm64 ;;
darwin-x64) os=darwin arch=amd64 ;;
darwin-arm64) os=darwin arch=arm64 ;;
*) echo "no package for this platform"; exit 1 ;;
esac
mkdir "$work/dist"
(cd "$top" && CGO_ENABLED=0 go build -trimpath -o "$work/dist/shapevet" ./cmd/shapevet)
printf '[{"type":"Binary","goos":"%s","goarch":"%s","path":"%s"}]' "$os" "$arch" "$work/dist/shapevet" >"$work/dist/artifacts.json"
directory=$(node "$top/npm/platforms.mjs" "$work/dist" "$work/packages")

cd "$work"
platform=$(npm pack --silent "$directory")
wrapper=$(npm pack --silent "$top")
mkdir project && cd project
echo '{"name":"project","private":true}' >package.json
npm install --silent --offline --no-audit --no-fund "../$platform" >/dev/null
# The packages of other platforms are optional, and not there.
npm install --silent --offline --no-audit --no-fund --omit=optional "../$wrapper" >/dev/null

npx --no-install shapevet version | grep '^shapevet '
echo '{"id": "1" "name": "one"}' >a.json
code=0
npx --no-install shapevet check --output concise a.json >out.txt || code=$?
[ "$code" -eq 1 ] || { echo "exit code $code, not 1"; exit 1; }
grep '^a.json:1:11: error: ' out.txt

rm -r node_modules/@shapevet
code=0
npx --no-install shapevet version 2>err.txt || code=$?
[ "$code" -eq 2 ] && grep 'there is no package @shapevet/' err.txt
echo "npm: ok"
