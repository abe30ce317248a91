import type { AskFile } from "../../../src/api/approvals.ts";

type PatchFile = Pick<AskFile, "path" | "from" | "change" | "diff">;

/** The files of a patch that git made. */
export function filesIn(patch: string): PatchFile[] {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith("diff --git "))
    .map(fileIn);
}

function fileIn(part: string): PatchFile {
  const begin = part.search(/^@@ /m);
  const head = begin < 0 ? part : part.slice(0, begin);
  const line = (name: string) => new RegExp(`^${name} (.+)$`, "m").exec(head)?.[1];
  const from = line("rename from");
  const path =
    line("rename to") ??
    nameIn(line("\\+\\+\\+")) ??
    nameIn(line("---")) ??
    / b\/(.+)$/m.exec(head)?.[1] ??
    "";
  const change = from !== undefined ? "move" : changeOf(head);
  return { path, change, diff: begin < 0 ? "" : part.slice(begin), ...(from !== undefined && { from }) };
}

function changeOf(head: string): PatchFile["change"] {
  if (/^new file mode/m.test(head)) return "create";
  return /^deleted file mode/m.test(head) ? "delete" : "modify";
}

/** Git puts a letter before each path, and quotes those with unusual characters. */
function nameIn(name: string | undefined): string | undefined {
  return name === undefined || name === "/dev/null"
    ? undefined
    : name.replace(/^"?[ab]\//, "").replace(/"$/, "");
}
