import type { WholeWorkspace } from "../workspace/workspace.ts";
import { DefinitionAnswers, type DefinitionsAnswer, exactAlone } from "./definition-answers.ts";
import type { ReadCommits } from "./files/files.ts";
import { indexFolder, workspaceFiles } from "./files/workspace-files.ts";
import { Filling, type Waiting, type Watched } from "./filling.ts";
import type { Kind } from "./languages/language.ts";
import { languageOfText } from "./languages/languages.ts";
import { type Coverage, type ParsedFile, Project } from "./project/project.ts";
import type { SharedStart } from "./project/shared-index.ts";
import { type CalleeInLines, calleesInLines } from "./resolve/callees.ts";
import { caveatOnCalls } from "./resolve/caveats.ts";
import { type Definition, findExact, findTypes, holdersOf, withoutHeads } from "./resolve/definitions.ts";
import { modulesCalled } from "./resolve/files-called.ts";
import { askGraph, type GraphAnswer, type GraphQuestion } from "./resolve/graph.ts";
import {
  candidatesFor,
  type Importer,
  importersOf,
  importsOfName,
  unknownImports,
  unknownImportsText,
} from "./resolve/importers.ts";
import { ModuleFiles } from "./resolve/module-files.ts";
import { type FoundReferences, findReferences } from "./resolve/references.ts";
import { planRenaming, type Renaming } from "./resolve/renaming.ts";
import { enclosingNames } from "./search/enclosing-names.ts";
import type { FoundPlace } from "./search/places.ts";
import { relevanceTo, searchCode, wordsAskedFor } from "./search/search.ts";
import type { LineRange } from "./search/shown-lines.ts";
import { firstErrorLine } from "./syntax/extract.ts";
import { limitOf } from "./syntax/parse-limit.ts";
import { parseSymbol } from "./syntax/symbol-name.ts";
import { lowerBytes } from "./word-index/grams.ts";
import type { KnownPath } from "./word-index/known-paths.ts";
import { requiredLiterals } from "./word-index/regex-literals.ts";

/** So long a question waits for files that are not parsed yet; every command does its share, and stores it. */
const fillPatienceMs = 1_500;
/** For a question about all names. */
const longPatienceMs = 5_000;
/**
 * A name in so many files is answered from those looked at with so much work, of which at least some is not spent on finding
 * out what has changed; the answer counts the rest.
 */
const broadName = { files: 400, definitions: 100, limitMs: 450, leastMs: 150, parseMs: 250 };
const patientMs = 15_000;

export interface CodeOptions {
  signal?: AbortSignal | undefined;
  progress?: ((message: string, done?: number, total?: number) => void) | undefined;
  /** Answers name and quote only these files. Default: all. */
  mayRead?: ((path: string) => boolean) | undefined;
}

export interface CodeParts {
  watched?: Watched | undefined;
  pastCommits?: ReadCommits | undefined;
  /** An index of the files that the workspace began with. */
  shared?: SharedStart | undefined;
}

export interface BuildOptions {
  threads: number;
  signal?: AbortSignal | undefined;
  progress?: (coverage: Coverage) => void;
}

/** Questions about the code of one workspace. Every answer is at most a second behind the files. */
export class CodeIntelligence {
  readonly #watched: Watched;
  readonly #project: Project;
  readonly #definitions: DefinitionAnswers;
  readonly #filling: Filling;
  #modules: { version: number; files: Promise<ModuleFiles> } | undefined;
  #ready = false;

