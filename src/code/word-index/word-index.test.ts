import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import fc from "../../testing/properties.ts";
import { removeFolder } from "../../testing/remove-folder.ts";
import { filesBelow, indexFolderAt, temporaryFolder, writeTree } from "../folder.suite.ts";
import { gramsOf, lowerBytes, mayHold } from "./grams.ts";
import { PostingsBuilder, readPostings } from "./postings.ts";
import { requiredLiterals } from "./regex-literals.ts";
import { subTokens } from "./sub-tokens.ts";
import { WordIndex } from "./word-index.ts";

let root: string;
let state: string;
beforeEach(() => {
  root = temporaryFolder();
  state = temporaryFolder();
});
afterEach(() => {
  removeFolder(root);
  removeFolder(state);
});

const open = () => new WordIndex(filesBelow(root), indexFolderAt(state));
/** How many files were read to catch up. */
async function reads(index: WordIndex): Promise<number> {
  let read = 0;
  await index.refresh({
    progress: (done) => {
      read = done;
    },
  });
  return read;
}
const holders = (index: WordIndex, word: string) =>
  index.words
    .withWord(word)
    .map(({ file }) => file.path)
    .sort();
/** Until the time stamps of everything written so far can be trusted. */
async function aged(): Promise<void> {
  const now = Date.now();
  while (Date.now() < now + 100) await new Promise((resolve) => setTimeout(resolve, 5));
}

test("words lead to their files; after a declaring keyword they are marked", async () => {
  writeTree(root, {
    "a.ts": "function alpha() { beta(); }",
    "b.ts": "alpha(); const gamma = 1;",
    "c.bin": "alpha\0",
  });
  const index = open();
  await index.refresh();
  expect(holders(index, "alpha")).toEqual(["a.ts", "b.ts"]);
  expect(
    index.words
      .withWord("alpha")
      .filter((one) => one.declared)
      .map(({ file }) => file.path),
  ).toEqual(["a.ts"]);
  expect(holders(index, "alph")).toEqual([]);
  expect(holders(index, "__proto__")).toEqual([]);
});

test("a second process reads only what has changed since", async () => {
  writeTree(root, { "a.ts": "one", "b.ts": "two", "sub/c.ts": "three" });
  await aged();
  expect(await reads(open())).toBe(3);
  writeFileSync(join(root, "b.ts"), "changed");
  const index = open();
  expect(await reads(index)).toBe(1);
  expect(holders(index, "two")).toEqual([]);
  expect(holders(index, "changed")).toEqual(["b.ts"]);
  expect(holders(index, "three")).toEqual(["sub/c.ts"]);
});

/** The clock stands still at an hour, or at now; files have the machine's own times. */
function at(time = Date.now()): void {
  vi.useFakeTimers({ toFake: ["Date"], now: time });
}

