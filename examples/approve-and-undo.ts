// Approve changes in your own interface: see the diff, say yes, no, or yes to something else. Then take it back.
import assert from "node:assert";
import { createWield } from "wield";

export async function approveAndUndo(folder: string): Promise<void> {
  const wield = await createWield({
    workspace: folder,
    approve: (ask) => {
      const [file] = ask.preview?.files ?? [];
      if (ask.tool === "undo") return { approved: true };
      if (file?.path === "LICENSE") return { approved: false, reason: "the licence stays" };
      // The person may change the proposed arguments before they are used.
      return { approved: true, modifiedArgs: { ...ask.args, content: "# Hello, world\n" } };
    },
  });

  const edited = await wield.call("edit_file", {
    path: "README.md",
    content: "# Hi\n",
    description: "greet",
  });
  assert.match(edited.text, /The person edited this call/);

  const denied = await wield.call("delete_file", { path: "LICENSE" });
  assert.match(denied.text, /User rejected changes: the licence stays/);

  const [change] = await wield.changes.list();
  assert.equal(change?.tool, "edit_file");
  assert((await wield.call("undo", {})).result.ok);

  await wield.close();
}
