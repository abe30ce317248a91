import { expect, test } from "vitest";
import { type Grant, mintGrant, redeemGrant } from "./grant.ts";

const call = { tool: "write_file", input: { path: "a", content: "x" }, seen: new Map([["a", "absent"]]) };
const mint = () => mintGrant(call, { by: "person", edited: false });

test("a grant is good once, for exactly its call", () => {
  const grant = mint();
  expect(redeemGrant(grant, call).seen.get("a")).toBe("absent");
  expect(() => redeemGrant(grant, call)).toThrow("used already");
});

test("the order of members does not matter, their content does", () => {
  redeemGrant(mint(), { tool: "write_file", input: { content: "x", path: "a" } });
  expect(() => redeemGrant(mint(), { tool: "write_file", input: { path: "a", content: "y" } })).toThrow(
    "another call",
  );
  expect(() => redeemGrant(mint(), { tool: "delete_file", input: call.input })).toThrow("another call");
});

test("a look-alike that approval/ did not mint is refused", () => {
  const forged = { ...mint() } as Grant;
  expect(() => redeemGrant(forged, call)).toThrow("not minted");
});

test("the states it rests on cannot be changed afterwards", () => {
  const seen = new Map([["a", "absent"]]);
  const grant = mintGrant({ ...call, seen }, { by: "person", edited: false });
  seen.set("a", "file:644:beef");
  expect(grant.seen.get("a")).toBe("absent");
});
