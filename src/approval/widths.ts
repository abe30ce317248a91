import type { Ask, Remembering, RememberScope } from "./approval.ts";
import type { Rule } from "./rules.ts";

/** One way to remember a yes: what it covers in words, and the rules that it saves. */
export interface RememberChoice {
  /** `edit_file on src/main.js`, `every change in src/ by any tool`, `every file with edit_file`. */
  label: string;
  scope: RememberScope;
  rules: readonly Rule[];
}

const lasting: Readonly<Record<RememberScope, string>> = {
  session: "for this session",
  user: "always in this folder",
};

/** What a person may choose from: this session first, then always; in each, exactly this, then what is wider. */
export function rememberChoices({ remember }: Pick<Ask, "remember">): RememberChoice[] {
  if (!remember) return [];
  const widths = [{ words: exactly(remember), ...remember }, ...(remember.wider ?? [])];
  return (["session", "user"] as const).flatMap((scope) =>
    widths
      .filter(({ scopes }) => scopes.includes(scope))
      .map(({ words, rules }) => ({ label: `${words}, ${lasting[scope]}`, scope, rules })),
  );
}

/** What the narrowest rules cover. */
export function exactly({ rules }: Pick<Remembering, "rules">): string {
  return rules.map(inWords).join(", ");
}

/** What a rule covers, for a person. */
function inWords({ tool, path, url, method, command, outside, decision, secret }: Rule): string {
  if (secret !== undefined) return `${secret.replace(/ #\w+$/, "")} is no secret`;
  const verb = decision === "allow" ? "" : `${decision} `;
  if (path !== undefined) return `${verb}${tool ?? "any tool"} on ${plain(path)}`;
  if (url !== undefined)
    return `${verb}${tool ?? "any tool"} at ${url.replace(/\*$/, "…")}${method === undefined ? "" : ` (${method})`}`;
  if (command !== undefined)
    return `${verb}the command ${command}${outside ? ", on your machine, outside the sandbox" : ""}`;
  return `${verb}${tool ?? "everything"}`;
}

function plain(pattern: string): string {
  return pattern
    .replace(/^@\((.*)\)$/, "$1")
    .replaceAll("|", ", ")
    .replaceAll(/\\(.)/g, "$1");
}
