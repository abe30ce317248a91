import type { ToolStatistics } from "../store/store.ts";
import { protectedPart } from "../workspace/protected-names.ts";
import { globOf } from "./remembered-rules.ts";
import type { Rule } from "./rules.ts";

/** A rule that the person's own answers suggest, for one folder. */
export interface Proposal {
  tool: string;
  /** Why it is proposed. */
  because: string;
  rule: Rule;
}

/** A change in this folder that a person approved as it was. */
export interface ApprovedChange {
  tool: string;
  files: readonly { path: string; change: "create" | "modify" | "delete" | "move" }[];
}

/** So many answers, all alike, before a rule is proposed. */
const enough = 5;

/**
 * What was always answered the same way need not be asked: rules that would have given the same answers, for the files that
 * the answers were about and in this folder only. What always asks (deleting, moving, programs, the network, protected
 * names) is never proposed.
 */
export function proposalsFrom(
  statistics: readonly ToolStatistics[],
  approved: readonly ApprovedChange[],
  workspace: string,
): Proposal[] {
  const byTool = Map.groupBy(approved, ({ tool }) => tool);
  return statistics.flatMap(({ tool, asked, approved: yes, edited }): Proposal[] => {
    if (asked < enough) return [];
    if (yes === 0) {
      const because = `rejected ${asked} of ${asked} times`;
      return [{ tool, because, rule: { decision: "deny", tool, workspace } }];
    }
    const here = byTool.get(tool) ?? [];
    if (yes < asked || edited > 0 || here.length < enough) return [];
    const files = here.flatMap((change) => change.files);
    const isEdit = files.every(({ change, path }) => isOrdinary(change) && protectedPart(path) === undefined);
    const path = globOf([...new Set(files.map((file) => file.path))]);
    if (!isEdit || (path.startsWith("@(") && path.length > longest)) return [];
    const because = `approved ${here.length} of ${here.length} times in this folder, never edited`;
    return [{ tool, because, rule: { decision: "allow", tool, path, workspace } }];
  });
}

/** Nobody reads more names than these. */
const longest = 300;

function isOrdinary(change: string): boolean {
  return change === "create" || change === "modify";
}
