// Makes the packages for platforms of the binaries that goreleaser has built:
//
//   node npm/platforms.mjs dist npm-dist
//
// Each is published before the package that depends on them.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [dist, out] = process.argv.slice(2);
if (!out) {
  console.error("usage: node npm/platforms.mjs DIST OUT");
  process.exit(2);
}
const wrapper = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const systems = { linux: "linux", darwin: "darwin", windows: "win32" };
const machines = { amd64: "x64", arm64: "arm64" };
for (const artifact of JSON.parse(readFileSync(join(dist, "artifacts.json"), "utf8"))) {
  const os = systems[artifact.goos], cpu = machines[artifact.goarch];
  if (artifact.type !== "Binary" || !os || !cpu) continue;
  const name = `@shapevet/${os}-${cpu}`, directory = join(out, `${os}-${cpu}`);
  if (!wrapper.optionalDependencies[name]) throw new Error(`package.json does not name ${name}`);
  mkdirSync(join(directory, "bin"), { recursive: true });
  const program = join(directory, "bin", os === "win32" ? "shapevet.exe" : "shapevet");
  copyFileSync(artifact.path, program);
  chmodSync(program, 0o755);
  const { version, license, repository, homepage } = wrapper;
  writeFileSync(join(directory, "package.json"), JSON.stringify({
    name, version, description: `shapevet for ${os} on ${cpu}`, homepage, repository, license, os: [os], cpu: [cpu], files: ["bin"], preferUnplugged: true,
  }, null, 2) + "\n");
  console.log(directory);
}
