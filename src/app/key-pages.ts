/** Where a key is made, by provider. */
export const keyPages: Readonly<Record<string, string>> = {
  anthropic: "https://console.anthropic.com/settings/keys",
  openai: "https://platform.openai.com/api-keys",
  google: "https://aistudio.google.com/apikey",
  openrouter: "https://openrouter.ai/keys",
  tavily: "https://app.tavily.com",
  exa: "https://dashboard.exa.ai/api-keys",
  brave: "https://api-dashboard.search.brave.com",
  searxng: "https://docs.searxng.org",
  github: "https://github.com/settings/tokens",
};
