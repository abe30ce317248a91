// `references` against compilers and language servers: `WIELD_TRUTH=<folder of repositories> npm run bench code-oracle`.
// Each repository is asked about up to 50 symbols of each kind in each language whose oracle is installed. Printed are the
// recall of sure and possible places and the precision of sure ones, by language. Oracles: gopls (Go), clangd (C, C++),
// pyright (Python), intelephense (PHP), bash-language-server (Bash), typescript-language-server (TypeScript, JavaScript),
// javac (Java), rustdoc (Rust). WIELD_TRUTH_SHOW=1 lists what differs.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { corporaFolder } from "../scripts/corpora.ts";
import { typeKinds } from "../src/code/languages/language.ts";
import { languageNamed } from "../src/code/languages/languages.ts";
import type { Project } from "../src/code/project/project.ts";
import { isMember } from "../src/code/resolve/declared.ts";
import type { Definition } from "../src/code/resolve/definitions.ts";
import { targetOf } from "../src/code/resolve/definitions.ts";
import { findReferences } from "../src/code/resolve/references.ts";
import { type Declaration, isQuiet, qualifiedName } from "../src/code/syntax/syntax.ts";
import { LanguageServer } from "./code/language-server.ts";
import { rustUses } from "./code/rustdoc.ts";
import { type IndexedRepository, withRepository } from "./code/sampled-symbols.ts";
import { verdict } from "./measure.ts";

const perKind = Number(process.env["WIELD_TRUTH_SAMPLE"] ?? 50);
const showMisses = process.env["WIELD_TRUTH_SHOW"] !== undefined;
const onlyLanguage = process.env["WIELD_TRUTH_LANGUAGE"];

/** Places as `file:offset`; undefined when the oracle does not know the symbol. */
type Ask = (definition: Definition) => Promise<Set<string> | undefined>;
interface OpenOracle {
  ask: Ask;
  /** Whether it has an opinion about the names at a place. Without: about all. */
  judges?(file: string, offset: number): Promise<boolean>;
  /** Where what stands at a place is declared: a second look at places that the first answer does not have. */
  meant?(file: string, offset: number): Promise<{ file: string; offset: number }[]>;
  close(): void;
}
interface Oracle {
  /** Declarations of one qualified name in several files are one to it. */
  merges?: boolean;
  /** Kinds whose uses it does not keep apart. */
  not?: readonly string[];
  languages: readonly string[];
  program: string;
  open(
    repository: IndexedRepository,
    files: readonly { path: string; language: string }[],
  ): Promise<OpenOracle>;
}

const server = (
  languages: readonly string[],
  program: string,
  args: readonly string[],
  id: string,
  prepare = (_: string, __: readonly string[]) => {},
): Oracle => ({
  languages,
  program,
  async open({ root }, files) {
    prepare(
      root,
      files.map(({ path }) => path),
    );
    const client = await LanguageServer.start(root, [program, ...args]);
    for (const { path, language } of files) await client.open(path, scriptIds[language] ?? id);
    return {
      ask: async ({ file, declaration }) => {
        const text = client.text(file);
        // `A::name` is asked for at its last part, `typedef struct name {} name` at both.
        const at = text.indexOf(declaration.name, declaration.nameStart);
        const end = text.indexOf(declaration.name, declaration.end);
        const isTypedef = end >= 0 && /^\s*$/.test(text.slice(declaration.end, end));
        const places = [
          ...(await client.references(file, at)),
          ...(isTypedef ? await client.references(file, end) : []),
        ];
        return places.length > 0
          ? new Set(places.map((place) => `${place.file}:${place.offset}`))
          : undefined;
      },
      meant: (file, offset) => client.definitions(file, offset),
      judges: async (file, offset) => (await client.tokenAt(file, offset)) !== "none",
      close: () => client.close(),
    };
  },
});

const scriptIds: Record<string, string> = { TSX: "typescriptreact", JavaScript: "javascript" };

const oracles: Oracle[] = [
  server(["Go"], "gopls", ["serve"], "go"),
  {
    ...server(
      ["C", "C++"],
      "clangd",
      ["--background-index=false", "--log=error"],
      "cpp",
      writeCompileCommands,
    ),
    merges: true,
  },
  server(["Python"], "pyright-langserver", ["--stdio"], "python"),
  // All methods that fulfil one interface are one to it.
  { ...server(["PHP"], "intelephense", ["--stdio"], "php"), not: ["method"] },
  server(["Bash"], "bash-language-server", ["start"], "shellscript"),
  server(["TypeScript", "TSX", "JavaScript"], "typescript-language-server", ["--stdio"], "typescript"),
  { languages: ["Java"], program: "java", open: openJavac },
  { languages: ["Rust"], program: "rustdoc", open: openRustdoc },
];

