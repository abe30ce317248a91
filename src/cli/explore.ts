import { type ExploreMode, exploreModes } from "../agent/profiles.ts";
import { runOnce } from "./ask.ts";
import { type Command, commonOptions, UsageError } from "./command.ts";
import { exitCodesText, resumeOptions, runOptions } from "./run-options.ts";

const modes = Object.entries(exploreModes)
  .map(([mode, steps]) => `${mode} (${steps} steps)`)
  .join(", ");

export const explore: Command = {
  name: "explore",
  summary: "Answer a question about this code; read-only",
  usage: "<question>",
  details: `Uses only tools that read. When a limit is near, the report is written from what was found so far.
${exitCodesText}`,
  options: {
    mode: {
      value: "MODE",
      help: `Thoroughness: ${modes}; default medium`,
      completes: { known: Object.keys(exploreModes) },
    },
    ...resumeOptions,
    ...runOptions,
    ...commonOptions,
  },
  examples: [
    {
      command: `wield explore "Where is DatabaseService defined?"`,
      note: "report with file:line evidence",
    },
    { command: `wield explore --mode thorough "How do approvals work?"`, note: "allow more steps" },
  ],
  run: (given, io) => {
    const mode = given.value("mode") ?? "medium";
    if (!Object.hasOwn(exploreModes, mode)) throw new UsageError(`--mode takes one of: ${modes}.`);
    return runOnce(given, io, { profile: "explore", mode: mode as ExploreMode });
  },
};
