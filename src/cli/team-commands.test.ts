import { spawn } from "node:child_process";
import { scryptSync } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../scripts/local-postgres.ts";
import { auditLines } from "../cluster/audit-log.ts";
import { testRepository } from "../cluster/cluster.suite.ts";
import { migrate } from "../cluster/migrate.ts";
import { people } from "../cluster/people.ts";
import { webhookPlace } from "../cluster/sealed-rows.ts";
import { unseal } from "../cluster/sealing.ts";
import { keysOf, requireReadable } from "../cluster/secrets.ts";
import { addWebhook } from "../cluster/webhooks.ts";
import { listen } from "../server/http-server.ts";
import { connectFailure } from "../store/connect-failure.ts";
import { hasPostgres, testDatabase } from "../store/postgres.suite.ts";
import { openPostgres } from "../store/postgres-database.ts";
import { removeFolder } from "../testing/remove-folder.ts";
import { runCli } from "./run-cli.suite.ts";
import { publicUrlHint } from "./serve-team.ts";

const secretKey = "a key of more than thirty-two characters";

type Commands = (args: string, input?: string) => Promise<string>;

/** What a command prints; where it fails, its exit code and what it complains about. */
function commandsOn(database: string, key = secretKey): Commands {
  const env = { WIELD_DATABASE: database, WIELD_SECRET_KEY: key };
  return async (args, input = "") => {
    const { code, out, err } = await runCli({ root: "/", env }, args.split(" "), input);
    return code === 0 ? out : `${code} ${err}`;
  };
}

test.skipIf(!hasPostgres)("people, projects and keys of a team are managed by commands, too", async () => {
  const database = await testDatabase();
  const db = openPostgres(database.url);
  onTestFinished(async () => {
    await db.close();
    await database.close();
  });
  const run = commandsOn(database.url);
  expect(await run("users list")).toContain(
    "1 wield: This database is empty. Prepare it with: wield migrate",
  );
  await migrate(database.url);
  expect(await run("users add ann --role admin")).toMatch(/^wield_/);
  expect(await run("users remove ann")).toContain("ann is the only admin");
  expect(await run("users add ann")).toContain("ann is in the team already, with the role admin.");
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
  expect(await run("projects add app https://example.invalid/other.git")).toContain(
    "There is already a project app.",
  );
  expect(await run("projects change app --ref next --result pull-request")).toBe("app is changed.\n");
  await run("projects change app https://example.invalid/other.git");
  expect(await run("projects list")).toBe(
    "  app  next  https://example.invalid/other.git  pull-request  not checked yet\n",
  );
  expect(await run("projects change nowhere")).toContain("There is no project");
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
    ...["project.add", "project.change", "project.change", "project.remove", "key.save", "key.remove"],
  ]);
});

