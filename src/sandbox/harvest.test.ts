import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import fc from "../testing/properties.ts";
import { removeFolder } from "../testing/remove-folder.ts";
import { Harvester } from "./harvest.ts";

let dir = "";
let archive = Buffer.alloc(0);
const long = "x".repeat(120);
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "harvest-"));
  mkdirSync(join(dir, "u", long, long), { recursive: true });
  mkdirSync(join(dir, "out"));
  for (const name of ["plain", "ünï €", "line\nbreak", " space ", `${long}/${long}/deep`]) {
    writeFileSync(join(dir, "u", name), name);
  }
  writeFileSync(join(dir, "u/empty"), "");
  writeFileSync(join(dir, "u/block"), Buffer.alloc(512, 1));
  writeFileSync(join(dir, "out/report"), "r");
  symlinkSync(`${long}/${long}/${long}`, join(dir, "u/link"));
  const args = ["--format=posix", "--sort=name", "-cf", "-", "-C", dir, "out", "-C", join(dir, "u"), "."];
  archive = execFileSync("tar", args, { maxBuffer: 1e8 });
});
afterAll(() => removeFolder(dir));

function harvest(bytes: Buffer, cuts: readonly number[] = [], max = 1e9) {
  let gaveUp = 0;
  const harvester = new Harvester(max, () => gaveUp++);
  const points = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
  points.slice(1).forEach((end, n) => {
    harvester.write(bytes.subarray(points[n], end));
  });
  return { ...harvester.result(true), gaveUp };
}

test("everything that tar tells is read, whatever the pieces", () => {
  const whole = harvest(archive);
  expect(whole.changes.incomplete).toBeNull();
  expect(whole.changes.entries.filter((entry) => entry.kind === "file")).toHaveLength(7);
  expect(whole.changes.entries).toContainEqual({
    kind: "file",
    path: "line\nbreak",
    mode: 0o644,
    bytes: Buffer.from("line\nbreak"),
  });
  expect(whole.changes.entries).toContainEqual({
    kind: "link",
    path: "link",
    target: `${long}/${long}/${long}`,
  });
  expect(whole.changes.entries).toContainEqual({
    kind: "directory",
    path: `${long}/${long}`,
    replaced: false,
  });
  expect(whole.outbox).toEqual([{ kind: "file", path: "report", mode: 0o644, bytes: Buffer.from("r") }]);
  fc.assert(
    fc.property(fc.array(fc.nat(archive.length), { maxLength: 20 }), (cuts) => {
      expect(harvest(archive, cuts)).toEqual(whole);
    }),
    { numRuns: 50 },
  );
});

test("a list that was cut off anywhere is unusable", () => {
  const end = archive.length - archive.toReversed().findIndex((byte) => byte !== 0);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: end }), (length) => {
      const { changes, outbox } = harvest(archive.subarray(0, length));
      expect(changes.incomplete).not.toBeNull();
      expect([changes.entries, outbox]).toEqual([[], []]);
    }),
    { numRuns: 100 },
  );
});

test("damage in a header makes it unusable, and it is told at once", () => {
  const broken = Buffer.from(archive);
  broken.fill(0x41, 513, 530);
  expect(harvest(broken)).toMatchObject({
    changes: { incomplete: expect.stringMatching(/cannot be read/) },
    gaveUp: 1,
  });
  expect(harvest(archive, [100, 2000], 1000)).toMatchObject({
    changes: { incomplete: expect.stringMatching(/larger than/) },
    gaveUp: 1,
  });
});

test("names that lead elsewhere make it unusable", () => {
  writeFileSync(join(dir, "x"), "");
  for (const name of ["../x", "/x", "a/../../x", "x"]) {
    const args = ["--format=posix", "-Pcf", "-", `--transform=s,.*,${name},`, "-C", dir, "x"];
    expect(harvest(execFileSync("tar", args)).changes.incomplete).toMatch(/a member named/);
  }
});

test("nothing at all is no change, unless the sender failed", () => {
  expect(new Harvester(1, () => {}).result(true).changes).toEqual({ entries: [], incomplete: null });
  expect(new Harvester(1, () => {}).result(false).changes.incomplete).toMatch(/cut off/);
});

test("a name or a target that is not UTF-8 is refused by itself: the rest is carried over", () => {
  const odd = mkdtempSync(join(tmpdir(), "harvest-odd-"));
  const name = Buffer.from([0x6e, 0xff]);
  writeFileSync(Buffer.concat([Buffer.from(`${odd}/`), name]), "x");
  symlinkSync(name, join(odd, "link"));
  writeFileSync(join(odd, "plain"), "p");
  const tar = execFileSync("tar", ["--format=posix", "--sort=name", "-cf", "-", "-C", odd, "."]);
  rmSync(odd, { recursive: true });
  const { entries, incomplete } = harvest(tar).changes;
  expect(incomplete).toBeNull();
  expect(entries).toEqual([
    { kind: "special", path: "link", notText: true },
    { kind: "special", path: "n\\xff", notText: true },
    expect.objectContaining({ kind: "file", path: "plain" }),
  ]);
});
