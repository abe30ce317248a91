import { resolve } from "node:path";
import type { Rule } from "../approval/rules.ts";
import { globMatcher } from "../text/glob.ts";

/** People name folders from the root of the machine or of their home, too: what their rules say of this workspace. */
export class LocalRules {
  readonly #root: string;
  /** Where the files themselves are, in a worktree of that folder. */
  readonly #place: string;
  readonly #home: string;
  /** A rule stays the same object, for caches keyed by it. */
  readonly #known = new WeakMap<Rule, Rule>();

  constructor(root: string, home: string, place = root) {
    this.#root = root;
    this.#place = place;
    this.#home = home;
  }

  of(rules: readonly Rule[]): Rule[] {
    return rules
      .filter(({ workspace }) => workspace === undefined || resolve(this.#expand(workspace)) === this.#root)
      .map((rule) => {
        const local = this.#known.get(rule) ?? this.#localised(rule);
        this.#known.set(rule, local);
        return local;
      });
  }

  /** A rule that allows is used as it is. */
  #localised(rule: Rule): Rule {
    if (rule.decision === "allow" || rule.path === undefined) return rule;
    const path = this.#expand(rule.path);
    const roots = [this.#root, this.#place];
    for (const root of roots)
      if (path.startsWith(`${root}/`)) return { ...rule, path: path.slice(root.length) };
    const isAround = [path, `${path.replace(/\/+$/, "")}/**`].some((pattern) =>
      roots.some((root) => globMatcher(pattern)(root)),
    );
    return isAround ? { ...rule, path: "**" } : rule;
  }

  #expand(path: string): string {
    return path.replace(/^~(?=\/|$)/, () => this.#home);
  }
}
