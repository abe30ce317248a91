import { expect, test } from "vitest";
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
