import { canonicalJson } from "../text/digest.ts";
import type { Effect } from "../tool/effects.ts";
import type { Tool } from "../tool/tool.ts";
import { protectedPart } from "../workspace/protected-names.ts";
import type { Remembering, RememberWidth } from "./approval.ts";
import { decide, type Policy } from "./decide.ts";
import { escapeGlob } from "./path-pattern.ts";
import { type Rule, ruleSchema } from "./rules.ts";

interface JudgedCall {
  byDefault: "auto" | "ask";
  judged: readonly Effect[];
  policy: Policy;
}

/**
 * What "remember" would save for a call that is asked about: the narrowest rules that let the same call through next time.
 * Undefined where there are none, and then remembering is not offered.
 */
export function rulesToRemember(
  { name, can }: Pick<Tool, "name" | "can">,
  { byDefault, judged, policy }: JudgedCall,
): Remembering | undefined {
  const isOpen = (effect: Effect) =>
    decide({ tool: name, byDefault, effects: [effect] }, policy).decision !== "allow";
  const rules = rulesFor({ name, can }, judged, judged.filter(isOpen));
  const allowsIt = (later: Policy) =>
    decide({ tool: name, byDefault, effects: judged }, later).decision === "allow";
  const scopesOf = (some: readonly Rule[]): Remembering["scopes"] => {
    if (some.length === 0 || !some.every((rule) => ruleSchema.safeParse(rule).success)) return [];
    if (!allowsIt({ ...policy, session: [...policy.session, ...some] })) return [];
    // Rules of the workspace come after the user's own: a rule in the user's file may not be enough.
    const lasts = allowsIt({ ...policy, user: some.reduce(withRule, policy.user) });
    return lasts ? ["session", "user"] : ["session"];
  };
  const scopes = scopesOf(rules);
  if (scopes.length === 0) return undefined;
  const wider = widerRules(name, judged.filter(isOpen))
    .map((choice): RememberWidth => ({ ...choice, scopes: scopesOf(choice.rules) }))
    .filter(
      (choice) =>
        choice.scopes.length > 0 && !choice.rules.every((rule, at) => isSameRule(rule, rules[at] ?? rule)),
    );
  return { rules, scopes, ...(wider.length > 0 && { wider }) };
}

/** The folder of the files, then all files; the whole site of a page. Commands have no wider rule: a pattern is no boundary. */
function widerRules(tool: string, open: readonly Effect[]): Omit<RememberWidth, "scopes">[] {
  const paths = open.flatMap((effect) => ("path" in effect ? effect.path : []));
  const allow = { decision: "allow" as const, tool };
  if (paths.length === open.length && paths.length > 0) {
    const folder = commonFolder([...paths, paths[0] ?? ""]);
    const path = `${escapeGlob(folder)}**`;
    const isChange = open.every(({ kind }) => kind === "write" || kind === "delete");
    const inFolder = isChange
      ? {
          words: `every change in ${folder} by any tool`,
          rules: [{ decision: "allow" as const, path }],
        }
      : { words: `every file in ${folder} with ${tool}`, rules: [{ ...allow, path }] };
    return [
      ...(folder === "" ? [] : [inFolder]),
      { words: `every file with ${tool}`, rules: [{ ...allow, path: "**" }] },
    ];
  }
  const sites = new Set(
    open.map((effect) => (effect.kind === "fetch" ? URL.parse(effect.url)?.origin : undefined)),
  );
  const [site] = sites;
  const methods = new Set(open.map((effect) => (effect.kind === "fetch" ? effect.method.toUpperCase() : "")));
  if (sites.size !== 1 || site === undefined || site.includes("*") || open.length === 0) return [];
  return [
    {
      words: `every page of ${site}`,
      rules: [...methods].map((method) => ({ ...allow, url: `${site}/*`, method })),
    },
  ];
}

/**
 * The user's rules with one more, once. The last match wins: a new `allow` is inserted directly after the last `ask`, so that
 * it never overrides a later `deny`.
 */
export function withRule(rules: readonly Rule[], rule: Rule): Rule[] {
  const others = rules.filter((known) => !isSameRule(known, rule));
  const at =
    rule.decision === "allow"
      ? others.findLastIndex(({ decision }) => decision === "ask") + 1
      : others.length;
  return others.toSpliced(at, 0, rule);
}

export function isSameRule(one: Rule, other: Rule): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

function rulesFor(
  { name: tool, can }: Pick<Tool, "name" | "can">,
  all: readonly Effect[],
  open: readonly Effect[],
): Rule[] {
  const unnamed = open.some(({ kind }) => kind === "record");
  if (all.length === 0 || unnamed) {
    // Nothing in a rule names these: only the tool as a whole can be allowed, and only if it can do nothing else.
    const onlyRecords = can.every((kind) => kind === "record" || kind === "read");
    return onlyRecords ? [{ decision: "allow", tool }] : [];
  }
  const allow = { decision: "allow" as const, tool };
  const rules = [
    ...pathPatterns(open.flatMap((effect) => ("path" in effect ? effect.path : []))).map((path) => ({
      ...allow,
      path,
    })),
    ...open.flatMap((effect) =>
      effect.kind === "fetch"
        ? { ...allow, url: prefixOf(effect.url), method: effect.method.toUpperCase() }
        : [],
    ),
    ...open.flatMap((effect) =>
      effect.kind === "run"
        ? { ...allow, command: effect.command, ...(effect.outside && { outside: true }) }
        : [],
    ),
  ];
  return rules.filter((rule, at) => rules.findIndex((other) => isSameRule(other, rule)) === at);
}

/** Nobody reads more names than this: beyond it, the common folder is named instead. */
const mostNames = 20;

/** One pattern for all ordinary paths, and one for each protected path: a rule reaches those only by their exact name. */
function pathPatterns(touched: readonly string[]): string[] {
  const paths = [...new Set(touched)];
  const isProtected = (path: string) => protectedPart(path) !== undefined;
  const ordinary = paths.filter((path) => !isProtected(path));
  return [...(ordinary.length > 0 ? [globOf(ordinary)] : []), ...paths.filter(isProtected).map(escapeGlob)];
}

/** One pattern for these paths, or for the folder that holds them where they are many. */
export function globOf(paths: readonly string[]): string {
  const names = paths.map(escapeGlob);
  if (names.length === 1) return names[0] ?? "";
  const folder = commonFolder(paths);
  return names.length > mostNames && folder !== "" ? `${escapeGlob(folder)}**` : `@(${names.join("|")})`;
}

/** With its `/`; empty where they share none. */
function commonFolder([first = "", ...others]: readonly string[]): string {
  let folder = first;
  do folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
  while (folder !== "" && !others.every((path) => path.startsWith(folder)));
  return folder;
}

/** The folder of an address with all that is below it. A host with a `*` would be taken for a pattern: it makes no rule. */
function prefixOf(url: string): string {
  const { protocol, host, pathname } = URL.parse(url) ?? { protocol: "", host: "", pathname: "/" };
  if (host === "" || host.includes("*")) return "";
  return `${protocol}//${host}${escapeGlob(pathname.slice(0, pathname.lastIndexOf("/") + 1))}*`;
}
