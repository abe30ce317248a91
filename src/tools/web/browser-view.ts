import { z } from "zod";
import { fenceUntrusted, untrustedFrom } from "../../text/untrusted.ts";
import type { Rendering } from "../../tool/tool.ts";
import type { View } from "../../web/browser/look.ts";
import { provenanceOutput, renderContent } from "./web-content.ts";

const maxSnapshot = 60_000;

export const viewOutput = z.object({
  url: z.string(),
  title: z.string(),
  snapshot: z.string().describe("Accessibility tree; elements are named @e1 and so on"),
  totalCharacters: z.number().describe("Of the whole snapshot"),
  notes: z.array(z.string()).describe("Dialogs, downloads, new windows, refused requests, script errors"),
  provenance: provenanceOutput,
});

export function viewValue({ url, title, snapshot, notes }: View): z.output<typeof viewOutput> {
  const cut =
    snapshot.length <= maxSnapshot ? snapshot : snapshot.slice(0, snapshot.lastIndexOf("\n", maxSnapshot));
  return {
    url,
    title,
    snapshot: cut,
    totalCharacters: snapshot.length,
    notes,
    provenance: untrustedFrom(url, snapshot),
  };
}

/** The whole tree; then only its headings and controls; then as much of the tree as fits. */
export function renderView(value: z.output<typeof viewOutput>): Rendering {
  const { url, title, snapshot, totalCharacters, notes } = value;
  // Titles and notes contain text of the page, so they are inside the fence with it.
  const preface = `${[`Title: ${title}`, ...notes.map((note) => `Note: ${note}`)].join("\n")}\n`;
  const readOn = (from: number) =>
    `agentBrowserExtract(${JSON.stringify({ extractType: "snapshot", cursor: String(Math.max(0, from - preface.length)) })})`;
  const [whole, fitted] = renderContent({
    head: [],
    text: preface + snapshot,
    source: url,
    start: 0,
    total: preface.length + totalCharacters,
    readOn,
  });
  const controls = snapshot.split("\n").filter((line) => controlLine.test(line));
  const brief = [
    `Only headings and controls; the whole page: ${readOn(0)}`,
    fenceUntrusted(preface + controls.map((line) => line.trimStart()).join("\n"), url),
  ];
  return snapshot.length < totalCharacters ? [whole, fitted] : [whole, brief.join("\n"), fitted];
}

const controlLine =
  /^\s*- (?:link|button|textbox|searchbox|checkbox|radio|combobox|listbox|option|menuitem|tab|switch|slider|spinbutton|heading)\b/;
