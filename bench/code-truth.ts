// What `references` and targets are worth on real repositories, by language and kind: `WIELD_TRUTH=<folder of repositories>
// npm run bench code-truth`; several folders with a colon between them are reported apart (what was developed on, and what
// was not); without a folder, the packages that `npm run corpora` fetches. The truth is textual. A name that no other
// repository has comes from no library: each of its occurrences in code must be a use of something that is declared under
// it, unless the file has it from elsewhere or it is a key. A place that is said to be surely two things is wrong for one of
// them; a member of a type that nothing in the repository declares is a library's. For every name, no occurrence may be missing from the counts; and a target that an answer prints must be accepted and
// mean what it was printed for. WIELD_TRUTH_WORDS=<folders> names sources of libraries: their words are nobody's own, either.
// WIELD_TRUTH_LANGUAGES=Go,Lua asks about some languages only; WIELD_TRUTH_SHOW=1 lists what differs.
import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { corporaFolder } from "../scripts/corpora.ts";
import { typeKinds } from "../src/code/languages/language.ts";
import { familyOfLanguage, languageNamed } from "../src/code/languages/languages.ts";
import { isConstructor, isMember, keyOf } from "../src/code/resolve/declared.ts";
import { type Definition, findExact, targetOf } from "../src/code/resolve/definitions.ts";
import { type FoundReferences, findReferences } from "../src/code/resolve/references.ts";
import { qualifiedName } from "../src/code/syntax/syntax.ts";
import { NonePrinted } from "./code/none-printed.ts";
import { OtherWords } from "./code/other-words.ts";
import { InsideNames, isUseAt } from "./code/own-uses.ts";
import { CodeOfFiles, declaredAt, placesIn } from "./code/plain-code.ts";
import { type IndexedRepository, sampledKind, withRepository } from "./code/sampled-symbols.ts";
import { reportTally, Tally } from "./code/truth-tally.ts";
import { verdict } from "./measure.ts";

const perKind = Number(process.env["WIELD_TRUTH_SAMPLE"] ?? 50);
const showMisses = process.env["WIELD_TRUTH_SHOW"] !== undefined;
/** More declarations of one name are not asked for one by one. */
const mostOthers = 6;

class LanguageTally extends Tally {
  /** Occurrences of the names asked for, and those that no count has. */
  occurrences = 0;
  dropped = 0;
  /** Names that may be a local variable somewhere, or that an import gives to something else: not in the truth. */
  leftOut = 0;
  /** Uses that an answer gives to a type of a library, which nothing here declares: not in the truth. */
  ofLibraries = 0;
  slowestMs = 0;
}

const folders = (process.env["WIELD_TRUTH"] ?? corporaFolder).split(":");
const rootsIn = (folder: string) =>
  readdirSync(folder)
    .map((name) => realpathSync(join(folder, name)))
    .filter((root) => statSync(root).isDirectory());
const libraries = process.env["WIELD_TRUTH_WORDS"]?.split(":") ?? [];
const words = new OtherWords([...folders.flatMap(rootsIn), ...libraries]);
const languages = process.env["WIELD_TRUTH_LANGUAGES"]?.split(",");
for (const folder of folders) await measureFolder(folder);

async function measureFolder(folder: string): Promise<void> {
  const roots = rootsIn(folder);
  const tallies = new Map<string, LanguageTally>();
  const none = new NonePrinted(roots.length);
  for (const root of roots) {
    await withRepository(root, perKind, async (repository) => {
      const code = new CodeOfFiles(root);
      const inside = await InsideNames.of(root, repository.project);
      for (const [language, definitions] of repository.symbols) {
        if (languages && !languages.includes(language)) continue;
        const tally = tallies.get(language) ?? new LanguageTally();
        tallies.set(language, tally);
        for (const definition of definitions) await ask(repository, definition, tally, code, inside);
      }
      await none.ask(repository, code);
    });
  }
  console.log(`\n  ${basename(folder)}: ${roots.map((root) => basename(root)).join(", ")}`);
  for (const [language, tally] of [...tallies].sort()) {
    const { dropped, occurrences, leftOut, ofLibraries, slowestMs, notes } = tally;
    reportTally(
      language,
      tally,
      `; ${leftOut} names and ${ofLibraries} uses of libraries' types left out, slowest ${Math.round(slowestMs)} ms, dropped ${dropped} of ${occurrences}`,
    );
    if (dropped > 0) verdict(`${language}: ${dropped} occurrences in no count`, "none", false);
    if (showMisses) for (const note of notes) console.log(`      ${note}`);
  }
  none.report(showMisses);
}

