import { z } from "zod";
import { fenceUntrusted, untrustedFrom } from "../text/untrusted.ts";
import { visibleLine } from "../text/visible.ts";
import type { Rendering } from "../tool/tool.ts";
import type { View } from "../web/browser/look.ts";
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
  const head = [
    `${visibleLine(title) || "(no title)"}, ${visibleLine(url)}`,
    ...notes.map((note) => `Note: ${visibleLine(note)}`),
  ];
  const readOn = (from: number) =>
    `agentBrowserExtract(${JSON.stringify({ extractType: "snapshot", cursor: String(from) })})`;
  const [whole, fitted] = renderContent({
    head,
    text: snapshot,
    source: url,
    start: 0,
    total: totalCharacters,
    readOn,
  });
  const controls = snapshot.split("\n").filter((line) => controlLine.test(line));
  const brief = [
    ...head,
    `Only headings and controls; the whole page: ${readOn(0)}`,
    fenceUntrusted(controls.map((line) => line.trimStart()).join("\n"), url),
  ];
  return snapshot.length < totalCharacters ? [whole, fitted] : [whole, brief.join("\n"), fitted];
}

const controlLine =
  /^\s*- (?:link|button|textbox|searchbox|checkbox|radio|combobox|listbox|option|menuitem|tab|switch|slider|spinbutton|heading)\b/;
