// The pages are made by scripts/docs-site.ts. A link that leads nowhere fails the build.
import { readdirSync, readFileSync } from "node:fs";

const page = (text, link = `/${text.toLowerCase().replaceAll(" ", "-")}`) => ({ text, link });

/** A page for each framework, named by its title. */
const folder = new URL("../.pages/frameworks/", import.meta.url);
const frameworks = readdirSync(folder).map((file) => {
  const [, title] = /^# (.*)$/m.exec(readFileSync(new URL(file, folder), "utf8"));
  return page(title, `/frameworks/${file.replace(/\.md$/, "")}`);
});

export default {
  title: "Wield",
  description: "Tools for AI agents",
  srcDir: ".pages",
  outDir: "dist",
  cleanUrls: true,
  // `<name>` in a sentence is text: the documents contain no HTML.
  markdown: { html: false },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: [
      {
        text: "Start",
        items: [page("Overview", "/"), page("Install"), page("Providers"), page("Permissions")],
      },
      { text: "Use", items: [page("Server"), page("Assistant"), page("Research"), page("Several machines")] },
      {
        text: "Where you work",
        items: [page("Editors", "/acp"), page("MCP"), page("Library"), page("Telemetry"), page("Images")],
      },
      { text: "Frameworks", items: frameworks },
      {
        text: "Reference",
        items: [
          page("Commands", "/cli"),
          page("Tools"),
          page("Policy matrix"),
          page("Threat model"),
          page("Changelog"),
        ],
      },
      {
        text: "About",
        items: [page("Comparison"), page("Evaluation", "/eval"), page("Architecture"), page("Contributing")],
      },
    ],
  },
};
