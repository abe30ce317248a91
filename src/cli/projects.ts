import { type Command, columns, exit, UsageError } from "./command.ts";
import { databaseOption, inDatabase } from "./database-option.ts";
import { commandLine } from "./users.ts";

const actions = ["list", "add", "change", "remove"] as const;

export const projects: Command = {
  name: "projects",
  summary: "List, add and remove the repositories that a team's sessions work on",
  usage: "[list | add NAME GIT-URL | change NAME [GIT-URL] | remove NAME]",
  details:
    "Each worker keeps a mirror of the repository and gives every session a worktree of its own. Results are pushed as branches named wield/SESSION. A worker looks whether a new address can be read; list shows what it found. change keeps what is not named.",
  completes: [{ known: [...actions] }],
  options: {
    ref: { value: "REF", help: "Where sessions begin (for a new project, default: main)" },
    result: {
      value: "KIND",
      help: "What becomes of changes: branch, or pull-request (for a new project, default: branch)",
    },
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
    { command: "wield projects change app --ref next", note: "sessions begin at another branch" },
  ],
  async run(given, io) {
    const [what = "list", name = "", url] = given.args;
    const action = actions.find((one) => one === what);
    if (!action || (action !== "list" && name === "") || (action === "add" && url === undefined))
      throw new UsageError(
        "Use: wield projects list, add NAME GIT-URL, change NAME [GIT-URL] or remove NAME",
      );
    const ref = given.value("ref");
    const result = resultIn(given.value("result"));
    const { Projects } = await import("../cluster/projects.ts");
    const { projectsIn } = await import("../cluster/team-view.ts");
    const { openJobs } = await import("../jobs/pg-boss-jobs.ts");
    return inDatabase(given, io, async (database) => {
      if (action === "list") {
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
        if (action === "add")
          await all.add(by, { ...{ name, url: url ?? "", ref: ref ?? "main" }, ...(result && { result }) });
        else if (action === "change") await all.change(by, name, { url, ref, result });
        else await all.remove(by, name);
      } finally {
        await jobs.close();
      }
      io.out(done[action](name));
      return exit.ok;
    });
  },
};

const done = {
  add: (name: string) => `${name} is a project now.`,
  change: (name: string) => `${name} is changed.`,
  remove: (name: string) => `${name} is removed; its sessions can still be read.`,
};

function resultIn(given: string | undefined): "branch" | "pull-request" | undefined {
  if (given === undefined || given === "branch" || given === "pull-request") return given;
  throw new UsageError("--result is branch or pull-request.");
}
