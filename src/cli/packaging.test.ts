import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ask } from "./ask.ts";
import { commands } from "./commands.ts";
import { serve } from "./serve.ts";

const root = resolve(import.meta.dirname, "../..");
const text = (path: string) => readFileSync(join(root, path), "utf8");

describe("files for containers, editors, workflows and services", () => {
  test("the container runs Wield as an ordinary user, and installs what the sandbox needs", () => {
    const lines = text("packaging/docker/Dockerfile").split("\n");
    const instruction = (name: string) => lines.findLastIndex((line) => line.startsWith(`${name} `));
    expect(lines[instruction("USER")]).toBe("USER node");
    expect(instruction("USER")).toBeLessThan(instruction("ENTRYPOINT"));
    expect(lines.slice(instruction("USER")).some((line) => line.startsWith("RUN"))).toBe(false);
    for (const program of ["bubblewrap", "util-linux", "git"]) expect(lines.join()).toContain(program);
    const [command] = JSON.parse(/^CMD (.*)$/m.exec(lines.join("\n"))?.[1] ?? "[]");
    expect(commands.map(({ name }) => name)).toContain(command);
  });

  test("the feature is valid JSON, and its script valid shell", () => {
    const feature = JSON.parse(text("packaging/devcontainer/wield/devcontainer-feature.json"));
    expect(feature).toMatchObject({ id: "wield", version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    execFileSync("/bin/sh", ["-n", join(root, "packaging/devcontainer/wield/install.sh")]);
  });

  test("the action puts nothing that people wrote into its script, and uses options that exist", () => {
    const action = parse(text("packaging/action/action.yml"));
    const scripts = action.runs.steps.flatMap(({ run }: { run?: string }) => run ?? []);
    expect(scripts).toHaveLength(1);
    for (const script of scripts) {
      expect(script).not.toContain("${".concat("{"));
      execFileSync("/bin/bash", ["-n", "-c", script]);
    }
    expect(Object.keys(ask.options)).toContain("mode");
  });

  test("the service starts a command that exists", () => {
    const [, command, option] =
      /^ExecStart=.*\bwield (\w+) --(\w+)/m.exec(text("packaging/systemd/wield.service")) ?? [];
    expect(command).toBe(serve.name);
    expect(Object.keys(serve.options)).toContain(option);
  });
});

test("the release script explains itself, and an option that it does not know starts nothing", () => {
  const release = (option: string) =>
    spawnSync(process.execPath, [join(root, "scripts/release.ts"), option], { encoding: "utf8" });
  expect(release("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("--publish") });
  const mistyped = release("--pubish");
  expect(mistyped).toMatchObject({ status: 1, stdout: "" });
  expect(mistyped.stderr).toContain("Unknown option '--pubish'");
});

test("no link in the documentation leads nowhere", () => {
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    ...readdirSync(join(root, "docs"))
      .filter((f) => f.endsWith(".md"))
      .map((f) => `docs/${f}`),
  ];
  const headings = new Map(pages.map((page) => [page, anchorsOf(text(page))]));
  const broken = pages.flatMap((page) =>
    [...withoutCode(text(page)).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
      if (/^[a-z]+:/.test(target)) return [];
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      const isThere = statSync(join(root, file), { throwIfNoEntry: false }) !== undefined;
      const isKnown = anchor === undefined || (headings.get(file)?.has(anchor) ?? true);
      return isThere && isKnown ? [] : [`${page}: ${target}`];
    }),
  );
  expect(broken).toEqual([]);
});

function withoutCode(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```/gm, "").replaceAll(/`[^`\n]*`/g, "");
}

/** As GitHub makes them. */
function anchorsOf(markdown: string): Set<string> {
  const titles = [...withoutFences(markdown).matchAll(/^#{1,6} (.*)$/gm)].map(([, title = ""]) => title);
  return new Set(
    titles.map((title) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(/\s/g, "-"),
    ),
  );
}

function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```/gm, "");
}
