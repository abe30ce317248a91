import { describe, expect, it } from "vitest";
import { decodeText } from "./charset.ts";

describe("charset", () => {
  const cases: [name: string, bytes: Buffer, contentType: string, text: string][] = [
    ["UTF-8 by default", Buffer.from("äö"), "text/html", "äö"],
    ["the header", Buffer.from([0xe4]), "text/html; charset=ISO-8859-1", "ä"],
    ["the header in quotes", Buffer.from([0x93, 0xfa]), 'text/html; charset="Shift_JIS"', "日"],
    [
      "<meta charset>",
      Buffer.from('<meta charset="windows-1251">\xcf', "latin1"),
      "text/html",
      '<meta charset="windows-1251">П',
    ],
    [
      "<meta http-equiv>",
      Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=gbk">\xc4\xe3', "latin1"),
      "text/html",
      '<meta http-equiv="Content-Type" content="text/html; charset=gbk">你',
    ],
    [
      "the XML declaration",
      Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?>\xe9', "latin1"),
      "text/xml",
      '<?xml version="1.0" encoding="iso-8859-1"?>é',
    ],
    ["a byte order mark before the header", Buffer.from("\uFEFFä"), "text/plain; charset=latin1", "ä"],
    ["UTF-16 by its mark", Buffer.from("\uFEFFhi", "utf16le"), "text/plain", "hi"],
    ["what is not UTF-8 as Windows-1252", Buffer.from([0x80, 0x20, 0xe9]), "text/plain", "€ é"],
    ["an unknown name as if it were not there", Buffer.from("ä"), "text/plain; charset=klingon", "ä"],
  ];
  for (const [name, bytes, type, text] of cases) it(name, () => expect(decodeText(bytes, type)).toBe(text));
});
