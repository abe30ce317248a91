// The types that a place stands in.
import { typeKinds } from "../languages/language.ts";
import { type Declaration, enclosing, type FileSyntax } from "../syntax/syntax.ts";
import type { NamedType } from "./named-type.ts";

/** The names of the types around an offset, innermost first. */
export function typesAround(syntax: FileSyntax, offset: number): string[] {
  const around = enclosing(syntax, offset);
  const type = around && (typeKinds.has(around.kind) ? around.name : fixtureOf(around));
  const path =
    around && type !== undefined
      ? [around.owner, type].filter(Boolean).join(".")
      : (around ?? ownedAround(syntax, offset))?.owner;
  return path?.split(".").toReversed() ?? [];
}

/** `TEST_F(Fixture, name) {` in C++: its body is one of a method of the fixture. */
const fixtureOf = ({ name, signature }: Declaration) =>
  /^[A-Z][A-Z0-9_]+$/.test(name) ? /^[A-Z0-9_]+\(\s*([A-Za-z_]\w*)\s*,/.exec(signature)?.[1] : undefined;

/** A property whose type is declared elsewhere: one of an extension. */
const ownedAround = ({ declarations }: FileSyntax, offset: number) =>
  declarations.findLast((d) => d.owner !== undefined && d.start <= offset && offset < d.end);

/** The type that `this` has between these types. */
export function selfType(around: readonly string[]): NamedType | undefined {
  const own = around.find((name) => /^\p{Lu}/u.test(name)) ?? around[0];
  return own === undefined ? undefined : { name: own, rest: "" };
}
