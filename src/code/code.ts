import type { WholeWorkspace } from "../workspace/workspace.ts";
import { indexFolder, workspaceFiles } from "./files/workspace-files.ts";
import type { Kind } from "./languages/language.ts";
import { type Coverage, type ParsedFile, Project } from "./project/project.ts";
import {
  type Definition,
  findDefinitions,
  findExact,
  findTypes,
  withoutHeads,
} from "./resolve/definitions.ts";
import { filesCalled } from "./resolve/files-called.ts";
import { askGraph, type GraphAnswer, type GraphQuestion } from "./resolve/graph.ts";
import { type Importer, importersOf, importsOfName } from "./resolve/importers.ts";
import { ModuleFiles } from "./resolve/module-files.ts";
import { type FoundReferences, findReferences } from "./resolve/references.ts";
import { implementing } from "./resolve/relations.ts";
import { type FoundChunk, searchCode } from "./search/search.ts";
import { lowerBytes } from "./word-index/grams.ts";
import type { KnownPath } from "./word-index/known-paths.ts";
import { requiredLiterals } from "./word-index/regex-literals.ts";

/** How long after an answer the rest is parsed in the background: a command that ends at once never starts it. */
const fillDelayMs = 500;

const keptAnswers = 1_000;

/** A name in so many files is answered from those looked at in this time; the answer counts the rest. */
const broadName = { files: 400, limitMs: 700 };
const patientMs = 15_000;

export interface CodeOptions {
  signal?: AbortSignal | undefined;
  progress?: ((message: string, done?: number, total?: number) => void) | undefined;
  /** Answers name and quote only these files. Default: all. */
  mayRead?: ((path: string) => boolean) | undefined;
}

export interface BuildOptions {
  threads: number;
  signal?: AbortSignal | undefined;
  progress?: (coverage: Coverage) => void;
}

export interface DefinitionsAnswer {
  found: Definition[];
  /** Found types that implement another found one, with its name. */
  implementing: Map<Definition, string>;
  coverage: Coverage;
}

/** Questions about the code of one workspace. Every answer is at most a second behind the files. */
export class CodeIntelligence {
  readonly #project: Project;
  #modules: { version: number; files: Promise<ModuleFiles> } | undefined;
  #filling: AbortController | undefined;
  #fillTimer: NodeJS.Timeout | undefined;
  #ready = false;
  /** Answers given in the present state of files and index. */
  #answers = { state: "", definitions: new Map<string, DefinitionsAnswer>() };

  /** `stateFolder` is Wield's own, outside the workspace: what is in there is believed. */
  constructor(workspace: WholeWorkspace, stateFolder: string) {
    this.#project = new Project(workspaceFiles(workspace), indexFolder(stateFolder));
  }

  /** These files were changed by ourselves: the next answer knows. Without paths, everything is looked at. */
  invalidate(paths?: readonly string[]): void {
    this.#project.index.invalidate(paths);
  }

  outline(path: string): Promise<ParsedFile> {
    return this.#project.parse(path);
  }

