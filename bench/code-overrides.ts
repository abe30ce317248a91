// `graph` with inheritors and implementations against compilers and language servers: `WIELD_TRUTH=<folder of repositories>
// npm run bench code-overrides`. Everything that the oracle finds below a type or method, at any distance, must be found.
// Oracles: javac (Java), the TypeScript compiler (TypeScript), gopls (Go), clangd (C++), Python itself (modules that can be
// imported without others). WIELD_TRUTH_SHOW=1 lists what is missing.
import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { corporaFolder } from "../scripts/corpora.ts";
import { typeKinds } from "../src/code/languages/language.ts";
import { type Definition, targetOf } from "../src/code/resolve/definitions.ts";
import { askGraph } from "../src/code/resolve/graph.ts";
import { type BelowOracle, belowOracles } from "./code/below-oracles.ts";
import { declaredIn, type IndexedRepository, withRepository } from "./code/sampled-symbols.ts";
import { verdict } from "./measure.ts";

const showMisses = process.env["WIELD_TRUTH_SHOW"] !== undefined;
interface Tally {
  asked: number;
  truth: number;
  missing: string[];
}
const tallies = new Map<string, Tally>();

const folder = process.env["WIELD_TRUTH"] ?? corporaFolder;
for (const name of readdirSync(folder)) {
  const root = realpathSync(join(folder, name));
  if (statSync(root).isDirectory()) await withRepository(root, 0, compare);
}
report();

async function compare(repository: IndexedRepository): Promise<void> {
  for (const oracle of belowOracles) {
    const files = [...repository.project.words.files()].filter(
      ({ language }) => language === oracle.language,
    );
    if (files.length < 5) continue;
    const opened = await oracle.open(
      repository.root,
      files.map(({ path }) => path),
    );
    if (!opened) {
      console.log(`  ${oracle.language}: ${oracle.program} cannot be had`);
      continue;
    }
    try {
      const declared = await declaredIn(repository.project, { heads: true });
      for (const definition of declared.filter((d) => isAbove(d, oracle)))
        await compareOne({ ...repository, declared }, oracle, definition, opened.below);
    } finally {
      opened.close();
    }
  }
}

function isAbove(
  { declaration: { kind, bodiless }, syntax }: Definition,
  { language }: BelowOracle,
): boolean {
  if (syntax.language !== language) return false;
  // Asked about a type that is no interface, gopls names what stands above it.
  if (language === "Go") return kind === "interface" || (kind === "method" && bodiless === true);
  // Nothing can be derived from an enum in C++; asked about one, clangd names what is below the class around it.
  if (language === "C++" && kind === "enum") return false;
  return typeKinds.has(kind) || kind === "method";
}

async function compareOne(
  { project, modules, declared }: IndexedRepository,
  { language }: BelowOracle,
  definition: Definition,
  below: (definition: Definition) => Promise<ReadonlySet<string> | undefined>,
): Promise<void> {
  const theirs = await below(definition);
  if (!theirs || theirs.size === 0) return;
  const isType = typeKinds.has(definition.declaration.kind);
  const found = new Set<string>();
  for (const operation of isType
    ? (["inheritors", "implementations"] as const)
    : (["implementations"] as const)) {
    const { kind } = definition.declaration;
    const answer = await askGraph(
      project,
      modules,
      { operation, target: targetOf(definition), depth: 1, kind },
      () => true,
    );
    if (!answer || !("nodes" in answer)) continue;
    for (const node of answer.nodes) found.add(`${node.file}:${node.line}`);
    // `class Clock implements Clock`: interface and class are one type, told by the declaration that has the bodies.
    if (answer.target) found.add(`${answer.target.file}:${answer.target.declaration.line}`);
  }
  // Only what is a declaration of its own can be told.
  const known = new Set(
    declared
      .filter((d) => isType === typeKinds.has(d.declaration.kind))
      .map((d) => `${d.file}:${d.declaration.line}`),
  );
  const own = `${definition.file}:${definition.declaration.line}`;
  const tally = tallies.get(language) ?? { asked: 0, truth: 0, missing: [] };
  tallies.set(language, tally);
  tally.asked++;
  for (const place of theirs) {
    if (place === own || !known.has(place)) continue;
    tally.truth++;
    if (!found.has(place)) tally.missing.push(`${targetOf(definition)}: ${place}`);
  }
}

function report(): void {
  for (const [language, { asked, truth, missing }] of [...tallies].sort()) {
    const recall = truth === 0 ? 1 : 1 - missing.length / truth;
    verdict(
      `${language}: ${asked} types and methods with something below them: ${truth - missing.length} of ${truth} found, recall ${recall.toFixed(4)}`,
      "recall 1.0",
      missing.length === 0,
    );
    if (showMisses) for (const miss of missing) console.log(`      ${miss}`);
  }
}
