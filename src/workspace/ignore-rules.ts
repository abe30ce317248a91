import ignore, { type Ignore } from "ignore";
import type { Directory } from "./directory.ts";
import { readFileAt } from "./file-bytes.ts";
import { joinPath } from "./path.ts";

/** In order of precedence: a later file overrides an earlier one. */
export const ruleFiles = [".gitignore", ".ignore", ".wieldignore"];
const maxRuleBytes = 1_000_000;

/** The ignore files from the root down to one directory. The innermost rule that matches a path decides. */
export class IgnoreRules {
  readonly #outer: IgnoreRules | undefined;
  readonly #base: string;
  readonly #matcher: Ignore | undefined;

  private constructor(outer: IgnoreRules | undefined, base: string, matcher: Ignore | undefined) {
    this.#outer = outer;
    this.#base = base;
    this.#matcher = matcher;
  }

  static readonly none = new IgnoreRules(undefined, ".", undefined);

  /** With the rule files of `directory`, whose names are known already. */
  within(directory: Directory, path: string, names: ReadonlySet<string>): IgnoreRules {
    const texts = ruleFiles.filter((name) => names.has(name)).map((name) => textOf(directory, name));
    if (texts.every((text) => text === "")) return this;
    return new IgnoreRules(this, path, ignore({ ignorecase: false }).add(texts.join("\n")));
  }

  ignores(path: string, isDirectory: boolean): boolean {
    if (this.#matcher) {
      const below = this.#base === "." ? path : path.slice(this.#base.length + 1);
      const { ignored, unignored } = this.#matcher.test(isDirectory ? `${below}/` : below);
      if (ignored || unignored) return ignored;
    }
    return this.#outer?.ignores(path, isDirectory) ?? false;
  }
}

/** A rule file that cannot be read, or is no regular file, has no rules. */
function textOf(directory: Directory, name: string): string {
  try {
    return readFileAt(directory, name, joinPath(".", name), maxRuleBytes).bytes.toString();
  } catch {
    return "";
  }
}
