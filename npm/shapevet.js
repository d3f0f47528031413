#!/usr/bin/env node
// Runs the program of the package for this platform, which npm has installed
// beside this one.
"use strict";
const { spawnSync } = require("node:child_process");
const { constants } = require("node:os");

const platform = `@shapevet/${process.platform}-${process.arch}`;
const program = process.platform === "win32" ? "shapevet.exe" : "shapevet";
let path;
try {
  path = require.resolve(`${platform}/bin/${program}`);
} catch {
  console.error(`shapevet: there is no package ${platform}: install without --omit=optional, or see https://github.com/shapevet/shapevet#readme for other ways`);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {}); // the program ends in good order
const run = spawnSync(path, process.argv.slice(2), { stdio: "inherit" });
if (run.error) {
  console.error(`shapevet: ${run.error.message}`);
  process.exit(2);
}
process.exit(run.status ?? 128 + (constants.signals[run.signal] ?? 0));
