import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Link } from "../../bench/cluster/link.ts";
import { kill, startWorkerProcess } from "../../bench/cluster/processes.ts";
import { hasChromium, launchBrowser, lookAt, openTab, say } from "../server/page.suite.ts";
import { hasPostgres, type TestDatabase, testDatabase } from "../store/postgres.suite.ts";
import { openPostgres, type PostgresDatabase } from "../store/postgres-database.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { scriptFor, testRepository } from "./cluster.suite.ts";
import { migrate } from "./migrate.ts";
import { people } from "./people.ts";
import { tokens } from "./tokens.ts";
import { startWeb, type Web } from "./web.ts";
import { startWorker, type Worker } from "./worker.ts";

const secretKey = "a key of more than thirty-two characters";

/** What a new administrator does, on the page alone. */
describe.skipIf(!hasPostgres || !hasChromium)("a team on its page", () => {
  const repository = testRepository();
  let browser: Browser;
  let database: TestDatabase;
  let db: PostgresDatabase;
  let web: Web;
  let worker: Worker;
  let rootToken = "";

  beforeAll(async () => {
    browser = await launchBrowser();
    database = await testDatabase();
    await migrate(database.url);
    db = openPostgres(database.url);
    rootToken = await tokens.add(db.query, (await people.add(db.query, "root", "admin")).id);
    web = await startWeb({ database: database.url, version: "test", secretKey });
    worker = await startTeamWorker();
  });
  afterAll(async () => {
    await worker.close(0);
    await web.close();
    await db.close();
    await database.close();
    repository.remove();
    await browser.close();
  });

  const startTeamWorker = () =>
    startWorker({
      ...{
        database: database.url,
        folder: join(repository.folder, "worker"),
        version: "test",
        patience: 0.2,
      },
      env: { HOME: join(repository.folder, "home"), PATH: process.env["PATH"], WIELD_SECRET_KEY: secretKey },
      model: scriptedModel(({ prompt }) => scriptFor(prompt)),
    });
  const open = (address: string) => openTab(browser, { origin: web.origin, address });
  const asRoot = (place: string) => open(`${web.origin}/#token=${rootToken}&to=${encodeURIComponent(place)}`);
  const list = (page: Page, name: string) => page.getByRole("list", { name });

  test("projects are added, checked by a worker and corrected", async () => {
    const page = await asRoot("/chat");
    await page.getByRole("link", { name: "add one" }).click();
    const form = page.getByRole("form", { name: "Add a project" });
    await form.getByLabel("Name").fill("example");
    await form.getByLabel("Git address").fill(join(repository.folder, "nowhere.git"));
    await form.getByRole("button").click();
    const projects = list(page, "Projects");
    await projects.getByText("There is no git repository at this address").waitFor();
    await lookAt(page, "team-projects");
    await page.getByRole("button", { name: "Change example" }).click();
    const change = page.getByRole("form", { name: "Change example" });
    await change.getByLabel("Git address").fill(repository.url);
    await change.getByRole("button", { name: "Save" }).click();
    await projects.getByText("checked just now").waitFor();
    // What the page starts with follows without a reload.
    await page.getByRole("link", { name: "New chat" }).click();
    await page.getByText("What should I do in example?").waitFor();
  });

  test("a person is added, works, shares, and is shut out when the token is revoked", async () => {
    const root = await asRoot("/team/people");
    const form = root.getByRole("form", { name: "Add a person" });
    await form.getByLabel("Name").fill("ann");
    await form.getByRole("button", { name: "Add person" }).click();
    const link = await form.locator("code.token").textContent();
    await form.getByLabel("Name").fill("ben");
    await form.getByRole("button", { name: "Add person" }).click();
    await form.getByText("ben signs in").waitFor();
    const bens = await form.locator("code.token").textContent();
    await lookAt(root, "team-people");

    const ann = await open(link ?? "");
    await say(ann, "ask page");
    await ann.getByRole("dialog").waitFor();
    // What she said is above it from the beginning.
    await ann.getByRole("log", { includeHidden: true }).getByText("ask page").waitFor();
    // An admin reads along, and is told who answers.
    const watching = await asRoot(new URL(ann.url()).hash.slice(1));
    await watching.getByText("waits for ann").waitFor();
    expect(await watching.getByRole("button", { name: "Review" }).count()).toBe(0);
    await watching.getByText("No chats yet.").waitFor();
    await ann.getByRole("dialog").getByRole("button", { name: "Approve" }).first().click();
    await ann.getByText("Branch wield/").waitFor();
    expect(await ann.getByRole("button", { name: "Open pull request" }).count()).toBe(0);
    await ann.reload();
    await ann.getByText("approved by ann").waitFor();
    await ann.getByText("In example, seen by you and the admins only").waitFor();
    await ann.getByRole("button", { name: "View changes" }).click();
    await ann.getByRole("dialog").getByText("page.txt").first().waitFor();
    await lookAt(ann, "team-patch");
    await ann.getByRole("button", { name: "Close" }).click();
    const saving = ann.waitForEvent("download");
    await ann.getByRole("button", { name: "Patch" }).click();
    expect(readFileSync(await (await saving).path(), "utf8")).toContain("+page");

    await say(ann, "wonder tea");
    const question = ann.getByRole("dialog");
    await question.getByText("In ask page · session of ann in example.").waitFor();
    await ann.getByRole("button", { name: "1 question pending", includeHidden: true }).waitFor();
    expect(await question.getByText("What about tea?").count()).toBe(1);
    await question.getByRole("radio", { name: "yes" }).check();
    await lookAt(ann, "team-question");
    await question.getByRole("button", { name: "Answer" }).click();
    await ann.getByRole("log").getByText("told:").waitFor();

    // It appears for others as soon as it is shared, and goes when it is private again.
    const ben = await open(bens ?? "");
    await ben.getByText("No chats yet.").waitFor();
    await ann.getByRole("button", { name: "Share with the team" }).click();
    await ben
      .getByRole("list", { name: "Chats" })
      .getByRole("link", { name: /ask page/ })
      .click();
    await ben.getByText("This session belongs to ann.").waitFor();
    expect(await ben.getByLabel("Message").count()).toBe(0);
    await lookAt(ben, "team-shared-session");
    await ann.getByRole("button", { name: "Make private" }).click();
    await ben.getByText("No chats yet.").waitFor();

    await ann.getByRole("link", { name: "My account" }).click();
    const token = ann.getByRole("form", { name: "New token" });
    await token.getByLabel("What it is for").fill("build");
    await token.getByLabel("read").check();
    await token.getByRole("button", { name: "Create token" }).click();
    await list(ann, "Tokens").getByText("May read; ").waitFor();
    await lookAt(ann, "team-account");
    await ann.getByRole("button", { name: "Revoke token build" }).click();
    await ann.getByRole("button", { name: "Revoke token build: whoever uses it" }).click();
    await ann.getByText("May read; ").waitFor({ state: "detached" });

    await root.getByRole("button", { name: "Tokens of ann" }).click();
    await root.getByRole("button", { name: "Revoke token Invitation" }).click();
    await root.getByRole("button", { name: "Revoke token Invitation: whoever uses it" }).click();
    await root.getByText("ann cannot sign in: there is no token.").waitFor();
    await ann.getByText("Sign in to your team’s Wield").waitFor();
    await ann.getByText("Your token was revoked or has expired.").waitFor();
    await lookAt(ann, "team-sign-in");
    await ann.getByLabel("Token").fill(link ?? "");
    await ann.getByRole("button", { name: "Sign in" }).click();
    await ann.getByText("This token is wrong, expired or revoked.").waitFor();
  });

  test("a viewer has no field for messages, and nobody can choose a project that cannot be read", async () => {
    await db.query(
      "INSERT INTO projects (id, name, url, ref, checked, problem) VALUES ('j_away', 'away', '/x', 'main', now(), 'Gone.')",
    );
    const accounts = ["member", "viewer"] as const;
    const pages = await Promise.all(
      accounts.map(async (role) => {
        const token = await tokens.add(db.query, (await people.add(db.query, `some-${role}`, role)).id);
        return open(`${web.origin}/#token=${token}`);
      }),
    );
    const [member, viewer] = pages;
    await member?.getByText("What should I do in example?").waitFor();
    const away = member?.getByLabel("Project").locator("option", { hasText: "away (cannot be read)" });
    expect(await away?.isDisabled()).toBe(true);
    await viewer?.getByText("You can read what others share").waitFor();
    expect(await viewer?.getByLabel("Message").count()).toBe(0);
    expect(await viewer?.getByRole("link", { name: "New chat" }).count()).toBe(0);
    await viewer?.goto(`${web.origin}/#/team`);
    await viewer?.getByText("The page Team needs the role admin.").waitFor();
    await member?.goto(`${web.origin}/#/settings`);
    await member?.getByText("Not part of a team’s page").waitFor();
    await db.query("DELETE FROM projects WHERE id = 'j_away'");
  });

  test("keys, limits, the audit log and a lost worker are on the page", async () => {
    const page = await asRoot("/team/keys");
    const form = page.getByRole("form", { name: "Set or replace a key of the team" });
    await form.getByLabel("Provider").selectOption("OpenAI");
    await form.getByLabel("Key", { exact: true }).fill("sk-of-the-team");
    await form.getByRole("button").click();
    await list(page, "Keys").getByText("by root").waitFor();
    expect(await page.content()).not.toContain("sk-of-the-team");
    await page.getByRole("button", { name: "Remove the key OPENAI_API_KEY" }).click();
    // Read with the mouse on it.
    await lookAt(page, "team-confirm");
    await page
      .getByRole("button", { name: "Remove the key OPENAI_API_KEY: sessions no longer use it" })
      .click();
    await page.getByText("None yet. Without a key").waitFor();

    await page.getByRole("link", { name: "Audit log" }).click();
    const log = page.getByRole("region", { name: "Audit log" });
    await log.getByText("removed a key").waitFor();
    await page.getByLabel("Person").fill("ann");
    await page.getByLabel("About").selectOption("Sessions");
    await log.getByText("removed a key").waitFor({ state: "detached" });
    await log.getByText("shared a session").first().waitFor();
    await lookAt(page, "team-audit");
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    const csv = readFileSync(await (await saving).path(), "utf8");
    expect(csv).toContain(",ann,session.share,");
    expect(csv).not.toContain("key.remove");

    await db.query(
      "INSERT INTO workers (id, host, version, places, running, seen) VALUES ('gone', 'h', 'v', 4, 1, now() - interval '11 s')",
    );
    await page.getByRole("link", { name: "Work", exact: true }).click();
    await page.getByText("not responding since").waitFor();
    await lookAt(page, "team-work");
    const wide = page.viewportSize() ?? { width: 1280, height: 800 };
    await page.setViewportSize({ width: 390, height: 800 });
    const isInView = async (name: string, column: string) => {
      const header = page.getByRole("region", { name }).getByRole("columnheader", { name: column });
      const box = await header.boundingBox();
      expect([name, (box?.x ?? 391) + (box?.width ?? 0)]).toEqual([
        name,
        expect.toSatisfy((right) => right <= 390),
      ]);
    };
    await isInView("Workers", "Sessions");
    await isInView("Sessions", "State");
    await page.getByRole("link", { name: "Audit log" }).click();
    await isInView("Audit log", "Detail");
    await page.setViewportSize(wide);
    await page.getByRole("link", { name: "Automation" }).click();
    await page.getByRole("form", { name: "Add a webhook" }).waitFor();
    const adding = page.getByRole("form", { name: "Add a schedule" });
    await adding.getByLabel("Name").fill("nightly");
    await adding.getByLabel("Times, as a cron line").fill("30 2 * * *");
    await adding.getByLabel("Time zone").fill("Europe/Berlin");
    await adding.getByLabel("Task").fill("work night 1");
    await adding.getByRole("button", { name: "Add schedule" }).click();
    await page.getByText("30 2 * * * Europe/Berlin").waitFor();
    await page.getByRole("button", { name: "Change nightly" }).click();
    const changing = page.getByRole("form", { name: "Change nightly" });
    expect(await changing.getByLabel("Task").inputValue()).toBe("work night 1");
    await changing.getByLabel("Time zone").fill("UTC");
    await lookAt(page, "team-automation");
    await changing.getByRole("button", { name: "Save" }).click();
    await page.getByText("30 2 * * * UTC").waitFor();
    await page.getByRole("link", { name: "Cost", exact: true }).click();
    const limit = page.getByLabel("Limit, US dollars a month: the whole team");
    const save = page.getByRole("button", { name: "Save the limit: the whole team" });
    await limit.fill("-5");
    await save.click();
    expect(await limit.evaluate((field) => field.matches(":invalid"))).toBe(true);
    expect(await db.query("SELECT 1 FROM cost_limits")).toEqual([]);
    await limit.fill("20");
    await save.click();
    await page.getByRole("link", { name: "Work", exact: true }).click();
    await page.getByText("of $20.00").waitFor();
    // Under it, no session would run with a model without a price.
    await page.getByRole("link", { name: "People", exact: true }).click();
    await page.getByText("No price is known for scripted/scripted").waitFor();
    await lookAt(page, "team-without-price");
    await db.query("DELETE FROM cost_limits");
  });

  test("a session that failed or could not begin says so, and can be tried again", async () => {
    const page = await asRoot("/chat");
    await page.getByLabel("Project").selectOption("example");
    await say(page, "fail page");
    const chats = list(page, "Chats");
    await chats.getByRole("link", { name: /fail page.*failed/ }).waitFor();
    const wrong = [join(repository.folder, "nowhere.git")];
    await db.query(
      "INSERT INTO projects (id, name, url, ref) VALUES ('j_wrong', 'wrong', $1, 'main')",
      wrong,
    );
    await page.reload();
    await page.getByRole("link", { name: "New chat" }).click();
    await page.getByLabel("Project").selectOption("wrong");
    await say(page, "work stuck 1");
    await page.getByText("The project's repository cannot be read.").waitFor();
    await page.getByText("The run has not begun").waitFor();
    await chats.getByRole("link", { name: /work stuck 1.*not begun/ }).waitFor();
    await lookAt(page, "team-not-begun");
    await db.query("UPDATE projects SET url = $1 WHERE id = 'j_wrong'", [repository.url]);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Deny…" }).waitFor();
    await page.getByRole("button", { name: "Decide later" }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "1 approval pending" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Team" }).click();
    await page.getByRole("cell", { name: "failed: The provider refuses page" }).waitFor();
    await lookAt(page, "team-failed");
    await db.query("UPDATE projects SET removed = true WHERE id = 'j_wrong'");
  });

  test("without its database the page says so, signs nobody out and goes on by itself", async () => {
    const { port } = new URL(database.url);
    let link = await Link.open(Number(port));
    onTestFinished(() => link.close());
    const url = Object.assign(new URL(database.url), { port: String(link.port) }).href;
    const own = await startWeb({ database: url, version: "test", secretKey });
    onTestFinished(() => own.close());
    const tab = (hash: string) => openTab(browser, { origin: own.origin, address: `${own.origin}/${hash}` });
    const signedIn = await tab(`#token=${rootToken}`);
    await say(signedIn, "ask nothing");
    await signedIn.getByRole("dialog").waitFor();
    link.close();
    const away = "The team's database does not answer.";
    const api = await fetch(`${own.origin}/api/status`, {
      headers: { authorization: `Bearer ${rootToken}` },
    });
    expect([api.status, await api.json()]).toEqual([503, { error: { code: "UNAVAILABLE", message: away } }]);
    // A page that is open notices by itself.
    await signedIn.getByText(away).first().waitFor();
    await signedIn.reload();
    await signedIn.getByRole("status").getByText(away).waitFor();
    expect(await signedIn.getByRole("link", { name: "Documents" }).count()).toBe(0);
    await lookAt(signedIn, "team-without-database");
    const invited = await tab(`#token=${rootToken}`);
    await invited.getByRole("status").getByText(away).waitFor();
    const signingIn = await tab("");
    await signingIn.getByLabel("Token").fill(rootToken);
    await signingIn.getByRole("button", { name: "Sign in" }).click();
    await signingIn.getByText(away).waitFor();
    link = await Link.open(Number(port), link.port);
    await signedIn.getByRole("dialog").getByRole("button", { name: "Approve" }).first().click();
    await showsEnd(signedIn, "asked nothing");
    await invited.getByRole("link", { name: "root (role: admin)" }).waitFor();
    expect(invited.url()).not.toContain("token");
    await signingIn.getByRole("button", { name: "Sign in" }).click();
    await signingIn.getByRole("link", { name: "root (role: admin)" }).waitFor();
  });

  test("requests of other sessions wait until somebody wants to see them, and say whose they are", async () => {
    const bot = await tokens.add(db.query, (await people.add(db.query, "rob", "bot")).id);
    await fetch(`${web.origin}/api/sessions`, {
      method: "POST",
      headers: { authorization: `Bearer ${bot}`, "content-type": "application/json" },
      body: JSON.stringify({ project: "example", text: "ask robs" }),
    });
    const page = await asRoot("/team/people");
    const pending = page.getByRole("button", { name: "1 approval pending" });
    await pending.waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("link", { name: "New chat" }).click();
    await page.getByLabel("Who can read it").selectOption("Shared");
    await lookAt(page, "team-new-chat");
    await say(page, "ask mine");
    await page.getByText("In example, seen by the whole team").waitFor();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("creates mine.txt").waitFor();
    expect(await dialog.getByRole("navigation", { name: "Open requests" }).count()).toBe(0);
    await dialog.getByRole("button", { name: "Decide later" }).click();
    await page.getByRole("button", { name: "2 approvals pending" }).click();
    const requests = dialog.getByRole("navigation", { name: "Open requests" }).getByRole("button");
    expect(await requests.allTextContents()).toEqual([
      "1. create_file mine.txt · root",
      "2. create_file robs.txt · rob",
    ]);
    await dialog.getByText("creates mine.txt").waitFor();
    await dialog.getByRole("button", { name: "Approve" }).first().click();
    await dialog.getByText("in ask robs · session of rob in example").waitFor();
    await lookAt(page, "team-approval-of-another");
    await dialog.getByRole("button", { name: "Approve" }).first().click();
    await showsEnd(page, "asked mine");
  });

  /** As if pages had been open for a minute: until the end of the test, this process's clock is ahead. */
  const passMinute = () => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 60_000;
    onTestFinished(() => void Reflect.deleteProperty(performance, "now"));
  };
  const newestSession = async () => {
    const [row] = await db.query(
      `SELECT t.state, c.holder FROM team_sessions t LEFT JOIN claims c ON c.session = t.session
       ORDER BY t.at DESC LIMIT 1`,
    );
    return row;
  };
  const showsEnd = async (page: Page, words: string) => {
    await page.getByRole("log").getByText(words).waitFor();
    await page.getByText("Esc stops the agent").waitFor({ state: "detached" });
  };

  test("the page in which a message was sent shows what follows a late approval", async () => {
    const page = await asRoot("/chat");
    const approve = page.getByRole("dialog").getByRole("button", { name: "Approve" }).first();
    await say(page, "ask early");
    await approve.click();
    await showsEnd(page, "asked early");
    await expect.poll(newestSession).toMatchObject({ state: "idle", holder: "" });
    passMinute();
    await say(page, "ask late");
    await approve.waitFor();
    await expect.poll(newestSession).toMatchObject({ state: "waiting", holder: "" });
    await approve.click();
    await showsEnd(page, "asked late");
  });

  test("the page in which a message was sent shows what follows when its worker was killed", async () => {
    await worker.close(0);
    // It never gets an answer from its model.
    const { child, id, link } = await startWorkerProcess({
      ...{ database: database.url, folder: join(repository.folder, "killed"), witness: "", places: 1 },
      ...{ stepMs: 3_600_000, clock: undefined, version: undefined },
    });
    onTestFinished(async () => {
      await kill(child);
      link.close();
    });
    const page = await asRoot("/chat");
    await say(page, "ask killed");
    await page.getByRole("log").getByText("ask killed").waitFor();
    await page.getByText("Esc stops the agent").waitFor();
    await expect.poll(newestSession).toMatchObject({ state: "running", holder: id });
    await kill(child);
    passMinute();
    worker = await startTeamWorker();
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).first().click();
    await showsEnd(page, "asked killed");
  });
});
