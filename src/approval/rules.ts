import { z } from "zod";
import { globMatcher, isBoundedGlob, unboundedGlobText } from "../text/glob.ts";
import type { Effect } from "../tool/effects.ts";
import { allowsPath, restrictsPath } from "./path-pattern.ts";

const glob = z.lazy(() => z.string().min(1).refine(isBoundedGlob, `The pattern ${unboundedGlobText}`));

/** One rule of the policy. Every field given must match; a rule without fields matches everything. */
export const ruleSchema = z.lazy(() =>
  z
    .strictObject({
      decision: z.enum(["allow", "ask", "deny"]),
      tool: glob.optional().describe("Tool name, may hold * and ?"),
      path: glob
        .optional()
        .describe(
          "Glob on the workspace path that is read, written or deleted; ask and deny take a folder with all that is in it, and a name without / at any depth",
        ),
      url: glob.optional().describe("Host (docs.example.com, *.example.com) or URL (https://host/path/*)"),
      method: z
        .string()
        .regex(/^[A-Za-z]{1,20}$/)
        .optional()
        .describe("With url: only requests of this method, such as GET"),
      command: z
        .string()
        .min(1)
        .optional()
        .describe("The code that would run; allow takes it literally, ask and deny may hold *"),
      outside: z
        .boolean()
        .optional()
        .describe("Commands outside the sandbox; to allow one takes this, the tool and the exact command"),
      secret: z
        .string()
        .min(1)
        .max(400)
        .optional()
        .describe(
          "With allow, in your own settings: the value of this name in this place is no secret (`TITLE in .env`); the rule says nothing else",
        ),
      workspace: z.string().optional().describe("Only in this folder"),
      reason: z.string().optional().describe("Told to the model when the rule denies"),
      match: z.array(exampleSchema).optional(),
      notMatch: z.array(exampleSchema).optional(),
    })
    .describe("A rule of the approval policy"),
);

/** A call that a rule must, or must not, match: tested by `wield check-policy`. */
export const exampleSchema = z.lazy(() =>
  z.strictObject({
    tool: z.string(),
    path: z.string().optional(),
    url: z.string().optional(),
    command: z.string().optional(),
  }),
);

export type Rule = z.infer<typeof ruleSchema>;
export type RuleExample = z.infer<typeof exampleSchema>;

/** Whether a rule can say anything about an effect of this kind by this tool. */
export function mayMatch(rule: Rule, tool: string, kind: Effect["kind"]): boolean {
  if (rule.secret !== undefined) return false;
  if (rule.tool !== undefined && !globMatcher(rule.tool)(tool)) return false;
  const isFetch = rule.url !== undefined || rule.method !== undefined;
  return (!isFetch || kind === "fetch") && (rule.command === undefined || kind === "run");
}

export function matches(rule: Rule, tool: string, effect: Effect | undefined): boolean {
  if (rule.secret !== undefined) return false;
  if (rule.tool !== undefined && !globMatcher(rule.tool)(tool)) return false;
  if (rule.path !== undefined && !(effect && "path" in effect && matchesPath(rule, effect.path)))
    return false;
  if (rule.url !== undefined && !(effect?.kind === "fetch" && matchesUrl(rule, effect.url))) return false;
  if (rule.method !== undefined && !(effect?.kind === "fetch" && isMethod(rule.method, effect.method)))
    return false;
  if (rule.command !== undefined && !(effect?.kind === "run" && matchesCommand(rule, effect.command)))
    return false;
  return effect?.kind === "run" ? matchesPlace(rule, tool, effect) : rule.outside !== true;
}

/**
 * What runs outside the sandbox is allowed by a rule for exactly that command there, and by nothing wider; and by none if it runs
 * files of the workspace, which change.
 */
function matchesPlace(
  rule: Rule,
  tool: string,
  { outside = false, loadsFiles = false }: Extract<Effect, { kind: "run" }>,
): boolean {
  if (rule.decision === "allow" && outside)
    return rule.outside === true && !loadsFiles && rule.tool === tool && rule.command !== undefined;
  return rule.outside === undefined || rule.outside === outside;
}

