import type { Workspace } from "../../workspace/workspace.ts";
import { inside, textOf, upward } from "./project-files.ts";

/** The Node that a project asks for, and where it says so. */
export interface WantedNode {
  range: string;
  /** A file that names one version, or a range that any of several may fit. */
  kind: "pin" | "range";
  from: string;
}

/** The nearest directory upward that says something decides; in one directory, a pin before a range. */
export async function wantedNode(workspace: Workspace, directory: string): Promise<WantedNode | undefined> {
  for (const folder of upward(directory)) {
    for (const [name, read] of sources) {
      const path = inside(folder, name);
      const text = await textOf(workspace, path);
      const found = text === "" ? undefined : read(text);
      if (found?.range) return { ...found, range: rangeOf(found.range.trim()), from: path };
    }
  }
  return undefined;
}

type Read = (text: string) => Omit<WantedNode, "from"> | undefined;

const pin = (range: string | undefined): ReturnType<Read> =>
  range === undefined ? undefined : { range, kind: "pin" };

const mise: Read = (text) => pin(/^\s*"?node(?:js)?"?\s*=\s*\[?\s*["']([^"']+)["']/m.exec(text)?.[1]);

const sources: [name: string, read: Read][] = [
  [".nvmrc", firstWord],
  [".node-version", firstWord],
  ["package.json", (text) => pin(textAt(manifest(text), "volta", "node"))],
  ["mise.toml", mise],
  [".mise.toml", mise],
  [".tool-versions", (text) => pin(/^node(?:js)?\s+(\S+)/m.exec(text)?.[1])],
  ["package.json", engines],
];

function firstWord(text: string): ReturnType<Read> {
  const line = text.split("\n").map((one) => one.replace(/#.*/, "").trim());
  return pin(line.find((one) => one !== ""));
}

function engines(text: string): ReturnType<Read> {
  const json = manifest(text);
  const range = textAt(json, "devEngines", "runtime", "version") ?? textAt(json, "engines", "node");
  return range === undefined ? undefined : { range, kind: "range" };
}

function manifest(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textAt(value: unknown, ...keys: string[]): string | undefined {
  const found = keys.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, key)
        ? (at as Record<string, unknown>)[key]
        : undefined,
    value,
  );
  return typeof found === "string" ? found : undefined;
}

/** Long-term support: the major versions by their names. */
const codeNames: Record<string, string> = {
  argon: "4",
  boron: "6",
  carbon: "8",
  dubnium: "10",
  erbium: "12",
  fermium: "14",
  gallium: "16",
  hydrogen: "18",
  iron: "20",
  jod: "22",
  krypton: "24",
};

/** `lts/iron`, `lts/*` and `node` as ranges; the rest is one already. */
function rangeOf(asked: string): string {
  const name = asked.toLowerCase();
  if (["node", "latest", "stable", "current", "system"].includes(name)) return "*";
  if (!name.startsWith("lts")) return asked;
  const major = codeNames[name.replace(/^lts[/-]?/, "")];
  return major ?? Object.values(codeNames).join(" || ");
}
