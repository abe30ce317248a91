/** A type as a binding names it. */
export interface NamedType {
  name: string;
  /** What is written behind it: type arguments, the rest of a union. */
  rest: string;
}

/** The type that all of them say. */
export function agreed(types: readonly (NamedType | undefined)[]): NamedType | undefined {
  const [first] = types;
  return first && types.every((type) => type?.name === first.name) ? first : undefined;
}
