// The policy as a table, made by asking the policy itself: every tool × effect × mode × trust × attended.
import { decide, type Policy } from "../src/approval/decide.ts";
import { modeTexts, type PermissionMode, permissionModes } from "../src/approval/modes.ts";
import type { Rule } from "../src/approval/rules.ts";
import { changeDefault, type Effect } from "../src/tool/effects.ts";
import type { Tool } from "../src/tool/tool.ts";

const watch = "private data and content of others are in the conversation";

/** One effect of each kind that is judged differently. */
const samples: Record<Effect["kind"], readonly (readonly [string, Effect])[]> = {
  read: [["reads a file", { kind: "read", path: "src/a.ts" }]],
  write: [
    ["creates a file", { kind: "write", path: "src/a.ts", replaces: false }],
    ["replaces a file", { kind: "write", path: "src/a.ts", replaces: true }],
    ["replaces a manifest", { kind: "write", path: "package.json", replaces: true }],
    ["changes a protected name", { kind: "write", path: ".envrc", replaces: true }],
  ],
  delete: [["deletes a file", { kind: "delete", path: "src/a.ts" }]],
  fetch: [
    ["sends a GET", { kind: "fetch", url: "https://docs.example.com/", method: "GET" }],
    ["sends a POST", { kind: "fetch", url: "https://docs.example.com/", method: "POST" }],
  ],
  run: [
    ["runs without a network", { kind: "run", command: "make", network: "off" }],
    ["runs with a network", { kind: "run", command: "make", network: "full" }],
    ["runs outside the sandbox", { kind: "run", command: "make", network: "full", outside: true }],
  ],
  record: [["changes Wield's own records", { kind: "record", what: "document" }]],
};

export function policyMatrixPage(tools: readonly Tool[]): string {
  const modes = permissionModes.map((mode) => `\`${mode}\``).join(" | ");
  const rows = tools.flatMap((tool) =>
    tool.can.flatMap((kind) => samples[kind].map((sample) => row(tool, sample))),
  );
  return [
    "# Policy matrix",
    "What the policy says about each effect of each built-in tool, without any rule, by permission mode. The last column: once private data and content of others are in the conversation, in the mode `ask`. `ask` is a question where somebody is there; with nobody there it is `APPROVAL_REQUIRED`, and what a run changed is held. Tools that change files are listed with every kind of change, whether they make it or not: `write_file` deletes nothing, and `move_file` only at the place that it moves from.",
    permissionModes.map((mode) => `- \`${mode}\`: ${modeTexts[mode].hint}`).join("\n"),
    [
      `| tool | effect | ${modes} | watched |`,
      `|---|---|${permissionModes.map(() => "---|").join("")}---|`,
      ...rows,
    ].join("\n"),
    "## Rules of a folder, and trust",
    "Each effect of a call that asks by default, with one rule in the folder's own settings. Without trust, such a rule only restricts.",
    trustTable(),
    "## Who is there",
    "What each decision means for a call and for the changes of a run.",
    attendedTable,
    "More: [permissions](permissions.md).",
    "",
  ].join("\n\n");
}

function row(tool: Tool, [what, effect]: readonly [string, Effect]): string {
  const byDefault = defaultOf(tool, effect);
  const judge = (mode: PermissionMode, watched: boolean) =>
    decide({ tool: tool.name, byDefault, effects: [effect] }, { ...noRules, mode, ...(watched && { watch }) })
      .decision;
  const cells = permissionModes.map((mode) => judge(mode, false));
  return `| \`${tool.name}\` | ${what} | ${[...cells, judge("ask", true)].join(" | ")} |`;
}

const noRules: Policy = { user: [], workspace: { rules: [], trusted: false }, session: [] };

function defaultOf(tool: Tool, effect: Effect): "auto" | "ask" {
  // What a run changes is judged like the same change by a file tool.
  const isChange = effect.kind === "write" || effect.kind === "delete";
  if (isChange && tool.can.includes("run")) return changeDefault(effect);
  const example = tool.input.safeParse(tool.examples[0]?.input ?? {});
  return tool.approval([effect], example.success ? example.data : {});
}

function trustTable(): string {
  const modes = permissionModes.map((mode) => `\`${mode}\``).join(" | ");
  const rows = Object.values(samples)
    .flat()
    .flatMap(([what, effect]) =>
      (["allow", "deny"] as const).flatMap((decision) =>
        [true, false].map((trusted) => {
          const workspace = { rules: [ruleFor(effect, decision)], trusted };
          const cells = permissionModes.map((mode) => {
            const call = { tool: "any_tool", byDefault: "ask" as const, effects: [effect] };
            return decide(call, { ...noRules, workspace, mode }).decision;
          });
          return `| ${what} | ${decision} | ${trusted ? "yes" : "no"} | ${cells.join(" | ")} |`;
        }),
      ),
    );
  return [
    `| effect | rule of the folder | trusted | ${modes} |`,
    `|---|---|---|${permissionModes.map(() => "---|").join("")}`,
    ...rows,
  ].join("\n");
}

/** As narrow as a person would write it. */
function ruleFor(effect: Effect, decision: Rule["decision"]): Rule {
  if ("path" in effect) return { decision, path: effect.path };
  if (effect.kind === "fetch") return { decision, url: effect.url };
  return effect.kind === "run" ? { decision, command: effect.command } : { decision, tool: "any_tool" };
}

const attendedTable = `| decision | somebody is there | nobody is there | changes of a run, somebody is there | changes of a run, nobody is there |
|---|---|---|---|---|
| allow | made | made | applied | applied |
| ask | a question | \`APPROVAL_REQUIRED\` | one question for the run | held |
| deny | \`APPROVAL_DENIED\` | \`APPROVAL_DENIED\` | refused | refused |`;
