import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { parseSettings } from "../app/settings.ts";
import { teamClient } from "../app/team-client.ts";
import { createWield, type WieldOptions } from "../app/wield.ts";
import { type TestWield, testWield } from "../testing/testing.ts";
import { parseCommand } from "./command.ts";
import { commands } from "./commands.ts";
import { repository, type Snippet, shellLines, snippets } from "./doc-snippets.suite.ts";
import { runCli } from "./run-cli.suite.ts";

/**
 * Every snippet of the documentation is run here, or checked as far as it can be. One of a kind that nothing here knows fails:
 * it needs a way to be run, or a line in one of these tables.
 */

/** Commands of Wield that need a person, a network or a database: their arguments are parsed here, what they do is tested there. */
const ranElsewhere: readonly [RegExp, string][] = [
  [/^npx wield$|^wield serve$/, "src/cli/serve.test.ts"],
  [/^wield chat$/, "src/cli/chat.test.ts"],
  [/^wield acp$/, "src/acp/acp.test.ts"],
  [/^wield mcp$/, "src/cli/mcp.test.ts"],
  [/^wield research /, "src/cli/research.test.ts"],
  [/^wield tools (?:add|remove) /, "src/cli/tools.test.ts"],
  [/^wield undo$/, "src/cli/undo.test.ts"],
  [/^wield (?:migrate$|(?:users|projects|secrets) )/, "src/cluster/web.test.ts"],
  [/^wield serve --role /, "src/cluster/worker.test.ts"],
];

/** Programs of others, which are not here. Each line is written as in the documentation. */
const ofOthers: readonly RegExp[] = [
  /^npm (?:install wield|start|run eval -- )/,
  /^(?:sudo apt-get install|docker (?:build|run)|systemctl --user|claude mcp add|curl) /,
  /^cp packaging\/systemd\/wield\.service /,
  /^npx acpx /,
  /^(?:pg_dump|pg_restore|createdb) /,
  /^export \w+=/,
  /^echo .* \| npm run eval -- turn /,
];

/** Settings of editors that are not here: nothing can read them. */
const languagesOfEditors = { lua: "docs/acp.md", elisp: "docs/acp.md" } as Record<string, string>;

const all = snippets();
const of = (...languages: string[]) => all.filter(({ language }) => languages.includes(language));
const named = (list: Snippet[]) => list.map((snippet) => [snippet.at, snippet] as const);

let place: TestWield;
beforeAll(async () => {
  place = await testWield(
    {
      "README.md": "# Title\n",
      "src/wield.ts": "export function createWield() {} // TODO\nexport const approvals = 1;\n",
    },
    { approve: () => ({ approved: true }) },
  );
  await place.wield.call("create_file", { path: "new.txt", content: "new\n", description: "d" });
});
afterAll(() => place.close());

test("the languages are known", () => {
  const known = ["text", "ts", "sh", "json", "yaml"];
  const others = all.filter(
    ({ language, page }) => !known.includes(language) && languagesOfEditors[language] !== page,
  );
  expect(others.map(({ at, language }) => `${at} ${language}`)).toEqual([]);
  expect(all.length).toBeGreaterThan(100);
});

