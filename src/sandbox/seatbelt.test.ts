import { expect, test } from "vitest";
import { policies } from "./policy.ts";
import { seatbeltArguments, seatbeltProfile, seatbeltSandbox } from "./seatbelt.ts";

test("the profile denies everything that is not named, the network above all", () => {
  const profile = seatbeltProfile(["/scratch", "/opt/one"], '/scra"tch', ["/scratch/ws/keys"]);
  const lines = profile.split("\n");
  expect(lines.slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
  expect(lines.filter((line) => line.includes("network"))).toEqual(["(deny network*)"]);
  expect(lines.filter((line) => line.includes("file-write"))).toEqual([
    '(allow file-write* (subpath "/scra\\"tch") (literal "/dev/null") (literal "/dev/tty"))',
    '(deny file-read* file-write* (subpath "/scratch/ws/keys"))',
  ]);
  expect(profile).toContain('(subpath "/opt/one")');
  expect(profile).not.toContain("/Users");
});

test("limits, profile and place come before the command, which stays literal", () => {
  const job = {
    workspace: "/w",
    command: ["/bin/sh", "-c", "$(id)"] as const,
    env: { A: "b c" },
    cwd: "sub",
  };
  const args = seatbeltArguments(job, policies.code, "/scratch");
  expect(args.slice(0, 4)).toEqual(["64", "131072", "256", "60"]);
  expect(args.slice(5)).toEqual(["sub", "/usr/bin/env", "A=b c", "/bin/sh", "-c", "$(id)"]);
});

test("a run that wants the network is refused", async () => {
  const job = { workspace: "/w", command: ["/bin/true"] as const };
  const run = seatbeltSandbox().run(job, { ...policies.code, network: { mode: "full" } });
  await expect(run).rejects.toMatchObject({ code: "SANDBOX_UNAVAILABLE" });
});
