import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anthropicServer, type WireReply } from "../testing/anthropic-server.ts";
import { bin, hasTmux, terminal } from "./terminal.suite.ts";

const server = join(import.meta.dirname, "../mcp/fixtures/trouble-server.mjs");
const files = { "echo.txt": "Says it again." };
const added = `${bin} tools add mcp trouble -- ${process.execPath} ${server} echo.txt`;

describe.skipIf(!hasTmux)("a question of an MCP server in the terminal", () => {
  test("is answered field by field during `wield call`", async () => {
    const { type, see } = await terminal(files, `${added} && ${bin} call trouble__ask '{}'`);
    await see(/Allow trouble__ask\?/);
    type("Enter");
    await see(/trouble asks[\s\S]*Which colour\?[\s\S]*Answer it\?/);
    type("y");
    await see(/◆ +colour/);
    type("green", "Enter");
    await see(/◆ +size: How big[\s\S]*leave out/);
    type("Down", "Enter");
    await see(/◆ +count \(optional\)/);
    type("3", "Enter");
    await see(/◆ +sure/);
    type("Enter");
    await see(
      /answered \{"action":"accept","content":\{"colour":"green","size":"small","count":3,"sure":false\}\}[\s\S]*ended with 0/,
    );
  });

  test("is not accepted by a line break alone, and what the server proposes is not chosen by one", async () => {
    const { type, see } = await terminal(files, `${added} && ${bin} call trouble__propose '{}' --yes`);
    await see(/Send it\?[\s\S]*Answer it\?/);
    type("Enter");
    await see(/answered \{"action":"decline"\}[\s\S]*ended with 0/);
    const again = await terminal(files, `${added} && ${bin} call trouble__propose '{}' --yes`);
    await again.see(/Answer it\?/);
    again.type("y");
    await again.see(/◆ +size/);
    again.type("Enter");
    await again.see(/◆ +sure/);
    again.type("Enter");
    await again.see(/answered \{"action":"accept","content":\{"sure":false\}\}[\s\S]*ended with 0/);
  });

  test("is declined with a no", async () => {
    const { type, see } = await terminal(files, `${added} && ${bin} call trouble__ask '{}' --yes`);
    await see(/Answer it\?/);
    type("n", "Enter");
    await see(/answered \{"action":"decline"\}[\s\S]*ended with 0/);
  });

  test("in a chat, Esc takes back the answer and not the run", async () => {
    const ask: WireReply = { content: [{ type: "tool_use", id: "t1", name: "trouble__ask", input: {} }] };
    const model = await anthropicServer((_request, index) =>
      index === 0 ? ask : { content: [{ type: "text", text: "No colour, then." }] },
    );
    try {
      const env = { ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: model.url };
      const { type, see } = await terminal(files, `${added} && ${bin} chat --yes`, env);
      await see(/› /);
      type("Ask for a colour", "Enter");
      await see(/Answer it\?/);
      type("Escape");
      await see(/No colour, then\.[\s\S]*› $/m);
      expect(JSON.stringify(model.requests[1]?.messages)).toMatch(/action\W+cancel/);
      type("/exit", "Enter");
      await see(/ended with 0/);
    } finally {
      await model.close();
    }
  });
});
