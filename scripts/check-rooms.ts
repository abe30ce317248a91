// The one check of the code's shape: which room may import which (ARCHITECTURE.md), no cycle between files,
// and built-ins that belong to one room stay there. `import type` counts as an import.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const layers = [
  ["events", "text"],
  ["tool", "workspace", "process", "model", "store"],
  ["sandbox", "code", "web", "registry", "approval", "discovery", "mcp", "custom", "tools", "toolsets"],
  ["runtime", "agent"],
  ["app"],
  ["cli", "server", "testing"],
];
const sideways: Record<string, string[]> = {
  text: ["events"],
  tool: ["workspace", "process"],
  tools: ["sandbox", "code", "web", "discovery"],
  toolsets: ["tools", "sandbox", "code", "web", "discovery"],
  agent: ["runtime"],
  // The MCP server shows the registry's catalogue and is one of the places where a person is asked.
  mcp: ["registry", "approval"],
  // A command starts the server; the server knows nothing of commands.
  cli: ["server"],
};
const onlyDoor: Record<string, string> = {
  "node:fs": "workspace",
  "node:fs/promises": "workspace",
  "node:child_process": "process",
  "node:sqlite": "store",
};
// A journal must outlive a kill at any instant and be shared by processes, so it keeps its own database.
// The kernel shows processes, pipes and limits as files (/proc, FIFOs, cgroups): those are the business of process/.
const alsoAllowed: Record<string, string[]> = {
  "node:sqlite": ["workspace", "code"],
  "node:fs": ["process"],
};

const root = resolve(import.meta.dirname, "../src");
const layerOf = new Map(layers.flatMap((rooms, depth) => rooms.map((room) => [room, depth] as const)));
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (f) => /\.tsx?$/.test(f) && !f.includes("fixtures/"),
);
const problems: string[] = [];
const edges = new Map<string, string[]>();

for (const file of files) {
  const isTest = /\.test\.tsx?$|\.suite\.ts$/.test(file);
  const room = file.split("/")[0] ?? "";
  if (!layerOf.has(room)) problems.push(`${file}: '${room}' is not a room of the house plan`);
  for (const target of importsOf(readFileSync(join(root, file), "utf8"))) {
    if (!target.startsWith(".")) {
      const owner = onlyDoor[target];
      if (owner && owner !== room && !alsoAllowed[target]?.includes(room) && !isTest && room !== "testing") {
        problems.push(`${file}: ${target} may only be used in ${owner}/`);
      }
      continue;
    }
    const imported = relative(root, resolve(root, dirname(file), target));
    if (!isTest) edges.set(file, [...(edges.get(file) ?? []), imported]);
    const other = imported.split("/")[0] ?? "";
    if (isTest && other === "..") continue;
    if (!mayImport(room, other) && !(isTest && other === "testing"))
      problems.push(`${file}: ${room}/ may not import ${other}/ (${imported})`);
  }
}
// The page runs in a browser: it may know how things are called here, and nothing else of ours.
const page = resolve(import.meta.dirname, "../ui/src");
for (const file of readdirSync(page, { recursive: true, encoding: "utf8" }).filter((f) =>
  /\.tsx?$/.test(f),
)) {
  const source = readFileSync(join(page, file), "utf8");
  for (const target of importsOf(source).filter((name) => name.startsWith("."))) {
    const path = relative(page, resolve(page, dirname(file), target));
    if (!path.startsWith("..")) continue;
    const typesOnly = new RegExp(`import type [^;]*from "${RegExp.escape(target)}"`).test(source);
    if (!typesOnly || !path.startsWith("../../src/events/"))
      problems.push(`ui/src/${file}: the page may import only types, only from src/events/ (${target})`);
  }
}
for (const cycle of cycles(edges)) problems.push(`cycle: ${cycle.join(" → ")}`);

if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(`rooms: ${files.length} files in order`);

function mayImport(from: string, to: string): boolean {
  if (from === to || sideways[from]?.includes(to)) return true;
  return (layerOf.get(from) ?? -1) > (layerOf.get(to) ?? Number.POSITIVE_INFINITY);
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
