import { familyOfLanguage, languageNamed, languageOf } from "../languages/languages.ts";
import type { ParsedFile, Project } from "../project/project.ts";
import { lineFinder } from "../syntax/signature.ts";
import { enclosing, qualifiedName } from "../syntax/syntax.ts";
import { Bindings } from "./bindings.ts";
import { classesConstructed, constructedThrough, superCalls } from "./constructor-uses.ts";
import { type Definition, findExact } from "./definitions.ts";
import { importText } from "./import-text.ts";
import { lineAt } from "./line-text.ts";
import type { ModuleFiles } from "./module-files.ts";
import { localAt, placesOf, textsThatAre } from "./occurrences.ts";
import { markName } from "./other-names.ts";
import { importAt } from "./place-in-code.ts";
import { plainReferences } from "./plain-references.ts";
import { countUsers } from "./reexports.ts";
import type { Reference } from "./reference.ts";
import { type Sorted, Sorter } from "./sorting/sorting.ts";
import type { Verdict } from "./sorting/verdict.ts";
import { Visibility } from "./visibility.ts";

export interface FoundReferences {
  references: Reference[];
  /** Places where the name means something else, by what that is. */
  others: Map<string, number>;
  /** Files that hold the name and could not be parsed: every place in them is possible. */
  unparsed: string[];
  /** Files that hold the name and were not looked at, as the time was over. */
  left: string[];
  /** Files in no known language that hold the name. */
  noCode: string[];
  /** Texts that are just the name: what calls by name may mean it. */
  texts: { file: string; line: number }[];
}

export interface ReferenceSearch {
  /** A file or folder. */
  under?: string;
  /** When it says so, no further file is looked at. Default: all are. */
  isLate?: () => boolean;
  mayRead?: (path: string) => boolean;
  /** Everything that is declared under the name, where that is known. */
  all?: readonly Definition[];
}

/** Every place where the name of the definitions stands in code, sorted into uses, possible uses and others. */
export async function findReferences(
  project: Project,
  modules: ModuleFiles,
  asked: Definition | readonly Definition[],
  search: ReferenceSearch = {},
): Promise<FoundReferences> {
  const wanted = [asked].flat() as Definition[];
  const found = await findNamed(project, modules, wanted, search);
  const classes = classesConstructed(wanted);
  if (classes.length > 0) await addConstructed(found, project, modules, classes, search);
  return found;
}

/** Adds where classes are made, and where those below call their constructor. */
async function addConstructed(
  found: FoundReferences,
  project: Project,
  modules: ModuleFiles,
  classes: readonly Definition[],
  { all: _, ...search }: ReferenceSearch,
): Promise<void> {
  const { under = ".", mayRead = () => true } = search;
  const bindings = new Bindings(project, modules);
  const { made, calling } = await constructedThrough(project, bindings, classes);
  for (const type of made) {
    const { references, unparsed, left } = await findNamed(project, modules, [type], search);
    found.references.push(...references.filter(({ kind }) => kind === "call"));
    found.unparsed.push(...unparsed);
    found.left.push(...left);
  }
  for (const type of calling)
    if (isUnder(type.file, under) && mayRead(type.file))
      found.references.push(...(await superCalls(project, type)));
  found.references.sort(byPlace);
}

async function findNamed(
  project: Project,
  modules: ModuleFiles,
  wanted: readonly Definition[],
  { under = ".", isLate = () => false, mayRead = () => true, all }: ReferenceSearch,
): Promise<FoundReferences> {
  const name = wanted[0]?.declaration.name ?? "";
  const found: FoundReferences = {
    references: [],
    others: new Map(),
    unparsed: [],
    left: [],
    noCode: [],
    texts: [],
  };
  if (name === "") return found;
  const resolver = {
    project,
    bindings: new Bindings(project, modules),
    visibility: new Visibility(project, modules),
  };
  const sorter = new Sorter(resolver, name, wanted, all ?? (await findExact(project, name)));
  const homes = new Set(wanted.map((d) => d.file));
  const families = new Set(wanted.map((d) => familyOfLanguage(d.syntax.language)));
  const opaque = new Set(await project.notUnderstood(name));
  const elsewhere = (await sorter.elsewhere()).map((one) => one.name);
  const otherNames = [...(await sorter.namesForAll(isLate)), markName(wanted) ?? [], ...elsewhere].flat();
  const defaults = await sorter.defaults();
  const others = { otherNames, defaults, opaque };
  for (const path of filesToLookAt(project, modules, wanted, others, under, homes)) {
    if (!mayRead(path)) continue;
    const indexed = project.words.file(path);
    const language = indexed?.language || (opaque.has(path) ? languageOf(path)?.name : undefined);
    if (!language) {
      found.noCode.push(path);
      continue;
    }
    if (isLate()) {
      found.left.push(path);
      continue;
    }
    const file = await project.parsed(path);
    if (!file) {
      const source = await project.source(path).catch(() => "");
      const places = placesOf(name, source, languageNamed(language));
      if (places.length === 0) continue;
      found.unparsed.push(path);
      if (families.has(familyOfLanguage(language)))
        found.references.push(...plainReferences(path, source, places, name.length));
      continue;
    }
    const occurrences = await sorter.sort(file, isLate);
    if (!occurrences) {
      found.left.push(path);
      continue;
    }
    const lineOf = lineFinder(file.source);
    if (families.has(familyOfLanguage(language)) && reachesByText(language)) {
      const inCode = new Set(occurrences.map(({ offset }) => offset));
      for (const at of textsThatAre(name, file.source, file.syntax))
        if (!inCode.has(at)) found.texts.push({ file: path, line: lineOf(at) });
    }
    for (const occurrence of occurrences) {
      const { verdict } = occurrence;
      if (verdict.is === "other") found.others.set(verdict.of, (found.others.get(verdict.of) ?? 0) + 1);
      else {
        const reference = referenceAt(file, occurrence, verdict, lineOf);
        found.references.push(operatorWord.test(name) ? { ...reference, length: name.length } : reference);
      }
    }
  }
  const isComplete = under === "." && found.unparsed.length === 0 && found.left.length === 0;
  await countUsers(project, resolver.bindings, found.references, isComplete);
  found.references.sort(byPlace);
  return found;
}

