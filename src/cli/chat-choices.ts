import { profileNames, profiles } from "../agent/profiles.ts";
import { efforts } from "../model/effort.ts";
import { requireKnown } from "../model/known-models.ts";
import { visibleLine } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import type { ChatContext } from "./chat-context.ts";
import { columns, UsageError } from "./command.ts";
import { knownProfile } from "./run-options.ts";

export async function chooseEffort(chat: ChatContext, [wanted]: readonly string[]): Promise<void> {
  if (wanted === undefined) {
    chat.io.out(`Effort: ${chat.effort ?? "the model's own"}. Choose with /effort ${efforts.join(" | ")}`);
    return;
  }
  const effort = efforts.find((known) => known === wanted.toLowerCase());
  if (!effort) throw new UsageError(`Use: /effort ${efforts.join(" | ")}`);
  chat.effort = effort;
  chat.agent = await chat.open(await begunSession(chat));
  chat.io.out(`Effort: ${effort}`);
}

/** The most names of one provider that a list shows. */
const mostOfProvider = 20;

export async function chooseModel(chat: ChatContext, [wanted]: readonly string[]): Promise<void> {
  const { wield, agent, io } = chat;
  const known = await wield.models();
  if (wanted === undefined) {
    io.out(modelList(known.names, agent.model));
    return;
  }
  requireKnown(wanted, known);
  chat.agent = await chat.open({ model: wanted, ...(await begunSession(chat)) });
  io.out(`Model: ${visibleLine(chat.agent.model)}`);
}

export async function chooseProfile(chat: ChatContext, [wanted]: readonly string[]): Promise<void> {
  const { io, agent } = chat;
  if (wanted === undefined) {
    const rows = profileNames.map((name) => [
      `${name === agent.profile ? "●" : " "} ${name}`,
      profiles[name].hint,
    ]);
    io.out(wrap(columns(rows), io.columns));
    return;
  }
  const profile = knownProfile(wanted);
  chat.agent = await chat.open({ profile, ...(await begunSession(chat)) });
  io.out(`From here on: ${profiles[profile].label}. ${profiles[profile].hint}.`);
}

/** A session without a message is not in the store yet and cannot be continued. */
async function begunSession({ wield, agent }: ChatContext): Promise<{ session?: string }> {
  return (await wield.store.session(agent.session)) === undefined ? {} : { session: agent.session };
}

function modelList(names: readonly string[], now: string): string {
  const byProvider = Map.groupBy(names, (name) => name.split("/")[0] ?? "");
  const lines = [...byProvider].flatMap(([provider, all]) => [
    ...all.slice(0, mostOfProvider).map((name) => `${name === now ? "●" : " "} ${visibleLine(name)}`),
    ...(all.length > mostOfProvider
      ? [`  … ${all.length - mostOfProvider} more of ${provider}: filter with /model and a part of the name`]
      : []),
  ]);
  return [...(names.includes(now) ? [] : [`● ${visibleLine(now)}`]), ...lines].join("\n");
}
