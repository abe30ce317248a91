import { type Command, columns, exit, UsageError } from "./command.ts";
import { databaseOption } from "./database-option.ts";
import { inDatabase } from "./users.ts";

export const projects: Command = {
  name: "projects",
  summary: "List and add the repositories that a team's sessions work on",
  usage: "[list | add NAME GIT-URL]",
  details:
    "Each worker keeps a mirror of the repository and gives every session a worktree of its own. Results are pushed as branches named wield/SESSION.",
  completes: [{ known: ["list", "add"] }],
  options: { ref: { value: "REF", help: "Where sessions begin (default: main)" }, ...databaseOption },
  examples: [
    {
      command: "wield projects add app git@example.org:team/app.git --ref main",
      note: "sessions may name app now",
    },
  ],
  async run(given, io) {
    const [what = "list", name, url] = given.args;
    const { addProject } = await import("../cluster/api/projects.ts");
    const { team } = await import("../cluster/team.ts");
    return inDatabase(given, io, async (database) => {
      if (what === "list") {
        const all = await team.projects(database.query);
        io.out(
          columns(all.map((one) => [one.name, one.ref, one.url])) ||
            "None yet. Add one: wield projects add NAME GIT-URL",
        );
        return exit.ok;
      }
      if (what !== "add" || name === undefined || url === undefined)
        throw new UsageError("Use: wield projects add NAME GIT-URL");
      await addProject(database, { id: "command line" }, { name, url, ref: given.value("ref") ?? "main" });
      io.out(`${name} is a project now.`);
      return exit.ok;
    });
  },
};
