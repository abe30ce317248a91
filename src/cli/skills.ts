import { visibleLine, visibleText } from "../text/visible.ts";
import { wrap } from "../text/wrap.ts";
import { type Command, commonOptions, exit } from "./command.ts";
import { openWield } from "./open.ts";
import { painter } from "./terminal.ts";

export const skills: Command = {
  name: "skills",
  summary: "List, search and read skills",
  usage: "[name | query]",
  details:
    "A skill is a folder with a SKILL.md: built in, yours (~/.config/wield/skills), or from a trusted workspace (.wield/skills). Skills of other programs are found in .agents/skills and .claude/skills, of your home folder and of a trusted workspace.",
  options: { json: { help: "Print as JSON" }, ...commonOptions },
  examples: [
    { command: "wield skills", note: "list all skills" },
    { command: "wield skills safe-refactoring", note: "read one" },
    { command: `wield skills "fill in a web form"`, note: "find skills for a task, best first" },
  ],
  async run(given, io) {
    const wield = await openWield(given, io, []);
    try {
      const paint = painter(io);
      const query = given.args.join(" ").trim();
      const all = await wield.tools.skills.list();
      if (all.some(({ name }) => name === query)) {
        const { skill, content } = await wield.tools.skills.read(query);
        io.out(given.flag("json") ? JSON.stringify({ ...skill, content }, null, 2) : visibleText(content));
        return exit.ok;
      }
      const found = query === "" ? all : await wield.tools.skills.search(query, 5);
      if (given.flag("json")) io.out(JSON.stringify(found, null, 2));
      else
        for (const { name, source, from, description } of found)
          io.out(
            `${paint("cyan", name)}  ${paint("dim", from === undefined ? source : `${source}, ${from}`)}\n${wrap(`  ${visibleLine(description)}`, io.columns)}`,
          );
      if (found.length === 0) io.err(`No skill matches ${JSON.stringify(query)}. List all: wield skills`);
      for (const problem of await wield.tools.skills.problems())
        io.err(paint("yellow", visibleLine(problem)));
      return found.length > 0 ? exit.ok : exit.failed;
    } finally {
      await wield.close();
    }
  },
};
