import type { ToolStatistics } from "../store/store.ts";
import type { Rule } from "./rules.ts";

/** A rule that the person's own answers suggest. */
export interface Proposal {
  tool: string;
  /** Why it is proposed. */
  because: string;
  rule: Rule;
}

/** So many answers, all alike, before a rule is proposed. */
const enough = 5;

/** What was always answered the same way need not be asked: rules that would have given the same answers. */
export function proposalsFrom(statistics: readonly ToolStatistics[]): Proposal[] {
  return statistics.flatMap(({ tool, asked, approved, edited }): Proposal[] => {
    if (asked < enough) return [];
    if (approved === asked && edited === 0) {
      return [
        {
          tool,
          because: `approved ${approved} of ${asked} times, never edited`,
          rule: { decision: "allow", tool },
        },
      ];
    }
    if (approved === 0) {
      return [{ tool, because: `rejected ${asked} of ${asked} times`, rule: { decision: "deny", tool } }];
    }
    return [];
  });
}