describe("shell", () => {
  const lines = of("sh")
    .filter(({ page }) => page !== "docs/tools.md")
    .flatMap(({ at, text }) => shellLines(text).map((line) => [`${at} ${line.line}`, line] as const));
  const ours = lines.filter(([, { line, words }]) => wieldWords(words) && !isThirdParty(line));

  test("every command is one of ours, or in the table", () => {
    const unknown = lines.filter(([, { line, words }]) => !wieldWords(words) && !isThirdParty(line));
    expect(unknown.map(([at]) => at)).toEqual([]);
    const unused = ofOthers.filter((pattern) => !lines.some(([, { line }]) => pattern.test(line)));
    expect(unused).toEqual([]);
  });

  test.each(ours)("%s", async (_at, { words, isPiped }) => {
    const args = wieldWords(words) as string[];
    const [name = "page"] = args;
    const command = await commands.find((one) => one.name === name)?.load();
    if (command) parseCommand(command, args.slice(1));
    else expect(args).toEqual([]);
    const [, elsewhere] = ranElsewhere.find(([pattern]) => pattern.test(words.join(" "))) ?? [];
    if (elsewhere !== undefined) {
      expect(existsSync(join(repository, elsewhere)), elsewhere).toBe(true);
      return;
    }
    const { code, out, err } = await runCli(place, args, isPiped ? "-a\n+b\n" : "");
    expect(`${code} ${err}`).toMatch(/^0 /);
    expect(out).not.toBe("");
  });

  /** The first example of each tool is called in every-tool.test.ts; here, each is a command line that the tool takes. */
  test("the calls in the reference of the tools", () => {
    const wrong = of("sh")
      .filter(({ page }) => page === "docs/tools.md")
      .filter(({ text }) => {
        const [, tool = "", json = "null"] = /^wield call (\w+) '(.*)'\n$/s.exec(text) ?? [];
        const known = place.wield.tools.list().find((one) => one.name === tool);
        return !known?.input.safeParse(JSON.parse(json)).success;
      });
    expect(wrong.map(({ at }) => at)).toEqual([]);
  });

  test("the examples in the help of each command", async () => {
    const loaded = await Promise.all(commands.map((entry) => entry.load()));
    for (const { examples } of loaded)
      for (const { command: line } of examples) {
        const [ours = ""] = /\bwield\b(?:'[^']*'|"[^"]*"|[^|)>&'"])*/.exec(line) ?? [];
        const [{ words } = { words: [] }] = shellLines(ours);
        const [name, ...args] = wieldWords(words) ?? ["no command of Wield"];
        const command = loaded.find((one) => one.name === name);
        expect(command !== undefined || name === undefined, line).toBe(true);
        if (command) expect(() => parseCommand(command, args), line).not.toThrow();
      }
  });
});

test.each(named(of("json")))(
  "%s: settings that Wield, or a program that starts it, understands",
  async (_at, snippet) => {
    const json = JSON.parse(snippet.text) as Record<string, unknown>;
    if (json["features"]) {
      const [, own] = Object.keys(json["features"]);
      expect(existsSync(join(repository, "packaging/devcontainer", own ?? ""))).toBe(true);
      return;
    }
    const starts = commandsIn(json).filter(([program]) => program === "wield");
    for (const [, name, ...args] of starts) {
      const command = await commands.find((one) => one.name === name)?.load();
      expect(command, snippet.text).toBeDefined();
      if (command) parseCommand(command, args);
    }
    if (starts.length === 0) expect(() => parseSettings(snippet.text, snippet.at)).not.toThrow();
  },
);

test.each(named(of("yaml")))("%s: a file whose parts exist", (_at, { page, text }) => {
  const file = parse(text);
  if (page === "docs/images.md") {
    const action = parse(readFileSync(join(repository, "packaging/action/action.yml"), "utf8"));
    const [step] = file.jobs.answer.steps.filter((one: { id?: string }) => one.id === "wield");
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
    expect(Object.keys(action.outputs)).toContain("answer");
  } else if (file.services) expect(JSON.stringify(file.services)).toContain("./collector.yaml:");
  else {
    const { traces, metrics } = file.service.pipelines;
    for (const name of [...traces.receivers, ...metrics.receivers])
      expect(file.receivers).toHaveProperty(name);
    for (const name of [...traces.exporters, ...metrics.exporters])
      expect(file.exporters).toHaveProperty(name);
  }
});

