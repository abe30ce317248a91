// Define a tool of your own once: it has a schema, an approval, an undo and a text for the model like every other.
import assert from "node:assert";
import { createWield, defineChangeTool, defineTool } from "wield";
import { z } from "zod";

const wordCount = defineTool({
  name: "word_count",
  title: "Count words",
  description: "Count the words of a text file in the workspace.",
  category: "Text",
  input: z.object({ path: z.string() }),
  output: z.object({ words: z.number() }),
  can: ["read"],
  effects: ({ path }) => [{ kind: "read", path }],
  execute: async ({ path }, { workspace }) => {
    const { bytes } = await workspace.read(path);
    return { words: bytes.toString().split(/\s+/).filter(Boolean).length };
  },
  render: ({ words }) => `${words} words`,
});

// A tool that changes files only says what it wants; preview, approval, journal and undo come by themselves.
const stamp = defineChangeTool({
  name: "stamp",
  title: "Stamp",
  description: "Leave a file that says who was here.",
  category: "Text",
  input: z.object({ who: z.string() }),
  output: z.object({ path: z.string() }),
  approval: "ask",
  operations: ({ who }) => [{ op: "write", path: "STAMP", bytes: Buffer.from(`${who} was here\n`) }],
  describe: ({ who }) => `stamp by ${who}`,
  value: () => ({ path: "STAMP" }),
});

export async function customTool(folder: string): Promise<void> {
  const customTools = [wordCount, stamp];
  const wield = await createWield({ workspace: folder, customTools, approve: () => ({ approved: true }) });
  assert.equal((await wield.callAny("word_count", { path: "README.md" })).text, "2 words");
  assert((await wield.callAny("stamp", { who: "Ada" })).result.ok);
  assert.equal((await wield.changes.list())[0]?.description, "stamp by Ada");
  await wield.close();
}
