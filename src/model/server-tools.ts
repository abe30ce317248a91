import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ToolSet } from "ai";

/** Tools that the provider runs itself, by the name of the Wield tool that they replace. */
export async function serverToolsFor({ provider }: LanguageModelV4): Promise<ToolSet> {
  if (provider.startsWith("anthropic")) {
    const { anthropic } = await import("@ai-sdk/anthropic");
    return { web_search: anthropic.tools.webSearch_20260318({ maxUses: 5 }) };
  }
  // Only the Responses API has it.
  if (provider === "openai.responses") {
    const { openai } = await import("@ai-sdk/openai");
    return { web_search: openai.tools.webSearch({}) };
  }
  return {};
}
