import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { scriptedPerson, type TestWield, testWield } from "../testing/testing.ts";

/** What must never appear: a word of the content, and one that is in every denied name. */
const secretWord = "xyzzySecret";
const nameWord = "hush";

/** How the rule names what it denies; `folder` is `vault` or another spelling of it. */
export const ruleForms: Record<string, (folder: string, root: string) => string> = {
  "folder with all in it": (folder) => `${folder}/**`,
  folder: (folder) => folder,
  "by a part of the name": () => `**/*${nameWord}*`,
  absolute: (folder, root) => `${root}/${folder}/**`,
  "from a home that is a link": (folder) => `~/workspace/${folder}/**`,
};

/** Each makes one more name for what is denied, and tells which; undefined where this machine cannot. */
export const otherNames: Record<string, (root: string, folder: string) => string | undefined> = {
  "link to the file": (root, folder) => linked(root, `../${folder}/${nameWord}.ts`, "open/direct.ts"),
  "link to the folder": (root, folder) => linked(root, `../${folder}`, "open/way", `${nameWord}.ts`),
  "link to a link": (root, folder) => {
    linked(root, `../${folder}`, "open/first");
    return linked(root, "first", "open/second", `${nameWord}.ts`);
  },
  "absolute link": (root, folder) => linked(root, join(root, folder), "open/absolute", `${nameWord}.ts`),
  "hard link": (root, folder) => {
    linkSync(join(root, folder, `${nameWord}.ts`), join(root, "open/hard.ts"));
    return "open/hard.ts";
  },
  "hard link of another ending": (root, folder) => {
    linkSync(join(root, folder, `${nameWord}.ts`), join(root, "hard.txt"));
    return "hard.txt";
  },
  "circle of links": (root) => linked(root, "..", "open/up"),
  mount: (root, folder) => {
    mkdirSync(join(root, "open/mounted"), { recursive: true });
    try {
      execFileSync("mount", ["--bind", join(root, folder), join(root, "open/mounted")], { stdio: "ignore" });
    } catch {
      return undefined;
    }
    return `open/mounted/${nameWord}.ts`;
  },
};

function linked(root: string, target: string, path: string, below = ""): string {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(target, join(root, path));
  return join(path, below);
}

/** What the folder is called on the disk, and what the rule calls it. */
export const spellings: Record<string, [onDisk: string, inRule: string]> = {
  same: ["vault", "vault"],
  "other case": ["Vault", "vault"],
  "composed and not": ["vau\u0308lt", "va\u00fclt"],
  "full width": ["\uff56ault", "vault"],
  "with a sign of no width": ["va\u200bult", "vault"],
};

export interface NamesCase {
  rule: string;
  spelling: string;
  others: readonly string[];
  /** The denied name is itself a link to the folder. */
  isLink: boolean;
  /** The names are made while Wield runs and has looked already. */
  isLate: boolean;
}

/** What was seen of the denied file, by tool and input; empty where the rules hold. */
export async function leaksOf(names: NamesCase): Promise<string[]> {
  const [onDisk, inRule] = spellings[names.spelling] ?? ["vault", "vault"];
  const person = scriptedPerson(...Array(10_000).fill({ approved: false }));
  const place = await testWield(
    { "open/a.ts": `export function plain() { return 1; }\n`, "package.json": "{}\n" },
    { asker: person.asker },
  );
  const home = place.env["HOME"] ?? "";
  try {
    const rule = { decision: "deny" as const, path: ruleForms[names.rule]?.(inRule, place.root) ?? "" };
    symlinkSync(home, `${home}-link`);
    const wield = await place.reopen({
      asker: person.asker,
      env: { ...place.env, HOME: `${home}-link` },
      settings: { rules: [rule] },
    });
    if (names.isLate) await wield.callAny("grep", { pattern: "plain" });
    const paths = plant(place, onDisk, names);
    if (names.isLate) await new Promise((resolve) => setTimeout(resolve, 1_100));
    const leaks: string[] = [];
    for (const { tool, input } of callsFor(wield.tools.list(), paths)) {
      const outcome = await wield.callAny(tool, input);
      const told = `${outcome.text} ${JSON.stringify(outcome.result)}`;
      if (tells(told, input)) leaks.push(`${tool} ${JSON.stringify(input)}: ${told.slice(0, 400)}`);
    }
    return leaks;
  } finally {
    try {
      execFileSync("umount", ["-l", join(place.root, "open/mounted")], { stdio: "ignore" });
    } catch {
      // Nothing was mounted.
    }
    execFileSync("rm", [`${home}-link`]);
    await place.close();
  }
}

