import { type Answer, type Ask, ruleFor } from "../approval/approval.ts";
import { mintGrant } from "../approval/grant.ts";
import { Failure } from "../failure/failure.ts";
import type { Tool } from "../tool/tool.ts";
import type { Fingerprint } from "../workspace/workspace.ts";
import { untilAborted } from "./abort.ts";
import { editedNotice } from "./edited-notice.ts";
import type { Flight, GivenAnswer, Permit, Prepared, RuntimeParts } from "./flight.ts";
import { parseInput } from "./parse-input.ts";

type Prepare = (flight: Flight, tool: Tool, input: unknown) => Promise<Prepared>;

export interface Gate {
  /** A grant for exactly what was prepared, or for what the person made of it; "stale" when files changed meanwhile. */
  permit(
    flight: Flight,
    tool: Tool,
    prepared: Prepared,
    again: string | undefined,
  ): Promise<Permit | "stale">;
  /** The same for an ask of an earlier process: the answer counts only for the states it was shown with. */
  permitAnswered(
    flight: Flight,
    tool: Tool,
    prepared: Prepared,
    given: GivenAnswer,
  ): Promise<Permit | "stale">;
  putBefore(asks: Ask[], caller: Pick<Flight, "signal" | "asker">): Promise<readonly Answer[]>;
}

export function createGate(parts: RuntimeParts, prepare: Prepare): Gate {
  async function permit(
    flight: Flight,
    tool: Tool,
    prepared: Prepared,
    again: string | undefined,
  ): Promise<Permit | "stale"> {
    const { judgement, input, seen } = prepared;
    if (judgement.decision === "allow") {
      flight.seat.pass();
      flight.approval = "auto";
      const grant = mintGrant(
        { tool: tool.name, input, seen },
        { judgement: { ...judgement, decision: "allow" } },
      );
      return { grant, input };
    }
    return settle(flight, tool, prepared, await flight.seat.ask(question(flight, tool, prepared, again)));
  }

  async function permitAnswered(
    flight: Flight,
    tool: Tool,
    prepared: Prepared,
    given: GivenAnswer,
  ): Promise<Permit | "stale"> {
    if (!sameStates(new Map(Object.entries(given.pending.seen)), prepared.seen)) return "stale";
    return settle(flight, tool, prepared, given.answer);
  }

  async function settle(
    flight: Flight,
    tool: Tool,
    prepared: Prepared,
    answer: Answer,
  ): Promise<Permit | "stale"> {
    const edited = answer.modifiedArgs !== undefined;
    const { approved, reason } = answer;
    parts.emit({
      type: "approval-answer",
      callId: flight.id,
      approved,
      edited,
      ...(reason !== undefined && { reason }),
    });
    if (!approved) {
      flight.approval = "denied";
      throw new Failure(
        "APPROVAL_DENIED",
        reason ? `User rejected changes: ${reason}` : "User rejected changes",
      );
    }
    if (answer.remember) await parts.remember(answer.remember.rule, answer.remember.scope);
    const final = edited ? await prepare(flight, tool, parseInput(tool, answer.modifiedArgs)) : prepared;
    if (!sameStates(prepared.seen, final.seen)) return "stale";
    flight.approval = edited ? "edited" : "approved";
    if (edited) flight.notice = editedNotice(asRecord(flight.proposed), asRecord(final.input));
    const { input, seen } = final;
    return {
      grant: mintGrant({ tool: tool.name, input, seen }, { answer: { approved: true, edited } }),
      input,
    };
  }

  function question(flight: Flight, tool: Tool, prepared: Prepared, again: string | undefined): Ask {
    const { judgement, preview, effects } = prepared;
    const rule = ruleFor(tool.name, effects);
    if (!flight.asker()) {
      flight.approval = "required";
      throw new Failure(
        "APPROVAL_REQUIRED",
        `${tool.name} needs a person's approval (${judgement.because}), and nobody is here to give it. Run it where a person can answer, or have them allow it: ${JSON.stringify(rule)} among "rules" in their settings.`,
        { rule },
      );
    }
    const reason = [preview?.summary, judgement.because].filter(Boolean).join(" — ");
    parts.emit({ type: "approval-ask", callId: flight.id, stepId: flight.stepId, tool: tool.name, reason });
    const { amend } = tool;
    return {
      id: flight.id,
      stepId: flight.stepId,
      tool: tool.name,
      title: tool.title,
      args: asRecord(prepared.input),
      reason,
      effects,
      preview,
      rule,
      amend:
        amend &&
        ((contents) => {
          const proposed = new Map(preview?.files.map((file) => [file.path, file.proposed]));
          const amended = [...contents].reduce(
            (input, [path, content]) => amend(input, path, content, proposed.get(path) ?? ""),
            prepared.input,
          );
          return asRecord(amended);
        }),
      byPerson: flight.byPerson,
      again,
    };
  }

  /** Open asks are kept in the store, so that a restart finds them. */
  async function putBefore(
    asks: Ask[],
    { signal, asker: find }: Pick<Flight, "signal" | "asker">,
  ): Promise<readonly Answer[]> {
    const asker = find();
    if (!asker) return asks.map(() => ({ approved: false, reason: "nobody is here to answer" }));
    for (const { id, tool, args, reason, preview } of asks) {
      const seen = Object.fromEntries(preview?.seen ?? []);
      await parts.store.savePending({
        id,
        workspace: parts.workspace.root,
        tool,
        args,
        reason,
        seen,
        at: new Date().toISOString(),
      });
    }
    const taken = () => Promise.all(asks.map(({ id }) => parts.store.takePending(id)));
    const answers = await untilAborted(asker(asks, signal), signal).catch(async (error: unknown) => {
      await taken();
      throw error;
    });
    const open = await taken();
    // Another process may have answered it and run the call: what was asked once runs once.
    return answers.map((answer, at) => (open[at] ? answer : answeredElsewhere));
  }

  return { permit, permitAnswered, putBefore };
}

const answeredElsewhere: Answer = { approved: false, reason: "this was answered elsewhere already" };

function sameStates(
  before: ReadonlyMap<string, Fingerprint>,
  now: ReadonlyMap<string, Fingerprint>,
): boolean {
  return [...before].every(([path, state]) => !now.has(path) || now.get(path) === state);
}

function asRecord(value: unknown): Record<string, unknown> {
  return value as Record<string, unknown>;
}