describe("TypeScript", () => {
  const fromExamples = ({ page }: Snippet) =>
    page === "docs/library.md" || page.startsWith("docs/frameworks/");

  test("the pages for libraries and frameworks are made of examples that tests import", () => {
    const tests = ["src/app/examples.test.ts", "src/app/frameworks.test.ts"]
      .map((file) => readFileSync(join(repository, file), "utf8"))
      .join("\n");
    for (const { at, text } of of("ts").filter(fromExamples)) {
      const found = [...tests.matchAll(/examples\/([\w-]+\.ts)"/g)].filter(([, file = ""]) =>
        readFileSync(join(repository, "examples", file), "utf8").includes(text.trim()),
      );
      expect(found.length, `${at} is no example that a test imports`).toBeGreaterThan(0);
    }
  });

  test("each page for a framework shows what to install, and an approval", () => {
    const pages = Map.groupBy(
      all.filter(({ page }) => page.startsWith("docs/frameworks/")),
      ({ page }) => page,
    );
    expect(pages.size).toBe(6);
    for (const [page, [install, example, ...more]] of pages) {
      expect(more, page).toEqual([]);
      expect(install?.text, page).toMatch(/^npm install wield [\w@/ -]+\n$/);
      expect(example?.text, page).toMatch(/approve: |asker: /);
      // Every package that the example imports is installed.
      for (const [, name = ""] of example?.text.matchAll(/from "((?:@[\w-]+\/)?[\w-]+)/g) ?? [])
        expect(install?.text.split(/\s/), page).toContain(name);
      expect(readFileSync(join(repository, page), "utf8"), page).toContain("\n## Approvals\n");
    }
  });

  test("the client of a team asks as the page says", async () => {
    const [snippet, ...others] = of("ts").filter(({ page }) => page === "docs/several-machines.md");
    expect(others).toEqual([]);
    const asked: string[] = [];
    const server = createServer(async (request, response) => {
      const body = await text(request);
      asked.push(`${request.method} ${request.url} ${request.headers.authorization} ${body}`);
      response.setHeader("content-type", "application/json").end('{"session":"a_1"}');
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    const client = ({ origin, token }: { origin: string; token: string }) => {
      expect(origin).toBe("https://wield.example.org");
      return teamClient({ origin: `http://127.0.0.1:${port}`, token });
    };
    const body = stripTypeScriptTypes(snippet?.text ?? "").replace(/^import .* from "wield\/team";$/m, "");
    const run = new Function("teamClient", "token", `return (async () => {${body}return session;})();`);
    expect(await run(client, "wield_1")).toBe("a_1");
    expect(asked).toEqual([expect.stringMatching(/^POST \/api\/sessions Bearer wield_1 \{"project":"app",/)]);
    server.close();
  });

  const rest = of("ts").filter(
    (snippet) => !fromExamples(snippet) && snippet.page !== "docs/several-machines.md",
  );
  test.each(named(rest))("%s runs", async (_at, { text }) => {
    const body = stripTypeScriptTypes(text).replace(/^import .* from "wield";$/m, "");
    const opened: { close(): Promise<void> }[] = [];
    const given = {
      createWield: async (options: WieldOptions) => {
        expect(options.workspace).toBe(".");
        const wield = await createWield({ ...options, workspace: place.root, env: place.env });
        opened.push(wield);
        return wield;
      },
      generateText: vi.fn(async () => ({ text: "An answer." })),
      ...{ model: {}, prompt: "Read README.md", myDialog: async () => true },
    };
    const returned = "\nreturn { result, text, answer, agent };";
    const run = new Function(...Object.keys(given), `return (async () => {${body}${returned}})();`);
    const { result, text: said, agent } = await run(...Object.values(given));
    expect(result.ok).toBe(true);
    expect(said).toContain("# Title");
    expect(given.generateText.mock.calls).toMatchObject([[{ tools: { read_file: {} } }]]);
    expect(agent.session).toMatch(/^a_/);
    for (const wield of opened) await wield.close();
  });
});

/** Arguments for Wield; undefined: another program. */
function wieldWords(words: readonly string[]): string[] | undefined {
  const [first, second] = words;
  if (first === "npx" && second === "wield") return words.slice(2);
  return first === "wield" ? words.slice(1) : undefined;
}

function isThirdParty(line: string): boolean {
  return ofOthers.some((pattern) => pattern.test(line));
}

/** Every command that a file of settings starts, as words. */
function commandsIn(json: unknown): string[][] {
  if (typeof json !== "object" || json === null) return [];
  const { command, args = [] } = json as { command?: string | string[]; args?: string[] };
  const own = command === undefined ? [] : [[command, args].flat()];
  return [...own, ...Object.values(json).flatMap(commandsIn)];
}
