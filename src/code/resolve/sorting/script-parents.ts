// `super.name` in a class: the member of the nearest class above that has it, as imports lead to those.
import type { ParsedFile } from "../../project/project.ts";
import { renamedInFile } from "../../syntax/parent-types.ts";
import type { Declaration, FileSyntax } from "../../syntax/syntax.ts";
import { lastOwner } from "../declared.ts";
import type { Definition } from "../definitions.ts";
import type { Target } from "../full-names.ts";
import { inFamily } from "./candidates.ts";
import type { FileContext, Question } from "./question.ts";
import { other, possible, type Verdict } from "./verdict.ts";

interface ClassAt {
  path: string;
  syntax: FileSyntax;
  name: string;
  /** The lines of its declaration. */
  lines?: readonly [number, number];
}

const deepest = 30;

/** Undefined where no class with a parent is around. */
export async function memberOfSuperInScript(
  question: Question,
  context: FileContext,
  offset: number,
): Promise<Verdict | undefined> {
  const { candidates } = question;
  const { file, language } = context;
  const around = classAround(file, offset);
  if (!around) return undefined;
  const asked = inFamily(candidates.members, language).filter((d) => candidates.isAsked(d));
  const others = asked.filter((d) => d.file !== file.path || lastOwner(d) !== around.name);
  const names = new Set<string>();
  let front = [around];
  let isOpen = false;
  for (let depth = 0; depth < deepest && front.length > 0; depth++) {
    const above = await parentsOf(question, front);
    isOpen ||= above.isOpen;
    front = above.found;
    for (const { name } of front) names.add(name);
    const isOf = (d: Definition) => front.some((one) => one.path === d.file && one.name === lastOwner(d));
    const members = inFamily(candidates.members, language).filter(isOf);
    if (members.length === 0) continue;
    const isOneOfSeveral = isOpen || new Set(members.map(lastOwner)).size > 1;
    const meant = members.filter((d) => candidates.isAsked(d));
    return isOneOfSeveral && meant.length > 0
      ? possible("several parents may have it", meant)
      : candidates.verdictOn(members);
  }
  const given = isOpen ? others : others.filter((d) => names.has(lastOwner(d)));
  return given.length > 0
    ? possible(`a parent of ${around.name} may have it`, given)
    : other(`a parent of ${around.name}`);
}

function classAround({ path, syntax }: ParsedFile, offset: number): ClassAt | undefined {
  const type = syntax.declarations.findLast((d) => d.kind === "class" && d.start <= offset && offset < d.end);
  const isChild = syntax.inherits.some(({ child, anonymous }) => !anonymous && child === type?.name);
  return type && isChild
    ? { path, syntax, name: type.name, lines: [type.startLine, type.endLine] }
    : undefined;
}

/** The classes that some others name as their parents; open where one of them is not known. */
async function parentsOf(
  { resolver: { bindings, project } }: Question,
  classes: readonly ClassAt[],
): Promise<{ found: ClassAt[]; isOpen: boolean }> {
  const found: ClassAt[] = [];
  let isOpen = false;
  for (const { path, syntax, name, lines } of classes) {
    const scope = { path, syntax };
    for (const { child, parent, space, line, anonymous } of syntax.inherits) {
      if (anonymous || child !== name || (lines && (line < lines[0] || line > lines[1]))) continue;
      const led: Target[] =
        space === undefined
          ? await bindings.targets(scope, renamedInFile(syntax, parent))
          : await bindings.memberTargets(scope, space, parent);
      for (const target of led) {
        const file = project.words.file(target.file);
        const theirs = file && (await project.syntax(file));
        const declared = theirs?.declarations.find((d) => d.name === target.name);
        if (theirs && declared && !isInterface(declared))
          found.push({ path: target.file, syntax: theirs, name: target.name });
      }
      isOpen ||= led.length === 0;
    }
  }
  return { found, isOpen };
}

const isInterface = ({ kind }: Declaration) => kind === "interface" || kind === "type";
