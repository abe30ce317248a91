import { resolve } from "node:path";
import { isLiteral, literalFolder } from "../approval/path-pattern.ts";
import type { Rule } from "../approval/rules.ts";
import { globMatcher } from "../text/glob.ts";
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
    const path = this.#expand(rule.path);
    if (!path.startsWith("/")) return [rule];
    const folder = literalFolder(path);
    const forms = [path, led(folder) + path.slice(folder.length), ...(isLiteral(path) ? [led(path)] : [])];
    const below = new Set(forms.flatMap((pattern) => this.#below(pattern)));
    return below.size > 0 ? [...below].map((pattern) => ({ ...rule, path: pattern })) : [rule];
  }

  /** An absolute pattern as one of this workspace, where it says something of it. */
  #below(pattern: string): string[] {
    const roots = [this.#root, this.#place];
    const root = roots.find((one) => pattern.startsWith(`${one}/`));
    if (root !== undefined) return [pattern.slice(root.length)];
    const isAround = [pattern, `${pattern.replace(/\/+$/, "")}/**`].some((one) =>
      roots.some((folder) => globMatcher(one)(folder)),
    );
    return isAround ? ["**"] : [];
  }

  #expand(path: string): string {
    return path.replace(/^~(?=\/|$)/, () => this.#home);
  }
}

/** Where a path leads; itself where that cannot be found out. */
function led(path: string): string {
  try {
    return path === "" ? path : realPlace(path);
  } catch {
    return path;
  }
}
