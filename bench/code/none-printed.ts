// Questions about anything that is declared: is "none" ever said where the name stands in code, and is every target that an
// answer prints accepted again?
import { familyOfLanguage, languageNamed } from "../../src/code/languages/languages.ts";
import { type Definition, findDefinitions, targetOf } from "../../src/code/resolve/definitions.ts";
import { askGraph } from "../../src/code/resolve/graph.ts";
import { type FoundReferences, findReferences } from "../../src/code/resolve/references.ts";
import { chooseTarget } from "../../src/code/resolve/target.ts";
import { verdict } from "../measure.ts";
import { type CodeOfFiles, declaredAt, placesIn } from "./plain-code.ts";
import { type IndexedRepository, sample } from "./sampled-symbols.ts";

const questions = Number(process.env["WIELD_TRUTH_QUESTIONS"] ?? 5_000);
const targets = Number(process.env["WIELD_TRUTH_TARGETS"] ?? 10_000);

export class NonePrinted {
  readonly #share: number;
  readonly #falseNones: string[] = [];
  readonly #refused: string[] = [];
  /** Questions by language. */
  readonly #asked = new Map<string, number>();
  #askedAgain = 0;
  #owed = 0;
  #owedAgain = 0;

  /** The questions are spread over so many repositories. */
  constructor(repositories: number) {
    this.#share = 1 / repositories;
  }

  async ask(repository: IndexedRepository, code: CodeOfFiles): Promise<void> {
    // What a small repository cannot be asked is asked of the next ones.
    this.#owed += Math.ceil(questions * this.#share);
    for (const definition of sample(repository.declared, this.#owed - this.#total))
      await this.#askForNone(repository, definition, code);
    this.#owedAgain += Math.ceil(targets * this.#share);
    for (const definition of sample(repository.declared, this.#owedAgain - this.#askedAgain)) {
      this.#askedAgain++;
      if (!(await isAccepted(repository, definition)))
        this.#refused.push(`${targetOf(definition)} ${definition.declaration.kind}`);
    }
  }

  get #total(): number {
    return [...this.#asked.values()].reduce((sum, count) => sum + count, 0);
  }

  report(showMisses: boolean): void {
    const languages = [...this.#asked].sort().map(([language, count]) => `${language} ${count}`);
    verdict(
      `${this.#total} questions (${languages.join(", ")}) each of references, callers and definition: "none" said ${this.#falseNones.length} times where the name stands in code`,
      "never",
      this.#falseNones.length === 0,
    );
    verdict(
      `${this.#askedAgain} printed targets asked for again: ${this.#refused.length} not accepted`,
      "none",
      this.#refused.length === 0,
    );
    if (showMisses) for (const miss of [...this.#refused, ...this.#falseNones]) console.log(`      ${miss}`);
  }

  /** References, callers and the definition itself: none of them may be "none" where the name stands in code. */
  async #askForNone(
    { project, modules }: IndexedRepository,
    definition: Definition,
    code: CodeOfFiles,
  ): Promise<void> {
    const { language } = definition.syntax;
    this.#asked.set(language, (this.#asked.get(language) ?? 0) + 1);
    const target = targetOf(definition);
    const { kind } = definition.declaration;
    if ((await findDefinitions(project, target, kind)).length === 0)
      this.#falseNones.push(`definition of ${target}`);
    const found = await findReferences(project, modules, definition);
    const graph = await askGraph(
      project,
      modules,
      { operation: "callers", target, depth: 1, kind },
      () => true,
    );
    const sorted = graph && "nodes" in graph ? graph.sorted : undefined;
    const says = [...(isNone(found) ? ["references"] : []), ...(sorted && isNone(sorted) ? ["callers"] : [])];
    if (says.length === 0) return;
    const place = await firstPlace(project, definition, code);
    if (place) this.#falseNones.push(`${says.join(" and ")} of ${target}: ${place}`);
  }
}

const isNone = ({ references, others }: FoundReferences) => references.length === 0 && others.size === 0;

/** Where the name stands in code of its language family besides its declarations. */
async function firstPlace(
  project: IndexedRepository["project"],
  { declaration: { name }, syntax: { language } }: Definition,
  code: CodeOfFiles,
): Promise<string | undefined> {
  const written = languageNamed(language);
  for (const { file } of project.words.withWord(name)) {
    if (familyOfLanguage(file.language) !== familyOfLanguage(language)) continue;
    const text = code.of(file.path);
    const syntax = await project.syntax(file);
    const own = new Set(syntax?.declarations.filter((d) => d.name === name).map((d) => declaredAt(text, d)));
    const place = placesIn(text, name, written).find(
      (at) => !own.has(at) && !(written?.sigil && text[at - 1] === written.sigil),
    );
    if (place !== undefined) return `${file.path}:${place}`;
  }
  return undefined;
}

/** Whether a target that an answer prints is accepted and means what it was printed for. */
async function isAccepted({ project }: IndexedRepository, definition: Definition): Promise<boolean> {
  const { kind, name } = definition.declaration;
  const chosen = await chooseTarget(project, targetOf(definition), { operation: "usages", kind }, () => true);
  return (
    chosen !== undefined &&
    "target" in chosen &&
    chosen.all.some((d) => d.file === definition.file && d.declaration.name === name)
  );
}
