import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { python } from "./languages/python.ts";
import { extract } from "./syntax/extract.ts";

// Whole libraries are compared: that takes as long as the machine needs.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

// Prints {file: ["line name", …]} for functions, classes, and variables of modules and classes.
const listing = `
import ast, json, sys
def names(target):
    if isinstance(target, ast.Name): yield target
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts: yield from names(element)
def walk(node, inside, found):
    for child in ast.iter_child_nodes(node):
        within = inside
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.add((child.lineno, child.name, "def")); within = True
        elif isinstance(child, ast.ClassDef):
            found.add((child.lineno, child.name, "class")); within = False
        elif isinstance(child, ast.Lambda): within = True
        elif isinstance(child, ast.Assign) and not inside:
            for target in child.targets:
                for name in names(target): found.add((name.lineno, name.id, "var"))
        elif isinstance(child, ast.AnnAssign) and not inside and isinstance(child.target, ast.Name):
            found.add((child.lineno, child.target.id, "var"))
        walk(child, within, found)
out = {}
for path in sys.stdin.read().split("\\n"):
    try: tree = ast.parse(open(path, "rb").read())
    except (SyntaxError, ValueError): continue
    found = set(); walk(tree, False, found); out[path] = [f"{line} {name}" for line, name, _ in sorted(found)]
json.dump(out, sys.stdout)
`;
const library = spawnSync("python3", ["-c", "import os; print(os.__file__)"], {
  encoding: "utf8",
}).stdout?.trim();

test.skipIf(!library)("Python: the outline is what the ast module sees in its own library", async () => {
  const root = dirname(library ?? "");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".py") && !/site-packages|dist-packages|test|idlelib/.test(file))
    .slice(0, 400)
    .map((file) => join(root, file));
  const { stdout } = spawnSync("python3", ["-c", listing], {
    input: files.join("\n"),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const missed: string[] = [];
  const invented: string[] = [];
  let agreed = 0;
  for (const [file, names] of Object.entries(JSON.parse(stdout) as Record<string, string[]>)) {
    const { declarations } = await extract(readFileSync(file, "utf8"), python);
    const ours = new Set(declarations.map((d) => `${d.line} ${d.name}`));
    const theirs = new Set(names);
    for (const one of theirs) {
      if (ours.has(one)) agreed++;
      else missed.push(`${file}:${one}`);
    }
    for (const one of ours) if (!theirs.has(one)) invented.push(`${file}:${one}`);
  }
  expect(agreed).toBeGreaterThan(5_000);
  expect(agreed / (agreed + missed.length), missed.slice(0, 20).join("\n")).toBeGreaterThanOrEqual(0.99);
  expect(agreed / (agreed + invented.length), invented.slice(0, 20).join("\n")).toBeGreaterThanOrEqual(0.99);
});
