// Modules that code loads while it runs: `const m = await import("./x")`, `importlib.import_module("a.x").name`.
import type { ParsedFile } from "../../project/project.ts";
import { enclosing, type FileSyntax, type Import, isQuiet, type Local } from "../../syntax/syntax.ts";
import type { Bindings } from "../bindings.ts";
import type { Definition } from "../definitions.ts";
import { localAt, placesOf } from "../occurrences.ts";

const gives = ({ whole, names }: Import, name: string) =>
  whole === name || (names?.some(([, alias]) => alias === name) ?? false);

/** A statement binds names shortly before the call that loads the module. */
const longestBinding = 200;

/** The import whose value, or a part of it, a local name is bound to. */
export const importBoundTo = ({ imports }: FileSyntax, name: string, local: Local): Import | undefined =>
  imports.find(
    (clause) => gives(clause, name) && clause.start > local[1] && clause.start - local[1] < longestBinding,
  );

/** The import of which a key of a pattern takes a part: `const { name: other } = await import("./x")`. */
export const importTaking = ({ imports }: FileSyntax, name: string, offset: number): Import | undefined =>
  imports.find(
    ({ names, start }) =>
      start > offset &&
      start - offset < longestBinding &&
      names?.some(([part, alias]) => part === name && alias !== name),
  );

/** A file with those of its imports that may give a name at a place: functions may each give it another meaning. */
export function inSightOf(file: ParsedFile, name: string, offset: number): ParsedFile {
  const { syntax } = file;
  const giving = syntax.imports.filter((clause) => gives(clause, name));
  if (giving.length < 2) return file;
  const local = localAt(syntax, name, offset);
  const bound = local && importBoundTo(syntax, name, local);
  const seen = new Set(bound ? [bound] : inInnermost(syntax, giving, offset));
  const imports = syntax.imports.filter((clause) => seen.has(clause) || !giving.includes(clause));
  return seen.size === 0 ? file : { ...file, syntax: { ...syntax, imports } };
}

/**
 * A file as a name in it is read at a place, where functions import the name: the import of the function around hides what
 * the file declares, and those of other functions mean nothing there.
 */
export function withImportsAt(file: ParsedFile, name: string, offset: number): ParsedFile {
  const { syntax } = file;
  const inFunctions = syntax.imports.flatMap((clause) => {
    const scope = gives(clause, name) ? enclosing(syntax, clause.start) : undefined;
    return scope?.kind === "func" || scope?.kind === "method" ? [{ clause, scope }] : [];
  });
  if (inFunctions.length === 0) return file;
  const around = inFunctions.filter(({ scope }) => scope.start <= offset && offset < scope.end);
  const innermost = Math.max(...around.map(({ scope }) => scope.start));
  const own = around.filter(({ scope }) => scope.start === innermost).map(({ clause }) => clause);
  if (own.length > 0) return { ...file, syntax: { ...syntax, declarations: [], imports: own } };
  const elsewhere = new Set(inFunctions.map(({ clause }) => clause));
  return { ...file, syntax: { ...syntax, imports: syntax.imports.filter((one) => !elsewhere.has(one)) } };
}

/** Those in the innermost function around a place that holds any. */
function inInnermost(syntax: FileSyntax, clauses: readonly Import[], offset: number): Import[] {
  const around = clauses
    .map((clause) => ({ clause, scope: enclosing(syntax, clause.start) }))
    .filter(({ scope }) => !scope || (scope.start <= offset && offset < scope.end));
  const innermost = Math.max(...around.map(({ scope }) => scope?.start ?? -1));
  return around.filter(({ scope }) => (scope?.start ?? -1) === innermost).map(({ clause }) => clause);
}

/** The import that is itself what stands before a dot: `require("./x").name`, `(await import("./x")).name`. */
export const importBeforeDot = ({ source, syntax }: ParsedFile, end: number): Import | undefined =>
  source[end - 1] === ")"
    ? syntax.imports.find(
        (clause) =>
          isLoad(source, clause) && clause.end <= end && /^[\s)]*$/.test(source.slice(clause.end, end)),
      )
    : undefined;

/** What is declared in a module that the file loads and gives no name: it may be passed on to anything here. */
export function ofNamelessModules(
  file: ParsedFile,
  definitions: readonly Definition[],
  bindings: Bindings,
): Definition[] {
  const nameless = file.syntax.imports.filter(
    (clause) => !clause.whole && !clause.names && isLoad(file.source, clause),
  );
  const files = new Set(nameless.flatMap((clause) => bindings.files(file, clause)));
  return definitions.filter((d) => files.has(d.file));
}

/** What is given by a module that this file imports as a whole and hands on as a value: `const other = tools;`. */
export async function ofModulesAsValues(
  file: ParsedFile,
  { name, asked }: { name: string; asked: readonly Definition[] },
  bindings: Bindings,
): Promise<Definition[]> {
  const found: Definition[] = [];
  for (const { whole, start, end } of file.syntax.imports) {
    if (whole === undefined || asked.length === 0) continue;
    const isValue = placesOf(whole, file.source).some(
      (at) =>
        (at < start || at >= end) &&
        !isQuiet(file.syntax, at) &&
        !/^\s*\??\./.test(file.source.slice(at + whole.length, at + whole.length + 20)),
    );
    const led = isValue ? await bindings.memberTargets(file, whole, name) : [];
    found.push(...asked.filter((d) => led.some((one) => one.file === d.file && one.name === name)));
  }
  return found;
}

/** A call, not a statement. */
const isLoad = (source: string, { start, end }: Import) =>
  source[end - 1] === ")" && /^[\w.]+\s*\(/.test(source.slice(start, start + 80));
