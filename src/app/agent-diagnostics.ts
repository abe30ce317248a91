import { posix } from "node:path";
import type { AfterChanges } from "../agent/after-changes.ts";
import type { Asker } from "../approval/approval.ts";
import { isCodeName } from "../code/languages/languages.ts";
import { ToolRegistry } from "../registry/registry.ts";
import { describeFindings } from "../tools/run/check-code.ts";
import type { AgentServices } from "./agent-options.ts";
import { answeredBy } from "./answered-by.ts";

/** Runs the project's type checkers and linters after changes, as a call that the person sees and the model cannot make. */
export async function diagnosticsFor(
  { settings, checker, runtimeFor }: AgentServices,
  session: string,
  budget: number,
  asker: Asker | undefined,
): Promise<AfterChanges | undefined> {
  const { diagnostics, diagnosticsSeconds } = settings.agent;
  const tool = diagnostics ? await checker(diagnosticsSeconds) : undefined;
  if (!tool) return undefined;
  const registry = new ToolRegistry();
  registry.register(tool);
  const runtime = answeredBy(asker, runtimeFor(registry));
  let isSilenceTold = false;
  return async (changes, signal) => {
    const input = { changes: changes.map(({ id }) => id) };
    const [outcome] = await runtime.step([{ tool: tool.name, input }], { signal, session, budget });
    const { result } = outcome ?? {};
    if (!result?.ok) return undefined;
    const told = describeFindings(result.value as Parameters<typeof describeFindings>[0]);
    if (told !== undefined || isSilenceTold) return told;
    const isCode = changes.some(({ files }) => files.some(({ path }) => isCodeName(posix.basename(path))));
    if (!isCode) return undefined;
    isSilenceTold = true;
    return "No type checker or linter that is set up here and installed concerns these files: nothing has checked them.";
  };
}
