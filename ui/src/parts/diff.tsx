import { useState } from "react";
import { highlight, languageOf } from "./highlight.tsx";

interface Line {
  kind: "add" | "remove" | "same" | "hunk";
  old: number | undefined;
  now: number | undefined;
  text: string;
}

/** Lines shown before the person asks for the rest. */
const atOnce = 400;

/** A read-only unified diff. */
export function Diff({ path, diff }: { path: string; diff: string }) {
  const [all, setAll] = useState(false);
  const lines = linesOf(diff);
  if (lines.length === 0)
    return <p className="faint pad">No diff: the file is not text, or is too large to show.</p>;
  const shown = all ? lines : lines.slice(0, atOnce);
  const language = languageOf(path);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div className="diff" role="group" aria-label={`Diff of ${path}`} tabIndex={0}>
      <table>
        <tbody>
          {shown.map(({ kind, old, now, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a diff does not change
            <tr key={at} className={`diff-${kind}`}>
              <td className="number">{old}</td>
              <td className="number">{now}</td>
              <td className="sign">{{ add: "+", remove: "−", same: "", hunk: "" }[kind]}</td>
              <td className="line">{kind === "hunk" ? text : highlight(text, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < lines.length && (
        <button type="button" className="quiet" onClick={() => setAll(true)}>
          Show {lines.length - shown.length} more lines
        </button>
      )}
    </div>
  );
}

export function totalsOf(diff: string): { added: number; removed: number } {
  const lines = linesOf(diff);
  return {
    added: lines.filter(({ kind }) => kind === "add").length,
    removed: lines.filter(({ kind }) => kind === "remove").length,
  };
}

export function Totals({ added, removed }: { added: number; removed: number }) {
  return (
    <span className="totals">
      <span className="plus">+{added}</span> <span className="minus">−{removed}</span>
    </span>
  );
}

function linesOf(diff: string): Line[] {
  let old = 0;
  let now = 0;
  let inside = false;
  return diff.split("\n").flatMap((raw): Line[] => {
    const [, fromOld, fromNow, where = ""] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(raw) ?? [];
    if (fromOld !== undefined) {
      old = Number(fromOld);
      now = Number(fromNow);
      inside = true;
      // Nothing is omitted above the first line.
      if (old <= 1 && now <= 1) return [];
      return [{ kind: "hunk", old: undefined, now: undefined, text: where.trim() || "⋯" }];
    }
    if (!inside || raw === "" || raw.startsWith("\\")) return [];
    const text = raw.slice(1).replace(/\r$/, "␍");
    if (raw.startsWith("+")) return [{ kind: "add", old: undefined, now: now++, text }];
    if (raw.startsWith("-")) return [{ kind: "remove", old: old++, now: undefined, text }];
    return [{ kind: "same", old: old++, now: now++, text }];
  });
}