/** The denied file, and every name that leads to it. */
function plant({ root, write }: TestWield, onDisk: string, { others, isLink }: NamesCase): string[] {
  const real = isLink ? "store" : onDisk;
  const file = `${nameWord}.ts`;
  write(`${real}/${file}`, `export function ${secretWord}() { return 1; }\n// plain\n`);
  if (isLink) symlinkSync(real, join(root, onDisk));
  const made = others.flatMap((other) => otherNames[other]?.(root, real) ?? []);
  return [
    ...new Set([`${real}/${file}`, `${onDisk}/${file}`, real, onDisk, ".", ...made, ...made.map(dirname)]),
  ];
}

/** Every tool that reads, lists, runs or changes files (these last), with its own example and each path and word in it. */
function callsFor(
  tools: readonly {
    name: string;
    can: readonly string[];
    examples: readonly { input: object }[];
    input: unknown;
  }[],
  paths: readonly string[],
): { tool: string; input: Record<string, unknown> }[] {
  const local = tools.filter(({ name, can }) => !can.includes("fetch") && !slow.has(name));
  const changes = (tool: { can: readonly string[] }) => Number(tool.can.includes("write"));
  return local
    .toSorted((one, other) => changes(one) - changes(other))
    .flatMap(({ name, can, examples, input }) => {
      if (name === "run_code") return [{ tool: name, input: { language: "bash", code: everything } }];
      if (name === "executeCode") return [{ tool: name, input: { code: everythingInPython } }];
      const isRun = can.includes("run");
      const { shape = {} } = input as { shape?: object };
      const example = examples[0]?.input ?? {};
      const fields = Object.keys(shape).filter((field) => pathFields.has(field));
      const withWords = Object.fromEntries(
        Object.entries(example).map(([field, value]) => [field, wordFields.has(field) ? "plain" : value]),
      );
      const words = [withWords, { ...withWords, ...named(shape, secretWord) }];
      const all = words.flatMap((base) => [
        base,
        ...(isRun ? [] : paths).flatMap((path) =>
          fields.map((field) => ({ ...base, [field]: listFields.has(field) ? [path] : path })),
        ),
      ]);
      const unique = new Map(all.map((one) => [JSON.stringify(one), one as Record<string, unknown>]));
      return [...unique.values()].map((one) => ({ tool: name, input: one }));
    });
}

function named(shape: object, word: string): Record<string, string> {
  return Object.fromEntries(
    Object.keys(shape)
      .filter((field) => wordFields.has(field))
      .map((field) => [field, word]),
  );
}

const pathFields = new Set(["path", "file", "from", "to", "modulePath", "paths", "reads", "target", "under"]);
const listFields = new Set(["paths", "reads"]);
const wordFields = new Set(["pattern", "query", "symbol", "target"]);
/** They install, or run the whole project. */
const slow = new Set(["install_package", "run_tests", "format_code"]);

const everything =
  "cat */*.ts *.txt open/*/*.ts 2>/dev/null; ls -AR open; find . -type f -size +0 -exec cat {} + ; true";
const everythingInPython =
  "import os\nfor folder, _, names in os.walk('.', followlinks=False):\n  for name in names:\n    print(open(os.path.join(folder, name), errors='replace').read())";

/** What a call said itself is no news; a run sees the names of what is empty for it. */
function tells(told: string, input: Record<string, unknown>): boolean {
  const said = Object.values(input).flatMap((value) =>
    typeof value === "string" ? [value] : [value].flat(),
  );
  const isRun = "code" in input;
  const rest = said.reduce<string>(
    (text, one) => text.replaceAll(JSON.stringify(one).slice(1, -1), ""),
    told,
  );
  return rest.includes(`function ${secretWord}`) || (!isRun && rest.includes(nameWord));
}
