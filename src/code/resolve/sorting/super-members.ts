// What a name means behind `super`: a member of the types above the one around, never its own.
import type { Language } from "../../languages/language.ts";
import { isMember, lastOwner, parentOf, placeOfType } from "../declared.ts";
import type { Definition } from "../definitions.ts";
import type { Occurrence } from "../occurrences.ts";
import { parentsOf } from "../parents.ts";
import { typesAround } from "../types-around.ts";
import { inFamily } from "./candidates.ts";
import type { FileContext, Question } from "./question.ts";
import { other, possible, type Verdict } from "./verdict.ts";

/** `super.name`, `super().name`, `parent::name`. */
export function isBehindSuper(
  source: string,
  { receiver, receiverEnd, chained, scoped }: Occurrence,
  { selfWords, fieldPrefix }: Language,
): boolean {
  if (chained !== undefined) return false;
  if (receiver === "super" && !scoped) return true;
  if (receiver === "base" && !scoped) return selfWords?.has(receiver) === true;
  if (receiver === "parent" && scoped) return selfWords?.has(receiver) === true;
  // A call that makes a receiver of its own.
  const isCall = receiver === "" && fieldPrefix !== undefined;
  return (
    isCall && /\bsuper\s*\([^()]*\)$/.test(source.slice(Math.max(0, (receiverEnd ?? 0) - 200), receiverEnd))
  );
}

/** The nearest types above that have the member tell which it is, where they are known. */
export async function memberOfSuper(
  { candidates, types, resolver: { project } }: Question,
  { file, language }: FileContext,
  offset: number,
): Promise<Verdict | undefined> {
  const own = typesAround(file.syntax, offset)[0];
  if (own === undefined) return undefined;
  const members = inFamily(candidates.members, language);
  const known = new Set([own]);
  let level = parentsIn(file.syntax.inherits, own) ?? [...(await parentsOf(project, own))];
  let found: Definition[] = [];
  const isHere = (d: Definition) => lastOwner(d) === own && isAround(d, file.path, offset);
  let hasNamesake = level.includes(own);
  while (level.length > 0 && found.length === 0 && known.size < 200) {
    found = members.filter((d) => level.includes(lastOwner(d)) && !isHere(d));
    for (const type of level) known.add(type);
    const above = await Promise.all(level.map((type) => parentsOf(project, type)));
    hasNamesake ||= found.length === 0 && above.some((parents) => parents.has(own));
    level = above.flatMap((parents) => [...parents]).filter((type) => !known.has(type));
  }
  // `class Store(base.Store)`: names do not tell which of the two has it.
  const namesakes = hasNamesake ? members.filter((d) => lastOwner(d) === own && !isHere(d)) : [];
  const isClear = namesakes.length === 0 && !areSeveral(found);
  const asked = members.filter(
    (d) => candidates.isAsked(d) && (lastOwner(d) !== own || namesakes.includes(d)),
  );
  if (found.length > 0 && isClear) {
    const verdict = candidates.verdictOn(found);
    if (verdict.is === "sure") return verdict;
  }
  // Another parent of a type below may stand between, and what is known by name only may be of another type.
  const [first] = found;
  const hidden = first && isClear ? (await types.family(lastOwner(first))).up : new Set<string>();
  for (const d of asked) {
    if (hidden.has(lastOwner(d))) continue;
    if (namesakes.includes(d)) return possible(`a parent of ${own} has its name`, [d]);
    const isAbove = found.includes(d) || (await types.family(own)).up.has(lastOwner(d));
    if (isAbove) return possible(`several parents of ${own} have it`, [d]);
    const below = await types.belowBoth(own, lastOwner(d));
    if (below !== undefined) return possible(`through ${below}`, [d]);
  }
  if (first) return other(`${lastOwner(first)}.${candidates.name}`);
  const isOwn = candidates.asked.every((d) => isMember(d) && lastOwner(d) === own);
  return isOwn ? other(`a parent of ${own}`) : undefined;
}

/** The parents that the type around names in this very file. */
function parentsIn(inherits: FileContext["file"]["syntax"]["inherits"], type: string): string[] | undefined {
  const parents = inherits.filter(({ child, anonymous }) => child === type && !anonymous);
  return parents.length > 0 ? parents.map(({ parent }) => parent) : undefined;
}

/** Whether a member is of a type whose lines hold a place. */
function isAround(member: Definition, path: string, offset: number): boolean {
  const type = parentOf(member);
  return member.file === path && type !== undefined && type.start <= offset && offset < type.end;
}

const areSeveral = (members: readonly Definition[]) =>
  new Set(members.map((d) => placeOfType(d) ?? lastOwner(d))).size > 1;