interface Tally {
  symbols: number;
  unknown: number;
  found: number;
  missed: number;
  sure: number;
  wrong: number;
  differences: string[];
}
const tallies = new Map<string, Tally>();
const sources = new Map<string, string>();

const folder = process.env["WIELD_TRUTH"] ?? corporaFolder;
for (const name of readdirSync(folder)) {
  const root = realpathSync(join(folder, name));
  if (statSync(root).isDirectory()) await withRepository(root, perKind, compare);
}
report();

async function compare(repository: IndexedRepository): Promise<void> {
  for (const oracle of oracles) {
    const files = [...repository.project.words.files()].filter((file) =>
      oracle.languages.includes(file.language),
    );
    const symbols = oracle.languages
      .filter((language) => onlyLanguage === undefined || language === onlyLanguage)
      .flatMap((language) => repository.symbols.get(language) ?? [])
      .filter(({ declaration }) => !oracle.not?.includes(declaration.kind));
    if (symbols.length < 20) continue;
    if (!isInstalled(oracle.program)) {
      console.log(`  ${oracle.languages.join(", ")}: ${oracle.program} is not installed`);
      continue;
    }
    const opened = await oracle.open(repository, files);
    try {
      for (const definition of symbols) {
        const isMerged = oracle.merges && (await isElsewhere(repository.project, definition));
        if (!isMerged && !isDeclaredForTypes(repository.project, definition))
          await compareSymbol(repository, definition, opened);
      }
    } finally {
      opened.close();
    }
  }
}

async function compareSymbol(
  { root, project, modules }: IndexedRepository,
  definition: Definition,
  { ask, judges, meant }: OpenOracle,
): Promise<void> {
  const { language } = definition.syntax;
  const tally = tallies.get(language) ?? {
    symbols: 0,
    unknown: 0,
    found: 0,
    missed: 0,
    sure: 0,
    wrong: 0,
    differences: [],
  };
  tallies.set(language, tally);
  // Overloads are one thing to us.
  const hasOverloads = language !== "Go";
  const same = definition.syntax.declarations.filter(
    (d) =>
      d === definition.declaration ||
      (hasOverloads &&
        qualifiedName(d) === qualifiedName(definition.declaration) &&
        isSameKind(d, definition.declaration)),
  );
  const answers = [];
  for (const declaration of same) answers.push(await ask({ ...definition, declaration }));
  const known = answers.filter((answer) => answer !== undefined);
  const theirs = known.length > 0 ? known.reduce((all, answer) => all.union(answer)) : undefined;
  tally.symbols++;
  if (!theirs) {
    tally.unknown++;
    return;
  }
  const { name } = definition.declaration;
  const asked = same.map((declaration) => ({ ...definition, declaration }));
  const { references } = await findReferences(project, modules, asked);
  const declared = new Set<string>();
  for (const { file } of project.words.withWord(name))
    for (const one of (await project.syntax(file))?.declarations ?? [])
      if (one.name === name || one.name === `~${name}`) declared.add(`${file.path}:${one.nameStart}`);
  // By line: oracles differ in where a qualified name begins.
  const declaredLines = lines(root, declared);
  const theirLines = lines(root, await inCode(root, project, name, theirs)).difference(declaredLines);
  const ours = new Map<string, boolean>();
  const offsets = new Map<string, number[]>();
  for (const { file, line, certain, offset, kind, text } of references) {
    const place = `${file}:${line}`;
    // javac does not resolve the last name of a static import; servers know nothing of macro bodies and code left out.
    const isJudged =
      // Theirs under another name were left out, too.
      sourceOf(join(root, file)).startsWith(name, offset) &&
      !(kind === "import" && text.startsWith("import static")) &&
      (!judges || (await judges(file, offset)));
    if (certain && isJudged) offsets.set(place, [...(offsets.get(place) ?? []), offset]);
    ours.set(place, (certain && isJudged) || ours.get(place) === true);
  }
  // Some list the uses of everything that fulfils one interface: a use of another body is none of this one.
  const belongsElsewhere = async (place: string) => {
    const [file, line] = [place.slice(0, place.lastIndexOf(":")), place.slice(place.lastIndexOf(":") + 1)];
    const places = [...theirs].filter((one) => one.startsWith(`${file}:`));
    const here = places.filter((one) => [...lines(root, new Set([one]))][0] === `${file}:${line}`);
    const leads = await Promise.all(
      here.map((one) => meant?.(file, Number(one.slice(one.lastIndexOf(":") + 1))) ?? []),
    );
    const all = leads.flat();
    if (all.length === 0) return false;
    // Only a member can be meant through another one.
    return isMember(definition)
      ? allOther(project, definition, all)
      : !all.some((to) => same.some((d) => isAt(d, definition.file, to)));
  };
  for (const place of theirLines) {
    if (ours.has(place)) tally.found++;
    else if (await belongsElsewhere(place)) continue;
    else {
      tally.missed++;
      tally.differences.push(`missed ${targetOf(definition)} at ${place}`);
    }
  }
  for (const [place, isSure] of ours) {
    if (!isSure || declaredLines.has(place)) continue;
    tally.sure++;
    if (theirLines.has(place)) continue;
    // References of a class expression end at its module, definitions of its uses do not.
    const file = place.slice(0, place.lastIndexOf(":"));
    const leads = await Promise.all((offsets.get(place) ?? []).map((at) => meant?.(file, at) ?? []));
    const isLed = leads.flat().some((to) => same.some((d) => isAt(d, definition.file, to)));
    if (isLed) continue;
    tally.wrong++;
    tally.differences.push(`not theirs ${targetOf(definition)} at ${place}`);
  }
}

