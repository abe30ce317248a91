import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { type Attachment, attachableTypes, type PersonMessage } from "../agent/attachments.ts";

/** What a person sent, as one message: mentioned files by their path, attached text and images in full. */
export function messageFrom(blocks: readonly ContentBlock[], root: string): PersonMessage {
  const attachments: Attachment[] = [];
  const words = blocks.map((block) => {
    if (block.type === "text") return block.text;
    if (block.type === "resource_link") return mention(block.uri, root);
    const attached = attachmentOf(block, root, attachments.length + 1);
    if (!attached) return `(the client sent ${block.type}, which this agent cannot read)`;
    attachments.push(attached);
    return block.type === "resource" ? `(attached: ${attached.name})` : "";
  });
  const text = words.join("").trim();
  return attachments.length > 0 ? { text, attachments } : { text };
}

function attachmentOf(block: ContentBlock, root: string, number: number): Attachment | undefined {
  if (block.type === "image") {
    const name = block.uri ? mention(block.uri, root) : `image ${number}`;
    return attachableTypes.has(block.mimeType)
      ? { name, mediaType: block.mimeType, base64: block.data }
      : undefined;
  }
  if (block.type !== "resource") return undefined;
  const { resource } = block;
  const name = mention(resource.uri, root);
  if ("text" in resource) return { name, mediaType: resource.mimeType ?? "text/plain", text: resource.text };
  const mediaType = resource.mimeType ?? "";
  return attachableTypes.has(mediaType) ? { name, mediaType, base64: resource.blob } : undefined;
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
