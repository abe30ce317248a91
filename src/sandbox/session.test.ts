import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Experimental_SandboxSession, generateText, isStepCount, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { removeFolder } from "../testing/remove-folder.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { guarded, heldInMemory } from "./judging.suite.ts";
import { openSandbox } from "./open-sandbox.ts";
import { sandboxSession } from "./session.ts";

const hasBubblewrap = existsSync("/usr/bin/bwrap");
const sandbox = openSandbox(() => Promise.reject(new Error("no network here")));
let home = "";
let root = "";
let workspace: Workspace;
let session: Experimental_SandboxSession;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "session-"));
  root = join(home, "ws");
  mkdirSync(root);
  workspace = await openWorkspace(root, { stateDir: join(home, "state") });
  session = sandboxSession(sandbox, {
    workspace,
    held: heldInMemory().held,
    hiddenPaths: async () => Object.assign([], { isComplete: async () => true }),
    by: { callId: "c", tool: "session", description: "a session" },
    judge: guarded,
  });
});
afterEach(() => {
  workspace.close();
  removeFolder(home);
});

describe.skipIf(!hasBubblewrap)("a session of the AI SDK", () => {
  test("files last from command to command and to the file methods, and can be undone", async () => {
    expect(await session.run({ command: "echo $V > a; mkdir d; pwd; exit 4", env: { V: "x" } })).toEqual({
      stdout: "/ws\n",
      stderr: "",
      exitCode: 4,
    });
    expect((await session.run({ command: "cat ../a; pwd", workingDirectory: "d" })).stdout).toBe(
      "x\n/ws/d\n",
    );
    expect(await session.readTextFile({ path: "/ws/a" })).toBe("x\n");
    await session.writeTextFile({ path: "deep/er/b", content: "1\n2\n3\n" });
    expect((await session.run({ command: "cat b", workingDirectory: "/ws/deep/er" })).stdout).toBe(
      "1\n2\n3\n",
    );
    expect(await session.readTextFile({ path: "deep/er/b", startLine: 2, endLine: 9 })).toBe("2\n3\n");
    await workspace.reverse("undo", { steps: 2 }, { callId: "c", tool: "undo", description: "" });
    expect(existsSync(join(root, "a"))).toBe(false);
  });

  test("reads, writes, lists, tells and deletes as the interface says", async () => {
    await session.writeBinaryFile({ path: "bin", content: new Uint8Array([0, 255]) });
    await session.writeFile({ path: "streamed", content: new Blob(["from a stream"]).stream() });
    symlinkSync("bin", join(root, "link"));
    mkdirSync(join(root, "dir"));
    expect(await session.readBinaryFile({ path: "link" })).toEqual(Buffer.from([0, 255]));
    const stream = await session.readFile({ path: "streamed" });
    expect(stream && (await new Response(stream).text())).toBe("from a stream");
    expect([await session.stat({ path: "link" }), await session.stat({ path: "dir" })]).toMatchObject([
      { type: "file", size: 2 },
      { type: "directory" },
    ]);
    expect(await session.listDirectory({ path: "." })).toEqual([
      { name: "bin", type: "file" },
      { name: "dir", type: "directory" },
      { name: "link", type: "symlink" },
      { name: "streamed", type: "file" },
    ]);
    for (const missing of [
      session.readFile,
      session.readBinaryFile,
      session.readTextFile,
      session.stat,
      session.listDirectory,
    ]) {
      expect(await missing({ path: "none" })).toBeNull();
    }
    expect([await session.deleteFile({ path: "link" }), await session.deleteFile({ path: "link" })]).toEqual([
      true,
      false,
    ]);
    expect(existsSync(join(root, "bin"))).toBe(true);
    await expect(session.deleteFile({ path: "dir" })).rejects.toThrow(/is a directory/);
    await expect(session.writeTextFile({ path: "dir", content: "" })).rejects.toThrow(/is a directory/);
    await expect(session.listDirectory({ path: "bin" })).rejects.toThrow();
    await expect(session.readTextFile({ path: "/etc/passwd" })).rejects.toThrow(/is not in \/ws/);
    await expect(session.readTextFile({ path: "../x" })).rejects.toMatchObject({ code: "INVALID_PATH" });
  });

  test("a guarded file is not written unasked", async () => {
    await expect(session.writeTextFile({ path: "package.json", content: "{}" })).rejects.toMatchObject({
      code: "APPROVAL_REQUIRED",
    });
    await session.run({ command: "echo '{}' > package.json" });
    expect(existsSync(join(root, "package.json"))).toBe(false);
  });

  test("a spawned command streams, ends, can be killed and aborted", async () => {
    const process = await session.spawn({ command: "echo one; echo two >&2; echo f > f; exit 5" });
    const [out, err] = await Promise.all([
      new Response(process.stdout).text(),
      new Response(process.stderr).text(),
    ]);
    expect([out, err, await process.wait()]).toEqual(["one\n", "two\n", { exitCode: 5 }]);
    expect(readFileSync(join(root, "f"), "utf8")).toBe("f\n");

    const endless = await session.spawn({ command: "echo started; sleep 100" });
    expect(new TextDecoder().decode((await endless.stdout.getReader().read()).value)).toBe("started\n");
    await endless.kill();
    await endless.kill();
    expect(await endless.wait()).toEqual({ exitCode: 137 });

    const controller = new AbortController();
    const aborted = await session.spawn({ command: "sleep 100", abortSignal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(aborted.wait()).rejects.toThrow("enough");
    await expect(session.spawn({ command: "cat", stdin: true })).rejects.toThrow(/no writable input/);
  });

  test("tools of other people run in it", async () => {
    const shell = tool({
      inputSchema: z.object({ command: z.string() }),
      execute: async ({ command }, { experimental_sandbox }) => experimental_sandbox?.run({ command }),
    });
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const model = new MockLanguageModelV4({
      doGenerate: async () => ({
        content: [
          { type: "tool-call", toolCallId: "1", toolName: "shell", input: '{"command":"echo from $(pwd)"}' },
        ],
        finishReason: { unified: "tool-calls", raw: "tool_calls" },
        usage,
        warnings: [],
      }),
    });
    const { toolResults } = await generateText({
      model,
      tools: { shell },
      stopWhen: isStepCount(1),
      experimental_sandbox: session,
      prompt: "go",
    });
    expect(toolResults[0]?.output).toEqual({ stdout: "from /ws\n", stderr: "", exitCode: 0 });
  });
});
