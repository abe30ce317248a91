import { z } from "zod";
import { type GlobOptions, globMatcher, isBoundedGlob, unboundedGlobText } from "../../text/glob.ts";

/** The one way a pattern of paths is described to models. */
export function pathPattern({ longest = Number.POSITIVE_INFINITY } = {}): z.ZodString {
  const text = z.string().min(1);
  return (Number.isFinite(longest) ? text.max(longest) : text)
    .refine(isBoundedGlob, `The pattern ${unboundedGlobText}`)
    .describe("Without a slash: file names anywhere");
}

/** A pattern may be written as a path from the root is: `/src/*.ts`, `./src/*.ts`. */
export function pathMatcher(pattern: string, options: Pick<GlobOptions, "anyCase"> = {}) {
  return globMatcher(pattern.replace(/^\.?\//, ""), { ...options, byName: !pattern.includes("/") });
}
