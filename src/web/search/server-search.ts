import type { ToolSet } from "ai";

/**
 * The provider's own search, for the AI SDK under the name `web_search`. It needs no key of its own, but runs out of
 * our sight: no approval, no record, nothing marked as untrusted. Undefined where the provider has none; then the
 * `web_search` tool with its search provider is the one to register.
 */
export async function serverSearch(provider: string): Promise<ToolSet[string] | undefined> {
  switch (provider) {
    case "anthropic":
      return (await import("@ai-sdk/anthropic")).anthropic.tools.webSearch_20260318({ maxUses: 5 });
    case "openai":
      return (await import("@ai-sdk/openai")).openai.tools.webSearch();
    case "google":
      return (await import("@ai-sdk/google")).google.tools.googleSearch({});
    default:
      return undefined;
  }
}