test.skipIf(!hasPostgres)("every process and every saved key has the same WIELD_SECRET_KEY", async () => {
  const database = await testDatabase();
  const db = openPostgres(database.url);
  onTestFinished(async () => {
    await db.close();
    await database.close();
  });
  await migrate(database.url);
  const [run, other, next] = [secretKey, "another key of thirty-two characters", "n".repeat(32)].map((key) =>
    commandsOn(database.url, key),
  ) as [Commands, Commands, Commands];
  const short = "must have at least 32 characters";
  for (const key of ["", "short"])
    for (const role of ["web", "worker", "all"])
      expect(await commandsOn(database.url, key)(`serve --role ${role}`)).toContain(short);
  expect(await run("secrets set EXA_API_KEY", "value")).toBe("EXA_API_KEY is saved.\n");
  const refused = "1 wield: WIELD_SECRET_KEY is not the key that this team's database was set up with.";
  expect(await other("secrets set OPENAI_API_KEY", "value")).toContain(refused);
  for (const role of ["web", "worker", "all"]) expect(await other(`serve --role ${role}`)).toContain(refused);
  // Neither the key nor anything that is as fast to compute as a plain digest of it is stored.
  const [check] = await db.query("SELECT salt, digest FROM secret_key");
  expect(scryptSync(secretKey, check?.["salt"] as Buffer, 32, { N: 2 ** 15, maxmem: 2 ** 26 })).toEqual(
    check?.["digest"],
  );

  const stored = (key: string) => keysOf(db.query, "nobody", key);
  const { id } = await addWebhook(
    db,
    await people.add(db.query, "ann", "admin"),
    { url: "https://example.invalid", events: ["session.ended"] },
    secretKey,
  );
  expect(await run("secrets rekey", "short")).toContain(`The new key ${short}`);
  expect(await other("secrets rekey", "n".repeat(32))).toContain(refused);
  expect(await run("secrets rekey", `${"n".repeat(32)}\n`)).toContain("encrypted under the new key now");
  expect(await stored("n".repeat(32))).toEqual({ keys: { EXA_API_KEY: "value" }, unreadable: [] });
  expect(await stored(secretKey)).toEqual({ keys: {}, unreadable: ["EXA_API_KEY"] });
  const [hook] = await db.query("SELECT sealed FROM webhooks");
  expect(unseal(hook?.["sealed"] as Buffer, webhookPlace(id), "n".repeat(32))).toHaveLength(43);
  expect(await run("secrets set EXA_API_KEY", "value")).toContain(refused);
  expect(await next("secrets set EXA_API_KEY", "value")).toBe("EXA_API_KEY is saved.\n");

  // A database from before there was a check value: the key must open what is there.
  await db.query("DELETE FROM secret_key");
  expect(await other("serve --role worker")).toContain(refused);
  expect(await other("secrets rekey --lost", "another key of thirty-two characters")).toContain(
    "1 saved keys and 1 webhooks are removed.",
  );
  expect(await other("secrets set EXA_API_KEY", "value")).toBe("EXA_API_KEY is saved.\n");
  expect(await next("secrets set EXA_API_KEY", "value")).toContain(refused);
});

test("a key that a session does not need may be unreadable", () => {
  const { unreadable, keys } = { unreadable: ["EXA_API_KEY", "OPENAI_API_KEY"], keys: {} };
  const judged = (model?: string) => () => requireReadable({ unreadable, keys }, model);
  expect(judged("anthropic/claude-sonnet-5-5")).not.toThrow();
  expect(judged("offline")).not.toThrow();
  for (const model of ["openai", "openai/gpt-5.6", undefined])
    expect(judged(model)).toThrow("The key OPENAI_API_KEY was saved under another WIELD_SECRET_KEY.");
  const server = () => requireReadable({ unreadable: ["WIELD_API_KEY"], keys }, "http://127.0.0.1:9/v1#m");
  expect(server).toThrow("WIELD_API_KEY was saved");
});

test("a database that cannot be used is told in a sentence without its password", async () => {
  const port = await freePort();
  const run = commandsOn(`postgres://me:hidden@127.0.0.1:${port}/team`);
  const told = `1 wield: The database at 127.0.0.1:${port} cannot be reached: nothing listens there.`;
  for (const command of ["users list", "projects list", "secrets list", "migrate", "serve --role worker"]) {
    const said = await run(command);
    expect(said).toContain(told);
    expect(said).not.toMatch(/hidden|WIELD_DEBUG/);
  }
  const mysql = await commandsOn("mysql://me:hidden@127.0.0.1/team")("users list");
  expect(mysql).toContain("2 wield: The team's database must be a Postgres");
  expect(mysql).not.toContain("hidden");
  const failed = (code: string) =>
    connectFailure(Object.assign(new Error(), { code }), "postgres://me:hidden@db/team")?.message;
  expect(failed("28P01")).toBe(
    "The database at db does not let the user me in: the name or the password is wrong, or it has no access from here.",
  );
  expect(failed("3D000")).toContain("There is no database team at db.");
  expect(failed("23505")).toBeUndefined();
});

