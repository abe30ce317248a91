import type { Ask, RememberScope } from "./approval.ts";
import { escapeGlob } from "./path-pattern.ts";
import type { Rule } from "./rules.ts";

/** One way to remember a yes: what it covers in words, and the rules that it saves. */
export interface RememberChoice {
  /** `src/main.js`, `the folder src/`, `write_file everywhere`. */
  label: string;
  scope: RememberScope;
  rules: readonly Rule[];
}

/**
 * The widths that a person may choose from, narrowest first: exactly this, its folder, the tool for this session, always. Wider
 * ones are offered only for changes of ordinary files: commands and addresses are remembered as they are.
 */
export function rememberChoices({ tool, remember }: Pick<Ask, "tool" | "remember">): RememberChoice[] {
  if (!remember) return [];
  const { rules, scopes } = remember;
  const what = rules.map(inWords).join(", ");
  const lasting = scopes.includes("user");
  const folder = folderOf(rules);
  const isFiles = rules.every(({ path, url, command }) => path !== undefined && !url && !command);
  const inFolder: Rule[] =
    folder === undefined ? [] : [{ decision: "allow", tool, path: `${escapeGlob(folder)}**` }];
  return [
    { label: `${what}, for this session`, scope: "session", rules },
    ...(inFolder.length > 0
      ? [{ label: `everything in ${folder}, for this session`, scope: "session" as const, rules: inFolder }]
      : []),
    ...(isFiles
      ? [
          {
            label: `every file with ${tool}, for this session`,
            scope: "session" as const,
            rules: [{ decision: "allow" as const, tool }],
          },
        ]
      : []),
    ...(lasting ? [{ label: `${what}, always in this folder`, scope: "user" as const, rules }] : []),
    ...(lasting && inFolder.length > 0
      ? [{ label: `everything in ${folder}, always`, scope: "user" as const, rules: inFolder }]
      : []),
  ];
}

/** What a rule covers, for a person. */
export function inWords({ tool, path, url, command, decision }: Rule): string {
  const verb = decision === "allow" ? "" : `${decision} `;
  if (path !== undefined) return `${verb}${tool ?? "any tool"} on ${plain(path)}`;
  if (url !== undefined) return `${verb}${tool ?? "any tool"} at ${url.replace(/\*$/, "…")}`;
  if (command !== undefined) return `${verb}the command ${command}`;
  return `${verb}${tool ?? "everything"}`;
}

function plain(pattern: string): string {
  return pattern
    .replace(/^@\((.*)\)$/, "$1")
    .replaceAll("|", ", ")
    .replaceAll(/\\(.)/g, "$1");
}

/** The folder of the only ordinary path; none for files at the top. */
function folderOf(rules: readonly Rule[]): string | undefined {
  const [only, ...others] = rules;
  const path = others.length === 0 && only?.path !== undefined ? plain(only.path) : "";
  const at = path.includes(", ") ? -1 : path.lastIndexOf("/");
  return at <= 0 ? undefined : path.slice(0, at + 1);
}
