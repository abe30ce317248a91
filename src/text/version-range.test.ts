import { expect, test } from "vitest";
import { isInRange, newestIn } from "./version-range.ts";

test.each([
  ["20.11.1", "20", true],
  ["20.11.1", "v20.11.1", true],
  ["20.11.2", "20.11.1", false],
  ["20.11.1", ">=18", true],
  ["16.20.0", ">=18", false],
  ["20.0.0", "^18 || >=20", true],
  ["19.9.0", "^18 || >=20", false],
  ["18.17.0", "^18.18.0", false],
  ["0.2.9", "^0.2.3", true],
  ["0.3.0", "^0.2.3", false],
  ["18.4.7", "~18.4.1", true],
  ["18.5.0", "~18.4.1", false],
  ["22.1.0", "22.x", true],
  ["22.1.0", "*", true],
  ["22.1.0", "", true],
  ["22.1.0", ">= 20.0 <22", false],
  ["21.9.9", ">= 20.0 <22", true],
  ["22.9.0", "<=22", true],
  ["22.0.0", ">22", false],
  ["23.0.0", ">22", true],
  ["18.5.0", "16 - 18", true],
  ["19.0.0", "16 - 18", false],
  ["3.11.2", ">=3.8,<4", true],
  ["18.0.0", "whatever", false],
])("%s in %j: %j", (version, range, expected) => expect(isInRange(version, range)).toBe(expected));

test("the newest that fits, by numbers and not by letters", () => {
  const installed = ["v9.1.0", "v18.2.0", "v18.10.0", "v20.0.0"].map((version) => ({ version }));
  expect(newestIn(installed, "18")).toEqual({ version: "v18.10.0" });
  expect(newestIn(installed, ">=9")).toEqual({ version: "v20.0.0" });
  expect(newestIn(installed, "21")).toBeUndefined();
});
