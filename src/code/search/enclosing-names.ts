import { nameOf } from "../../workspace/path.ts";
import { pathKind } from "../files/path-kind.ts";
import { mayBeCode } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { enclosingName, type FileSyntax } from "../syntax/syntax.ts";

/**
 * What a search parses at most for the names around its matches. Counted in bytes, so that the same search names the same
 * lines on a busy machine; the time is a bound for texts that are slow to parse.
 */
const parsedForNames = { bytesPerFile: 100_000, bytes: 200_000, ms: 3_000 };

/**
 * The functions or types that lines stand in, in the order of the lines. Files that are not parsed yet are parsed now, as
 * far as `parsedForNames` allows; generated and vendored ones are not.
 */
export async function enclosingNames(
  project: Project,
  places: readonly { file: string; line: number }[],
  { isIndexed, signal }: { isIndexed: boolean; signal: AbortSignal | undefined },
): Promise<(string | undefined)[]> {
  const known = new Map<string, FileSyntax | undefined>();
  const until = performance.now() + parsedForNames.ms;
  let bytesLeft = parsedForNames.bytes;
  for (const { file } of places) {
    // Generated and vendored files are large, and where a match stands in them says little.
    const kind = pathKind(file);
    if (known.has(file) || !mayBeCode(nameOf(file)) || kind === "vendored" || kind === "generated") continue;
    signal?.throwIfAborted();
    const mayParse = performance.now() < until ? Math.min(bytesLeft, parsedForNames.bytesPerFile) : 0;
    const { syntax, bytes } = await syntaxOf(project, file, isIndexed, mayParse);
    bytesLeft -= bytes;
    known.set(file, syntax);
  }
  return places.map(({ file, line }) => {
    const syntax = known.get(file);
    return syntax && enclosingName(syntax, line);
  });
}

/** Parsed before, or parsed now if it has no more bytes than may be parsed: without an index this does not build one. */
async function syntaxOf(
  project: Project,
  path: string,
  isIndexed: boolean,
  mayParse: number,
): Promise<{ syntax: FileSyntax | undefined; bytes: number }> {
  const file = isIndexed ? project.words.file(path) : undefined;
  const kept = file && (await project.syntax(file));
  if (kept) return { syntax: kept, bytes: 0 };
  const source = await project.source(path, mayParse).catch(() => undefined);
  if (source === undefined) return { syntax: undefined, bytes: 0 };
  const parsed = await project.parse(path, source).catch(() => undefined);
  return { syntax: parsed?.syntax, bytes: source.length };
}
