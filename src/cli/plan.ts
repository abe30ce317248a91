import type { Wield } from "../app/wield.ts";
import { visibleText } from "../text/visible.ts";
import { checklist } from "../tools/studio/plan-output.ts";
import { type Command, commonOptions, exit } from "./command.ts";
import { localTime } from "./local-time.ts";
import { openWield } from "./open.ts";

export const plan: Command = {
  name: "plan",
  summary: "Show the plan that an agent works by in this folder",
  usage: "",
  details:
    "Agents write a plan for a task of several steps: [ ] open, [~] under way, [x] done, [!] failed, [-] skipped. A folder has one plan, the one made last.",
  options: { json: { help: "Print as JSON" }, ...commonOptions },
  examples: [{ command: "wield plan", note: "show the checklist" }],
  async run(given, io) {
    const wield = await openWield(given, io, []);
    try {
      const text = given.flag("json")
        ? JSON.stringify((await wield.store.plans(wield.workspace.root).current()) ?? null, null, 2)
        : await planText(wield);
      io.out(text);
      return exit.ok;
    } finally {
      await wield.close();
    }
  },
};

/** The current plan of the folder, with when it was last changed. */
export async function planText({ store, workspace }: Pick<Wield, "store" | "workspace">): Promise<string> {
  const current = await store.plans(workspace.root).current();
  if (!current) return "There is no plan in this folder yet. An agent makes one for a task of several steps.";
  return visibleText(`${checklist(current)}\nLast changed ${localTime(current.updated)}`);
}
