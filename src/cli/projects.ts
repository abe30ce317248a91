import { type Command, columns, exit, UsageError } from "./command.ts";
import { databaseOption } from "./database-option.ts";
import { commandLine, inDatabase } from "./users.ts";

export const projects: Command = {
  name: "projects",
  summary: "List, add and remove the repositories that a team's sessions work on",
  usage: "[list | add NAME GIT-URL | remove NAME]",
  details:
    "Each worker keeps a mirror of the repository and gives every session a worktree of its own. Results are pushed as branches named wield/SESSION. A worker looks whether a new address can be read; list shows what it found. Adding a known name changes its address.",
  completes: [{ known: ["list", "add", "remove"] }],
  options: {
    ref: { value: "REF", help: "Where sessions begin (default: main)" },
    result: { value: "KIND", help: "What becomes of changes: branch, or pull-request (default: branch)" },
    ...databaseOption,
  },
  examples: [
    {
      command: "wield projects add app git@example.org:team/app.git --ref main",
      note: "sessions may name app now",
    },
    {
      command: "wield projects add app git@github.com:team/app.git --result pull-request",
      note: "changes of a session become a pull request",
    },
  ],
  async run(given, io) {
    const [what = "list", name, url] = given.args;
    const isUnclear =
      what === "add" ? url === undefined : what === "remove" ? name === undefined : what !== "list";
    if (isUnclear) throw new UsageError("Use: wield projects list, add NAME GIT-URL or remove NAME");
    const result = resultIn(given.value("result"));
    const { Projects } = await import("../cluster/projects.ts");
    const { projectsIn } = await import("../cluster/team-view.ts");
    const { openJobs } = await import("../jobs/pg-boss-jobs.ts");
    return inDatabase(given, io, async (database) => {
      if (what === "list") {
        const all = await projectsIn(database.query);
        const rows = all.map((one) => [
          one.name,
          one.ref,
          one.url,
          one.result,
          one.problem ?? (one.checked ? "" : "not checked yet"),
        ]);
        io.out(columns(rows) || "None yet. Add one: wield projects add NAME GIT-URL");
        return exit.ok;
      }
      const jobs = await openJobs({ database });
      const all = new Projects({ database, jobs });
      const by = { id: commandLine };
      try {
        if (what === "add")
          await all.put(by, {
            ...{ name: name ?? "", url: url ?? "", ref: given.value("ref") ?? "main" },
            ...(result && { result }),
          });
        else await all.remove(by, await idOf(database.query, name ?? ""));
      } finally {
        await jobs.close();
      }
      io.out(
        what === "add" ? `${name} is a project now.` : `${name} is removed; its sessions can still be read.`,
      );
      return exit.ok;
    });
  },
};

function resultIn(given: string | undefined): "branch" | "pull-request" | undefined {
  if (given === undefined || given === "branch" || given === "pull-request") return given;
  throw new UsageError("--result is branch or pull-request.");
}

async function idOf(sql: import("../store/postgres-database.ts").Sql, name: string): Promise<string> {
  const { team } = await import("../cluster/team.ts");
  const found = (await team.projects(sql)).find((one) => one.name === name);
  if (!found) throw new UsageError(`There is no project ${JSON.stringify(name)}.`);
  return found.id;
}
