// The source files that are loaded with some of them: what they import, and so on. What import() asks for is not.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const statement = /^(?:import|export)\s(?!type\b)(?:([^;"]*?)\bfrom\s+)?"(\.[^"]+)";/gm;

export function staticImports(files: readonly string[]): ReadonlySet<string> {
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
