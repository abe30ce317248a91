import { researchIdea } from "../app/research.ts";
import { inTerminal, questionFrom } from "./ask.ts";
import { type Command, commonOptions } from "./command.ts";
import { exitCodesText, runOptions } from "./run-options.ts";

export const research: Command = {
  name: "research",
  summary: "Research a topic and write a report",
  usage: "<idea>",
  details: `Reads related research, searches the web, and writes ideas/<date>-<slug>/research.md with a log of the steps. Needs a language model.
${exitCodesText}`,
  options: { ...runOptions, ...commonOptions },
  examples: [
    { command: `wield research "Solar roofs for garden sheds"`, note: "write a report into the workspace" },
  ],
  run: async (given, io) => {
    const idea = await questionFrom(given, io, true);
    return inTerminal(given, io, async (wield, options) => {
      const result = await researchIdea(wield, idea, options, io.signal);
      if (result.report) io.err(`Report: ${result.report}\nLog: ${result.log}`);
      return result;
    });
  },
};
