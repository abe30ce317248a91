import type { Decision } from "../approval/decide.ts";
import { Failure } from "../failure/failure.ts";
import type { HiddenPath, HiddenPaths } from "../tool/tool.ts";
import { spellingsOf } from "../workspace/non-utf8-names.ts";
import { type OtherNames, otherNames } from "../workspace/other-names.ts";
import type { Identity, Workspace } from "../workspace/workspace.ts";

type Rules = (path: string) => Decision;

/**
 * Decides what rules say about a file: the strictest of what they say about each name that it has, through symlinks, hard
 * links and mounts, too. A file with more names than can be told is denied.
 */
export class HiddenFiles {
  readonly #workspace: Workspace;
  readonly #rules: Rules;
  #names: OtherNames | undefined;

  constructor(workspace: Workspace, rules: Rules) {
    this.#workspace = workspace;
    this.#rules = rules;
  }

  async look(anew = false): Promise<OtherNames> {
    this.#names = await otherNames(this.#workspace, anew);
    return this.#names;
  }

  /** By a real path, or by one that nothing can open. Before the first look, by this name alone. */
  decisionOn(path: string): Decision {
    return this.#strictest(this.#names ? this.#names.of(path) : [path]);
  }

  /** Of a file that was opened: another process may have given it this name just now. */
  async decisionOnFile(path: string, identity: Identity): Promise<Decision> {
    const names = await this.look(this.mayHaveNewNames(identity));
    return this.#strictest(names.ofFile(path, identity));
  }

  mayHaveNewNames(identity: Identity): boolean {
    return this.#names?.mayLackNamesOf(identity) ?? true;
  }

  async deniedNames(path: string): Promise<string[]> {
    const names = (await this.look()).of(path) ?? [path];
    return names.filter((name) => this.#rules(name) === "deny");
  }

  /**
   * What has to look empty in a run, topmost first. A denied folder includes all that is in it, though a rule may allow a
   * part: hiding too much does no harm. What a person wants to be asked about is not hidden from code: hardly any would run
   * without package.json.
   */
  async paths(): Promise<HiddenPaths> {
    const paths = this.#deniedBelow(await this.look(true));
    const covered = new Set(paths.map(({ path }) => path));
    const isCovered = ({ path }: HiddenPath) => {
      const parts = path.split("/");
      return parts.some((_, at) => covered.has(parts.slice(0, at + 1).join("/")));
    };
    const isComplete = async () => this.#deniedBelow(await this.look(true)).every(isCovered);
    return Object.assign(paths, { isComplete });
  }

  #deniedBelow(names: OtherNames): HiddenPath[] {
    const found: HiddenPath[] = [];
    let above = "";
    for (const { path, type } of names.entries) {
      if (above !== "" && path.startsWith(above)) continue;
      // A symlink is no content of its own; where it leads is hidden there.
      if (type === "symlink") continue;
      const isDenied = this.#strictest(names.of(path)) === "deny";
      // It cannot be named to the sandbox, and what is in such a folder cannot be judged.
      if (path.includes("\ufffd") && (isDenied || type === "directory")) {
        const message = `\`${path}\` has a name that is not text, so it cannot be hidden from code as the rules demand. Ask the person to rename it.`;
        throw new Failure("SANDBOX_UNAVAILABLE", message);
      }
      if (!isDenied || (type !== "file" && type !== "directory")) continue;
      found.push({ path, type });
      if (type === "directory") above = `${path}/`;
    }
    return found;
  }

  #strictest(names: readonly string[] | undefined): Decision {
    if (names === undefined) return "deny";
    const decisions = names.flatMap(spellingsOf).map(this.#rules);
    return decisions.includes("deny") ? "deny" : decisions.includes("ask") ? "ask" : "allow";
  }
}