/** `operator+` is no word of the index. */
const operatorWord = /^operator(?=\W)/;
const byPlace = (a: Reference, b: Reference) =>
  a.file === b.file ? a.offset - b.offset : a.file < b.file ? -1 : 1;

const isUnder = (path: string, folder: string) =>
  folder === "." || path === folder || path.startsWith(`${folder}/`);

/** `store["save"]`, `getattr(store, "save")`: a text may be the name of a member or function. */
const reachesByText = (language: string) =>
  languageNamed(language)?.dynamic === true || familyOfLanguage(language) === "script";

/** Those that hold the name, where it is declared first; and those that may import it under another. */
function filesToLookAt(
  project: Project,
  modules: ModuleFiles,
  wanted: readonly Definition[],
  {
    otherNames,
    defaults,
    opaque,
  }: { otherNames: readonly string[]; defaults: ReadonlySet<string>; opaque: ReadonlySet<string> },
  under: string,
  homes: ReadonlySet<string>,
): string[] {
  const name = wanted[0]?.declaration.name ?? "";
  const signs = new Set(
    wanted.flatMap(({ syntax }) => {
      const language = languageNamed(syntax.language);
      return language?.sigil ?? language?.valueSign ?? [];
    }),
  );
  const behind = wanted.flatMap(({ syntax }) => languageNamed(syntax.language)?.widthSign ?? []);
  const words = [
    // The words of the index are without the sign of a private name.
    operatorWord.exec(name)?.[0] ?? name.replace(/^#/, ""),
    ...[...signs].map((sign) => `${sign}${name}`),
    ...[...new Set(behind)].map((sign) => `${name}${sign}`),
    ...otherNames,
  ];
  const holders = words.flatMap((word) => project.words.withWord(word).map(({ file }) => file.path));
  const paths = new Set([...holders, ...opaque]);
  const given = wanted.filter(({ syntax }) => syntax.default === name).map(({ file }) => file);
  const families = new Set(wanted.map(({ syntax }) => familyOfLanguage(syntax.language)));
  for (const file of new Set([...given, ...defaults]))
    for (const word of modules.wordsOf(file))
      for (const { file: importer } of project.words.withWord(word))
        if (families.has(familyOfLanguage(importer.language))) paths.add(importer.path);
  return [...paths]
    .filter((path) => isUnder(path, under))
    .sort((a, b) => Number(homes.has(b)) - Number(homes.has(a)) || (a < b ? -1 : 1));
}

function referenceAt(
  file: ParsedFile,
  { offset, called, receiver, isImport }: Sorted,
  verdict: Exclude<Verdict, { is: "other" }>,
  lineOf: (offset: number) => number,
): Reference {
  const { path, source, syntax } = file;
  const lineStart = source.lastIndexOf("\n", offset - 1) + 1;
  const around = enclosing(syntax, offset);
  const word = /^[\p{L}\p{N}_$]+/u.exec(source.slice(offset, offset + 300))?.[0].length ?? 0;
  const { nameSigns } = languageNamed(syntax.language) ?? {};
  const sign = nameSigns?.test(source.slice(offset + word, offset + word + 2)) ? 1 : 0;
  const clause = isImport ? importAt(file, offset) : undefined;
  const statement = clause && importText(file, clause, offset);
  const binding = verdict.is === "possible" ? bindingOf(file, receiver, offset, lineOf) : undefined;
  return {
    file: path,
    line: lineOf(offset),
    column: offset - lineStart + 1,
    offset,
    length: word + sign,
    text: lineAt(source, offset),
    ...(statement && { statement }),
    kind: clause ? "import" : called ? "call" : "use",
    ...(around && { within: qualifiedName(around), withinLine: around.line }),
    certain: verdict.is === "sure",
    ...(verdict.is === "possible" && { why: verdict.why }),
    ...(binding && { binding }),
  };
}

/** The line that binds a receiver in the function around, where that is another one and says more than the name. */
function bindingOf(
  { source, syntax }: ParsedFile,
  receiver: string | undefined,
  offset: number,
  lineOf: (offset: number) => number,
): Reference["binding"] {
  const local = receiver ? localAt(syntax, receiver, offset) : undefined;
  if (!local) return undefined;
  const [line, text] = [lineOf(local[1]), lineAt(source, local[1])];
  return line === lineOf(offset) || text.length <= local[0].length + 1 ? undefined : { line, text };
}
