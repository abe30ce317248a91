import { Failure } from "../../failure/failure.ts";

/**
 * Names for elements of a session's pages: `@e1`, `@e2` and so on. A name is never reused, so a name from an old
 * snapshot may be stale but never refers to the wrong element.
 */
export class Refs<P extends object> {
  readonly #names = new Map<string, { page: P; ref: string }>();
  readonly #byPage = new WeakMap<P, Map<string, string>>();

  /** A snapshot with these names instead of the browser's, and without marks that are useless to a model. */
  rename(snapshot: string, page: P): string {
    return snapshot
      .replaceAll(/ \[(?:cursor=pointer|active)\]/g, "")
      .replaceAll(/ \[ref=(\w+)\]/g, (_whole, ref: string) => ` ${this.#nameOf(page, ref)}`);
  }

  find(name: string): { page: P; ref: string } {
    const found = this.#names.get(withAt(name));
    if (!found)
      throw new Failure(
        "INVALID_INPUT",
        `There is no element '${name}'. Use a name from the snapshot, such as @e1.`,
      );
    return found;
  }

  #nameOf(page: P, ref: string): string {
    const known = this.#byPage.get(page) ?? new Map<string, string>();
    this.#byPage.set(page, known);
    const name = known.get(ref) ?? `@e${this.#names.size + 1}`;
    known.set(ref, name);
    this.#names.set(name, { page, ref });
    return name;
  }
}

/** The lines of a snapshot that belong to one element; none where it is not shown. */
export function partOf(snapshot: string, name: string): string {
  const lines = snapshot.split("\n");
  const first = lines.findIndex((line) => new RegExp(` ${withAt(name)}(?!\\d)`).test(line));
  if (first < 0) return "";
  const depth = indentOf(lines[first]);
  const rest = lines.slice(first + 1).findIndex((line) => indentOf(line) <= depth);
  const part = lines.slice(first, rest < 0 ? undefined : first + 1 + rest);
  return part.map((line) => line.slice(depth)).join("\n");
}

function withAt(name: string): string {
  return name.startsWith("@") ? name : `@${name}`;
}

function indentOf(line = ""): number {
  return line.length - line.trimStart().length;
}