async function ask(
  repository: IndexedRepository,
  definition: Definition,
  tally: LanguageTally,
  code: CodeOfFiles,
  inside: InsideNames,
): Promise<void> {
  const { root, project, modules } = repository;
  const { name } = definition.declaration;
  const language = languageNamed(definition.syntax.language);
  const family = familyOfLanguage(definition.syntax.language);
  const cell = tally.of(sampledKind(definition) ?? "const");
  cell.symbols++;
  const begin = performance.now();
  const found = await findReferences(project, modules, definition);
  tally.slowestMs = Math.max(tally.slowestMs, performance.now() - begin);

  const all = (await findExact(project, name)).filter(
    (d) => familyOfLanguage(d.syntax.language) === family && d.declaration.name === name,
  );
  const others = all.filter((d) => keyOf(d) !== keyOf(definition));
  const areAsked = others.length <= mostOthers;
  const answers: { of: Definition; found: FoundReferences }[] = [];
  for (const of of areAsked ? others : [])
    answers.push({ of, found: await findReferences(project, modules, of) });
  const claimed = placesOf(found.references, ...answers.map((answer) => answer.found.references));
  const rivals = answers.filter(({ of }) => !isSame(of, definition));
  const elsewhere = placesOf(
    ...rivals.map((rival) => rival.found.references.filter((reference) => reference.certain)),
  );

  const places: { place: string; isUse: boolean }[] = [];
  for (const { file } of project.words.withWord(name)) {
    if (familyOfLanguage(file.language) !== family) continue;
    const text = code.of(file.path);
    const syntax = await project.syntax(file);
    const own = new Set(syntax?.declarations.filter((d) => d.name === name).map((d) => declaredAt(text, d)));
    for (const at of placesIn(text, name, language)) {
      if (own.has(at) || (language?.sigil && text[at - 1] === language.sigil)) continue;
      const isUse =
        isInSight(file.path, all) &&
        isUseAt(text, at, name, all) &&
        !(syntax && inside.isFromOutside(text, at, name, syntax, all));
      places.push({ place: `${file.path}:${at}`, isUse });
    }
  }

  const counted = [...found.others.values()].reduce((sum, count) => sum + count, 0);
  const own = placesOf(found.references);
  const open = places.filter(({ place }) => !own.has(place));
  tally.occurrences += places.length;
  // An opening may be taken for a text by the plain reading: only what a whole file's answer lacks was dropped.
  const dropped = Math.max(0, open.length - counted);
  tally.dropped += dropped;
  if (dropped > 0)
    tally.notes.push(`dropped ${dropped} ${targetOf(definition)}: ${open[0]?.place} ${open[1]?.place ?? ""}`);

  const isOwn = words.isOwn(root, family, name) && areAsked;
  const isUnclear =
    found.others.has("a local variable") || found.others.has("a variable") || inside.isRenamed(name);
  if (isOwn && isUnclear) tally.leftOut++;
  else if (isOwn) {
    const uses = places.filter(({ isUse }) => isUse);
    const missing = uses.filter(({ place }) => !claimed.has(place));
    const ofTypes = [...found.others].filter(([of]) => inside.isOfLibraryType(of, all));
    const outside = Math.min(
      missing.length,
      ofTypes.reduce((sum, [, count]) => sum + count, 0),
    );
    const missed = missing.length - outside;
    tally.ofLibraries += outside;
    cell.truth += uses.length - outside;
    cell.missing += missed;
    if (missed > 0)
      tally.notes.push(
        `missing ${missed} ${targetOf(definition)}: ${missing[0]?.place} (${[...found.others.keys()].slice(0, 4).join("; ")})`,
      );
  }
  const inCode = new Set(places.map(({ place }) => place));
  const sure = found.references.filter((r) => r.certain && r.length === name.length);
  // `[$this, 'name']`, `'Type::name'`, `'App\\name'`: texts that name methods and functions.
  const isCallable = ({ file, offset }: FoundReferences["references"][number]) =>
    language?.methodTexts !== undefined && /[\\'":]/.test(code.whole(file)[offset - 1] ?? "");
  const wrong = sure.filter((r) => {
    const place = `${r.file}:${r.offset}`;
    return elsewhere.has(place) || (!inCode.has(place) && code.isText(r.file, r.offset) && !isCallable(r));
  });
  if (!areAsked) return;
  cell.sure += sure.length;
  cell.wrong += wrong.length;
  if (wrong.length > 0)
    tally.notes.push(
      `wrong ${wrong.length} of ${sure.length} ${targetOf(definition)}: ${wrong[0]?.file}:${wrong[0]?.offset} (${rivals
        .slice(0, 3)
        .map(({ of }) => targetOf(of))
        .join("; ")})`,
    );
}

/** In Go a name with a small letter is that of its folder alone. */
function isInSight(path: string, all: readonly Definition[]): boolean {
  const [first] = all;
  if (first?.syntax.language !== "Go" || /^\p{Lu}/u.test(first.declaration.name)) return true;
  return all.some((d) => isMember(d) || dirname(d.file) === dirname(path));
}

function placesOf(...lists: FoundReferences["references"][]): Set<string> {
  return new Set(lists.flat().map(({ file, offset }) => `${file}:${offset}`));
}

/** The type itself, or the one that a constructor makes. */
function lastPart(d: Definition): string | undefined {
  return isConstructor(d) ? d.declaration.owner : qualifiedName(d.declaration);
}

function isDescription(file: string): boolean {
  return /\.d\.[cm]?ts$/.test(file);
}

/** Behind `using namespace app;`, a source of C++ defines `app::Store::save` as `Store::save`. */
function isSameName({ syntax }: Definition, a: string, b: string): boolean {
  const isOutOfLine =
    languageNamed(syntax.language)?.typesStandOutOfLine && a.includes(".") && b.includes(".");
  return a === b || (isOutOfLine === true && (a.endsWith(`.${b}`) || b.endsWith(`.${a}`)));
}

/** With its package: `app.io.Store`, whether the package says it or an object in a file of `app`. */
function wholeName({ syntax, declaration }: Definition): string {
  return [syntax.package, qualifiedName(declaration)].filter(Boolean).join(".");
}

function lastParts(d: Definition): string {
  return qualifiedName(d.declaration).split(".").slice(-2).join(".");
}

/** Constructors and their types, overloads, prototypes, parts of one type and variants for several platforms are one thing. */
function isSame(a: Definition, b: Definition): boolean {
  if (isConstructor(a) || isConstructor(b)) return isSameName(a, `${lastPart(a)}.`, `${lastPart(b)}.`);
  // `declare module "store" { class Store … }` describes what the scripts declare outside of all modules.
  if (isDescription(a.file) !== isDescription(b.file)) return lastParts(a) === lastParts(b);
  const { packageIs } = languageNamed(a.syntax.language) ?? {};
  if (packageIs === "declared" && wholeName(a) === wholeName(b)) return true;
  if (!isSameName(a, qualifiedName(a.declaration), qualifiedName(b.declaration))) return false;
  // `interface Store` and `const Store` in one file are one export; `Store = make()` in Ruby is opened by `class Store` in any.
  const { family, mixins } = languageNamed(a.syntax.language) ?? {};
  const isMerged = mixins === true || (a.file === b.file && family === "script");
  if (!isMerged && typeKinds.has(a.declaration.kind) !== typeKinds.has(b.declaration.kind)) return false;
  if (a.file === b.file) return true;
  const isShared = languageNamed(a.syntax.language)?.scoping !== "imported";
  return isShared || (a.syntax.package !== undefined && a.syntax.package === b.syntax.package);
}
