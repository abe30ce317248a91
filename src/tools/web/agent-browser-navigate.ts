import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import { fetchEffect } from "../../tool/effects.ts";
import type { Web } from "../../web/web.ts";
import { renderView, viewOutput, viewValue } from "./browser-view.ts";
import { urlInput } from "./web-content.ts";

export const agentBrowserNavigate = (web: () => Web) =>
  defineTool({
    name: "agentBrowserNavigate",
    title: "Open a page in the browser",
    description:
      "Open a URL in a real browser and get an accessibility snapshot of the page. Elements are named @e1, @e2 and so on, for agentBrowserInteract and agentBrowserExtract. The browser keeps its cookies until it is closed.",
    category: "Browser Automation",
    loading: "deferred",
    skill: "agent-browser",
    input: z.object({ url: urlInput }),
    output: viewOutput,
    can: ["fetch"],
    inOrder: true,
    effects: ({ url }) => [fetchEffect(web().check(url).href, "GET")],
    execute: async ({ url }) => viewValue(await web().browser.navigate(url)),
    render: renderView,
    examples: [{ title: "Open a search page", input: { url: "https://example.com/search?q=wield" } }],
  });
