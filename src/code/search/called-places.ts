import { pathKind } from "../files/path-kind.ts";
import { languageOf } from "../languages/languages.ts";
import type { Project } from "../project/project.ts";
import { type Declaration, qualifiedName } from "../syntax/syntax.ts";
import type { FoundPlace } from "./places.ts";

/** Something that the first places of an answer call, declared elsewhere. */
export interface CalledPlace {
  name: string;
  file: string;
  startLine: number;
  endLine: number;
  signature: string;
}

const mostCalled = 6;
/** Shorter names after a dot are most often methods of the language's own types. */
const shortestMethod = 6;

/** What places call by a name that only one source file declares: where the answer goes on, most likely. */
export async function calledFrom(
  project: Project,
  places: readonly FoundPlace[],
  mayRead: (path: string) => boolean,
): Promise<CalledPlace[]> {
  const called = new Map<string, CalledPlace>();
  const styles = new Set(places.map(({ file }) => languageOf(file)?.importStyle));
  for (const name of namesCalled(places)) {
    if (called.size >= mostCalled) break;
    const files = project
      .declaring(name)
      .filter(
        ({ path }) =>
          pathKind(path) === "source" && styles.has(languageOf(path)?.importStyle) && mayRead(path),
      );
    const [file] = files;
    if (!file || files.length > 1) continue;
    const syntax = await project.syntax(file);
    const found = syntax?.declarations.filter((one) => one.name === name && isCallable(one)) ?? [];
    const [declaration] = found;
    if (!declaration || found.length > 1) continue;
    const { startLine, endLine, signature } = declaration;
    if (
      places.some(
        (place) => place.file === file.path && place.startLine <= startLine && place.endLine >= endLine,
      )
    )
      continue;
    called.set(name, { name: qualifiedName(declaration), file: file.path, startLine, endLine, signature });
  }
  return [...called.values()];
}

const isCallable = ({ kind, bodiless }: Declaration) =>
  !bodiless && (kind === "func" || kind === "method" || kind === "class" || kind === "macro");

function namesCalled(places: readonly FoundPlace[]): Set<string> {
  const names = new Set<string>();
  for (const { text } of places) {
    for (const [, dot, name = ""] of text.matchAll(/(\.|->|::)?\b([A-Za-z_]\w{2,})(?:<[^<>()]*>)?\(/g)) {
      if (dot !== "." || name.length >= shortestMethod) names.add(name);
    }
  }
  return names;
}
