import { expect, test } from "vitest";
import { withoutTerminalCodes } from "./terminal-codes.ts";

test.each([
  ["\u001B[31mred\u001B[39m and \u001B[1;4mbold\u001B[0m", "red and bold"],
  ["\u001B]8;;https://example.com\u0007link\u001B]8;;\u0007", "link"],
  ["\u001B]0;title\u001B\\text", "text"],
  ["10%\r50%\r100%\ndone\n", "100%\ndone\n"],
  ["\u001B[2K\u001B[1Gprogress", "progress"],
  ["dos\r\nlines\r\n", "dos\r\nlines\r\n"],
  ["[31m is no code", "[31m is no code"],
])("%j reads %j", (text, expected) => expect(withoutTerminalCodes(text)).toBe(expected));
