import { type ReactNode, useState } from "react";
import type { CallNote, CallOutput, CallPart } from "../../../src/api/chat.ts";
import { documentIn } from "../documents/draft.ts";
import { CopyButton } from "../parts/code-block.tsx";
import { Totals } from "../parts/diff.tsx";
import { highlight } from "../parts/highlight.tsx";
import { Icon } from "../parts/icon.tsx";
import { ResultText, totalsIn } from "../parts/result-text.tsx";
import { visible } from "../parts/visible.ts";
import { aboutCall, count, duration, plural } from "../parts/words.ts";
import { CallDiffs, ReversalRefused, useCallChange } from "./call-changes.tsx";
import { CallFiles } from "./call-files.tsx";
import { commandOf, Elapsed, LiveRun } from "./call-live.tsx";

const states = {
  typing: "being written",
  running: "running",
  asking: "needs approval",
  ok: "done",
  ranBadly: "ran, with failures",
  failed: "failed",
  stopped: "stopped",
} as const;

const turns = { undo: "Undo", redo: "Redo" } as const;

type State = keyof typeof states;

interface CardProps {
  call: CallPart;
  /** Its run is active. */
  live: boolean;
  /** Shown with its input and result. */
  below?: ReactNode;
  onReview(): void;
  /** Who answers its approval request, where that is somebody else. */
  waitsFor?: string | undefined;
  onDocument(id: string): void;
}

/** One call as a line of fixed height, so that nothing moves while it runs; input and result open below it. */
export function CallCard({ call, live, below, onReview, waitsFor, onDocument }: CardProps) {
  const [open, setOpen] = useState(false);
  const { toolName: tool, toolMetadata } = call;
  const state = stateOf(call, live);
  const { record, files, startedAt, answeredBy } = (toolMetadata ?? {}) as Partial<CallNote>;
  const by = answeredBy === undefined ? "" : ` by ${visible(answeredBy)}`;
  const change = useCallChange(record?.id);
  const undone = change.turn === "redo";
  const { text, progress, output } = outputOf(call, state);
  const ended = state === "ok" || state === "ranBadly";
  const typed = state === "typing" ? String(call.input ?? "") : "";
  const input = state === "typing" ? undefined : call.input;
  const shownDiff = ended ? totalsIn(text) : undefined;
  const totals = change.totals ?? shownDiff;
  const command = commandOf(input);
  const document = ended ? documentIn(tool, text) : undefined;
  return (
    <article
      className="call"
      data-state={state}
      data-undone={undone}
      aria-label={`${tool}, ${undone ? "undone" : states[state]}`}
    >
      <div className="call-row">
        <button type="button" className="call-head" aria-expanded={open} onClick={() => setOpen(!open)}>
          <StateMark state={state} />
          <span className="call-tool">{tool}</span>
          <span className="call-about">
            {progress && state === "running" ? progress : aboutCall(input)}
            {(state === "failed" || state === "ranBadly" || state === "stopped") && (
              <span className="call-why">{reasonIn(text)}</span>
            )}
          </span>
          {change.totals && <span className="call-numbers">{plural(change.totals.files, "file")}</span>}
          {totals && <Totals {...totals} />}
          {state === "running" && startedAt !== undefined && <Elapsed since={startedAt} />}
          {state === "typing" && <span className="faint">{count(typed.length)} characters</span>}
          {record && (
            <span className="call-numbers">
              {record.approval === "edited" && <span className="tag">edited{by || " by you"}</span>}
              {record.approval === "approved" && record.ok && <span className="tag ok">approved{by}</span>}
              {record.approval === "denied" && <span className="tag bad">denied{by}</span>}
              {undone && <span className="tag">undone</span>}
              {duration(record.durationMs)} · {count(record.tokensOut)} tokens
            </span>
          )}
          <span className="chevron">
            <Icon name="chevron" size={14} />
          </span>
        </button>
        {document !== undefined && (
          <button type="button" className="small" onClick={() => onDocument(document)}>
            Open
          </button>
        )}
        {change.turn && (
          <button
            type="button"
            className="small"
            disabled={change.busy}
            aria-label={`${turns[change.turn]} ${tool} ${aboutCall(input)}`.trimEnd()}
            onClick={() => void change.reverse()}
          >
            {turns[change.turn]}
          </button>
        )}
        {state === "asking" && waitsFor !== undefined && (
          <span className="faint">waits for {visible(waitsFor)}</span>
        )}
        {state === "asking" && waitsFor === undefined && (
          <button type="button" className="primary small" onClick={onReview}>
            Review
          </button>
        )}
      </div>
      {state === "running" && <LiveRun input={input} output={output} />}
      <ReversalRefused change={change} />
      {record && files && <CallFiles call={record.id} files={files} />}
      {open && (
        <div className="call-body">
          {record && change.totals && !shownDiff && (
            <>
              <h3>Changes</h3>
              <CallDiffs callId={record.id} />
            </>
          )}
          {command && (
            <>
              <h3>Code</h3>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
              <pre tabIndex={0}>{highlight(command.code, command.language)}</pre>
            </>
          )}
          {below}
          {text !== "" && (
            <>
              <h3>
                What the model reads <CopyButton text={text} />
              </h3>
              <ResultText text={text} />
            </>
          )}
          <h3>Input</h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <pre tabIndex={0}>
            {input === undefined ? typed : highlight(JSON.stringify(input, null, 2), "json")}
          </pre>
        </div>
      )}
    </article>
  );
}

/** A call without a result in a run that is over was stopped: whether it took effect is not known here. */
function stateOf({ state, ...call }: CallPart, live: boolean): State {
  if (state === "output-available" && !("preliminary" in call && call.preliminary))
    return ranBadly(call.toolName, (call.output as CallOutput).text) ? "ranBadly" : "ok";
  if (state === "output-error" || state === "output-denied") return "failed";
  if (!live) return "stopped";
  if (state === "input-streaming") return "typing";
  return state === "approval-requested" ? "asking" : "running";
}

/** The call did its work, and what it ran failed: a program with an exit code, tests, findings. */
function ranBadly(tool: string, text: string): boolean {
  const [first = ""] = text.split("\n");
  if (tool === "run_tests") return /\b[1-9]\d* failed\b/.test(first);
  return /^Exit code (?!0\b)\d+/.test(first);
}

function outputOf(call: CallPart, state: State): CallOutput {
  if (call.state === "output-error") return { text: call.errorText };
  if (call.state === "output-available") return call.output as CallOutput;
  return {
    text:
      state === "stopped"
        ? "No result here: the run was stopped, or this page lost its connection to it."
        : "",
  };
}

/** The first line, without the error code. */
function reasonIn(text: string): string {
  return text.split("\n")[0]?.replace(/^[A-Z_]+: /, "") ?? "";
}

function StateMark({ state }: { state: State }) {
  if (state === "ok")
    return (
      <span className="mark-ok">
        <Icon name="check" size={14} />
      </span>
    );
  if (state === "failed")
    return (
      <span className="mark-bad">
        <Icon name="cross" size={14} />
      </span>
    );
  if (state === "stopped")
    return (
      <span className="faint">
        <Icon name="stop" size={14} />
      </span>
    );
  if (state === "ranBadly")
    return (
      <span className="mark-warn">
        <Icon name="warn" size={14} />
      </span>
    );
  if (state === "asking")
    return (
      <span className="mark-ask">
        <Icon name="shield" size={14} />
      </span>
    );
  return <span className="spinner" />;
}
