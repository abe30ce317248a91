import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../testing/remove-folder.ts";
import type { ScriptedReply } from "../testing/scripted-model.ts";

/** A repository with a few files, as a project's remote, and a folder for everything else of a trial. */
export function testRepository(): {
  folder: string;
  url: string;
  git(...args: string[]): string;
  remove(): void;
} {
  const folder = mkdtempSync(join(tmpdir(), "wield-cluster-"));
  const url = join(folder, "remote.git");
  const work = join(folder, "work");
  mkdirSync(work);
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const run = (cwd: string, ...args: string[]) =>
    execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: "pipe" });
  run(folder, "init", "--quiet", "--bare", "--initial-branch=main", url);
  run(work, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(work, "README.md"), "# Example\n");
  writeFileSync(join(work, "count.txt"), "0\n");
  run(work, "add", "--all");
  run(work, "-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "--quiet", "-m", "begin");
  run(work, "push", "--quiet", url, "main");
  return {
    folder,
    url,
    git: (...args) => run(url, ...args),
    remove: () => removeFolder(folder),
  };
}

/**
 * What the model does next, by the conversation alone: "work N" makes N rounds, each with a call outside, a new file and an edit;
 * "ask" writes one file that a person must allow; "wonder" asks the person something; "outside" runs a command on the machine itself;
 * "look" asks git about the history and about a revision; "fail" gets no answer of the provider.
 */
export function scriptFor(prompt: readonly { role: string; content: unknown }[]): ScriptedReply {
  const said = prompt.filter(({ role }) => role === "user").map(({ content }) => JSON.stringify(content));
  const last =
    said.findLast((text) => /work \w+ \d+|ask \w+|wonder \w+|outside \S+|look \S+|fail \w+/.test(text)) ?? "";
  const since = prompt.findLastIndex(
    ({ role, content }) => role === "user" && JSON.stringify(content) === last,
  );
  const steps = prompt.slice(since).filter(({ role }) => role === "assistant").length;
  const fail = /fail (\w+)/.exec(last)?.[1];
  if (fail !== undefined)
    throw Object.assign(new Error(`The provider refuses ${fail}`), { isRetryable: false });
  const ask = /ask (\w+)/.exec(last)?.[1];
  if (ask !== undefined)
    return steps === 0 ? { calls: [create(`${ask}.txt`, `${ask}\n`)] } : { say: `asked ${ask}` };
  const wonder = /wonder (\w+)/.exec(last)?.[1];
  if (wonder !== undefined && steps === 0) {
    const questions = [{ question: `What about ${wonder}?`, options: ["yes", "no"] }];
    return { calls: [{ tool: "ask_person", input: { questions } }] };
  }
  if (wonder !== undefined) return { say: `told: ${JSON.stringify(prompt.at(-1)?.content)}` };
  const look = /look ([\w./-]+)/.exec(last)?.[1];
  if (look !== undefined && steps === 0) {
    const calls = ["git_status", "git_log", "git_show", "git_diff"].map((tool) => ({ tool, input: {} }));
    const about = ["git_log", "git_show", "git_diff"].map((tool) => ({ tool, input: { revision: look } }));
    return { calls: [...calls, ...about] };
  }
  if (look !== undefined) return { say: "looked" };
  const outside = /outside ([\w./-]+)/.exec(last)?.[1];
  if (outside !== undefined && steps === 0)
    return { calls: [{ tool: "run_code", input: commandOutside(`touch ${outside}`) }] };
  if (outside !== undefined) return { say: "tried" };
  const [, name = "x", rounds = "1"] = /work (\w+) (\d+)/.exec(last) ?? [];
  const round = Math.floor(steps / 2);
  if (round >= Number(rounds)) return { say: `finished ${name}` };
  if (steps % 2 === 0)
    return {
      calls: [
        { tool: "ring", input: { who: `${name} ${round}` } },
        create(`${name}-${round}.txt`, `${name} ${round}\n`),
      ],
    };
  const content = `${name} ${round}\n`;
  return { calls: [{ tool: "edit_file", input: { path: "count.txt", content, description: "count" } }] };
}

function commandOutside(code: string) {
  return { language: "bash", code, outside: true, why: "to look around" };
}

function create(path: string, content: string) {
  return { tool: "create_file", input: { path, content, description: "a step of the trial" } };
}

/** What some URL parser takes for an address at this host, or for another path of a provider. */
export function addressSpellings(host: string): string[] {
  return [
    ...[`http://${host}/v1#m`, `http:${host}/v1#m`, `http:/${host}/v1#m`, `http:\\\\${host}/v1#m`],
    ...[`https:${host}/v1#m`, `HTTP:${host}/v1#m`, `ht\ttp:${host}/v1#m`, `//${host}/v1#m`, `${host}/v1#m`],
    ...["openai/../../x", "google/../x", "google/%2e%2e/x", "openai/x?y", "openai/x#y", "openai/..\\x"],
    ...["nowhere/model", "constructor"],
  ];
}
