// What `references` and targets are worth on real repositories, by language: `WIELD_TRUTH=<folder of repositories> npm run bench
// code-truth`; without a folder, the packages that `npm run corpora` fetches. The truth is textual: for a name
// that is declared once, every occurrence in code is a use of it; for every name, no occurrence may be missing from the
// counts; and a target that an answer prints must be accepted and mean what it was printed for.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { corporaFolder } from "../scripts/corpora.ts";
import { familyOfLanguage, languageNamed } from "../src/code/languages/languages.ts";
import type { Project } from "../src/code/project/project.ts";
import { isMember } from "../src/code/resolve/declared.ts";
import { type Definition, findDefinitions, targetOf } from "../src/code/resolve/definitions.ts";
import { askGraph } from "../src/code/resolve/graph.ts";
import type { ModuleFiles } from "../src/code/resolve/module-files.ts";
import { type FoundReferences, findReferences } from "../src/code/resolve/references.ts";
import { chooseTarget } from "../src/code/resolve/target.ts";
import { placesIn, plainCode } from "./code/plain-code.ts";
import { type IndexedRepository, sample, withRepository } from "./code/sampled-symbols.ts";
import { verdict } from "./measure.ts";

const perKind = Number(process.env["WIELD_TRUTH_SAMPLE"] ?? 50);
/** Questions about anything declared, over all repositories: is "none" ever said where the name stands in code? */
const questions = Number(process.env["WIELD_TRUTH_QUESTIONS"] ?? 5_000);
/** Targets as answers print them, over all repositories. */
const targets = Number(process.env["WIELD_TRUTH_TARGETS"] ?? 10_000);
const showMisses = process.env["WIELD_TRUTH_SHOW"] !== undefined;

interface Tally {
  questions: number;
  /** Of names declared once: occurrences, and how they were sorted. */
  truth: number;
  sure: number;
  possible: number;
  missing: number;
  /** Occurrences that no count has. */
  dropped: number;
  occurrences: number;
  falseNone: number;
  targets: number;
  badTargets: number;
  slowestMs: number;
  misses: string[];
}
const tallies = new Map<string, Tally>();
const tallyOf = (language: string): Tally => {
  let tally = tallies.get(language);
  if (!tally) {
    tally = {
      questions: 0,
      truth: 0,
      sure: 0,
      possible: 0,
      missing: 0,
      dropped: 0,
      occurrences: 0,
      falseNone: 0,
      targets: 0,
      badTargets: 0,
      slowestMs: 0,
      misses: [],
    };
    tallies.set(language, tally);
  }
  return tally;
};

const falseNones: string[] = [];
let asked = 0;
const refused: string[] = [];
let askedAgain = 0;

const folder = process.env["WIELD_TRUTH"] ?? corporaFolder;
const roots = readdirSync(folder)
  .map((name) => join(folder, name))
  .filter((root) => statSync(root).isDirectory());
for (const root of roots) await withRepository(root, perKind, measure);
report();

async function measure({ root, project, modules, declared, symbols }: IndexedRepository): Promise<void> {
  const plain = new Map<string, string>();
  const codeOf = (path: string) => {
    const code = plain.get(path) ?? plainCode(readFileSync(join(root, path), "utf8"), extensionOf(path));
    plain.set(path, code);
    return code;
  };
  for (const [language, definitions] of symbols)
    for (const definition of definitions) await ask(project, modules, definition, language, codeOf);
  const share = Math.ceil(questions / roots.length);
  for (const definition of sample(declared, share)) await askForNone(project, modules, definition, codeOf);
  for (const definition of sample(declared, Math.ceil(targets / roots.length)))
    await askAgain(project, definition);
}

/** References, callers and the definition itself: none of them may be "none" where the name stands in code. */
async function askForNone(
  project: Project,
  modules: ModuleFiles,
  definition: Definition,
  codeOf: (path: string) => string,
): Promise<void> {
  asked++;
  const target = targetOf(definition);
  const { kind } = definition.declaration;
  if ((await findDefinitions(project, target, kind)).length === 0) falseNones.push(`definition of ${target}`);
  const { references, others } = await findReferences(project, modules, definition);
  const graph = await askGraph(
    project,
    modules,
    { operation: "callers", target, depth: 1, kind },
    () => true,
  );
  const sorted = graph && "nodes" in graph ? graph.sorted : undefined;
  const isNone = (found: Pick<FoundReferences, "references" | "others">) =>
    found.references.length === 0 && found.others.size === 0;
  const says = [
    ...(isNone({ references, others }) ? ["references"] : []),
    ...(sorted && isNone(sorted) ? ["callers"] : []),
  ];
  if (says.length === 0) return;
  const place = await firstPlace(project, definition, codeOf);
  if (place) falseNones.push(`${says.join(" and ")} of ${target}: ${place}`);
}

/** Whether a target that an answer prints is accepted and means what it was printed for. */
async function askAgain(project: Project, definition: Definition): Promise<void> {
  askedAgain++;
  if (!(await isAccepted(project, definition)))
    refused.push(`${targetOf(definition)} ${definition.declaration.kind}`);
}

/** Where the name stands in code of its language family besides its declarations. */
async function firstPlace(
  project: Project,
  { declaration: { name }, syntax: { language } }: Definition,
  codeOf: (path: string) => string,
): Promise<string | undefined> {
  const sigil = languageNamed(language)?.sigil;
  for (const { file } of project.words.withWord(name)) {
    if (familyOfLanguage(file.language) !== familyOfLanguage(language)) continue;
    const code = codeOf(file.path);
    const syntax = await project.syntax(file);
    const own = new Set(
      syntax?.declarations.filter((d) => d.name === name).map((d) => code.indexOf(name, d.nameStart)),
    );
    const place = placesIn(code, name).find((at) => !own.has(at) && !(sigil && code[at - 1] === sigil));
    if (place !== undefined) return `${file.path}:${place}`;
  }
  return undefined;
}

