import { afterEach, beforeEach, expect, test } from "vitest";
import {
  filesBelow,
  indexFolderAt,
  openProject,
  type ProjectPlace,
  temporaryFolder,
  writeTree,
} from "../folder.suite.ts";
import { Project } from "../project/project.ts";
import { readQuestion } from "./question.ts";
import { searchCode } from "./search.ts";

let place: ProjectPlace;
let project: Project;
beforeEach(() => {
  place = openProject();
  project = place.project;
});
afterEach(() => place.close());

/** Files and symbols, best first. */
async function search(files: Record<string, string>, query: string, under = "."): Promise<string[]> {
  writeTree(place.root, files);
  project.index.invalidate();
  await project.index.refresh();
  const found = await searchCode(project, query, { under });
  return found.map(({ file, symbol }) => (symbol ? `${file} ${symbol}` : file));
}

test("a question is read for its words, names, paths and modules", () => {
  const { terms, title, names, paths, modules } = readQuestion(
    [
      "Time zone is lost in parseDate()",
      'File "/home/me/site-packages/app/dates.py", line 3, in convert',
      "see `strict` and app.dates.Parser",
    ].join("\n"),
  );
  expect([...title]).toEqual(expect.arrayContaining(["time", "zone", "timezon", "lost", "pars", "date"]));
  expect(terms.has("is")).toBe(false);
  expect([...names.keys()]).toEqual(expect.arrayContaining(["parseDate", "convert", "strict", "Parser"]));
  expect(paths.map(([path]) => path)).toContain("app/dates.py");
  expect([...modules.keys()]).toContain("app/dates/Parser");
  expect(terms.get("lost")).toBeGreaterThan(terms.get("convert") ?? Number.POSITIVE_INFINITY);
});

const body = (name: string) =>
  `def ${name}(request):\n    token = request.token\n    token.check()\n    return token\n`;

test("sources come before tests and texts, unless those are asked for", async () => {
  const files = {
    "app/token.py": body("refresh_token"),
    "tests/test_token.py": body("test_refresh_token"),
    "docs/token.md": "refresh token\n",
  };
  expect((await search(files, "refresh token"))[0]).toBe("app/token.py refresh_token");
  expect((await search(files, "test of refresh token"))[0]).toBe("tests/test_token.py test_refresh_token");
  expect(await search(files, "refresh token", "docs")).toEqual(["docs/token.md"]);
});

test("build scripts, sites and generated code come after the sources", async () => {
  const files = {
    "scripts/token.py": body("refresh_token"),
    "website/token.py": body("refresh_token_page"),
    "app/token.gen.py": body("refresh_token_generated"),
    "app/token.py": body("refresh_token_of_user"),
  };
  expect((await search(files, "refresh token"))[0]).toBe("app/token.py refresh_token_of_user");
});

test("what the question names comes first: a member of a type, a file, a module", async () => {
  const type = (name: string) =>
    `class ${name}:\n    def save(self, path):\n        data = self.data\n        write(path, data)\n        return data\n`;
  const files = {
    "a/store.py": type("Store"),
    "b/cache.py": type("Cache"),
    "c/cache.py": type("Other").replace("save", "keep"),
  };
  expect((await search(files, "Cache.save fails"))[0]).toMatch(/^b\/cache\.py/);
  expect((await search(files, "fails to save the data, see a/store.py"))[0]).toMatch(/^a\/store\.py/);
  expect((await search(files, "write data of c.cache"))[0]).toMatch(/^c\/cache\.py/);
});

test("the first line says what a long text is about", async () => {
  const words = "amber birch cedar delta ember flint grove hazel ivory jade kelp larch".split(" ");
  const calling = (some: string[]) =>
    ["def main():", "    start()", ...some.map((word) => `    ${word}()`), "    stop()", ""].join("\n");
  const files = {
    "post.py": calling(["send", "mail"]),
    "trees.py": calling(words.slice(0, 6)),
    ...Object.fromEntries(words.slice(6).map((word, i) => [`more/${i}.py`, calling([word])])),
  };
  const rest = words.map((word) => `then ${word} was there`).join("\n");
  expect((await search(files, `send mail fails\n${rest}`))[0]).toBe("post.py main");
});