test("processes in a row share one look for a second, unless Wield changed something or the first look found anything", async () => {
  writeTree(root, { "a.ts": "one", "b.md": "two" });
  await aged();
  let looks = 0;
  const files = filesBelow(root);
  const ask = async (codeOnly = false) => {
    const before = looks;
    const index = new WordIndex(
      {
        ...files,
        survey: (known, options) => {
          looks++;
          return files.survey(known, options);
        },
      },
      indexFolderAt(state),
    );
    await index.refresh({ codeOnly });
    return { index, looked: looks > before };
  };
  try {
    at();
    expect((await ask()).looked).toBe(true);
    writeFileSync(join(root, "a.ts"), "uno");
    const changed = await ask();
    expect([changed.looked, holders(changed.index, "uno")]).toEqual([true, ["a.ts"]]);
    expect((await ask()).looked).toBe(true);
    writeFileSync(join(root, "a.ts"), "one");
    vi.useRealTimers();
    await aged();
    at();
    // What changed is kept, and then found to be as the files are.
    await ask();
    expect((await ask(true)).looked).toBe(true);
    expect((await ask(true)).looked).toBe(false);
    expect((await ask()).looked).toBe(true);
    const last = await ask();
    expect([last.looked, holders(last.index, "one")]).toEqual([false, ["a.ts"]]);
    writeFileSync(join(root, "a.ts"), "changed by Wield");
    last.index.invalidate(["a.ts"]);
    const told = await ask();
    expect([told.looked, holders(told.index, "Wield")]).toEqual([true, ["a.ts"]]);
    writeFileSync(join(root, "a.ts"), "one");
    vi.useRealTimers();
    await aged();
    at();
    await ask();
    expect((await ask()).looked).toBe(true);
    expect((await ask()).looked).toBe(false);
    at(Date.now() + 1_000);
    expect((await ask()).looked).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test("a look that takes long, as on a busy machine, is not repeated", async () => {
  writeTree(root, { "a.ts": "alpha" });
  try {
    at();
    const files = filesBelow(root);
    let looks = 0;
    const index = new WordIndex(
      {
        ...files,
        survey: async (known, options) => {
          if (++looks > 3) throw new Error("It looks again and again.");
          const found = await files.survey(known, options);
          at(Date.now() + 2_000);
          return found;
        },
      },
      indexFolderAt(state),
    );
    await index.refresh();
    at(Date.now() + 2_000);
    await index.refresh();
    expect(looks).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

test("what came after the index was kept is kept, too: changes, new folders and what is gone", async () => {
  writeTree(root, { "a.ts": "one", "b.ts": "two", "sub/c.ts": "three", "away/d.ts": "four" });
  await aged();
  expect(await reads(open())).toBe(4);
  writeTree(root, { "a.ts": "uno", "new/e.ts": "five" });
  rmSync(join(root, "b.ts"));
  rmSync(join(root, "away"), { recursive: true });
  await aged();
  expect(await reads(open())).toBe(2);
  const index = open();
  expect(await reads(index)).toBe(0);
  const words = ["one", "uno", "two", "three", "four", "five"];
  expect(words.map((word) => holders(index, word))).toEqual([
    [],
    ["a.ts"],
    [],
    ["sub/c.ts"],
    [],
    ["new/e.ts"],
  ]);
  expect([index.words.size, index.words.codeFiles, [...index.words.files()].length]).toEqual([3, 3, 3]);
  expect(index.pathsBelow(".")?.map(({ path }) => path)).toEqual(["a.ts", "new/e.ts", "sub/c.ts"]);
  const [later = ""] = readdirSync(state).filter((name) => name.endsWith(".later"));
  writeFileSync(join(state, later), readFileSync(join(state, later)).fill(7, 40, 60));
  // Damaged, it is as if it had never been.
  expect(await reads(open())).toBe(2);
});

test("changes one by one, each seen by another process, end in few segments and never in a whole new index", async () => {
  writeTree(root, Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}.ts`, `word${i}`])));
  await aged();
  expect(await reads(open())).toBe(60);
  for (let i = 0; i < 50; i++) {
    writeTree(root, { [`f${i}.ts`]: `changed${i}` });
    expect(await reads(open())).toBeLessThan(60);
  }
  const index = open();
  await index.refresh();
  for (let i = 0; i < 60; i++)
    expect(holders(index, i < 50 ? `changed${i}` : `word${i}`)).toEqual([`f${i}.ts`]);
  expect(holders(index, "word0")).toEqual([]);
  const generations = new Set(
    readdirSync(state).flatMap((name) => /^words-([\d-]+)\./.exec(name)?.[1] ?? []),
  );
  expect(generations.size).toBe(1);
});

test("a question about code alone passes over other files; the next about everything does not", async () => {
  writeTree(root, { "a.ts": "one", "b.md": "two", tool: "#!/bin/sh\nfour", "sub/a.ts": "" });
  await aged();
  await open().refresh();
  writeTree(root, { "a.ts": "uno", "b.md": "due", tool: "#!/bin/sh\nquattro", "sub/new/c.md": "tre" });
  const index = open();
  await index.refresh({ codeOnly: true });
  const found = () => ["uno", "quattro", "due", "tre"].map((word) => holders(index, word));
  expect(found()).toEqual([["a.ts"], ["tool"], [], ["sub/new/c.md"]]);
  await index.refresh();
  expect(found()).toEqual([["a.ts"], ["tool"], ["b.md"], ["sub/new/c.md"]]);
});

test("edits, new, renamed and deleted files are known after invalidate", async () => {
  writeTree(root, { "a.ts": "one", "b.ts": "two" });
  const index = open();
  await index.refresh();
  const { version } = index;
  writeFileSync(join(root, "a.ts"), "uno");
  renameSync(join(root, "b.ts"), join(root, "c.ts"));
  writeTree(root, { "new/d.ts": "four" });
  index.invalidate();
  await index.refresh();
  expect(index.version).toBeGreaterThan(version);
  expect([
    holders(index, "one"),
    holders(index, "uno"),
    holders(index, "two"),
    holders(index, "four"),
  ]).toEqual([[], ["a.ts"], ["c.ts"], ["new/d.ts"]]);
});

test("a changed file that is named is read alone; a new one makes everything be looked at", async () => {
  writeTree(root, { "a.ts": "one", "b.ts": "two", "c.ts": "three" });
  await aged();
  const index = open();
  await index.refresh();
  writeTree(root, { "a.ts": "uno", "b.ts": "due" });
  rmSync(join(root, "c.ts"));
  index.invalidate(["a.ts", "c.ts"]);
  await index.refresh();
  expect([holders(index, "uno"), holders(index, "due"), holders(index, "three")]).toEqual([["a.ts"], [], []]);
  writeTree(root, { "new.ts": "four" });
  index.invalidate(["new.ts"]);
  await index.refresh();
  expect([holders(index, "four"), holders(index, "due")]).toEqual([["new.ts"], ["b.ts"]]);
});

test("a change that keeps size and time stamp is seen when the stamp was fresh", async () => {
  writeFileSync(join(root, "a.ts"), "aaaa");
  const stamp = new Date();
  utimesSync(join(root, "a.ts"), stamp, stamp);
  const index = open();
  await index.refresh();
  writeFileSync(join(root, "a.ts"), "bbbb");
  utimesSync(join(root, "a.ts"), stamp, stamp);
  index.invalidate();
  await index.refresh();
  expect(holders(index, "bbbb")).toEqual(["a.ts"]);
});

test.each(["cut", "flipped", "missing", "other version", "no JSON"])(
  "an index that is %s is built again",
  async (damage) => {
    writeTree(root, { "a.ts": "alpha" });
    await open().refresh();
    const names = readdirSync(state);
    const part = (suffix: string) => join(state, names.find((name) => name.endsWith(suffix)) ?? "");
    if (damage === "cut") writeFileSync(part(".files"), readFileSync(part(".files")).subarray(0, 10));
    if (damage === "flipped") {
      const bytes = readFileSync(part(".files"));
      bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 255;
      writeFileSync(part(".files"), bytes);
    }
    if (damage === "missing") rmSync(part(".files"));
    if (damage === "other version")
      writeFileSync(join(state, "words.json"), '{"version":0,"generation":"x"}');
    if (damage === "no JSON") writeFileSync(join(state, "words.json"), "{");
    const index = open();
    await index.refresh();
    expect(holders(index, "alpha")).toEqual(["a.ts"]);
  },
);

test("many changes make one whole index again", async () => {
  const tree = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}.ts`, `word${i} shared`]));
  writeTree(root, tree);
  const index = open();
  await index.refresh();
  for (let i = 0; i < 250; i++) writeFileSync(join(root, `f${i}.ts`), `new${i} shared more`);
  index.invalidate();
  await index.refresh();
  expect(holders(index, "shared")).toHaveLength(300);
  expect(holders(index, "word3")).toEqual([]);
  const other = open();
  await other.refresh();
  expect(holders(other, "more")).toHaveLength(250);
});

test("a directory that appears while nothing is indexed yet", async () => {
  const index = open();
  await index.refresh();
  expect(index.words.size).toBe(0);
  mkdirSync(join(root, "x"));
  writeFileSync(join(root, "x/y.ts"), "late");
  index.invalidate();
  await index.refresh();
  expect(holders(index, "late")).toEqual(["x/y.ts"]);
});

test("several threads find what one finds", async () => {
  const files = Array.from({ length: 60 }, (_, file) => {
    const words = Array.from({ length: 20_000 }, (_, i) => `word${(i * 7 + file) % 5_000}`);
    return [`d${file % 7}/f${file}.ts`, `function own${file}() {}\n${words.join(" ")}`];
  });
  writeTree(root, Object.fromEntries(files));
  const source = filesBelow(root);
  const many = new WordIndex(source, indexFolderAt(state));
  const other = temporaryFolder();
  const one = new WordIndex({ ...source, root: undefined }, indexFolderAt(other));
  expect(await reads(many)).toBe(60);
  expect(await reads(one)).toBe(60);
  expect([...many.words.files()]).toEqual([...one.words.files()]);
  for (const word of ["word7", "word4999", "own3", "own59", "function", "nowhere"])
    expect(many.words.withWord(word)).toEqual(one.words.withWord(word));
  const holding = (index: WordIndex) =>
    [...index.words.mayHold([lowerBytes("own42()")])].map(({ path }) => path);
  expect(holding(many)).toContain("d0/f42.ts");
  expect(holding(many)).toEqual(holding(one));
  expect(many.words.withSubToken("word")).toEqual(one.words.withSubToken("word"));
  expect(readdirSync(state).filter((name) => /\.words\d$/.test(name)).length).toBeGreaterThan(
    availableParallelism() > 1 ? 1 : 0,
  );
  removeFolder(other);
});

test("postings give back what was put in", () => {
  const lists = fc.array(fc.uniqueArray(fc.nat(5_000_000), { maxLength: 200 }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(lists, (all) => {
      const builder = new PostingsBuilder();
      const sorted = all.map((list) => list.sort((a, b) => a - b));
      sorted.forEach((list, term) => {
        for (const number of list) builder.add(term, number, number & 255);
      });
      const { offsets, lists: bytes } = builder.finish(sorted.length);
      sorted.forEach((list, term) => {
        const read: number[] = [];
        readPostings(bytes, offsets[term] ?? 0, offsets[term + 1] ?? 0, (number, payload) => {
          expect(payload).toBe(number & 255);
          read.push(number);
        });
        expect(read).toEqual(list);
      });
    }),
    { numRuns: 50 },
  );
});

test("a file's grams never deny what it holds", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 3, maxLength: 400 }), fc.nat(), fc.nat(), (text, from, length) => {
      const grams = gramsOf(Buffer.from(text));
      const start = from % text.length;
      const piece = text.slice(start, start + 3 + (length % 20));
      expect(mayHold(grams, 0, grams.length, lowerBytes(piece.toWellFormed()))).toBe(true);
    }),
  );
});

