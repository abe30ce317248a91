import { z } from "zod";
import type { CodeIntelligence } from "../../code/code.ts";
import { kinds } from "../../code/languages/language.ts";
import type { Coverage } from "../../code/project/project.ts";
import type { Definition } from "../../code/resolve/definitions.ts";
import { qualifiedName } from "../../code/syntax/syntax.ts";
import type { ToolContext } from "../../tool/tool.ts";

/** The code of the workspace; asked for only when a tool runs, so that nothing is loaded before. */
export type Code = () => Promise<CodeIntelligence>;

const kindNames = z.enum(kinds);
export const kindInput = kindNames.optional();
/**
 * The same without the list of kinds in the schema, which is sent with every step; the error for an unknown kind
 * lists them.
 */
export const kindNameInput = z.string().pipe(kindNames).optional();

export const plainSymbol = z.string().trim().min(1).max(300);

export const symbolInput = plainSymbol.describe("Type.method, src/a.ts#foo");

/** One declaration as tools report it. */
export const definitionOutput = z.object({
  name: z.string().describe("With what it belongs to: Type.method"),
  kind: z.string(),
  signature: z.string(),
  file: z.string(),
  line: z.number(),
  startLine: z.number().describe("Where its text begins, decorators included"),
  endLine: z.number(),
});
export type DefinitionValue = z.infer<typeof definitionOutput>;

export function definitionValue({ file, declaration }: Definition): DefinitionValue {
  const { kind, signature, line, startLine, endLine } = declaration;
  return { name: qualifiedName(declaration), kind, signature, file, line, startLine, endLine };
}

export function codeOptions({ signal, progress, mayRead }: ToolContext) {
  return { signal, progress, mayRead };
}

/** `Did you mean Type.name?`, for a symbol that nothing has; nothing where no name is like it. */
export async function similarText(
  engine: CodeIntelligence,
  symbol: string,
  context: ToolContext,
): Promise<string | undefined> {
  const { found, near } = await engine.definitions(symbol, undefined, codeOptions(context));
  const names = found.length > 0 ? found.map(({ declaration }) => qualifiedName(declaration)) : near;
  const shown = [...new Set(names)].filter((name) => name !== symbol).slice(0, mostSimilar);
  return shown.length > 0 ? `Did you mean ${shown.join(" or ")}?` : undefined;
}

const mostSimilar = 3;

/** Said while not every file is parsed yet: the answer may lack what no search led to. */
export function notice(
  { code, parsed }: Coverage,
  how = "answered by searching with the parser",
): string | undefined {
  return parsed >= code ? undefined : `Index is being built (${parsed} of ${code} files parsed); ${how}.`;
}

/** The first of several paths, and how many more there are. */
export function firstOf(paths: readonly string[], count: number): string {
  const more = paths.length - count;
  return [...paths.slice(0, count), ...(more > 0 ? [`… ${more} more`] : [])].join(", ");
}

/** `file:line`, and the last line where there is more than one. */
export const placeOf = ({ file, line, endLine }: DefinitionValue) =>
  endLine > line ? `${file}:${line}-${endLine}` : `${file}:${line}`;

const longName = 50;

/** The name of the declaration around a line, kept short: `Type.method`, or only the last part if that is long. */
export function nameAround(qualified: string): string {
  const parts = qualified.split(".").slice(-2);
  // The module that a file keeps its tests in says nothing, and a long name has no place for it.
  const two = (/^tests?$/.test(parts[0] ?? "") ? parts.slice(-1) : parts).join(".");
  return two.length > longName ? (two.split(".").at(-1) ?? two) : two;
}

/** The declaration; with the type it belongs to where the text does not say it. */
export function titled({ name, signature }: { name: string; signature: string }): string {
  const owner = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  const last = owner.slice(owner.lastIndexOf(".") + 1);
  return owner === "" || signature.includes(last) ? signature : `${owner}: ${signature}`;
}
