import { join } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { applyPatch, parsePatch, reversePatch } from "diff";
import { visibleLine } from "../text/visible.ts";
import type { FilePreview, Tool } from "../tool/tool.ts";
import type { ChangedFile } from "../workspace/workspace.ts";

const maxTitle = 120;

/** The line that an editor shows for a call. */
export function titleOf(tool: string, input: unknown, known: Tool | undefined): string {
  const fields = typeof input === "object" && input !== null ? Object.values(input) : [];
  const first = fields.find((value) => typeof value === "string" && value !== "");
  const words = [known?.title ?? tool, typeof first === "string" ? visibleLine(first) : ""].join(" ").trim();
  return words.length > maxTitle ? `${words.slice(0, maxTitle - 1)}…` : words;
}

/** What an editor may show an icon for, from what the tool can do. */
export function kindOf(tool: string, known: Tool | undefined): ToolKind {
  const can = new Set(known?.can ?? []);
  if (can.has("run")) return "execute";
  if (/^move/.test(tool)) return "move";
  if (can.has("delete") && !can.has("write")) return "delete";
  if (can.has("write")) return "edit";
  if (can.has("fetch")) return "fetch";
  if (/search|grep|find|glob|references|definition/i.test(tool)) return "search";
  if (can.has("read")) return "read";
  return /plan/i.test(tool) ? "think" : "other";
}

/** The files that a call names, so that an editor can follow. */
export function locationsOf(input: unknown, root: string): ToolCallLocation[] {
  if (typeof input !== "object" || input === null) return [];
  const given = input as Record<string, unknown>;
  const named = ["path", "file", "from", "to", "source", "destination", "paths"].flatMap((key) => given[key]);
  const line = [given["startLine"], given["from_line"], given["line"]].find(
    (value): value is number => Number.isInteger(value) && (value as number) > 0,
  );
  return named
    .filter((path): path is string => typeof path === "string" && path !== "" && !path.includes("\0"))
    .map((path) => ({ path: join(root, path), ...(line !== undefined && { line }) }));
}

export function textContent(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text } };
}

/** Proposed changes, before they are made. */
export function proposedDiffs(files: readonly FilePreview[], root: string): ToolCallContent[] {
  return files.map((file) => {
    if (file.proposed === undefined && file.change !== "delete")
      return textContent(`${file.change} ${visibleLine(file.path)}${file.diff && `\n${file.diff}`}`);
    const path = join(root, file.path);
    return { type: "diff", path, oldText: file.current ?? null, newText: file.proposed ?? "" };
  });
}

/** A change that was made: the text before it follows from the text after it and the diff. */
export function madeDiff(file: ChangedFile, after: string | undefined, root: string): ToolCallContent {
  const path = join(root, file.path);
  const [patch] = file.diff === "" ? [] : parsePatch(file.diff);
  const before = patch && applyPatch(after ?? "", reversePatch(patch));
  if (typeof before !== "string")
    return textContent(`${file.change} ${visibleLine(file.path)}${file.diff && `\n${file.diff}`}`);
  return { type: "diff", path, oldText: file.change === "create" ? null : before, newText: after ?? "" };
}