test("words of many a question count less than those that tell what it is about", async () => {
  const calling = (name: string, called: string[]) =>
    [`def ${name}():`, "    start()", ...called.map((one) => `    ${one}()`), "    stop()", ""].join("\n");
  const others = Array.from({ length: 12 }, (_, i) => [`more/${i}.py`, calling("other", ["other"])]);
  const files = {
    ...Object.fromEntries(others),
    "cookies.py": calling("go", ["cookie"]),
    "reports.py": calling("run", ["expect", "example"]),
  };
  expect((await search(files, "Bug: expect cookie in example"))[0]).toBe("cookies.py go");
});

test("a stack trace leads to where it happened", async () => {
  const files = { "app/one.py": body("read_token"), "app/two.py": body("keep_token") };
  const trace = (...modules: string[]) =>
    ["token is lost", ...modules.map((name) => `  File "/x/app/${name}.py", line 1, in main`)].join("\n");
  expect((await search(files, trace("one", "two")))[0]).toMatch(/^app\/two/);
  expect((await search(files, trace("two", "one")))[0]).toMatch(/^app\/one/);
});

test("a file that was changed with the tests of what is asked about comes first", async () => {
  const commits = [
    { subject: "Tidier", files: ["app/pool.py", "tests/test_session_expiry.py"] },
    { subject: "Faster", files: ["app/lane.py", "tests/test_lane.py"] },
  ];
  const withHistory = new Project(
    { ...filesBelow(place.root), pastCommits: async () => commits },
    indexFolderAt(temporaryFolder()),
  );
  writeTree(place.root, {
    "app/lane.py": body("take_session"),
    "app/pool.py": body("give_session"),
    "tests/test_session_expiry.py": body("test_session_expiry"),
    "tests/test_lane.py": body("test_order"),
  });
  await withHistory.index.refresh();
  const found = await searchCode(withHistory, "session expiry");
  withHistory.close();
  const sources = found.map(({ file }) => file).filter((file) => file.startsWith("app/"));
  expect(sources).toEqual(["app/pool.py", "app/lane.py"]);
});

test("the same text once, and another file before the last places of one", async () => {
  const many = Array.from({ length: 5 }, (_, i) => body(`refresh_token_${"abcde"[i]}`)).join("\n");
  const files = { "a.py": many, "copy.py": many, "b.py": body("refresh_any_token") };
  const found = (await search(files, "refresh token")).map((place) => place.split(" ")[0]);
  expect(found.indexOf("b.py")).toBeGreaterThan(0);
  expect(found.indexOf("b.py")).toBeLessThan(found.lastIndexOf("a.py"));
  expect(found.filter((file) => file === "a.py" || file === "copy.py")).toHaveLength(5);
});

test("a long file that speaks of nothing else leaves places for others", async () => {
  const name = (at: number) =>
    `refresh_token_${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}`;
  const files = {
    "tokens.py": Array.from({ length: 90 }, (_, at) =>
      body(name(at)).replace("check", `check_${name(at)}`),
    ).join("\n"),
    "zones/keeper.py": body("token_keeper"),
  };
  const found = await search(files, "refresh token");
  expect(found).toContain("zones/keeper.py token_keeper");
  expect(found.filter((place) => place.startsWith("tokens.py")).length).toBeGreaterThan(4);
});

test("a file whose name says what a long question is about comes first", async () => {
  const calls = "alpha beta gamma delta epsilon".split(" ");
  const text = (name: string, called: string[]) =>
    [`def ${name}():`, "    start()", ...called.map((one) => `    ${one}()`), "    stop()", ""].join("\n");
  const files = {
    "app/general.py": text("run", calls),
    "app/session.py": text("go", calls.slice(0, 4)),
    "app/more.py": text("walk", ["session"]),
  };
  const [first] = await search(files, `Session is lost\nIt calls ${calls.join(", ")}`);
  expect(first).toBe("app/session.py go");
});

test("what prints help stands behind what does the work, unless help is asked for", async () => {
  const files = {
    "src/daemon-command.ts": [
      "export function printDaemonHelp() {",
      "  console.log(`restart the daemon: stop the daemon, start the daemon, restart when the daemon is stale`);",
      "}",
    ].join("\n"),
    "src/client.ts": [
      "export async function ensureDaemon() {",
      "  if (await isStale(daemon)) await restart(daemon);",
      "}",
    ].join("\n"),
  };
  const [first] = await search(files, "when is a stale daemon restarted");
  expect(first).toBe("src/client.ts ensureDaemon");
  const [help] = await search(files, "help for the daemon");
  expect(help).toBe("src/daemon-command.ts printDaemonHelp");
});