  /**
   * `stateFolder` is Wield's own, outside the workspace: its contents are trusted. `watched` is called with indexing that
   * somebody waits for. Without `pastCommits`, past changes do not count in a search.
   */
  constructor(
    workspace: WholeWorkspace,
    stateFolder: string,
    { watched = (_, work) => work(), pastCommits, shared }: CodeParts = {},
  ) {
    this.#watched = watched;
    this.#project = new Project(workspaceFiles(workspace, pastCommits), indexFolder(stateFolder), shared);
    this.#definitions = new DefinitionAnswers(this.#project, () => this.#moduleFiles());
    this.#filling = new Filling(this.#project, watched);
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
    const ask = () => this.#definitions.find(symbol, kind);
    const { found, notUnderstood, ...rest } = await this.#askCode(options, ask, {
      codeOnly: true,
      needed: () => this.#holding(symbol),
    });
    const mayRead = options.mayRead ?? (() => true);
    const shown = exactAlone(readable(found, options));
    return {
      found: shown,
      near: shown.length > 0 ? [] : await this.#definitions.nearNames(symbol, mayRead),
      holders: this.#definitions.holders(symbol, mayRead),
      notUnderstood: notUnderstood.filter(mayRead),
      ...rest,
    };
  }

  /** Where a name is imported, for who asks for the import as the definition. */
  async importsOfName(name: string, options: CodeOptions = {}): Promise<Importer[]> {
    const ask = () => importsOfName(this.#project, name);
    return readable(await this.#askCode(options, ask, { needed: () => this.#holding(name) }), options);
  }

  /**
   * Every place where the name stands, sorted; `definitions` says what is declared under it. A name that more files than
   * `mostFiles` hold is not looked for.
   */
  async references(
    symbol: string,
    {
      path = ".",
      kind,
      mostFiles = Number.POSITIVE_INFINITY,
    }: { path?: string; kind?: Kind | undefined; mostFiles?: number } = {},
    options: CodeOptions = {},
  ): Promise<
    FoundReferences & {
      definitions: Definition[];
      /** What cannot be found by the name. */
      caveat?: string | undefined;
      /** The file that the symbol names, if nobody knows what it declares. */
      notParsed?: string | undefined;
      holders: number;
      /** Files that hold the name and are not parsed yet. */
      unread: number;
      coverage: Coverage;
    }
  > {
    const mayRead = options.mayRead ?? (() => true);
    const isInManyFiles = () => this.#definitions.holders(symbol, mayRead) > broadName.files;
    const broadLimit = limitOf(broadName.limitMs);
    const question = async () => {
      const least = limitOf(broadName.leastMs);
      const holders = this.#definitions.holders(symbol, mayRead);
      if (holders > broadName.files) this.#project.hurry(broadName.parseMs);
      const isTooCommon = holders > mostFiles;
      const exact = isTooCommon ? [] : await findExact(this.#project, symbol, kind);
      const definitions = readable(exact, options);
      const isWholeName = kind === undefined && exact[0]?.declaration.name === symbol;
      const isBroad = holders > broadName.files || definitions.length > broadName.definitions;
      const limit = isBroad ? () => least() && broadLimit() : limitOf(patientMs);
      const found = await findReferences(this.#project, await this.#moduleFiles(), definitions, {
        under: path,
        isLate: () => limit() !== undefined,
        mayRead,
        ...(isWholeName && { all: exact }),
      });
      return {
        ...found,
        definitions: withoutHeads(definitions),
        caveat: await caveatOnCalls(this.#project, definitions, mayRead),
        ...(definitions.length === 0 && { notParsed: await this.#definitions.notParsed(symbol, mayRead) }),
        holders,
        unread: this.#holding(symbol).length,
        coverage: this.#project.coverage(),
      };
    };
    return this.#askCode(options, question, {
      mayWait: () => !isInManyFiles(),
      // With `mostFiles` it is part of another answer, which has waited.
      ...(Number.isFinite(mostFiles) && { patienceMs: 0 }),
      needed: () => this.#holding(symbol),
    });
  }

  async graph(
    question: GraphQuestion,
    options: CodeOptions = {},
  ): Promise<{ answer: GraphAnswer | undefined; coverage: Coverage }> {
    const ask = async () => {
      const mayRead = options.mayRead ?? (() => true);
      const answer = await askGraph(this.#project, await this.#moduleFiles(), question, mayRead);
      return { answer, coverage: this.#project.coverage() };
    };
    const isOfFiles = question.operation === "importers";
    const needed = () => (isOfFiles ? this.#mayImport(question.target) : this.#holding(question.target));
    return this.#askCode(options, ask, { needed });
  }

  /** What lines of a file call, as far as it is declared in the workspace; not names that more than `mostFiles` hold. */
  async calledIn(
    file: string,
    lines: LineRange,
    { mostFiles }: { mostFiles: number },
    options: CodeOptions = {},
  ): Promise<CalleeInLines[]> {
    const ask = async () => {
      const { mayRead = () => true } = options;
      const isAskedFor = (name: string) => this.#definitions.holders(name, mayRead) <= mostFiles;
      const modules = await this.#moduleFiles();
      const found = await calleesInLines(this.#project, modules, { file, lines }, isAskedFor);
      return found.filter(({ callee }) => mayRead(callee.file));
    };
    // It is part of another answer, which has waited.
    return this.#askCode(options, ask, { patienceMs: 0 });
  }

  /** Which places get a new name when a symbol does. */
  async renaming(
    question: { symbol: string; to: string; kind?: Kind | undefined },
    options: CodeOptions = {},
  ): Promise<Renaming & { coverage: Coverage }> {
    const ask = async () => {
      const mayRead = options.mayRead ?? (() => true);
      const plan = await planRenaming(this.#project, await this.#moduleFiles(), question, mayRead);
      return { ...plan, coverage: this.#project.coverage() };
    };
    return this.#askCode(options, ask, { needed: () => this.#holding(question.symbol) });
  }

  /** Types whose name a pattern with `*` and `?` matches as a whole. */
  async types(
    pattern: string,
    kind: Kind | undefined,
    options: CodeOptions = {},
  ): Promise<{ found: Definition[]; coverage: Coverage }> {
    return this.#askCode(
      options,
      async () => {
        const found = readable(await findTypes(this.#project, pattern, kind), options);
        return { found, coverage: this.#project.coverage() };
      },
      { codeOnly: true, patienceMs: longPatienceMs },
    );
  }

  async search(
    query: string,
    { path = ".", limit = 20 }: { path?: string; limit?: number } = {},
    options: CodeOptions = {},
  ): Promise<FoundPlace[]> {
    const { mayRead } = options;
    // Git reads the history while files are parsed.
    void this.#project.history.commits();
    return this.#askCode(options, () => searchCode(this.#project, query, { under: path, limit, mayRead }));
  }

  /** How much a text speaks of what a question asks for. */
  async relevanceTo(question: string, options: CodeOptions = {}): Promise<(text: string) => number> {
    return this.#ask(options, async () => relevanceTo(this.#project, question));
  }

  /** The words of a question that stand in a text. */
  async wordsAskedFor(question: string, options: CodeOptions = {}): Promise<(text: string) => string[]> {
    return this.#ask(options, async () => wordsAskedFor(this.#project, question));
  }

  /** Who imports a module, given as a path or as an import writes it; `files` is what it was taken to mean. */
  async importers(
    modulePath: string,
    options: CodeOptions = {},
  ): Promise<{
    files: string[];
    importers: Importer[];
    looked: number;
    unread: string[];
    /** Imports that may be of the module, too. */
    gap?: string | undefined;
    coverage: Coverage;
  }> {
    const ask = async () => {
      const modules = await this.#moduleFiles();
      const called = await modulesCalled(this.#project, modules, modulePath);
      const meant = called.filter((file) => options.mayRead?.(file) ?? true);
      const looked = [...(await candidatesFor(this.#project, modules, meant))].filter(
        options.mayRead ?? (() => true),
      );
      const pending = this.#project.pending();
      return {
        files: meant,
        looked: looked.length,
        unread: looked.filter((file) => pending.has(file)),
        importers:
          meant.length > 0 ? readable(await importersOf(this.#project, modules, meant), options) : [],
        gap: unknownImportsText(readable(await unknownImports(this.#project, meant), options)),
        coverage: this.#project.coverage(),
      };
    };
    return this.#askCode(options, ask, { needed: () => this.#mayImport(modulePath) });
  }

  /** Files of code that may import a module. */
  async #mayImport(modulePath: string): Promise<Set<string>> {
    const modules = await this.#moduleFiles();
    return candidatesFor(this.#project, modules, await modulesCalled(this.#project, modules, modulePath));
  }

  /** The functions or types that lines stand in, in the order of the lines. */
  enclosingNames(
    places: readonly { file: string; line: number }[],
    { signal }: Pick<CodeOptions, "signal"> = {},
  ): Promise<(string | undefined)[]> {
    return enclosingNames(this.#project, places, { isIndexed: this.#ready, signal });
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
    if (!alternatives || !this.#filesHolding(alternatives, within)) return undefined;
    return this.#ask(options, async () =>
      this.#project.index.covers(within.path) ? this.#filesHolding(alternatives, within) : undefined,
    );
  }

  #filesHolding(
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

  /** Asks only a grammar that has parsed something: an edit does not wait for one. */
  async firstError(path: string, text: string): Promise<number | null | undefined> {
    const language = languageOfText(path, text);
    return language && firstErrorLine(text, language);
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
    this.#filling.stop();
    return this.#ask({ signal }, async () => {
      await this.#watched(this.#project.pending().size, () =>
        this.#project.fill({ threads, signal, ...(progress && { progress }) }),
      );
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
    this.#filling.stop();
    this.#project.close();
  }

  /** A question about declarations: it waits a moment for files that are not parsed yet. */
  #askCode<T>(
    options: CodeOptions,
    question: () => Promise<T>,
    {
      patienceMs = fillPatienceMs,
      codeOnly = false,
      mayWait = (): boolean => true,
      needed,
    }: { patienceMs?: number; codeOnly?: boolean; mayWait?: () => boolean; needed?: Waiting["needed"] } = {},
  ): Promise<T> {
    const filled = async () => {
      if (mayWait()) await this.#filling.now({ signal: options.signal, patienceMs, needed });
      else this.#filling.stop();
      return question();
    };
    return this.#ask(options, filled, { codeOnly });
  }

  /** `codeOnly` for what is told by declarations alone. */
  async #ask<T>(
    { signal, progress }: CodeOptions,
    question: () => Promise<T>,
    { codeOnly = false } = {},
  ): Promise<T> {
    const answer = await this.#project.ask(question, {
      signal,
      codeOnly,
      progress: (done) => done % 500 === 0 && progress?.("Reading files", done),
    });
    this.#ready = true;
    this.#filling.later();
    return answer;
  }

  /** Files of code that hold a symbol's name and are not parsed yet. */
  #holding(symbol: string): string[] {
    return holdersOf(this.#project, parseSymbol(symbol).name).map(({ path }) => path);
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
