import { resolve } from "node:path";
import { escapeGlob, isLiteral, literalFolder, restrictsPath } from "../approval/path-pattern.ts";
import type { Rule } from "../approval/rules.ts";
import { realPlace } from "../workspace/state-files.ts";

/**
 * People name folders from the root of the machine or of their home, too, and by links that lead there: what their rules
 * say of this workspace.
 */
export class LocalRules {
  readonly #root: string;
  /** Where the files themselves are, in a worktree of that folder. */
  readonly #place: string;
  readonly #home: string;
  /** A rule stays the same object, for caches keyed by it. */
  readonly #known = new WeakMap<Rule, Rule[]>();

  constructor(root: string, home: string, place = root) {
    this.#root = root;
    this.#place = place;
    this.#home = home;
  }

  of(rules: readonly Rule[]): Rule[] {
    return rules.flatMap((rule) => {
      const local = this.#known.get(rule) ?? (this.#isHere(rule) ? this.#localised(rule) : []);
      this.#known.set(rule, local);
      return local;
    });
  }

  /** Where a link leads counts only for what restricts. */
  #isHere({ workspace, decision }: Rule): boolean {
    if (workspace === undefined) return true;
    const folder = resolve(this.#expand(workspace));
    return folder === this.#root || (decision !== "allow" && led(folder) === this.#root);
  }

  /** A rule that allows is used as it is; one that restricts holds for the path as written, and for where that leads. */
  #localised(rule: Rule): Rule[] {
    if (rule.decision === "allow" || rule.path === undefined) return [rule];
    const expanded = this.#expand(rule.path);
    const below = new Set(
      this.#absolute(expanded)
        .flatMap(formsOf)
        .flatMap((one) => this.#below(one)),
    );
    if (!expanded.startsWith("/") && !expanded.split("/").includes("..")) below.delete(`/${expanded}`);
    // Rooted in the workspace, as in .gitignore, it may be meant as well.
    return [rule, ...[...below].map((pattern) => ({ ...rule, path: pattern }))];
  }

  /** A name alone holds at any depth, and what is negated for all else: neither is at one place. */
  #absolute(pattern: string): string[] {
    if (pattern.startsWith("/")) return [pattern];
    const hasPlace = !pattern.startsWith("!") && (pattern.includes("/") || pattern === "..");
    return hasPlace ? [this.#root, this.#place].map((root) => `${escapeGlob(root)}/${pattern}`) : [];
  }

  /** An absolute pattern as those of this workspace, where it says something of it. */
  #below(pattern: string): string[] {
    const parts = partsOf(pattern);
    return [this.#root, this.#place].flatMap((root) => restsBelow(parts, root.split("/").filter(Boolean)));
  }

  #expand(path: string): string {
    return path.replace(/^~(?=\/|$)/, () => this.#home);
  }
}

/** An absolute pattern as it is written, and for where that leads, through however many links. */
function formsOf(pattern: string): string[] {
  const folder = literalFolder(pattern);
  const rest = pattern.slice(folder.length);
  return [pattern, led(folder) + rest, ...(isLiteral(pattern) ? [led(pattern)] : [])].flatMap(alternatives);
}

/** Where a path leads; itself where that cannot be found out. */
function led(path: string): string {
  try {
    return path === "" ? path : realPlace(path);
  } catch {
    return path;
  }
}

/** Nobody writes so many by hand: what is beyond is taken for any path. */
const mostAlternatives = 50;

/** A pattern whose groups may hold a `/` without them; and where `**` stands in a name, for any depth, as a part of its own. */
function alternatives(pattern: string): string[] {
  const found = new Set([pattern]);
  for (const one of found) {
    const group = /(?<!\\)(?:\{([^{}]*)\}|[@?]?\(([^()]*)\))/.exec(one);
    const deep = /([^/]*[^/*])?\*\*+([^/*][^/]*)?/g;
    if (one.includes("**"))
      found.add(
        one.replace(deep, (_, before, after) =>
          [before && `${before}*`, "**", after && `*${after}`].filter(Boolean).join("/"),
        ),
      );
    const inside = group?.[1] ?? group?.[2];
    if (!group || inside === undefined || !one.split("/").some(hasHalfGroup)) continue;
    const choices = found.size > mostAlternatives ? ["**"] : inside.split(/[,|]/);
    for (const choice of choices)
      found.add(one.slice(0, group.index) + choice + one.slice(group.index + group[0].length));
  }
  return [...found];
}

function hasHalfGroup(part: string): boolean {
  return part.replaceAll(/\\.|[^{(]/g, "").length !== part.replaceAll(/\\.|[^})]/g, "").length;
}

/** The parts of a path between its `/`, without those that `..` takes back; what is below `**` is below it still. */
function partsOf(pattern: string): string[] {
  const parts: string[] = [];
  for (const part of pattern.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.at(-1) !== "**") parts.pop();
  }
  return parts;
}

/** What is left of a pattern when its first parts have taken the names of a folder, in each way they can. */
function restsBelow(parts: readonly string[], names: readonly string[]): string[] {
  const [part, ...others] = parts;
  // It names the folder, or one that the folder is in.
  if (part === undefined) return ["**"];
  const [name, ...deeper] = names;
  if (name === undefined) return [`/${parts.join("/")}`];
  if (part === "**") return [...restsBelow(others, names), ...restsBelow(parts, deeper)];
  return restrictsPath(part)(name) ? restsBelow(others, deeper) : [];
}
