import type { AvailableCommand } from "@agentclientprotocol/sdk";
import type { Agent, RunResult } from "../agent/agent.ts";
import { messageFor } from "../app/own-commands.ts";
import type { Wield } from "../app/wield.ts";

interface EditorCommand {
  name: string;
  description: string;
  hint?: string;
  /** Text for the person, or a run of the agent. */
  run(wield: Wield, agent: Agent, args: readonly string[], signal: AbortSignal): Promise<string | RunResult>;
}

const commands: readonly EditorCommand[] = [
  {
    name: "undo",
    description: "Undo the last change, or the one with this id",
    hint: "change id",
    run: (wield, agent, args) => reverse("undo", wield, agent, args),
  },
  {
    name: "redo",
    description: "Redo the last undone change, or the one with this id",
    hint: "change id",
    run: (wield, agent, args) => reverse("redo", wield, agent, args),
  },
  { name: "changes", description: "List the last changes to files", run: listChanges },
  {
    name: "continue",
    description: "Continue a run that was cancelled, failed or met a limit",
    run: (_wield, agent, _args, signal) => agent.resume(signal),
  },
];

/** Commands that run without the model, messages that are kept in files, and skills, which the model reads first. */
export async function availableCommands(wield: Wield): Promise<AvailableCommand[]> {
  const own = commands.map(({ name, description, hint }) => ({
    name,
    description,
    ...(hint !== undefined && { input: { hint } }),
  }));
  const kept = [...(await wield.commands()), ...(await wield.tools.skills.list())].map(
    ({ name, description }) => ({ name, description, input: { hint: "what to do" } }),
  );
  // The first of a name counts.
  const byName = new Map([...own, ...kept].toReversed().map((command) => [command.name, command]));
  return [...byName.values()].toReversed();
}

/** Undefined if it is not a command: then it goes to the model unchanged. */
export async function runCommand(
  text: string,
  wield: Wield,
  agent: Agent,
  signal: AbortSignal,
): Promise<string | RunResult | undefined> {
  const [, name, rest = ""] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const command = commands.find((known) => known.name === name);
  if (command) return command.run(wield, agent, rest.split(/\s+/).filter(Boolean), signal);
  const kept = messageFor(text, await wield.commands());
  if (kept !== undefined) return agent.send(kept, signal);
  const skill = (await wield.tools.skills.list()).find((known) => known.name === name);
  return skill && agent.send(`Use the skill ${skill.name}. ${rest}`.trim(), signal);
}

async function reverse(
  tool: "undo" | "redo",
  wield: Wield,
  agent: Agent,
  ids: readonly string[],
): Promise<string> {
  const outcome = await wield.call(tool, ids.length > 0 ? { changeId: [...ids] } : {}, { byPerson: true });
  if (outcome.result.ok) agent.tell(`The person used ${tool}. ${outcome.text}`);
  return outcome.text;
}

async function listChanges(wield: Wield): Promise<string> {
  const changes = await wield.changes.list({ limit: 10 });
  if (changes.length === 0) return "No changes yet.";
  return changes.map(({ id, state, description }) => `- \`${id}\` ${description} (${state})`).join("\n");
}
