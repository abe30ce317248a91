import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ToolSet } from "ai";

/** Tools that the provider runs itself, by the name of the Wield tool that they replace. */
export async function serverToolsFor(model: LanguageModelV4): Promise<ToolSet> {
  if (!model.provider.startsWith("anthropic")) return {};
  const { anthropic } = await import("@ai-sdk/anthropic");
  return { web_search: anthropic.tools.webSearch_20260318({ maxUses: 5 }) };
}
