// Where else the name of a method stands, so that nobody searches for it again.
import type { Account } from "../../code/resolve/account.ts";

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** `35 places in code name it (8 declarations, 11 not counted, 16 uses)`. */
export function placesText({ occurrences, keys, ofOtherTypes, uses }: Account, isMethod: boolean): string {
  const text = `${counted(occurrences, "place")} in code ${occurrences === 1 ? "names" : "name"} it`;
  const others = keys.length + ofOtherTypes;
  const declared = occurrences - others - uses;
  if (!isMethod || declared <= 0) return text;
  const notCounted = others > 0 ? `${others} not counted, ` : "";
  return `${text} (${counted(declared, "declaration")}, ${notCounted}${counted(uses, "use")})`;
}

const mostKeys = 20;
const mostTypes = 6;

/** Members of the same name that are not overrides. */
export function otherMembersText({ keys, ofOtherTypes, otherTypes }: Account): string {
  const more = keys.length > mostKeys ? ` and ${keys.length - mostKeys} more` : "";
  const others = [
    ...(ofOtherTypes > 0 ? [`${ofOtherTypes} of other types (${typesText(otherTypes)})`] : []),
    ...(keys.length > 0
      ? [`${keys.length} in objects not checked against it: ${keysText(keys.slice(0, mostKeys))}${more}`]
      : []),
  ];
  return others.length > 0 ? `Not counted: ${others.join("; ")}` : "";
}

function typesText(types: readonly string[]): string {
  const more = types.length - mostTypes;
  return [...types.slice(0, mostTypes), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

/** By what ties the objects to a type: `as unknown as T: a.ts:1,5; no type: b.ts:3`. */
function keysText(keys: Account["keys"]): string {
  return [...Map.groupBy(keys, ({ tie }) => tie ?? "no type")]
    .map(([tie, all]) => {
      const places = [...Map.groupBy(all, ({ file }) => file)].map(
        ([file, same]) => `${file}:${same.map(({ line }) => line).join(",")}`,
      );
      return `"${tie}" ${places.join(" ")}`;
    })
    .join(", ");
}
