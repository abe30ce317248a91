import { z } from "zod";
import { globMatcher, isBoundedGlob, unboundedGlobText } from "../../text/glob.ts";

const glob = z
  .string()
  .min(1)
  .refine((text) => isPlainGlob(text), "There are *, **, ?, [abc] and {a,b} in such a glob.")
  .refine(isBoundedGlob, `The pattern ${unboundedGlobText}`);

/** Files to leave out of an answer, as models write them: one glob or several. */
export const excludeInput = z
  .union([glob, z.array(glob).max(20)])
  .optional()
  .describe("Globs of files to leave out");
export type Exclude = z.infer<typeof excludeInput>;

export function excludedGlobs(exclude: Exclude): string[] {
  const globs = typeof exclude === "string" ? [exclude] : (exclude ?? []);
  return globs.map((glob) => glob.replace(/^!/, ""));
}

/** Whether a file is left out. */
export function excludes(exclude: Exclude): (file: string) => boolean {
  const matchers = excludedGlobs(exclude).map(globFilter);
  return (file) => matchers.some((isMatch) => isMatch(file));
}

/** As ripgrep reads --glob: without a slash it is about the name, with `!` it excludes. */
export function globFilter(pattern: string): (path: string) => boolean {
  const negated = pattern.startsWith("!");
  const glob = pattern.replace(/^!/, "").replace(/^\//, "");
  const isMatch = globMatcher(glob, { byName: !glob.includes("/") });
  const inFolder = globMatcher(`**/${glob.replace(/\/$/, "")}/**`);
  return (path) => (isMatch(path) || inFolder(path)) !== negated;
}

/** `!(*.test).ts` would be taken literally and match nothing. */
export const isPlainGlob = (text: string) => !/[!@+?*]\(/.test(text);
