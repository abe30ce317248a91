import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { python } from "./languages/python.ts";
import { extract } from "./syntax/extract.ts";

// Whole libraries are compared: that takes as long as the machine needs.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

// Prints {file: ["line name", …]} for functions, classes, variables of modules and classes, and fields that methods assign.
const listing = `
import ast, json, sys
def names(target):
    if isinstance(target, ast.Name): yield target
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts: yield from names(element)
def fields(child):
    targets = child.targets if isinstance(child, ast.Assign) else [child.target]
    for target in targets:
        of = target.value if isinstance(target, ast.Attribute) else None
        if isinstance(of, ast.Name) and of.id in ("self", "cls"): yield target
def walk(node, inside, owner, found):
    for child in ast.iter_child_nodes(node):
        within, around = inside, owner
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.add((child.lineno, child.name, "def")); within = True
            if owner is not None and not inside: owner["own"].add(child.name)
        elif isinstance(child, ast.ClassDef):
            found.add((child.lineno, child.name, "class")); within = False; around = {"own": set(), "assigned": []}
        elif isinstance(child, ast.Lambda): within = True
        elif isinstance(child, ast.Assign) and not inside:
            for target in child.targets:
                for name in names(target):
                    found.add((name.lineno, name.id, "var"))
                    if owner is not None: owner["own"].add(name.id)
        elif isinstance(child, ast.AnnAssign) and not inside and isinstance(child.target, ast.Name):
            found.add((child.lineno, child.target.id, "var"))
            if owner is not None: owner["own"].add(child.target.id)
        if isinstance(child, (ast.Assign, ast.AnnAssign)) and owner is not None:
            owner["assigned"] += [(field.end_lineno, field.attr) for field in fields(child)]
        walk(child, within, around, found)
        if isinstance(child, ast.ClassDef):
            for line, name in sorted(around["assigned"]):
                if name not in around["own"]: found.add((line, name, "field")); around["own"].add(name)
out = {}
for path in sys.stdin.read().split("\\n"):
    try: tree = ast.parse(open(path, "rb").read())
    except (SyntaxError, ValueError): continue
    found = set(); walk(tree, False, None, found); out[path] = [f"{line} {name}" for line, name, _ in sorted(found)]
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
