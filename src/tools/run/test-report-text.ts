import { bytesWithin, estimateTokens } from "../../text/tokens.ts";
import { visibleText } from "../../text/visible.ts";

interface Failed {
  name: string;
  file?: string | undefined;
  message: string;
}

export interface ReportedRun {
  runner: string;
  passed: number;
  failed: number;
  skipped: number;
  failures: readonly Failed[];
  output: string;
  notes?: readonly string[] | undefined;
}

/** How many failures that differ only in their values are shown completely. */
const mostAlike = 2;
/** Where not all failures fit, the share of the budget for those that are shown completely. */
const inFullShare = 0.6;

/** Everything; where that is too much, the first failures completely and the others by name. */
export function reportTexts({
  runner,
  passed,
  failed,
  skipped,
  failures,
  output,
  notes = [],
}: ReportedRun): [whole: string, fitting: (budget: number) => string] {
  const head = [`${runner}: ${passed} passed, ${failed} failed, ${skipped} skipped`, ...notes].join("\n");
  // Failures say what went wrong; the runner's own output would say it again.
  const silent = failures.some(({ message }) => message === "");
  const tail = visibleText(output.trim()).slice(-bytesWithin(500));
  return [
    [head, ...groupedLines(failures), ...(silent ? ["--- last output", tail] : [])].join("\n"),
    (budget) => fittingText(head, failures, budget),
  ];
}

function fittingText(head: string, failures: readonly Failed[], budget: number): string {
  const lines = [head];
  const fits = (line: string, share: number) => estimateTokens([...lines, line].join("\n")) < budget * share;
  const named: Failed[] = [];
  for (const failure of failures) {
    const text = [title(failure), indented(failure.message)].join("\n");
    if (named.length === 0 && fits(text, inFullShare)) lines.push(text);
    else named.push(failure);
  }
  const shown = named.findIndex((failure) => {
    if (!fits(title(failure), 1 - 20 / budget)) return true;
    lines.push(title(failure));
    return false;
  });
  return [...lines, ...(shown >= 0 ? [`… and ${named.length - shown} more`] : [])].join("\n");
}

const indented = (message: string) => visibleText(message).replaceAll(/^/gm, "    ");

/** Failures of one kind stand together: the first ones in full, of the others the names. */
function groupedLines(failures: readonly Failed[]): string[] {
  const kinds = Map.groupBy(failures, ({ message }) => kindOf(message));
  return [...kinds.values()].flatMap((alike) => {
    const inFull = alike.length > mostAlike + 1 ? alike.slice(0, mostAlike) : alike;
    const others = alike.slice(inFull.length);
    return [
      ...inFull.flatMap((failure) => [title(failure), indented(failure.message)]),
      ...(others.length > 0 ? [`${others.length} more fail in the same way, with other values:`] : []),
      ...others.map(title),
    ];
  });
}

/** The message without its values, and without the places and lines of code that it quotes. */
function kindOf(message: string): string {
  const lines = message.split("\n").filter((line) => !/^\s*(?:at |❯|>?\s*\d+\s*[|│])/.test(line));
  return lines.join("\n").replaceAll(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`|[-+]?\d+/g, "…");
}

function title({ name, file }: Failed): string {
  return `✗ ${name}${file === undefined ? "" : ` (${file})`}`;
}
