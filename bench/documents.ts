// Documents: how fast they are found among ten thousand, in a store of its own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../src/store/sqlite-store.ts";

const count = 10_000;
const words = Array.from(
  { length: 4_000 },
  (_, i) => `${"bcdfghklmnprstvw"[i % 16]}${"aeiou"[i % 5]}${i.toString(36)}`,
);
const folder = mkdtempSync(join(tmpdir(), "wield-bench-"));
const store = openSqliteStore(join(folder, "wield.db"));
const documents = store.documents("/bench");
// A fixed seed: every run asks the same of the same.
let seed = 1;
const random = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};
/** Some words are everywhere, most are rare, as in any language. */
const word = () => words[Math.floor(words.length * random() ** 3)] ?? "";
const text = (length: number) => Array.from({ length }, word).join(" ");

const started = performance.now();
for (let i = 0; i < count; i++)
  await documents.create({ id: `d_${i}`, title: text(4), kind: "text", content: text(200) });
console.log(
  `created ${count} documents of 200 words: ${((performance.now() - started) / count).toFixed(2)} ms each`,
);

for (const length of [1, 2, 3, 6]) {
  const times: number[] = [];
  for (let i = 0; i < 200; i++) {
    const query = text(length);
    const at = performance.now();
    await documents.search(query, 10);
    times.push(performance.now() - at);
  }
  times.sort((a, b) => a - b);
  const quantile = (q: number) => (times[Math.floor(times.length * q)] ?? 0).toFixed(2);
  console.log(`search, ${length} words: p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms`);
}
await store.close();
rmSync(folder, { recursive: true, force: true });
