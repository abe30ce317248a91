import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { auditLines } from "../cluster/audit-log.ts";
import { migrate } from "../cluster/migrate.ts";
import { hasPostgres, testDatabase } from "../store/postgres.suite.ts";
import { openPostgres } from "../store/postgres-database.ts";
import { removeFolder } from "../testing/remove-folder.ts";
import { runCli } from "./run-cli.suite.ts";

test.skipIf(!hasPostgres)("people, projects and keys of a team are managed by commands, too", async () => {
  const database = await testDatabase();
  const db = openPostgres(database.url);
  onTestFinished(async () => {
    await db.close();
    await database.close();
  });
  await migrate(database.url);
  const env = { WIELD_DATABASE: database.url, WIELD_SECRET_KEY: "a key of more than thirty-two characters" };
  const run = async (args: string, input = "") => {
    const { code, out, err } = await runCli({ root: "/", env }, args.split(" "), input);
    return code === 0 ? out : `${code} ${err}`;
  };
  expect(await run("users add ann --role admin")).toMatch(/^wield_/);
  expect(await run("users remove ann")).toContain("ann is the only admin");
  expect(await run("users add dan")).toMatch(/^wield_/);
  expect(await run("users role dan")).toContain("Name the role");
  expect(await run("users role dan --role viewer")).toBe("dan has the role viewer now.\n");
  const listed = await run("users tokens dan");
  expect(listed).toMatch(/^ {2}t_\w+ {2}all rights {2}made \d{4}-\d\d-\d\d {2}never used {2}ends /);
  const id = /t_\w+/.exec(listed)?.[0];
  expect(await run(`users revoke ann ${id}`)).toContain("There is no such token.");
  expect(await run(`users revoke dan ${id}`)).toBe("The token is no longer valid.\n");
  expect(await run("users tokens dan")).toContain("dan has no token");
  expect(await run("users remove dan")).toContain("dan is removed");
  expect(await run("users")).toBe("  ann  admin\n");

  expect(await run("projects add app https://me:pass@example.invalid/app.git")).toBe(
    "app is a project now.\n",
  );
  expect(await run("projects list")).toBe(
    "  app  main  https://…@example.invalid/app.git  branch  not checked yet\n",
  );
  expect(await run("projects add app https://example.invalid/app.git --result both")).toContain(
    "--result is",
  );
  await run("projects add app https://example.invalid/app.git --result pull-request");
  await run("projects add app https://example.invalid/other.git");
  expect(await run("projects list")).toContain("other.git  pull-request  not checked yet");
  expect(await run("projects remove app")).toContain("app is removed");
  expect(await run("projects remove app")).toContain("There is no project");
  expect(await run("projects list")).toContain("None yet");

  expect(await run("secrets set EXA_API_KEY", "value")).toBe("EXA_API_KEY is saved.\n");
  expect(await run("secrets")).toMatch(/^ {2}EXA_API_KEY {2}team {2}set \d{4}-\d\d-\d\d by command line\n$/);
  expect(await run("secrets remove EXA_API_KEY")).toBe("EXA_API_KEY is removed.\n");
  expect(await run("secrets remove EXA_API_KEY")).toContain("is not saved");
  const lines = await auditLines(db.query, { person: "command line" }, { limit: 100 });
  expect(lines.map(({ action }) => action).reverse()).toEqual([
    ...["person.add", "person.add", "person.role", "token.revoke", "person.remove"],
    ...["project.add", "project.add", "project.add", "project.remove", "key.save", "key.remove"],
  ]);
});

test.skipIf(!hasPostgres)("a worker that is told to end is no longer listed", async () => {
  const database = await testDatabase();
  const db = openPostgres(database.url);
  const folder = mkdtempSync(join(tmpdir(), "wield-worker-"));
  await migrate(database.url);
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "wield.ts"), "serve", "--role", "worker"],
    {
      env: { PATH: process.env["PATH"], HOME: folder, WIELD_DATABASE: database.url },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await db.close();
    await database.close();
    removeFolder(folder);
  });
  for await (const chunk of child.stdout) if (String(chunk).includes("takes sessions")) break;
  expect(await db.query("SELECT 1 FROM workers")).toHaveLength(1);
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(await db.query("SELECT 1 FROM workers")).toEqual([]);
});
