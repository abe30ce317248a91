/** The type that is made by the braces or parentheses around an offset: `T{…}`, `new T(…)`, `&pkg.T{…}`, `value: T = {…}`; undefined for others. */
export function literalType(source: string, at: number): { name: string; space?: string } | undefined {
  let depth = 0;
  for (let i = at - 1; i >= Math.max(0, at - 4_000); i--) {
    const c = source[i];
    if (c === ")" || c === "]" || c === "}") depth++;
    else if (c === "(" || c === "[" || c === "{") {
      if (depth > 0) {
        depth--;
        continue;
      }
      const head = source.slice(Math.max(0, i - 120), i);
      if (c === "[") return undefined;
      const [, space, made] =
        /(?:(\w+)\.)?(?<![\p{L}\p{N}_$])([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:::)?(?:<[^<>(){}]*>|\[[^[\](){}]*\])?[ \t]*$/u.exec(
          head,
        ) ?? [];
      const name = made ?? (c === "{" ? annotated.exec(head)?.[1] : undefined);
      return name === undefined ? undefined : { name, ...(space !== undefined && { space }) };
    }
  }
  return undefined;
}

const annotated =
  /[\p{L}\p{N}_$]\??[ \t]*:[ \t]*(?:[\w$]+\.)*([\p{L}_$][\p{L}\p{N}_$]*)(?:<[^<>(){}]*>)?[ \t]*=[ \t]*$/u;
