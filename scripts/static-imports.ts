// The source files that are loaded with some of them: what they import, and so on, but not what import() asks for.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const source = resolve(import.meta.dirname, "../src");
const statement = /^(?:import|export)\s(?!type\b)(?:([^;"]*?)\bfrom\s+)?"(\.[^"]+)";/gm;

/** What every command that opens Wield loads. */
export function coreFiles(): ReadonlySet<string> {
  return staticImports([resolve(source, "cli/call.ts"), resolve(source, "app/wield.ts")]);
}

function staticImports(files: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const [, names = "", path = ""] of readFileSync(file, "utf8").matchAll(statement))
      if (!isTypesOnly(names)) open.push(resolve(dirname(file), path));
  }
  return found;
}

function isTypesOnly(names: string): boolean {
  const [, list] = /^\{([^}]*)\}\s*$/.exec(names) ?? [];
  const each = list?.split(",").filter((name) => name.trim() !== "") ?? [];
  return each.length > 0 && each.every((name) => name.trim().startsWith("type "));
}
