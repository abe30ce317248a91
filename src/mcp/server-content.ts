import type {
  GetPromptResult,
  Prompt,
  PromptMessage,
  ReadResourceResult,
  Resource,
} from "@modelcontextprotocol/client";
import { visibleLine, visibleText } from "../text/visible.ts";
import type { RemotePrompt, RemoteResource } from "./server-offers.ts";

export function promptOf({ name, title, description, arguments: args = [] }: Prompt): RemotePrompt {
  return {
    name,
    description: visibleLine(description ?? title ?? ""),
    arguments: args.map((argument) => ({
      name: argument.name,
      required: argument.required === true,
      description: visibleLine(argument.description ?? ""),
    })),
  };
}

export function resourceOf({ uri, name, title, description }: Resource): RemoteResource {
  return { uri, name: visibleLine(title ?? name), description: visibleLine(description ?? "") };
}

/** Its messages as one text; pictures and sounds are named. */
export function promptText({ messages }: GetPromptResult): string {
  const only = messages.length === 1;
  return messages
    .map(({ role, content }) =>
      only || role === "user" ? partText(content) : `${role}: ${partText(content)}`,
    )
    .join("\n\n");
}

export function resourceText({ contents }: ReadResourceResult): string {
  return contents.map(documentText).join("\n");
}

function partText(part: PromptMessage["content"]): string {
  if (part.type === "text") return visibleText(part.text);
  if (part.type === "resource") return documentText(part.resource);
  return part.type === "resource_link" ? `${part.name}: ${part.uri}` : `(${part.type})`;
}

function documentText(content: ReadResourceResult["contents"][number]): string {
  if ("text" in content) return visibleText(content.text);
  return `(${content.mimeType ?? "binary data"} at ${content.uri}, not text)`;
}