function isAt({ start, end }: Declaration, home: string, place: { file: string; offset: number }): boolean {
  return place.file === home && start <= place.offset && place.offset < end;
}

/** Whether all of these places are bodies of something else that has the name. */
async function allOther(
  project: Project,
  { declaration }: Definition,
  places: readonly { file: string; offset: number }[],
): Promise<boolean> {
  for (const { file, offset } of places) {
    const indexed = project.words.file(file);
    const syntax = indexed && (await project.syntax(indexed));
    const other = syntax?.declarations.find((d) => d.nameStart === offset);
    if (!other || other.owner === declaration.owner) return false;
    const isInClass = syntax?.declarations[other.parent]?.kind === "class";
    const isBody = !other.bodiless && (other.kind === "method" || other.kind === "func");
    if (!isInClass && !isBody) return false;
  }
  return true;
}

function isSameKind(a: Declaration, b: Declaration): boolean {
  return a.kind === b.kind || (typeKinds.has(a.kind) && typeKinds.has(b.kind));
}

/** tsserver follows what a `.d.ts` declares instead of the `.js` beside it. */
function isDeclaredForTypes(project: Project, { declaration, syntax }: Definition): boolean {
  const isScript = languageNamed(syntax.language)?.family === "script";
  return isScript && project.declaring(declaration.name).some(({ path }) => path.endsWith(".d.ts"));
}

/** Whether another file declares the same qualified name with a body. */
async function isElsewhere(project: Project, { file, declaration }: Definition): Promise<boolean> {
  for (const other of project.declaring(declaration.name)) {
    if (other.path === file) continue;
    const syntax = await project.syntax(other);
    const title = qualifiedName(declaration);
    if (syntax?.declarations.some((d) => !d.bodiless && qualifiedName(d) === title)) return true;
  }
  return false;
}

/** Places where the name itself stands in code: some oracles count comments, uses in a macro's body and `new` for constructors. */
async function inCode(
  root: string,
  project: Project,
  name: string,
  places: ReadonlySet<string>,
): Promise<Set<string>> {
  const kept = new Set<string>();
  for (const place of places) {
    const cut = place.lastIndexOf(":");
    const file = project.words.file(place.slice(0, cut));
    const syntax = file && (await project.syntax(file));
    const offset = Number(place.slice(cut + 1));
    if (!file || !syntax || isQuiet(syntax, offset)) continue;
    const text = sourceOf(join(root, file.path));
    if (text.slice(offset, text.indexOf("\n", offset) >>> 0).includes(name)) kept.add(place);
  }
  return kept;
}

function sourceOf(path: string): string {
  const text = sources.get(path) ?? readFileSync(path, "utf8");
  sources.set(path, text);
  return text;
}

