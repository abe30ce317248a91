import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { editMessages } from "./message-editor.ts";
import { notify } from "./notify.ts";

test("the bell rings and OSC 9 says what waits, without codes of the text itself", () => {
  let out = "";
  const write = (text: string) => {
    out += text;
  };
  const io = { write, terminal: true, env: { TERM: "xterm" } };
  notify("Wield asks: \u001b]0;owned\u0007 Write\nfile", io);
  expect(out).toBe("\u0007\u001b]9;Wield asks:  ]0;owned  Write file\u001b\\");
  out = "";
  notify("done", { ...io, terminal: false });
  notify("done", { ...io, env: { TERM: "dumb" } });
  notify("done", { ...io, env: { TERM: "xterm", WIELD_NOTIFY: "off" } });
  expect(out).toBe("");
});

test("a notice stands above the input, also above one of several rows, and what was written stays", async () => {
  const output = Object.assign(new PassThrough(), { columns: 20 });
  const editor = editMessages({
    ...{ input: new PassThrough(), output, prompt: "ask › ", begun: "a draft that takes three rows of it" },
    ...{ history: [], suggest: async () => [], onMessage: () => undefined, onLeave: () => undefined },
  });
  output.read();
  editor.tell("A notice.", "edits › ");
  const shown = String(output.read());
  editor.close();
  // Up to the first row of the input, which is cleared with all below it; then the notice, and the input again.
  expect(shown).toMatch(/^\u001b\[2A\r\u001b\[JA notice\.\n/);
  expect(shown).toContain("edits › a draft that takes three rows of it");
  expect(editor.text).toBe("a draft that takes three rows of it");
});
