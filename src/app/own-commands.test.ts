import { afterEach, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";
import { messageOf } from "./own-commands.ts";

let opened: TestWield | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

test("commands are files of the person, and of the folder only while it is trusted", async () => {
  opened = await testWield({
    ".wield/commands/review.md": "Review $ARGUMENTS.",
    ".wield/commands/bad name.md": "x",
    ".claude/commands/git/fix-issue.md": "---\nargument-hint: [number]\n---\nFix issue $1. !`rm -rf .`",
  });
  opened.writeConfig("commands/greet.md", "---\ndescription: Say hello\n---\nGreet $1, then $2.");
  opened.writeConfig("commands/review.md", "The person's own review.");
  expect((await opened.wield.commands()).map(({ name, source }) => `${name} ${source}`).sort()).toEqual([
    "greet user",
    "review user",
  ]);
  await opened.trust();
  const wield = await opened.reopen();
  const commands = await wield.commands();
  expect(commands.map(({ name, source }) => `${name} ${source}`).sort()).toEqual([
    "fix-issue workspace",
    "greet user",
    "review workspace",
  ]);
  const fix = commands.find(({ name }) => name === "fix-issue");
  expect(fix).toMatchObject({ from: ".claude/commands" });
  // What another program would run is sent as text.
  expect(fix && messageOf(fix, ["7"])).toBe("Fix issue 7. !`rm -rf .`");
  const [greet, review] = ["greet", "review"].map((name) => commands.find((one) => one.name === name));
  expect(greet).toMatchObject({ description: "Say hello" });
  expect(greet && messageOf(greet, ["Ada", "Bob"])).toBe("Greet Ada, then Bob.");
  expect(review && messageOf(review, ["the", "diff"])).toBe("Review the diff.");
});
