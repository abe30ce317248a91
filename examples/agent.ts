// Let a model work on its own: Wield's agent with its limits, approvals and a session that outlives the process.
import assert from "node:assert";
import { createWield } from "wield";

export async function agent(folder: string): Promise<void> {
  const wield = await createWield({ workspace: folder, approve: () => ({ approved: true }) });
  wield.on((event) => {
    if (event.type === "text-delta") process.stdout.write(event.text);
  });

  // Without a model named here or in the settings, the first key that is found decides; "offline" needs none.
  const coder = await wield.agent({ model: "offline", limits: { steps: 10 } });
  const { stop, text } = await coder.send("Add a comment to the top of README.md saying 'Start here.'");
  assert.equal(stop, "done");
  assert.match(text, /^Done/);

  // Another process goes on with the same session.
  const later = await wield.agent({ model: "offline", session: coder.session });
  const explained = await later.send("Find all TODO comments");
  assert.equal(explained.session, coder.session);

  await wield.close();
}
