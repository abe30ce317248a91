import { typeKinds } from "../../code/languages/language.ts";
import type { Definition } from "../../code/resolve/definitions.ts";
import { qualifiedName } from "../../code/syntax/syntax.ts";
import { Failure } from "../../failure/failure.ts";
import { nearestNames } from "../../text/nearest.ts";
import { visibleLine } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";
import type { Part } from "./batch-parts.ts";
import { type Code, codeOptions, definitionValue, placeOf } from "./code-answers.ts";
import { bodyOf, mainOf } from "./declaration-body.ts";
import { longestNamed } from "./folded-parts.ts";
import { linesOf } from "./line-window.ts";
import type { ReadPlace } from "./place-text.ts";

/** A longer type is shown by its members; where it is known what the caller is after, it is folded to that first. */
const longType = { most: longestNamed, mostFolded: 400 };
/** Adjacent declarations of one name, such as a getter and its setter, are shown together up to this many lines. */
const mostTogether = 120;
const apart = 12;
const mostNamed = 12;

type SymbolPlace = ReadPlace & { symbol: string };

/** The files that hold what is read together, as far as its names leave no choice. */
export async function filesOf(
  code: Code,
  reads: readonly ReadPlace[],
  context: ToolContext,
): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  for (const { file, symbol } of reads) {
    if (file !== undefined) files.add(file);
    else if (symbol !== undefined) {
      const { found } = await (await code()).definitions(symbol, undefined, codeOptions(context));
      const main = mainOf(found.filter(({ distance }) => distance === 0));
      if (main) files.add(main.file);
    }
  }
  return files;
}

/**
 * A declaration by its name: its lines, or the outline of a long type. Of several with one name, the one in a file that something
 * else is read from.
 */
export async function partOfSymbol(
  code: Code,
  one: SymbolPlace,
  { mostLines, files }: { mostLines: number; files: ReadonlySet<string> },
  context: ToolContext,
): Promise<Part> {
  const name = one.file === undefined ? one.symbol : `${one.file}#${one.symbol}`;
  const { found, near } = await (await code()).definitions(name, undefined, codeOptions(context));
  const [first] = found;
  if (!first || first.distance > 1) throw await notDefined(code, one, near, context);
  const same = found.filter(({ distance }) => distance === first.distance);
  const chosen = mainOf(same) ?? same.find(({ file }) => files.has(file)) ?? first;
  const shown = togetherWith(chosen, same);
  const main = shown[0] ?? first;
  const others = same.filter((definition) => !shown.includes(definition)).map(definitionValue);
  const also = others.length > 0 ? { also: others.map(placeOf) } : {};
  const startLine = Math.min(...shown.map(({ declaration }) => declaration.startLine));
  const endLine = Math.max(...shown.map(({ declaration }) => declaration.endLine));
  if (
    one.num_lines === undefined &&
    endLine - startLine + 1 > (context.topic === undefined ? longType.most : longType.mostFolded) &&
    typeKinds.has(main.declaration.kind)
  ) {
    const outline = await bodyOf(main, context.workspace);
    if (outline !== undefined) return { file: main.file, symbol: one.symbol, outline, ...also };
  }
  const wanted = one.num_lines ?? endLine - startLine + 1;
  const lines = { file: main.file, start_line: startLine, num_lines: wanted };
  const window = await linesOf(context.workspace, lines, mostLines);
  return { ...window, symbol: one.symbol, wanted, ...also };
}

/** The declarations that are shown with the main one: a getter with its setter, overloads with what implements them. */
function togetherWith(main: Definition, same: readonly Definition[]): readonly Definition[] {
  const title = qualifiedName(main.declaration);
  const inFile = same
    .filter(({ file, declaration }) => file === main.file && qualifiedName(declaration) === title)
    .sort((a, b) => a.declaration.startLine - b.declaration.startLine);
  const groups: Definition[][] = [];
  for (const one of inFile) {
    const last = groups.at(-1)?.at(-1);
    if (last && one.declaration.startLine - last.declaration.endLine <= apart) groups.at(-1)?.push(one);
    else groups.push([one]);
  }
  const group = groups.find((some) => some.includes(main)) ?? [main];
  const [start, end] = [group[0] ?? main, group.at(-1) ?? main];
  if (end.declaration.endLine - start.declaration.startLine < mostTogether) return group;
  return [group.reduce((longest, one) => (lengthOf(one) > lengthOf(longest) ? one : longest))];
}

const lengthOf = ({ declaration }: Definition) => declaration.endLine - declaration.startLine;

/** Suggestions: names in the requested file, and where else the name is declared. */
async function notDefined(
  code: Code,
  { file, symbol }: SymbolPlace,
  near: readonly string[],
  context: ToolContext,
): Promise<Failure> {
  const similar = (names: readonly string[]) =>
    names.length > 0 ? ` Did you mean ${names.map(visibleLine).join(" or ")}?` : "";
  if (file === undefined) {
    const told = similar(near.filter((name) => name !== symbol));
    return new Failure("INVALID_INPUT", `${symbol} is not defined here.${told}`);
  }
  const engine = await code();
  const { syntax } = (await engine.outline(file).catch(() => undefined)) ?? {};
  const names = [...new Set((syntax?.declarations ?? []).map(qualifiedName))];
  const last = symbol.split(/[.:]+/).at(-1) ?? symbol;
  const close = nearestNames(
    last,
    names.map((name) => name.split(".").at(-1) ?? name),
  );
  const closest = names.filter((name) => close.includes(name.split(".").at(-1) ?? name));
  const listed = names.slice(0, mostNamed).map(visibleLine).join(", ");
  const there =
    closest.length > 0 || names.length === 0
      ? similar(closest)
      : ` It declares ${listed}${names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ""}.`;
  const { found } = await engine.definitions(symbol, undefined, codeOptions(context));
  const places = found.filter(({ distance }) => distance === 0).map((one) => placeOf(definitionValue(one)));
  const elsewhere =
    places.length > 0
      ? ` ${symbol} is in ${places.slice(0, 3).map(visibleLine).join(", ")}${places.length > 3 ? ` and ${places.length - 3} more` : ""}.`
      : "";
  return new Failure("INVALID_INPUT", `${symbol} is not defined in ${file}.${there}${elsewhere}`);
}