test("a page for other machines says what they need", () => {
  const hint = (host?: string, url?: string) =>
    publicUrlHint(host, { WIELD_PUBLIC_URL: url }, "http://127.0.0.1:8096");
  expect(hint("0.0.0.0")).toMatch(/refused until WIELD_PUBLIC_URL names .* http:\/\/[^ ]+:8096\./);
  expect(hint("0.0.0.0", "https://wield.example.org")).toBeUndefined();
  expect(hint()).toBeUndefined();
  expect(hint("192.168.1.5")).toBeUndefined();
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
      env: {
        ...{ PATH: process.env["PATH"], HOME: folder },
        ...{ WIELD_DATABASE: database.url, WIELD_SECRET_KEY: secretKey },
      },
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

test.skipIf(!hasPostgres)("a page that cannot have its port ends", async () => {
  const database = await testDatabase();
  await migrate(database.url);
  const other = createServer();
  const port = await listen(other, 0, "127.0.0.1");
  const args = [join(import.meta.dirname, "wield.ts"), "serve", "--role", "web", "--port", String(port)];
  const env = { PATH: process.env["PATH"], WIELD_DATABASE: database.url, WIELD_SECRET_KEY: secretKey };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    other.close();
    await database.close();
  });
  const said = child.stderr.toArray();
  expect(await once(child, "exit")).toEqual([1, null]);
  expect((await said).join("")).toContain(`Port ${port} is already in use.`);
});

test.skipIf(!hasPostgres)("npm run cluster", async () => {
  const repository = testRepository();
  const folder = mkdtempSync(join(tmpdir(), "wield-one-machine-"));
  // Postgres may run as another user.
  chmodSync(folder, 0o755);
  const [port, databasePort] = [await freePort(), await freePort()];
  const ports = ["--port", String(port), "--database-port", String(databasePort)];
  const script = join(import.meta.dirname, "..", "..", "scripts", "cluster.ts");
  const cluster = (...args: string[]) => {
    const all = [script, "--folder", folder, ...ports, ...args];
    const child = spawn(process.execPath, all, { stdio: ["ignore", "pipe", "pipe"] });
    const run = { child, said: "", ended: once(child, "exit") };
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text) => {
        run.said += String(text);
      });
    return run;
  };
  const other = createServer();
  let first = cluster("--help");
  let db: ReturnType<typeof openPostgres> | undefined;
  onTestFinished(async () => {
    first.child.kill("SIGTERM");
    await first.ended;
    await db?.close();
    other.close();
    repository.remove();
    removeFolder(folder);
  });

  expect(await first.ended).toEqual([0, null]);
  expect(first.said).toContain("--database-port N");
  await listen(other, port, "127.0.0.1");
  for (const [args, complaint] of [
    [["--prot", "1"], "Unknown option '--prot'"],
    [[join(folder, "nowhere")], "There is no folder"],
    [[folder], "is not in a git repository"],
    [[], `Port ${port} is already in use.`],
  ] as const) {
    const refused = cluster(...args);
    expect(await refused.ended).toEqual([1, null]);
    expect(refused.said).toContain(complaint);
    expect(refused.said).not.toContain("token");
    expect(refused.said).not.toContain("    at ");
  }
  other.close();

  const work = join(repository.folder, "work");
  first = cluster(work);
  await expect.poll(() => first.said).toContain(`Open http://127.0.0.1:${port}/#token=wield_`);
  const second = cluster();
  expect(await second.ended).toEqual([1, null]);
  expect(second.said).toContain("already running");

  const settings = readFileSync(join(folder, "worker-settings.sh"), "utf8");
  db = openPostgres(/postgres:[^']+/.exec(settings)?.[0] ?? "");
  const { query } = db;
  const projects = () => query("SELECT url, ref FROM projects").catch(() => []);
  expect(await projects()).toEqual([{ url: work, ref: "main" }]);
  await query("UPDATE projects SET ref = 'next'");
  process.kill(
    Number(readFileSync(join(folder, "postgres", "data", "postmaster.pid"), "utf8").split("\n")[0]),
    "SIGKILL",
  );
  await expect.poll(() => first.said).toContain("Postgres ended and is started again.");
  await expect.poll(projects).toHaveLength(1);

  first.child.kill("SIGTERM");
  expect(await first.ended).toEqual([0, null]);
  first = cluster(work);
  await expect.poll(() => first.said).toContain("Open http://");
  expect(await projects()).toEqual([{ url: work, ref: "next" }]);
});
