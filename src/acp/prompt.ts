import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";

/** What a person sent, as one message: mentioned files by their path, attached text in full. */
export function messageFrom(blocks: readonly ContentBlock[], root: string): string {
  const words = blocks.map((block) => {
    if (block.type === "text") return block.text;
    if (block.type === "resource_link") return mention(block.uri, root);
    if (block.type === "resource") return `(attached: ${mention(block.resource.uri, root)})`;
    return `(the client sent ${block.type}, which this agent cannot read)`;
  });
  const attached = blocks.flatMap((block) =>
    block.type === "resource" && "text" in block.resource
      ? `Text of ${mention(block.resource.uri, root)}, attached by the person:\n${fenced(block.resource.text)}`
      : [],
  );
  return [words.join(""), ...attached].join("\n\n").trim();
}

/** `@path` for a file in the workspace, which the model is told to read as such; anything else by its address. */
function mention(uri: string, root: string): string {
  const path = pathOf(uri);
  if (path === undefined) return uri;
  const below = relative(root, path);
  return below === "" || below.startsWith("..") ? path : `@${below}`;
}

function pathOf(uri: string): string | undefined {
  const url = URL.parse(uri);
  if (url?.protocol !== "file:") return undefined;
  url.hash = "";
  url.search = "";
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** A fence that the text itself does not contain. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
