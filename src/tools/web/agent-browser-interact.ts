import { z } from "zod";
import { defineTool } from "../../tool/define-tool.ts";
import { fetchEffect } from "../../tool/effects.ts";
import { browserActions } from "../../web/browser/visit.ts";
import type { Web } from "../../web/web.ts";
import { renderView, viewOutput, viewValue } from "./browser-view.ts";

export const agentBrowserInteract = (web: () => Web) =>
  defineTool({
    name: "agentBrowserInteract",
    title: "Act on the page",
    description:
      "Click, fill, type into, hover over, check or uncheck an element of the page in the browser, named by its ref from the last snapshot. Returns the new snapshot. fill replaces what is there and chooses in drop-down lists; type adds key by key, and a newline presses Enter.",
    category: "Browser Automation",
    loading: "deferred",
    skill: "agent-browser",
    input: z.object({
      action: z.enum(browserActions),
      ref: z.string().min(1).describe("Name of an element in the snapshot, such as @e1"),
      value: z.string().optional().describe("Text for fill and type"),
    }),
    output: viewOutput,
    can: ["fetch"],
    inOrder: true,
    // What a click sends cannot be known in advance; it goes to the page's site.
    effects: () => {
      const { url } = web().browser;
      return url === undefined ? [] : [fetchEffect(url, "POST")];
    },
    execute: async ({ action, ref, value }) => viewValue(await web().browser.interact(action, ref, value)),
    render: renderView,
    examples: [
      { title: "Fill in a field", input: { action: "fill", ref: "@e4", value: "Ada" } },
      { title: "Press a button", input: { action: "click", ref: "@e7" } },
    ],
  });
