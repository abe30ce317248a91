import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { languageOf, languageOfHeader } from "./languages/languages.ts";
import { extract } from "./syntax/extract.ts";

// Whole libraries are compared: that takes as long as the machine needs.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const corpora = resolve(import.meta.dirname, "../../node_modules/.cache/corpora");
const hasCtags = spawnSync("ctags", ["--version"], { encoding: "utf8" }).stdout?.includes("Universal Ctags");

// Functions, methods and types, by ctags' letters; what it calls a variable or a member is not compared.
const compared = [
  { name: "Go", folder: "go", ending: /\.go$/, language: "Go", kinds: "fsit" },
  { name: "Rust", folder: "rust", ending: /\.rs$/, language: "Rust", kinds: "fPsgit" },
  { name: "Java", folder: "java", ending: /\.java$/, language: "Java", kinds: "mcig" },
  { name: "C", folder: "c", ending: /\.c$/, language: "C", kinds: "fsugt" },
  { name: "C++", folder: "cpp", ending: /\.(?:cc|h)$/, language: "C++", kinds: "fcsugt" },
];

for (const { name, folder, ending, language, kinds } of compared) {
  const root = join(corpora, folder);
  // `npm run corpora` fetches the sources; without them or ctags there is nothing to compare with.
  test.skipIf(!hasCtags || !existsSync(root))(`${name}: what ctags finds is found`, async () => {
    const files = readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((file) => ending.test(file) && !file.includes("testdata"))
      .sort()
      .slice(0, 400);
    const tags = ctags(root, files, language, kinds);
    const missed: string[] = [];
    let found = 0;
    for (const file of files) {
      const source = readFileSync(join(root, file), "utf8");
      const known = languageOf(file);
      if (!known) continue;
      const { declarations } = await extract(source, languageOfHeader(known, source));
      const ours = new Set(declarations.map((d) => `${d.line} ${d.name.replace(/^operator /, "operator")}`));
      for (const tag of tags.get(file) ?? []) {
        if (ours.has(tag)) found++;
        else missed.push(`${file}:${tag}`);
      }
    }
    expect(found).toBeGreaterThan(500);
    expect(found / (found + missed.length), missed.slice(0, 60).join("\n")).toBeGreaterThanOrEqual(0.97);
  });
}

function ctags(root: string, files: string[], language: string, kinds: string): Map<string, string[]> {
  const { stdout } = spawnSync(
    "ctags",
    [
      "--output-format=json",
      "--fields=+n-P",
      `--language-force=${language}`,
      `--kinds-${language}=${kinds}`,
      "-f",
      "-",
      "-L",
      "-",
    ],
    { cwd: root, input: files.join("\n"), encoding: "utf8", maxBuffer: 1 << 28 },
  );
  const found = new Map<string, string[]>();
  for (const line of stdout.split("\n").filter(Boolean)) {
    const tag = JSON.parse(line) as { name: string; path: string; line: number };
    // ctags invents names for what has none.
    if (/^__anon/.test(tag.name)) continue;
    found.set(tag.path, [
      ...(found.get(tag.path) ?? []),
      `${tag.line} ${tag.name.replace(/^operator /, "operator")}`,
    ]);
  }
  return found;
}
