import { manifestNames, protectedTable } from "./protected-table.ts";

/** A name that is never written unasked. */
export interface Protection {
  /** The name, as it is spelt in the path. */
  part: string;
  /** What follows the name in a sentence that says why: "runs when you enter this folder". */
  why: string;
}

/**
 * Whether a path has a name of a file that programs execute or load by themselves, or of a file with Wield's own rules;
 * the first such name. Writing one always asks. Names are compared in the most tolerant spelling of any file system.
 */
export function protectionOf(path: string): Protection | undefined {
  const parts = path.split("/");
  const plain = parts.map(plainName);
  // Tools do not look for their settings inside installed packages, but programs there are still found.
  const dependencies = plain.indexOf("node_modules");
  for (const [at, part] of parts.entries()) {
    const isInstalled = dependencies >= 0 && at > dependencies;
    const why = isInstalled ? whyInstalled(plain, at) : whyNamed(plain, at);
    if (why !== undefined) return { part, why };
  }
  return undefined;
}

/** The first protected name in a path, as it is spelt there. */
export function protectedPart(path: string): string | undefined {
  return protectionOf(path)?.part;
}

/** The name of a manifest at the end of a path, as it is spelt there. */
export function manifestPart(path: string): string | undefined {
  const part = path.slice(path.lastIndexOf("/") + 1);
  return !isDependency(path) && whyIn(manifests, plainName(part)) !== undefined ? part : undefined;
}

/**
 * Protected names have no effect inside an installed package; but a link into one would give them a place where they
 * have.
 */
export function isDependency(path: string): boolean {
  return path.split(/[/:]/).some((part) => plainName(part) === "node_modules");
}

interface Names {
  /** Why, by exact name: `b`, or `a/b` for `b` directly in `a`. */
  exact: ReadonlyMap<string, string>;
  patterns: readonly (readonly [RegExp, string])[];
}

const protectedNames = namesOf(protectedTable);
const manifests = namesOf([["can name commands that others run", ...manifestNames]]);

function namesOf(table: typeof protectedTable): Names {
  const exact = new Map<string, string>();
  const patterns: [RegExp, string][] = [];
  for (const [why, ...all] of table)
    for (const names of all)
      if (typeof names === "string") for (const name of names.split(" ")) exact.set(name, why);
      else patterns.push([names, why]);
  return { exact, patterns };
}

function whyNamed(parts: readonly string[], at: number): string | undefined {
  const name = parts[at] ?? "";
  const above = parts[at - 1];
  return (
    whyIn(protectedNames, name) ??
    (above === undefined ? undefined : whyIn(protectedNames, `${above}/${name}`))
  );
}

function whyInstalled(parts: readonly string[], at: number): string | undefined {
  const name = parts[at] ?? "";
  return protectedNames.exact.get(name === ".git" ? name : `${parts[at - 1]}/${name}`);
}

function whyIn({ exact, patterns }: Names, name: string): string | undefined {
  return exact.get(name) ?? patterns.find(([pattern]) => pattern.test(name))?.[1];
}

/** A path in that spelling. */
export function plainPath(path: string): string {
  return path.split("/").map(plainName).join("/");
}

const ordinaryName = /^[a-z0-9_.-]*[a-z0-9_-]$/;

function plainName(name: string): string {
  if (ordinaryName.test(name)) return name;
  const plain = name
    .normalize("NFKC")
    .replace(/[\u00AD\u200B-\u200F\u2060-\u206F\uFEFF]/g, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
  return /^git~\d$/.test(plain) ? ".git" : plain;
}
