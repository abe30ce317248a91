import type { Agent } from "../agent/agent.ts";
import { delegatedSession } from "../agent/log.ts";
import {
  type ExploreMode,
  type Profile,
  type ProfileName,
  profileNames,
  profiles,
} from "../agent/profiles.ts";
import type { AgentEvent } from "../events/agent-events.ts";
import type { Elicit } from "../mcp/elicitation.ts";
import type { Tool } from "../tool/tool.ts";
import { askPerson } from "../tools/agent/ask-person.ts";
import { type Delegate, type DelegateOptions, explore, type Report, task } from "../tools/agent/delegate.ts";
import { type OwnAgent, taskFor } from "./own-agents.ts";
import { askWith } from "./person-questions.ts";

/** How an agent is wanted that is delegated to. */
export interface ChildOptions {
  profile: ProfileName;
  mode?: ExploreMode;
  /** Exactly these tools, as far as the parent has them. */
  tools?: readonly string[];
  /** Its session; one that is there already is continued. */
  session: string;
}

/** Makes an agent whose tools and limits are no wider than its parent's and that reports its steps. */
export type MakeChild = (options: ChildOptions, hear: (event: AgentEvent) => void) => Promise<Agent>;

/** The tools that an agent has besides those of Wield: it delegates, and asks. */
export class AgentOwnTools {
  readonly list: readonly Tool[];
  readonly #makeChild: MakeChild;

  constructor(
    parent: Profile,
    makeChild: MakeChild | undefined,
    elicit: () => Elicit | undefined,
    agents: readonly OwnAgent[] = [],
  ) {
    this.#makeChild =
      makeChild ?? (() => Promise.reject(new Error("an agent that was delegated to delegates nothing")));
    const delegate: Delegate = {
      explore: ({ question, thoroughness }, options) =>
        this.#run({ profile: "explore", mode: thoroughness }, question, options),
      task: ({ profile, instructions, agent }, options) => {
        const named = agents.find(({ name }) => name === agent);
        return this.#run(
          { profile: profile as ProfileName, ...(named?.tools && { tools: named.tools }) },
          named ? taskFor(named, instructions) : instructions,
          options,
        );
      },
    };
    const narrower = profileNames.filter((name) => isWithin(profiles[name], parent));
    const [first = parent.name, ...others] = narrower;
    const can =
      parent.may === "all" ? (["read", "write", "delete", "run", "fetch", "record"] as const) : parent.may;
    const delegating = makeChild
      ? [explore(delegate.explore), task(delegate.task, [first, ...others], [...can], agents)]
      : [];
    this.list = [...delegating, askPerson(askWith(elicit))] as unknown as Tool[];
  }

  /** A run that an earlier process began is continued, and one that it ended is not repeated. */
  async #run(
    options: Omit<ChildOptions, "session">,
    message: string,
    { callId, signal, progress }: DelegateOptions,
  ): Promise<Report> {
    const child = await this.#makeChild({ ...options, session: delegatedSession(callId) }, (event) => {
      if (event.type === "call-result") progress(`${event.tool}${event.ok ? "" : " failed"}`);
    });
    const run = () => (child.unfinished ? child.resume(signal) : child.send(message, signal));
    const { text, stop, steps, usage, session, message: why } = child.ended() ?? (await run());
    signal.throwIfAborted();
    const report = text.trim() === "" ? (why ?? "There is no report.") : text;
    return { report, stop, steps, usage, session };
  }
}

function isWithin({ may }: Profile, { may: wider }: Profile): boolean {
  return wider === "all" || (may !== "all" && may.every((kind) => wider.includes(kind)));
}