  async definitions(
    symbol: string,
    kind: Kind | undefined,
    options: CodeOptions = {},
  ): Promise<DefinitionsAnswer> {
    const ask = async () => {
      const state = `${this.#project.index.version} ${this.#project.pending().size}`;
      if (this.#answers.state !== state) this.#answers = { state, definitions: new Map() };
      const { definitions } = this.#answers;
      const key = `${kind ?? ""} ${symbol}`;
      let answer = definitions.get(key);
      if (!answer) {
        const found = await findDefinitions(this.#project, symbol, kind);
        answer = {
          found,
          implementing: await implementing(this.#project, found.slice(0, 10)),
          coverage: this.#project.coverage(),
        };
        if (definitions.size < keptAnswers) definitions.set(key, answer);
      }
      return answer;
    };
    const { found, ...rest } = await this.#ask(options, ask, { codeOnly: true });
    return { found: readable(found, options), ...rest };
  }

  /** Where a name is imported, for who asks for the import as the definition. */
  async importsOfName(name: string, options: CodeOptions = {}): Promise<Importer[]> {
    return readable(await this.#ask(options, () => importsOfName(this.#project, name)), options);
  }

  /** Every place where the name stands, sorted; `definitions` says what is declared under it. */
  async references(
    symbol: string,
    { path = ".", kind }: { path?: string; kind?: Kind | undefined } = {},
    options: CodeOptions = {},
  ): Promise<FoundReferences & { definitions: Definition[]; coverage: Coverage }> {
    return this.#ask(options, async () => {
      const definitions = readable(await findExact(this.#project, symbol, kind), options);
      const name = definitions[0]?.declaration.name;
      const holders = name === undefined ? 0 : this.#project.words.withWord(name).length;
      const found = await findReferences(this.#project, await this.#moduleFiles(), definitions, {
        under: path,
        limitMs: holders > broadName.files ? broadName.limitMs : patientMs,
        mayRead: options.mayRead ?? (() => true),
      });
      return { ...found, definitions: withoutHeads(definitions), coverage: this.#project.coverage() };
    });
  }

  async graph(
    question: GraphQuestion,
    options: CodeOptions = {},
  ): Promise<{ answer: GraphAnswer | undefined; coverage: Coverage }> {
    return this.#ask(options, async () => {
      const mayRead = options.mayRead ?? (() => true);
      const answer = await askGraph(this.#project, await this.#moduleFiles(), question, mayRead);
      return { answer, coverage: this.#project.coverage() };
    });
  }

  /** Types whose name a pattern with `*` and `?` matches as a whole. */
  async types(
    pattern: string,
    kind: Kind | undefined,
    options: CodeOptions = {},
  ): Promise<{ found: Definition[]; coverage: Coverage }> {
    return this.#ask(
      options,
      async () => {
        const found = readable(await findTypes(this.#project, pattern, kind), options);
        return { found, coverage: this.#project.coverage() };
      },
      { codeOnly: true, all: true },
    );
  }

  async search(
    query: string,
    { path = ".", limit = 20 }: { path?: string; limit?: number } = {},
    options: CodeOptions = {},
  ): Promise<{ found: FoundChunk[]; coverage: Coverage }> {
    return this.#ask(options, async () => {
      const { mayRead } = options;
      const found = await searchCode(this.#project, query, { under: path, limit, mayRead });
      return { found, coverage: this.#project.coverage() };
    });
  }

  /** Who imports a module, given as a path or as an import writes it; `files` is what it was taken to mean. */
  async importers(
    modulePath: string,
    options: CodeOptions = {},
  ): Promise<{ files: string[]; importers: Importer[]; coverage: Coverage }> {
    return this.#ask(options, async () => {
      const modules = await this.#moduleFiles();
      const files = filesCalled(this.#project, modulePath);
      const all =
        files.length > 0
          ? files
          : ["path", "python", "go", "rust", "java", "include"].flatMap((style) =>
              modules.resolve(style as "path", "x.ts", modulePath),
            );
      const meant = all.filter((file) => options.mayRead?.(file) ?? true);
      return {
        files: meant,
        importers:
          meant.length > 0 ? readable(await importersOf(this.#project, modules, meant), options) : [],
        coverage: this.#project.coverage(),
      };
    });
  }

  /**
   * The only files a regular expression can match in, when the index is at hand, says anything about it, and they are no
   * more than `most`.
   */
  async filesThatMayMatch(
    pattern: string,
    within: { path: string; isWanted: (file: string) => boolean; most: number },
    options: CodeOptions = {},
  ): Promise<string[] | undefined> {
    const alternatives = this.#ready ? requiredLiterals(pattern) : undefined;
    // Before the files are looked at: what very many hold is not worth it.
    if (!alternatives || !this.#holding(alternatives, within)) return undefined;
    return this.#ask(options, async () =>
      this.#project.index.covers(within.path) ? this.#holding(alternatives, within) : undefined,
    );
  }

  #holding(
    alternatives: readonly string[][],
    { path, isWanted, most }: { path: string; isWanted: (file: string) => boolean; most: number },
  ): string[] | undefined {
    const found = new Set<string>();
    for (const literals of alternatives) {
      for (const { path: file } of this.#project.words.mayHold(literals.map(lowerBytes))) {
        if (path !== "." && file !== path && !file.startsWith(`${path}/`)) continue;
        if (isWanted(file)) found.add(file);
        if (found.size > most) return undefined;
      }
    }
    return [...found].sort();
  }

  /**
   * Files and links below a directory, as a walk gives them; undefined when the index is not at hand or has no such place.
   * With `now`, as they are at this moment.
   */
  async pathsBelow(
    path: string,
    options: CodeOptions = {},
    { now = false } = {},
  ): Promise<KnownPath[] | undefined> {
    if (!this.#ready) return undefined;
    if (now) this.#project.index.lookAgain();
    const paths = await this.#ask(options, async () => this.#project.index.pathsBelow(path));
    const { mayRead } = options;
    return mayRead ? paths?.filter((known) => mayRead(known.path)) : paths;
  }

  /** How much is indexed, by language. */
  async status(options: CodeOptions = {}): Promise<Coverage & { languages: Map<string, number> }> {
    return this.#ask(options, async () => {
      const languages = new Map<string, number>();
      for (const { language } of this.#project.words.files())
        if (language) languages.set(language, (languages.get(language) ?? 0) + 1);
      return { ...this.#project.coverage(), languages };
    });
  }

  /** Parses everything that is not yet parsed. */
  async build({ threads, signal, progress }: BuildOptions): Promise<Coverage> {
    this.#stopFilling();
    return this.#ask({ signal }, async () => {
      await this.#project.fill({ threads, signal, ...(progress && { progress }) });
      return this.#project.coverage();
    });
  }

  /** Forgets everything that is stored. */
  clear(): void {
    this.#project.clear();
    this.#ready = false;
  }

  /** Stops the work in the background at once. Nothing is asked any more. */
  close(): void {
    this.#stopFilling();
    this.#project.close();
  }

  #stopFilling(): void {
    clearTimeout(this.#fillTimer);
    this.#fillTimer = undefined;
    this.#filling?.abort();
  }

  /** `codeOnly` for what is told by declarations alone; `all` for what every file has a part in. */
  async #ask<T>(
    { signal, progress }: CodeOptions,
    question: () => Promise<T>,
    { codeOnly = false, all = false }: { codeOnly?: boolean; all?: boolean } = {},
  ): Promise<T> {
    const answer = await this.#project.ask(
      async () => {
        if (all) await this.#fillNow(signal);
        return question();
      },
      { signal, codeOnly, progress: (done) => done % 500 === 0 && progress?.("Reading files", done) },
    );
    this.#ready = true;
    this.#fillLater();
    return answer;
  }

  /** A question about all names needs all files; few are parsed at once, many are waited for a moment only. */
  async #fillNow(signal: AbortSignal | undefined): Promise<void> {
    if (this.#project.pending().size === 0) return;
    const patience = AbortSignal.timeout(5_000);
    await this.#project.fill({ threads: 1, signal: signal ? AbortSignal.any([signal, patience]) : patience });
  }

  #fillLater(): void {
    if (this.#filling || this.#fillTimer || this.#project.pending().size === 0) return;
    this.#fillTimer = setTimeout(() => {
      this.#fillTimer = undefined;
      const stop = new AbortController();
      this.#filling = stop;
      this.#project
        .fill({ signal: stop.signal })
        .finally(() => {
          if (this.#filling === stop) this.#filling = undefined;
        })
        // The next question tries again; nobody waits for this one.
        .catch(() => undefined);
    }, fillDelayMs).unref();
  }

  async #moduleFiles(): Promise<ModuleFiles> {
    const { version } = this.#project.index;
    if (this.#modules?.version !== version) this.#modules = { version, files: ModuleFiles.of(this.#project) };
    return this.#modules.files;
  }
}

function readable<T extends { file: string }>(found: readonly T[], { mayRead }: CodeOptions): T[] {
  return mayRead ? found.filter(({ file }) => mayRead(file)) : [...found];
}
