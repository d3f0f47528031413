// Runs one peer over a file of JSON Lines: node peer.mjs PEER FILE THREADS
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [peer, file, threads] = process.argv.slice(2);

async function* documents() {
  const lines = createInterface({ input: createReadStream(file, { highWaterMark: 1 << 20 }), crlfDelay: Infinity });
  for await (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
}

const peers = {
  // Types of the whole file; SUMMARIZE, which counts values too, is three times as slow.
  async duckdb() {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    await connection.run(`SET threads = ${Number(threads)}`);
    const path = file.replaceAll("'", "''");
    const rows = await connection.runAndReadAll(
      `DESCRIBE SELECT * FROM read_json('${path}', format = 'newline_delimited', sample_size = -1, maximum_depth = -1, maximum_object_size = 134217728)`,
    );
    return rows.getRows().length;
  },
  async "mongodb-schema"() {
    const { parseSchema } = await import("mongodb-schema");
    return (await parseSchema(documents(), { storeValues: false })).fields.length;
  },
  async quicktype() {
    const { quicktype, InputData, jsonInputForTargetLanguage } = await import("quicktype-core");
    const input = jsonInputForTargetLanguage("schema");
    const samples = readFileSync(file, "utf8").split("\n").filter((line) => line.trim() !== "");
    await input.addSource({ name: "Document", samples });
    const inputData = new InputData();
    inputData.addInput(input);
    return (await quicktype({ inputData, lang: "schema" })).lines.length;
  },
  async genson() {
    const { createSchema, extendSchema } = await import("genson-js");
    let schema;
    for await (const document of documents()) schema = schema === undefined ? createSchema(document) : extendSchema(schema, document);
    return Object.keys(schema.properties ?? {}).length;
  },
  async "generate-schema"() {
    const { default: generate } = await import("generate-schema");
    const all = [];
    for await (const document of documents()) all.push(document);
    return Object.keys(generate.json("documents", all).items?.properties ?? {}).length;
  },
};

const found = await peers[peer]();
if (!(found > 0)) throw new Error(`${peer} found nothing in ${file}`);