function isMethod(wanted: string, actual: string): boolean {
  return wanted.toUpperCase() === actual.toUpperCase();
}

/** Made once for a rule: a search may find thousands of paths. */
const pathMatchers = new WeakMap<Rule, (path: string) => boolean>();

function matchesPath(rule: Rule, path: string): boolean {
  let isMatch = pathMatchers.get(rule);
  if (!isMatch) {
    const pattern = rule.path ?? "";
    isMatch = rule.decision === "allow" ? allowsPath(pattern) : restrictsPath(pattern);
    pathMatchers.set(rule, isMatch);
  }
  return isMatch(path);
}

/** Patterns over shell strings are no boundary (`ls; rm -rf ~`): they may tighten, but only an exact text allows. */
function matchesCommand(rule: Rule, command: string): boolean {
  const pattern = rule.command ?? "";
  if (rule.decision === "allow") return pattern === command;
  return matchesStars(pattern, command);
}

/** `host`, `*.host`, or `scheme://host/path*`; compared with the parsed URL, never with its spelling. */
function matchesUrl({ decision, url: pattern = "" }: Rule, url: string): boolean {
  const actual = URL.parse(url);
  if (!actual) return false;
  const split = /^(?:(https?):\/\/)?([^/]+)(\/.*)?$/s.exec(pattern);
  if (!split) return false;
  const [, scheme, host = "", path] = split;
  if (scheme !== undefined && actual.protocol !== `${scheme}:`) return false;
  if (decision === "allow") {
    if (!allowsHost(host.toLowerCase(), actual)) return false;
    if (path === undefined) return true;
    // A server may decode what a URL leaves as it is, and climb.
    if (decoded(actual.pathname).split(/[/\\]/).includes("..")) return false;
    return globMatcher(path.replace(/\*+$/, "**"))(actual.pathname);
  }
  if (!restrictsHost(host, actual)) return false;
  return (
    path === undefined ||
    [actual.pathname, decoded(actual.pathname)].some((one) => restrictsPath(path)(one.slice(1)))
  );
}

/**
 * Whether a rule restricts any part of the server on a local port, under whatever name of this machine: for who cannot tell
 * one request from another.
 */
export function restrictsServer(rule: Rule, tool: string, { hostname, port, protocol }: URL): boolean {
  const host = /^(?:https?:\/\/)?([^/]+)/s.exec(rule.url ?? "")?.[1];
  if (rule.decision === "allow" || host === undefined || !mayMatch(rule, tool, "fetch")) return false;
  const at = port || (protocol === "https:" ? "443" : "80");
  return [hostname, "localhost", "127.0.0.1", "[::1]"].some((name) =>
    restrictsHost(host, new URL(`http://${name}:${at}/`)),
  );
}

function allowsHost(pattern: string, actual: URL): boolean {
  const host = pattern.includes(":") && !pattern.endsWith("]") ? actual.host : actual.hostname;
  if (pattern.startsWith("*.")) return host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1;
  return host === pattern;
}

/** A host in every form of its name (other letters, a final dot, the usual port), with `*` for anything. */
function restrictsHost(pattern: string, actual: URL): boolean {
  const written = pattern.toLowerCase();
  const parsed = written.split("*").map((part) => URL.parse(`http://${part}`)?.host ?? part);
  const port = actual.port || (actual.protocol === "https:" ? "443" : "80");
  const host = actual.hostname.replace(/\.$/, "");
  return [written, parsed.join("*")].some((one) =>
    [host, `${host}:${port}`].some((name) => matchesStars(one.replace(/\.(?=$|:)/, ""), name)),
  );
}

/** `*` for anything. Each piece is taken where it first comes: as good as any later place, and found without trying them all. */
function matchesStars(pattern: string, text: string): boolean {
  const [start = "", ...pieces] = pattern.split("*");
  const end = pieces.pop();
  if (end === undefined) return text === pattern;
  if (!text.startsWith(start)) return false;
  let at = start.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - end.length >= at && text.endsWith(end);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
