import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";

let place: TestWield;
beforeEach(async () => {
  place = await testWield({ "a.txt": "hello\n" });
});
afterEach(() => place.close());

test("names, inputs and values of built-in tools are known to the compiler", async () => {
  const { wield } = place;
  const found = await wield.call("find_files", { pattern: "*.txt" });
  if (!found.result.ok) throw new Error(found.text);
  const paths: string[] = found.result.value.paths;
  expect(paths).toEqual(["a.txt"]);
  // Members with a default may be left out.
  const read = await wield.call("read_file", { path: "a.txt" });
  expect(read.result.ok && read.result.value.content).toBe("hello\n");
});

test("what is misspelt or of the wrong type does not compile, and is a failure when it runs", async () => {
  const { wield } = place;
  // @ts-expect-error no tool has this name
  const misspelt = await wield.call("find_filez", { pattern: "*" });
  expect(misspelt.result).toMatchObject({ error: { code: "UNKNOWN_TOOL" } });
  // @ts-expect-error no such member
  const wrongMember = await wield.call("read_file", { paht: "a.txt" });
  expect(wrongMember.result).toMatchObject({ error: { code: "INVALID_INPUT" } });
  // @ts-expect-error a number is no path
  const wrongType = await wield.call("read_file", { path: 5 });
  expect(wrongType.result.ok).toBe(false);
  const read = await wield.call("read_file", { path: "a.txt" });
  // @ts-expect-error the value has no such member
  expect(read.result.ok && read.result.value.contents).toBeUndefined();
});

test("a tool that is known only by name is called with callAny", async () => {
  const name: string = "read_file";
  // @ts-expect-error any string is no name of a built-in tool
  await place.wield.call(name, { path: "a.txt" });
  expect((await place.wield.callAny(name, { path: "a.txt" })).text).toContain("hello");
});
