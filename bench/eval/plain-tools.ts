import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import type { ArmTool } from "./agent-loop.ts";

const mostMatches = 100;
const mostPaths = 100;
const usualLines = 2_000;
const widest = 300;

/** grep, glob and read as most coding agents have them: ripgrep's lines, paths, numbered lines. */
export function plainTools(folder: string): ArmTool[] {
  const ripgrep = (args: readonly string[]) => {
    // The last glob that fits decides: behind those of the model, this one leaves out .git whatever they are.
    const last = args.indexOf("--");
    const all = [
      "--no-config",
      "--hidden",
      ...args.slice(0, last),
      "--glob=!**/.git/**",
      ...args.slice(last),
    ];
    const { stdout, stderr, status } = spawnSync(rgPath, all, {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    if (status === 2) throw new Error(stderr.trim());
    return stdout.split("\n").filter(Boolean);
  };
  const first = (lines: readonly string[], most: number) => [
    ...lines.slice(0, most).map((line) => line.slice(0, widest)),
    ...(lines.length > most ? [`(${most} of ${lines.length} shown)`] : []),
  ];
  return [
    {
      description: {
        name: "grep",
        description: "Search file contents with a regular expression (ripgrep). Returns file:line:text.",
        input_schema: fields({ pattern: "string", path: "string", glob: "string", context: "integer" }, [
          "pattern",
        ]),
      },
      run: ({ pattern, path = ".", glob, context }) => {
        const given = [
          ...(glob ? ["--glob", String(glob)] : []),
          ...(context ? ["--context", String(context)] : []),
        ];
        const lines = ripgrep([
          "-n",
          "--no-heading",
          "--sort=path",
          ...given,
          "-e",
          String(pattern),
          "--",
          String(path),
        ]);
        return (
          first(
            lines.map((line) => line.replace(/^\.\//, "")),
            mostMatches,
          ).join("\n") || "No matches."
        );
      },
    },
    {
      description: {
        name: "glob",
        description: "List files by a glob pattern.",
        input_schema: fields({ pattern: "string", path: "string" }, ["pattern"]),
      },
      run: ({ pattern, path = "." }) => {
        const paths = ripgrep(["--files", "--sort=path", "--glob", String(pattern), "--", String(path)]);
        return (
          first(
            paths.map((one) => one.replace(/^\.\//, "")),
            mostPaths,
          ).join("\n") || "No files."
        );
      },
    },
    {
      description: {
        name: "read",
        description: "Read a file, or lines of it, with line numbers.",
        input_schema: fields({ file: "string", offset: "integer", limit: "integer" }, ["file"]),
      },
      run: ({ file, offset = 1, limit = usualLines }) => {
        const lines = readFileSync(pathIn(folder, file), "utf8").split("\n");
        const from = Math.max(1, Number(offset));
        return lines
          .slice(from - 1, from - 1 + Number(limit))
          .map((line, i) => `${from + i}\t${line}`)
          .join("\n");
      },
    },
  ];
}

/** Where a file that the model names is. It must be in the folder, wherever links lead. */
export function pathIn(folder: string, file: unknown): string {
  const path = resolve(folder, String(file));
  let known = path;
  while (!existsSync(known)) known = dirname(known);
  if (!`${realpathSync(known)}/`.startsWith(`${realpathSync(folder)}/`))
    throw new Error(`${file} is outside the current directory.`);
  return path;
}

export function fields(types: Record<string, string>, required: string[]) {
  const property = (type: string) =>
    type === "list" ? { type: "array", items: { type: "string" } } : { type };
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(types).map(([name, type]) => [name, property(type)])),
    required,
  };
}
