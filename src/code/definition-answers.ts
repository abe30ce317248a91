import { nearestNames } from "../text/nearest.ts";
import type { Kind } from "./languages/language.ts";
import type { Coverage, Project } from "./project/project.ts";
import { type Definition, findDefinitions } from "./resolve/definitions.ts";
import type { ModuleFiles } from "./resolve/module-files.ts";
import { implementing, Shapes } from "./resolve/shapes.ts";
import { lastPart } from "./syntax/declared-names.ts";
import { parseSymbol } from "./syntax/symbol-name.ts";
import { enclosingName } from "./syntax/syntax.ts";

export interface DefinitionsAnswer {
  found: Definition[];
  /** Found types that implement another found one, with its name. */
  implementing: Map<Definition, string>;
  /** Similar names, when there is none of this name. */
  near: string[];
  /** Files of code that hold the name at all. */
  holders: number;
  /** Files that may declare the name too and are not parsed yet, and how many may declare it at all. */
  unparsed: { files: number; of: number };
  /** Files that hold the name and could not be parsed. */
  notUnderstood: string[];
  coverage: Coverage;
}

/** Names in another case, or with more in them, are told only where nothing has the very name. */
export function exactAlone(found: Definition[]): Definition[] {
  const exact = found.filter(({ distance }) => distance === 0);
  return exact.length > 0 ? exact : found;
}

/** What is the same for every caller, whichever files they may read. */
type SharedAnswer = Omit<DefinitionsAnswer, "near" | "holders">;
type MayRead = (path: string) => boolean;

const keptAnswers = 1_000;

/** Where names are declared; answers are kept until files or index change. */
export class DefinitionAnswers {
  readonly #project: Project;
  readonly #modules: () => Promise<ModuleFiles>;
  #kept = { state: "", answers: new Map<string, SharedAnswer>() };

  constructor(project: Project, modules: () => Promise<ModuleFiles>) {
    this.#project = project;
    this.#modules = modules;
  }

  async find(symbol: string, kind: Kind | undefined): Promise<SharedAnswer> {
    const state = `${this.#project.index.version} ${this.#project.pending().size}`;
    if (this.#kept.state !== state) this.#kept = { state, answers: new Map() };
    const { answers } = this.#kept;
    const key = `${kind ?? ""} ${symbol}`;
    const kept = answers.get(key);
    if (kept) return kept;
    const found = await findDefinitions(this.#project, symbol, kind);
    const answer = {
      found,
      implementing: await implementing(new Shapes(this.#project, this.#modules), found.slice(0, 10)),
      unparsed: this.#unparsed(symbol, found),
      notUnderstood: await this.#project.notUnderstood(parseSymbol(symbol).name),
      coverage: this.#project.coverage(),
    };
    if (answers.size < keptAnswers) answers.set(key, answer);
    return answer;
  }

  /** Only names that are declared where the caller may read: a hidden file must not show in a suggestion. */
  async nearNames(symbol: string, mayRead: MayRead): Promise<string[]> {
    const { name, qualifiers } = parseSymbol(symbol);
    const around = await this.#around(symbol, mayRead);
    if (around !== undefined) return [around];
    const type = qualifiers.at(-1);
    const ofType = type === undefined ? [] : await this.#nearMembers(type, name, mayRead);
    if (ofType.length > 0) return ofType;
    const isClose = ({ length }: string) => Math.abs(length - name.length) <= 3;
    const isReadable = (one: string) => this.#project.declaring(one).some(({ path }) => mayRead(path));
    return nearestNames(name, this.#project.namesLike(/.*/).filter(isClose)).filter(isReadable);
  }

  /** The function or type around a line: `src/a.ts:12`. */
  async #around(symbol: string, mayRead: MayRead): Promise<string | undefined> {
    const [, path = "", line] = /^(.+?):(\d+)(?::\d+)?$/.exec(symbol) ?? [];
    const file = mayRead(path) ? this.#project.words.file(path) : undefined;
    const syntax = file && (await this.#project.syntax(file));
    return syntax && enclosingName(syntax, Number(line));
  }

  /** Members of a type with names like this one; or types with names like that one that have the member. */
  async #nearMembers(type: string, name: string, mayRead: MayRead): Promise<string[]> {
    const members = (await this.#ownersIn(type, mayRead)).filter(({ owner }) => owner === type);
    const near = nearestNames(name.replace(/^#/, ""), new Set(members.map((d) => d.name)));
    if (near.length > 0) return near.map((one) => `${type}.${one}`);
    const owners = (await this.#ownersIn(name, mayRead)).filter((d) => d.name === name);
    return nearestNames(type, new Set(owners.map((d) => d.owner))).map((one) => `${one}.${name}`);
  }

  /** What has an owner in the files that declare a name, with the last part of that. */
  async #ownersIn(declared: string, mayRead: MayRead): Promise<{ owner: string; name: string }[]> {
    const found: { owner: string; name: string }[] = [];
    for (const file of this.#project.declaring(declared).filter(({ path }) => mayRead(path)))
      for (const { owner, name } of (await this.#project.syntax(file))?.declarations ?? [])
        if (owner !== undefined) found.push({ owner: lastPart(owner), name });
    return found;
  }

  /** The file that `file#name` names, if it is code that could not be parsed. */
  async notParsed(symbol: string, mayRead: MayRead): Promise<string | undefined> {
    const { name, path } = parseSymbol(symbol);
    if (path === undefined) {
      const pending = this.#project.pending();
      const holding = this.#project.words.withWord(name).map(({ file }) => file.path);
      return holding.find((holder) => pending.has(holder) && mayRead(holder));
    }
    const file = mayRead(path) ? this.#project.words.file(path) : undefined;
    return file?.language && !(await this.#project.syntax(file)) ? file.path : undefined;
  }

  /** How many files of code hold the name at all. */
  holders(symbol: string, mayRead: MayRead): number {
    const holding = this.#project.words.withWord(parseSymbol(symbol).name);
    return holding.filter(({ file }) => file.language && mayRead(file.path)).length;
  }

  /** A name can only be declared in a file that holds it; a part of one, anywhere. */
  #unparsed(symbol: string, found: readonly Definition[]): DefinitionsAnswer["unparsed"] {
    const pending = this.#project.pending();
    if (found[0]?.distance !== 0) return { files: pending.size, of: this.#project.coverage().code };
    const holders = this.#project.words
      .withWord(parseSymbol(symbol).name)
      .filter(({ file }) => file.language);
    return { files: holders.filter(({ file }) => pending.has(file.path)).length, of: holders.length };
  }
}
