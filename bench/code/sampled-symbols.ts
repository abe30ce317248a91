// The symbols of a repository that a benchmark asks about: the same number of each kind in each language, the same ones
// every time.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesBelow, indexFolderAt } from "../../src/code/folder.suite.ts";
import { typeKinds } from "../../src/code/languages/language.ts";
import { Project } from "../../src/code/project/project.ts";
import type { Definition } from "../../src/code/resolve/definitions.ts";
import { ModuleFiles } from "../../src/code/resolve/module-files.ts";
import type { Declaration } from "../../src/code/syntax/syntax.ts";
import { type SampledKind, sampledKinds } from "./truth-tally.ts";

export interface IndexedRepository {
  root: string;
  project: Project;
  modules: ModuleFiles;
  /** Everything that is declared. */
  declared: Definition[];
  /** Some of each kind, by language. */
  symbols: Map<string, Definition[]>;
}

/** Indexes a repository completely, in a state folder of its own, and hands it over. */
export async function withRepository(
  root: string,
  perKind: number,
  use: (repository: IndexedRepository) => Promise<void>,
): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), "wield-truth-"));
  const project = new Project(filesBelow(root), indexFolderAt(state));
  try {
    await project.index.refresh();
    await project.fill({ threads: 2 });
    const modules = await ModuleFiles.of(project);
    const declared = await declaredIn(project);
    await use({ root, project, modules, declared, symbols: sampledSymbols(declared, perKind) });
  } finally {
    project.close();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Everything that is declared; with `heads`, what is declared without a body, too. */
export async function declaredIn(project: Project, { heads = false } = {}): Promise<Definition[]> {
  const all: Definition[] = [];
  for (const file of project.words.files()) {
    const syntax = file.language ? await project.syntax(file) : undefined;
    for (const declaration of syntax?.declarations ?? [])
      if (syntax && (heads || !declaration.bodiless) && isName(declaration))
        all.push({ file: file.path, declaration, syntax, distance: 0 });
  }
  return all;
}

/** `TEST(Store, saves) {` in C is an entry of outlines, but declares no name. */
function isName({ name, signature }: Declaration): boolean {
  const isMacroCall = /^[A-Z_]+$/.test(name) && signature.startsWith(`${name}(`);
  return !isMacroCall && /^(?!operator\W)[\p{L}_$][\p{L}\p{N}_$]*[?!=]?$/u.test(name);
}

function sampledSymbols(all: readonly Definition[], perKind: number): Map<string, Definition[]> {
  const sampled = new Map<string, Definition[]>();
  for (const [language, definitions] of Map.groupBy(all, ({ syntax }) => syntax.language)) {
    const groups = Map.groupBy(definitions, sampledKind);
    sampled.set(
      language,
      sampledKinds.flatMap((kind) => sample(groups.get(kind) ?? [], perKind)),
    );
  }
  return sampled;
}

/** Where a language has no constants, variables at the top of a file stand for them. */
const withoutConstants = new Set(["Python", "Lua", "Bash", "Kotlin", "Swift"]);

export function sampledKind({ declaration: { kind }, syntax }: Definition): SampledKind | undefined {
  if (typeKinds.has(kind)) return "type";
  if (kind === "var" && withoutConstants.has(syntax.language)) return "const";
  return sampledKinds.find((one) => one === kind);
}

export function sample<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[Math.floor(i * step)] as T);
}