test.each([
  ["lineFinder", [["lineFinder"]]],
  ["foo|barbaz", [["foo"], ["barbaz"]]],
  ["func \\w+Store", [["func ", "Store"]]],
  ["colou?r", [["colo"]]],
  ["abc*", undefined],
  ["a.c", undefined],
  ["TODO|.", undefined],
  ["import\\(\\s*foo", [["import(", "foo"]]],
  ["(?i)Hello", [["Hello"]]],
  ["x{2}value", [["value"]]],
  ["[abc]def(ghi)?jkl", [["def", "jkl"]]],
  ["end$", [["end"]]],
  ["a\\|bcd", [["a|bcd"]]],
])("what %s must hold", (pattern, expected) => {
  expect(requiredLiterals(pattern)).toEqual(expected);
});

test("identifiers are split into the words a question would use", () => {
  expect(subTokens("parseHTTPHeader_v2")).toEqual(["pars", "http", "header", "v2", "parsehttpheader_v2"]);
  expect(subTokens("queries")).toEqual(["query"]);
  expect(subTokens("running")).toEqual(subTokens("run"));
  expect(subTokens("x")).toEqual([]);
});

test("a very large workspace is read piece by piece, and nothing of it is lost", async () => {
  const names = Array.from({ length: 60 }, (_, i) => `file${i}.ts`);
  writeTree(root, Object.fromEntries(names.map((name, i) => [name, `const common = own${i};\n`])));
  await aged();
  const index = open();
  await index.refresh({ amounts: { mostOfThread: 10_000, atATime: 30_000 } });
  const isWhole = (one: WordIndex) => {
    expect(holders(one, "common")).toEqual([...names].sort());
    for (const [i, name] of names.entries()) expect(holders(one, `own${i}`)).toEqual([name]);
  };
  isWhole(index);
  expect(readdirSync(state).filter((name) => /\.words\d+$/.test(name)).length).toBeGreaterThan(3);
  const next = open();
  expect(await reads(next)).toBe(0);
  isWhole(next);
});
