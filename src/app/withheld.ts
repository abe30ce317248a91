import type { LogData } from "../agent/log.ts";
import type { Policy } from "../approval/decide.ts";
import { isWithheld, readingRules } from "../approval/reading.ts";
import { HiddenFiles } from "../runtime/hidden-files.ts";
import type { LogEntry, Reach } from "../store/store.ts";
import type { Workspace } from "../workspace/workspace.ts";

export const withheldText =
  "The person's rules deny now what this result may show, so it is withheld. Make the call again for what may be read.";

/** Whether what was stored may still be shown: a rule that was added since holds for it, too. */
export type MayShow = (tool: string, reach: Reach | undefined, session?: string) => Promise<boolean>;

export function mayShow(workspace: Workspace, policy: (session?: string) => Promise<Policy>): MayShow {
  return async (tool, reach, session) => {
    const current = await policy(session);
    const rules = readingRules(tool, current);
    if (!rules) return true;
    const files = new HiddenFiles(workspace, rules);
    await files.look();
    return !isWithheld(tool, reach, current, (path) => files.decisionOn(path) === "deny");
  };
}

/** The entries of a session's log, with the text of no result that is withheld. */
export async function withoutWithheld<T extends LogData | LogEntry>(
  entries: readonly T[],
  session: string,
  isShown: MayShow,
): Promise<T[]> {
  const judged = async (data: LogData): Promise<LogData> => {
    if (data.kind !== "results") return data;
    const results = data.results.map(async (result) => {
      if (await isShown(result.tool, result.reach, session)) return result;
      const { id, ref, tool, input, ok, key } = result;
      return { ...{ id, ref, tool, input, ok, key }, text: withheldText, short: withheldText };
    });
    return { ...data, results: await Promise.all(results) };
  };
  return Promise.all(
    entries.map(async (entry) =>
      "seq" in entry ? { ...entry, data: await judged(entry.data as LogData) } : ((await judged(entry)) as T),
    ),
  );
}
