import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { nobody, orderFor, Place, type Runner, runnerAs, runnerHere } from "./attempt.suite.ts";
import type { Case } from "./case.suite.ts";
import { corpus, outcomesOf, scriptOf, verdict } from "./corpus.suite.ts";

const isRoot = process.getuid?.() === 0;
const canRun = existsSync("/usr/bin/bwrap") && existsSync("/usr/bin/python3");
const why = canRun ? "" : " (skipped: bubblewrap or python3 is not installed)";
const runners: [string, (() => Runner) | undefined][] = [
  ["as root", isRoot ? runnerHere : undefined],
  ["as an ordinary user", isRoot ? () => runnerAs(nobody) : runnerHere],
];

async function runTogether(runner: Runner) {
  await using place = await Place.make(runner.uid, undefined);
  const { world } = place;
  const mark = `end-${randomUUID()}`;
  const code = scriptOf(
    corpus.filter(({ together }) => together),
    world,
    mark,
  );
  const all: Case = { id: "all", attempt: "all", language: "bash", code: () => code, wallMs: 120_000 };
  return {
    outcomes: outcomesOf(await runner.attempt(orderFor(all, world, place.stateDir)), mark),
    world,
  };
}

test("the corpus covers every class, each name once", () => {
  expect(corpus.length).toBeGreaterThanOrEqual(68);
  expect(new Set(corpus.map(({ id }) => id)).size).toBe(corpus.length);
});

describe.each(runners)("%s", (_name, make) => {
  const runner = make && canRun ? make() : undefined;
  afterAll(() => runner?.close());

  describe.skipIf(runner === undefined)(`an attempt to${make ? why : " (skipped: needs root)"}`, () => {
    // Most cases change nothing and need no run of their own; `npm run bench sandbox` gives each one.
    let shared: ReturnType<typeof runTogether> | undefined;

    test.each(corpus)("$id $attempt", async (one) => {
      if (!runner) return;
      if (one.together) {
        shared ??= runTogether(runner);
        const { outcomes, world } = await shared;
        const outcome = outcomes.get(one.id);
        expect(outcome && verdict(one, outcome, world)).toBeNull();
        return;
      }
      await using place = await Place.make(runner.uid, one.prepare);
      const attempt = await runner.attempt(orderFor(one, place.world, place.stateDir));
      expect(verdict(one, attempt, place.world)).toBeNull();
    });
  });
});
