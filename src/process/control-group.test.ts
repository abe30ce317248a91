import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { findControlGroups } from "./control-group.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "groups-"));
});
afterEach(() => removeFolder(root));

const limits = { memory: 1000, processes: 5 };
const text = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
/** A folder stands in for the kernel's: its files take the same words. */
const v2 = (own: string) =>
  findControlGroups(`31 23 0:26 / ${root} rw - cgroup2 cgroup2 rw\n`, `0::${own}\n`);

test("version 2: a group in the nearest place that passes the controllers on", async () => {
  mkdirSync(join(root, "user/app/scope"), { recursive: true });
  writeFileSync(join(root, "user/app/cgroup.subtree_control"), "memory pids\n");
  writeFileSync(join(root, "cgroup.subtree_control"), "cpu memory pids\n");
  const groups = v2("/user/app/scope");
  expect(groups?.version).toBe(2);
  const group = groups?.create(limits);
  const [name = ""] = readdirSync(join(root, "user/app")).filter((entry) => entry.startsWith("wield-"));
  expect(text("user/app", name, "memory.max")).toBe("1000");
  expect(text("user/app", name, "memory.swap.max")).toBe("0");
  expect(text("user/app", name, "pids.max")).toBe("5");
  group?.add(4242);
  expect(text("user/app", name, "cgroup.procs")).toBe("4242");
  expect(group?.met()).toEqual({ memory: false, processes: false });
  writeFileSync(join(root, "user/app", name, "memory.events"), "low 0\noom 1\noom_kill 1\n");
  writeFileSync(join(root, "user/app", name, "pids.events"), "max 3\n");
  expect(group?.met()).toEqual({ memory: true, processes: true });
});

test("version 1: memory and processes in their own hierarchies", () => {
  for (const controller of ["memory", "pids"]) mkdirSync(join(root, controller));
  const line = (controller: string) =>
    `3 2 0:2 / ${join(root, controller)} rw - cgroup cgroup rw,${controller}\n`;
  const groups = findControlGroups(line("memory") + line("pids"), "4:memory:/gone\n8:pids:/\n");
  expect(groups?.version).toBe(1);
  groups?.create(limits);
  const [name = ""] = readdirSync(join(root, "memory"));
  expect(text("memory", name, "memory.limit_in_bytes")).toBe("1000");
  expect(text("pids", name, "pids.max")).toBe("5");
});

test("none where there is no place for one", () => {
  expect(v2("/")).toBeUndefined();
  expect(findControlGroups("1 1 0:1 / / rw - ext4 /dev/x rw\n", "0::/\n")).toBeUndefined();
});