/** `file:offset` as `file:line`. */
function lines(root: string, places: ReadonlySet<string>): Set<string> {
  return new Set(
    [...places].map((place) => {
      const cut = place.lastIndexOf(":");
      const path = place.slice(0, cut);
      const text = sourceOf(join(root, path));
      return `${path}:${text.slice(0, Number(place.slice(cut + 1))).split("\n").length}`;
    }),
  );
}

function report(): void {
  for (const [language, t] of [...tallies].sort()) {
    // A handful of symbols in a repository of another language shows nothing.
    if (t.symbols - t.unknown < 20) continue;
    const recall = t.found / (t.found + t.missed);
    const precision = 1 - t.wrong / t.sure;
    verdict(
      `${language}: ${t.symbols} symbols (${t.unknown} unknown to the oracle), recall ${recall.toFixed(4)} of ${t.found + t.missed}, precision of sure ${precision.toFixed(4)} of ${t.sure}`,
      "recall ≥ 0.99, precision ≥ 0.97",
      recall >= 0.99 && precision >= 0.97,
    );
    if (showMisses) for (const line of t.differences) console.log(`      ${line}`);
  }
}

function isInstalled(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((part) => existsSync(join(part, program)));
}

/** Without a build, clangd is told to look for headers in every folder that has some. */
function writeCompileCommands(root: string, files: readonly string[]): void {
  const folders = new Set(files.filter((file) => /\.(?:h|hh|hpp)$/.test(file)).flatMap(foldersOf));
  const includes = ["", ...folders].flatMap((path) => ["-I", join(root, path)]);
  const commands = files
    .filter((file) => /\.(?:c|cc|cpp|cxx)$/.test(file))
    .map((file) => ({
      directory: root,
      file,
      arguments: [
        file.endsWith(".c") ? "clang" : "clang++",
        ...(file.endsWith(".c") ? [] : ["-std=c++17"]),
        ...includes,
        "-c",
        file,
      ],
    }));
  writeFileSync(join(root, "compile_commands.json"), JSON.stringify(commands));
}

function foldersOf(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join("/"));
}

async function openJavac(
  { root }: IndexedRepository,
  files: readonly { path: string }[],
): Promise<OpenOracle> {
  const program = join(import.meta.dirname, "code/JavaReferences.java");
  const { stdout } = spawnSync("java", [program, root, ...files.map(({ path }) => path)], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const uses = stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [name = "", file = "", offset = "", home = "", start = "", end = ""] = line.split("\t");
      return { key: `${home}#${name}`, start: Number(start), end: Number(end), place: `${file}:${offset}` };
    });
  const byName = Map.groupBy(uses, ({ key }) => key);
  const ask: Ask = async ({ file, declaration: { name, nameStart, kind, owner } }) => {
    const isConstructor = kind === "method" && owner?.split(".").at(-1) === name;
    if (isConstructor) return undefined;
    // javac tells where a declaration begins and ends: of those around the name, the smallest declares it.
    const around = (byName.get(`${file}#${name}`) ?? []).filter(
      ({ start, end }) => start <= nameStart && nameStart < end,
    );
    const size = Math.min(...around.map(({ start, end }) => end - start));
    return new Set(around.filter(({ start, end }) => end - start === size).map(({ place }) => place));
  };
  return { ask, close: () => {} };
}

/** Only names that it leads somewhere are judged: nothing is said of a path's first parts and of code for tests. */
async function openRustdoc({ root, project }: IndexedRepository): Promise<OpenOracle> {
  const manifests = [...project.words.files()]
    .map(({ path }) => path)
    .filter((path) => /(?:^|\/)Cargo\.toml$/.test(path));
  const uses = rustUses(root, manifests);
  const byName = Map.groupBy(uses, ({ home, name }) => `${home}#${name}`);
  const judged = new Set(uses.map(({ file, offset }) => `${file}:${offset}`));
  const ask: Ask = async ({ file, declaration: { name, line } }) => {
    const around = (byName.get(`${file}#${name}`) ?? []).filter(
      ({ start, end }) => start <= line && line <= end,
    );
    const size = Math.min(...around.map(({ start, end }) => end - start));
    const own = around.filter(({ start, end }) => end - start === size);
    return own.length > 0 ? new Set(own.map((use) => `${use.file}:${use.offset}`)) : undefined;
  };
  return { ask, judges: async (file, offset) => judged.has(`${file}:${offset}`), close: () => {} };
}