async function ask(
  project: Project,
  modules: ModuleFiles,
  definition: Definition,
  language: string,
  codeOf: (path: string) => string,
): Promise<void> {
  const tally = tallyOf(language);
  const { name } = definition.declaration;
  const family = familyOfLanguage(language);
  tally.questions++;
  const begin = performance.now();
  const found = await findReferences(project, modules, definition);
  tally.slowestMs = Math.max(tally.slowestMs, performance.now() - begin);
  const counted = new Set(found.references.map((r) => `${r.file}:${r.offset}`));
  const others = [...found.others.values()].reduce((sum, count) => sum + count, 0);
  let declared = 0;
  let total = 0;
  let expected = 0;
  const missing: string[] = [];
  const open: string[] = [];
  const sigil = languageNamed(language)?.sigil;
  for (const { file } of project.words.withWord(name)) {
    if (familyOfLanguage(file.language) !== family) continue;
    const syntax = await project.syntax(file);
    const code = codeOf(file.path);
    const own = new Set(
      (syntax?.declarations ?? []).filter((d) => d.name === name).map((d) => code.indexOf(name, d.nameStart)),
    );
    declared += own.size;
    for (const place of placesIn(code, name)) {
      if (own.has(place) || (sigil && code[place - 1] === sigil)) continue;
      total++;
      const isFound = counted.has(`${file.path}:${place}`);
      if (!isFound) open.push(`${file.path}:${place}`);
      // Behind a dot stands a member, and only there: what has the name from outside is left out of the truth.
      const isBehindDot = /(?:\.|::|->|[^:]:)\s*$/.test(code.slice(Math.max(0, place - 40), place));
      if (isBehindDot !== isMember(definition)) continue;
      expected++;
      if (!isFound) missing.push(`${file.path}:${place}`);
    }
  }
  tally.occurrences += total;
  const dropped = Math.max(0, open.length - others);
  tally.dropped += dropped;
  if (dropped > 0) tally.misses.push(`dropped ${targetOf(definition)}: ${open.slice(0, 3).join(" ")}`);
  if (total > 0 && found.references.length === 0 && others === 0) {
    tally.falseNone++;
    tally.misses.push(`none ${targetOf(definition)}: ${open[0]}`);
  }
  const isLocalSomewhere = found.others.has("a local variable");
  if (declared === 1 && name.length >= 5 && !isLocalSomewhere) {
    tally.truth += expected;
    tally.missing += missing.length;
    tally.sure += found.references.filter((r) => r.certain).length;
    tally.possible += found.references.filter((r) => !r.certain).length;
    if (missing.length > 0)
      tally.misses.push(
        `other ${targetOf(definition)}: ${[...found.others.keys()].join("; ")} ${missing.slice(0, 2).join(" ")}`,
      );
  }
  tally.targets++;
  if (await isAccepted(project, definition)) return;
  tally.badTargets++;
  tally.misses.push(`target ${targetOf(definition)} ${definition.declaration.kind}`);
}

async function isAccepted(project: Project, definition: Definition): Promise<boolean> {
  const { kind, name } = definition.declaration;
  const chosen = await chooseTarget(project, targetOf(definition), { operation: "usages", kind }, () => true);
  return (
    chosen !== undefined &&
    "target" in chosen &&
    chosen.all.some((d) => d.file === definition.file && d.declaration.name === name)
  );
}

function report(): void {
  const share = (part: number, all: number) => (all === 0 ? "—" : (part / all).toFixed(4));
  for (const [language, t] of [...tallies].sort()) {
    const recall = t.truth === 0 ? 1 : 1 - t.missing / t.truth;
    verdict(
      `${language}: ${t.questions} symbols, recall of sure and possible ${recall.toFixed(4)} of ${t.truth} (sure ${share(t.sure, t.sure + t.possible)}), ` +
        `dropped ${t.dropped} of ${t.occurrences}, false "none" ${t.falseNone}, targets not accepted ${t.badTargets} of ${t.targets}, slowest ${Math.round(t.slowestMs)} ms`,
      'recall ≥ 0.99, nothing dropped, no false "none", every target accepted',
      recall >= 0.99 && t.dropped === 0 && t.falseNone === 0 && t.badTargets === 0,
    );
    if (showMisses) for (const miss of t.misses.slice(0, 25)) console.log(`      ${miss}`);
  }
  verdict(
    `${asked} questions each of references, callers and definition: "none" said ${falseNones.length} times where the name stands in code`,
    "never",
    falseNones.length === 0,
  );
  verdict(
    `${askedAgain} printed targets asked for again: ${refused.length} not accepted`,
    "none",
    refused.length === 0,
  );
  if (showMisses) for (const target of refused) console.log(`      ${target}`);
  if (showMisses) for (const miss of falseNones) console.log(`      ${miss}`);
}

function extensionOf(path: string): string {
  const extension = path.slice(path.lastIndexOf(".") + 1);
  const same: Record<string, string> = {
    tsx: "ts",
    mts: "ts",
    cts: "ts",
    jsx: "js",
    mjs: "js",
    cjs: "js",
    bash: "sh",
    bats: "sh",
    kts: "kt",
    rake: "rb",
    gemspec: "rb",
    pyi: "py",
  };
  return same[extension] ?? (path.includes(".") ? extension : "sh");
}
