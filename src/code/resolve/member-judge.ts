import type { ParsedFile, Project } from "../project/project.ts";
import { enclosing } from "../syntax/syntax.ts";
import type { Bindings } from "./bindings.ts";
import type { Definition } from "./definitions.ts";
import { isShadowed, type Judge, type Judged, occurrencesOf } from "./occurrences.ts";
import { familyOf, receiverType } from "./receivers.ts";

/** A member belongs to whoever's type it is: known for `this`, for types and for variables that say their type. */
export async function judgeMember(
  project: Project,
  bindings: Bindings,
  { declaration, file: home, syntax }: Definition,
): Promise<Judge> {
  const { name } = declaration;
  const owner = declaration.owner?.split(".").at(-1) ?? "";
  const family = await familyOf(project, owner);
  const owners = new Set(
    (
      await Promise.all(
        project.declaring(name).map(async (file) => (await project.syntax(file))?.declarations ?? []),
      )
    )
      .flat()
      .filter(
        (d) =>
          d.name === name &&
          d.owner &&
          !d.owner.includes("(") &&
          (d.kind === "method" || d.kind === "field" || d.kind === "const"),
      )
      .map((d) => d.owner?.split(".").at(-1) ?? ""),
  );
  const isUnique = [...owners].every((other) => family.has(other));
  return async (file) => {
    const found: Judged[] = [];
    for (const occurrence of occurrencesOf(name, file.source, file.syntax)) {
      const { offset, receiver } = occurrence;
      if (receiver === undefined) {
        // Without a receiver: a member of the type around it, in languages where `this` need not be written.
        const implicit = /^(?:Java|Kotlin|C\+\+|C#|Swift|Scala|Ruby|PHP)$/.test(file.syntax.language);
        const around = implicit && enclosing(file.syntax, offset)?.owner?.split(".").at(-1);
        if (around && family.has(around) && !isShadowed(file.syntax, name, offset))
          found.push({ ...occurrence, certain: true });
        continue;
      }
      const modules = moduleFiles(bindings, file, receiver);
      if (modules.length > 0) {
        if (modules.includes(home)) found.push({ ...occurrence, certain: true });
        continue;
      }
      const type = await receiverType(project, file, occurrence);
      if (type === undefined) {
        if (areRelated(file.syntax.language, syntax.language)) {
          found.push({ ...occurrence, certain: isUnique });
        }
      } else if (family.has(type) || (file.path === home && type === owner))
        found.push({ ...occurrence, certain: true });
    }
    return found;
  };
}

/** A table that is a module, in Lua: the file that it comes from. */
function moduleFiles(bindings: Bindings, file: ParsedFile, receiver: string): string[] {
  if (file.syntax.language !== "Lua") return [];
  return file.syntax.imports
    .filter(({ whole }) => whole === receiver)
    .flatMap((clause) => bindings.files(file, clause));
}

const areRelated = (a: string, b: string) =>
  a === b ||
  (/^(?:TypeScript|TSX|JavaScript)$/.test(a) && /^(?:TypeScript|TSX|JavaScript)$/.test(b)) ||
  (/^C(?:\+\+)?$/.test(a) && /^C(?:\+\+)?$/.test(b));
