import { z } from "zod";
import { familyOfLanguage, languageOf } from "../../code/languages/languages.ts";
import { Failure } from "../../failure/failure.ts";
import { visibleText } from "../../text/visible.ts";
import type { ToolContext } from "../../tool/tool.ts";
import { type Code, codeOptions } from "./code-answers.ts";
import { mainOf } from "./declaration-body.ts";
import { isShownIn, type Window } from "./line-window.ts";

export const constantOutput = z.object({ file: z.string(), line: z.number(), text: z.string() });
export type Constant = z.infer<typeof constantOutput>;

const mostConstants = 6;
const mostNamesAsked = 12;
const widest = 110;

/** The constants that the shown code names and does not show: their values decide what the code does. */
export async function constantsNamed(
  code: Code,
  windows: readonly Window[],
  context: ToolContext,
): Promise<Constant[]> {
  const found = await ownConstants(code, windows);
  const named = windows.flatMap(({ file, lines }) =>
    (lines.join("\n").match(/(?<![\w.:$])[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? []).map((name) => ({
      name,
      file,
    })),
  );
  const byName = Map.groupBy(named, ({ name }) => name);
  for (const [name, places] of [...byName].slice(0, mostNamesAsked)) {
    if (found.size >= mostConstants) break;
    if (found.has(name)) continue;
    const main = await definitionOf(code, name, context);
    if (!main || isShownIn(windows, { file: main.file, line: main.declaration.line })) continue;
    // A name in capitals means another thing in another language.
    if (!places.some(({ file }) => familyOf(file) === familyOf(main.file))) continue;
    const { line, kind, signature } = main.declaration;
    if (kind !== "const" && kind !== "var" && kind !== "field") continue;
    found.set(name, { file: main.file, line, text: visibleText(signature.slice(0, widest)) });
  }
  return [...found.values()].slice(0, mostConstants);
}

/** Constants of the very files, whatever their names look like; what is computed by a call is more than a value. */
async function ownConstants(code: Code, windows: readonly Window[]): Promise<Map<string, Constant>> {
  const found = new Map<string, Constant>();
  for (const [file, parts] of Map.groupBy(windows, (window) => window.file)) {
    const { syntax } = (await (await code()).outline(file).catch(() => undefined)) ?? {};
    const words = new Set(
      parts.flatMap(({ lines }) => lines.join("\n").match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
    );
    for (const { name, kind, owner, line, endLine, signature } of syntax?.declarations ?? []) {
      const isValue =
        kind === "const" && owner === undefined && line === endLine && /=[^(]+$/.test(signature);
      if (isValue && words.has(name) && !isShownIn(windows, { file, line }))
        found.set(name, { file, line, text: visibleText(signature.slice(0, widest)) });
    }
  }
  return found;
}

function familyOf(file: string): string | undefined {
  const language = languageOf(file);
  return language && familyOfLanguage(language.name);
}

async function definitionOf(code: Code, name: string, context: ToolContext) {
  try {
    const { found } = await (await code()).definitions(name, undefined, codeOptions(context));
    return mainOf(found.filter(({ distance }) => distance === 0));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
