import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ArmTool } from "./agent-loop.ts";
import { runConfined } from "./confined.ts";
import { fields, pathIn } from "./plain-tools.ts";

const patienceSeconds = 120;
const longestOutput = 28_000;

/** edit, write and bash as most coding agents have them. */
export function editingTools(folder: string): ArmTool[] {
  return [
    {
      description: {
        name: "edit",
        description: "Replace a text in a file, which must occur exactly once unless replace_all is given.",
        input_schema: fields({ file: "string", old: "string", new: "string", replace_all: "boolean" }, [
          "file",
          "old",
          "new",
        ]),
      },
      run: ({ file, old, new: replacement, replace_all: all }) => {
        const path = pathIn(folder, file);
        const parts = readFileSync(path, "utf8").split(String(old));
        if (parts.length === 1) throw new Error("The text does not occur in the file.");
        if (parts.length > 2 && !all) throw new Error(`The text occurs ${parts.length - 1} times.`);
        writeFileSync(path, parts.join(String(replacement)));
        return "Edited.";
      },
    },
    {
      description: {
        name: "write",
        description: "Write a file, replacing what it has.",
        input_schema: fields({ file: "string", content: "string" }, ["file", "content"]),
      },
      run: ({ file, content }) => {
        const path = pathIn(folder, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, String(content));
        return "Written.";
      },
    },
    {
      description: {
        name: "bash",
        description:
          "Run a shell command in the current directory, without network. Returns its output and exit code.",
        input_schema: fields({ command: "string" }, ["command"]),
      },
      run: ({ command }) => {
        const { exitCode, output } = runConfined(folder, String(command), patienceSeconds);
        const shown =
          output.length > longestOutput
            ? `${output.slice(0, longestOutput / 2)}\n… cut …\n${output.slice(-longestOutput / 2)}`
            : output;
        return `${shown}\n(exit code ${exitCode})`;
      },
    },
  ];
}
