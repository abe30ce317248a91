// Other names under which packages pass a thing on: `from .store import Store as Shop`. Scripts: passed-on.ts.
import { familyOfLanguage, languageNamed } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import type { FileSyntax, Import } from "../syntax/syntax.ts";
import type { Bindings } from "./bindings.ts";
import type { Definition } from "./definitions.ts";

/** As many names as anything is given. */
const mostNames = 20;

/** The names under which others may import what is asked for, besides its own. */
export async function passedOnNames(
  project: Project,
  bindings: Bindings,
  asked: readonly Definition[],
): Promise<string[]> {
  const name = asked[0]?.declaration.name ?? "";
  const families = new Set(
    asked
      .filter(({ syntax }) => languageNamed(syntax.language)?.importsArePassedOn)
      .map(({ syntax }) => familyOfLanguage(syntax.language)),
  );
  if (families.size === 0) return [];
  const names = new Set([name]);
  for (const known of names) {
    for (const { file } of project.words.withWord(known)) {
      if (names.size > mostNames || !families.has(familyOfLanguage(file.language))) continue;
      const syntax = await project.syntax(file);
      for (const [clause, alias] of syntax ? renamings(syntax, known) : []) {
        if (!syntax || names.has(alias)) continue;
        const scope = { path: file.path, syntax: { ...syntax, declarations: [], imports: [clause] } };
        // What the file itself passes on under another name is declared there, or imported by another clause.
        const led = await bindings.targets(
          clause.module === "" ? { path: file.path, syntax } : scope,
          clause.module === "" ? known : alias,
        );
        if (led.some((one) => asked.some((d) => d.file === one.file && d.declaration.name === one.name)))
          names.add(alias);
      }
    }
  }
  names.delete(name);
  return [...names];
}

/** The clauses of a file that give others a name under another one. */
const renamings = ({ language, imports }: FileSyntax, name: string): [Import, string][] =>
  imports.flatMap((clause) => {
    const passesOn = clause.reexport || clause.module === "" || languageNamed(language)?.importsArePassedOn;
    return (passesOn ? (clause.names ?? []) : []).flatMap(([imported, alias]): [Import, string][] =>
      imported === name && alias !== name && /\p{L}/u.test(alias) ? [[clause, alias]] : [],
    );
  });
