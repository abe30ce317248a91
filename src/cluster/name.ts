/** What people and projects may be called. */
export const nameRule = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,99}$/u;
export const nameRuleText =
  "A name has letters, digits and . _ @ -, begins with a letter or a digit, and has at most 100 characters.";

/** The nearest name that the rule allows, such as for a name that an identity provider knows. */
export function fittingName(given: string, otherwise: string): string {
  const name = given.replace(/[^\p{L}\p{N}._@-]+/gu, "-").replace(/^[._@-]+|-+$/gu, "");
  return name.slice(0, 100) || otherwise;
}
