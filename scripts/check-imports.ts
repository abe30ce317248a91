// The one check of the code's shape (ARCHITECTURE.md): which module may import which, inside a large module too, no cycle
// between files, and built-ins that belong to one module stay there. `import type` counts as an import.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { coreFiles } from "./static-imports.ts";

const layers = [
  ["failure", "events", "api", "text"],
  ["tool", "workspace", "process", "model", "store", "jobs"],
  [
    "sandbox",
    "code",
    "web",
    "registry",
    "approval",
    "discovery",
    "mcp",
    "custom",
    "tools",
    "toolsets",
    "telemetry",
  ],
  ["runtime", "agent"],
  ["app"],
  ["cli", "server", "acp", "cluster", "testing"],
];
const sideways: Record<string, string[]> = {
  text: ["failure"],
  events: ["failure"],
  api: ["failure", "events"],
  tool: ["workspace", "process"],
  // The store is one of Wield's own files, which are made private and described when they fail in one way.
  store: ["workspace"],
  tools: ["sandbox", "code", "web", "discovery"],
  toolsets: ["tools", "sandbox", "code", "web", "discovery"],
  agent: ["runtime"],
  // The MCP server shows the registry's catalogue and is one of the places where a person is asked.
  mcp: ["registry", "approval"],
  // A command starts the server or the agent for editors; those know nothing of commands.
  cli: ["server", "acp", "cluster"],
  // Jobs are woken in the transaction of what is written to the store.
  jobs: ["store"],
  // A page of the team shows sessions like the page of one person.
  cluster: ["server"],
};
/** The folders of a large module, in the order in which they may import each other: each only those before it. */
const folders: Record<string, string[]> = {
  code: ["files", "languages", "word-index", "syntax", "project", "resolve", "search"],
  tools: ["files", "explore", "git", "run", "web", "studio", "agent"],
};
const onlyUser: Record<string, string> = {
  "node:fs": "workspace",
  "node:fs/promises": "workspace",
  "node:child_process": "process",
  "node:cluster": "process",
  // These start programs themselves: each is given one that process/host-programs.ts has found.
  "@modelcontextprotocol/client/stdio": "mcp",
  "playwright-core": "web",
  "node:sqlite": "store",
  pg: "store",
  "pg-boss": "jobs",
};
// A journal must outlive a kill at any instant and be shared by processes, so it keeps its own database.
// The kernel shows processes, pipes and limits as files (/proc, FIFOs, cgroups): those are the business of process/.
const alsoAllowed: Record<string, string[]> = {
  "node:sqlite": ["workspace", "code"],
  "node:fs": ["process"],
};

const root = resolve(import.meta.dirname, "../src");
const layerOf = new Map(layers.flatMap((modules, depth) => modules.map((name) => [name, depth] as const)));
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (f) => /\.tsx?$/.test(f) && !f.includes("fixtures/"),
);
const problems: string[] = [];
const edges = new Map<string, string[]>();

for (const file of files) {
  const isTest = /\.test\.tsx?$|\.suite\.ts$/.test(file);
  const [module = "", folder = ""] = file.split("/");
  if (!layerOf.has(module)) problems.push(`${file}: '${module}' is not in the table of layers`);
  for (const target of importsOf(readFileSync(join(root, file), "utf8"))) {
    if (!target.startsWith(".")) {
      const owner = onlyUser[target];
      if (
        owner &&
        owner !== module &&
        !alsoAllowed[target]?.includes(module) &&
        !isTest &&
        module !== "testing"
      ) {
        problems.push(`${file}: ${target} may only be used in ${owner}/`);
      }
      continue;
    }
    const imported = relative(root, resolve(root, dirname(file), target));
    if (!isTest) edges.set(file, [...(edges.get(file) ?? []), imported]);
    const [other = "", inside = ""] = imported.split("/");
    if (isTest && other === "..") continue;
    if (!mayImport(module, other) && !(isTest && other === "testing"))
      problems.push(`${file}: ${module}/ may not import ${other}/ (${imported})`);
    if (!isTest && module === other && !mayImportFolder(module, folder, inside))
      problems.push(`${file}: ${module}/${folder} may not import ${module}/${inside}`);
  }
}
// The page runs in a browser: it may import types, and of our code only the Markdown parser, which is pure.
const page = resolve(import.meta.dirname, "../ui/src");
for (const file of readdirSync(page, { recursive: true, encoding: "utf8" }).filter((f) =>
  /\.tsx?$/.test(f),
)) {
  const source = readFileSync(join(page, file), "utf8");
  for (const target of importsOf(source).filter((name) => name.startsWith("."))) {
    const path = relative(page, resolve(page, dirname(file), target));
    if (!path.startsWith("..")) continue;
    const typesOnly = new RegExp(`import type [^;]*from "${RegExp.escape(target)}"`).test(source);
    const isParser = /^\.\.\/\.\.\/src\/text\/markdown-(?:blocks|spans)\.ts$/.test(path);
    if (!isParser && !(typesOnly && /^\.\.\/\.\.\/src\/(?:events|api|failure)\//.test(path)))
      problems.push(
        `ui/src/${file}: the page may import types from src/api/, src/events/ and src/failure/, and the Markdown parser (${target})`,
      );
  }
}
// What is loaded with the rest cannot wait for import(): it would be loaded with every command.
const core = coreFiles();
for (const file of core)
  for (const [, target = ""] of readFileSync(file, "utf8").matchAll(/\bimport\("(\.[^"]+)"\)/g))
    if (core.has(resolve(dirname(file), target)))
      problems.push(`${relative(root, file)}: import("${target}") is loaded anyway, by an import without ()`);
for (const cycle of cycles(edges)) problems.push(`cycle: ${cycle.join(" → ")}`);

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`imports: ${files.length} files in order`);

function mayImport(from: string, to: string): boolean {
  if (from === to || sideways[from]?.includes(to)) return true;
  return (layerOf.get(from) ?? -1) > (layerOf.get(to) ?? Number.POSITIVE_INFINITY);
}

/** Files beside the folders may import all of them; a folder imports only those before it. */
function mayImportFolder(module: string, from: string, to: string): boolean {
  const order = folders[module];
  if (!order || from === to || from.endsWith(".ts")) return true;
  return order.includes(from) && order.includes(to) && order.indexOf(to) < order.indexOf(from);
}

function importsOf(source: string): string[] {
  const pattern =
    /^\s*(?:import|export)\s[^'";]*?from\s+["']([^"']+)["']|^\s*import\s+["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;
  return [...source.matchAll(pattern)].map((m) => m[1] ?? m[2] ?? m[3] ?? "");
}

function cycles(graph: Map<string, string[]>): string[][] {
  const found: string[][] = [];
  const state = new Map<string, "open" | "done">();
  const visit = (file: string, path: string[]) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      found.push([...path.slice(path.indexOf(file)), file]);
      return;
    }
    state.set(file, "open");
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    state.set(file, "done");
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}
