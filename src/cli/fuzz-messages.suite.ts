import { drawn, type Target } from "../testing/fuzz-target.suite.ts";
import fc from "../testing/properties.ts";
import { junk, spoiltRecord, type Wired, wired } from "./fuzz-input.suite.ts";
import { type Peer, startPeer } from "./fuzz-process.suite.ts";

interface Spoken {
  open(): Promise<{ peer: Peer; session?: string }>;
  messages: fc.Arbitrary<Wired>;
  /** A request that is answered whatever came before. */
  fine: [method: string, params: unknown];
  requests: ReadonlySet<unknown>;
}

/**
 * Sends each message and then one that is fine: this must be answered, and the first too where it was a request. A message
 * that is too large may end the process, if it ends well.
 */
async function messagesTo({ open, messages, fine, requests }: Spoken): Promise<Target> {
  let { peer, session = "" } = await open();
  const reopen = async () => {
    await peer.close();
    ({ peer, session = "" } = await open());
  };
  return {
    attempt: async (number) => {
      if (peer.ended()) await reopen();
      const { message, bytes, isWhole } = drawn(messages, number);
      const id = `case-${number}`;
      const text = bytes
        .toString("latin1")
        .replaceAll("the-case", id)
        .replaceAll("the-session", session)
        .replaceAll("the-root", peer.root);
      const { jsonrpc, method, params } = message;
      const isWellFormed = isWhole && jsonrpc === "2.0" && message.id === "the-case";
      const isRequest = isWellFormed && requests.has(method) && fitsProtocol(params);
      const own = isRequest ? peer.answerTo(id) : undefined;
      peer.send(Buffer.from(text, "latin1"));
      peer.send("\n");
      const after = await peer.request(`fine-${number}`, ...fine);
      const answer = own && after ? await own : undefined;
      const faults = peer.faultsNow();
      const ended = peer.ended();
      const isEndedWell = peer.child.exitCode === 0 && text.length > mostBytes;
      if (ended && !isEndedWell) faults.push(ended);
      else if (!after && !ended) faults.push("no answer to the message after it");
      else if (own && !answer && !ended) faults.push("no answer");
      return faults.map((what) => `${what}\nafter ${text.slice(0, 2_000)}`);
    },
    close: () => peer.close(),
  };
}

/** The largest message that the SDK of MCP reads. */
const mostBytes = 10_000_000;

/** What has other params is no message of the protocols: the SDK of MCP drops it, and one with an odd `_meta`, with a line of error. */
function fitsProtocol(params: unknown): boolean {
  if (params === undefined) return true;
  return typeof params === "object" && params !== null && !Array.isArray(params) && !("_meta" in params);
}

async function startMcp(files?: Record<string, string>): Promise<Peer> {
  const peer = await startPeer(["mcp", "--toolset", "workspace"], files);
  await peer.request("start", "initialize", {
    ...{ protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } },
  });
  peer.send(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  return peer;
}

export async function mcpMessages(): Promise<Target> {
  const requests = [
    "ping",
    "initialize",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/read",
    "prompts/list",
  ];
  const more = [
    "prompts/get",
    "completion/complete",
    "resources/templates/list",
    "logging/setLevel",
    "server/discover",
  ];
  const params = spoiltRecord({
    name: fc.constantFrom("read_file", "list_files", "grep", "write_file", "nothing"),
    arguments: spoiltRecord({ path: fc.constantFrom("a.txt", "../x", "b"), pattern: junk, content: junk }),
    uri: fc.oneof(fc.constantFrom("file:///etc/passwd", "wield://x", "file://"), fc.string()),
    cursor: fc.string(),
    requestId: fc.constantFrom("start", 1),
    protocolVersion: fc.constantFrom("2025-06-18", "1999-01-01"),
    _meta: spoiltRecord({ progressToken: fc.string() }),
  });
  const notifications = ["notifications/cancelled", "notifications/initialized", "notifications/progress"];
  const messages = wired([...requests, ...more, ...notifications], params);
  return messagesTo({
    open: async () => ({ peer: await startMcp() }),
    messages,
    fine: ["ping", {}],
    requests: new Set([...requests, ...more]),
  });
}

async function startAcp(): Promise<{ peer: Peer; session?: string }> {
  const peer = await startPeer(["acp", "--model", "offline"]);
  await peer.request("start", "initialize", { protocolVersion: 1, clientCapabilities: {} });
  const made = await peer.request("session", "session/new", { cwd: peer.root, mcpServers: [] });
  const session = made?.result?.sessionId;
  return { peer, ...(session !== undefined && { session }) };
}

export async function acpMessages(): Promise<Target> {
  const requests = [
    "initialize",
    "authenticate",
    "session/new",
    "session/load",
    "session/resume",
    "session/list",
  ];
  const more = [
    "session/prompt",
    "session/set_mode",
    "session/set_config_option",
    "session/close",
    "session/delete",
  ];
  const params = spoiltRecord({
    sessionId: fc.constantFrom("the-session", "", "nothing", "../../x", "__proto__"),
    cwd: fc.constantFrom("the-root", "relative", "the-root/a.txt", "the-root/nothing", "the-root\0"),
    mcpServers: fc.constantFrom([], [{ name: "x", command: "/nothing", args: [], env: [] }], [{}]),
    prompt: fc.array(
      spoiltRecord({
        type: fc.constantFrom("text", "image", "resource", "resource_link"),
        text: junk,
        data: fc.base64String(),
        uri: fc.constantFrom("file:///etc/passwd", "x"),
        resource: spoiltRecord({ uri: fc.string(), text: junk }),
      }),
      { maxLength: 3 },
    ),
    ...{ modeId: fc.constantFrom("plan", "ask", "nothing"), methodId: fc.string(), cursor: fc.string() },
    ...{
      configId: fc.constantFrom("mode", "profile", "model", "x"),
      value: fc.constantFrom("ask", "offline", "x"),
    },
    ...{ protocolVersion: fc.constantFrom(1, 0, 65_536), clientCapabilities: fc.constant({}) },
  });
  return messagesTo({
    open: startAcp,
    messages: wired([...requests, ...more, "session/cancel"], params),
    fine: ["authenticate", { methodId: "fine" }],
    requests: new Set([...requests, ...more]),
  });
}

const slowText = {
  "slow/a.txt": `${"a".repeat(4_900)}!\n${"ab".repeat(2_000)}\n${"x".repeat(3_000)} = \n${" ".repeat(4_000)}x\n`,
  "slow/b.txt": `${"a".repeat(200_000)}!\n\u2028é日本\u{1f600}\n`,
};
const regexPart = fc.oneof(
  fc.constantFrom(
    "a",
    "ab",
    "x",
    ".",
    ".*",
    "\\s+",
    "(a+)+",
    "(a|a)*",
    "(?:a+a+)+",
    "(.*)*",
    "[^!]*",
    "(a?){30}",
    "!$",
  ),
  fc.constantFrom(
    "^",
    "$",
    "\\b",
    "|",
    "(",
    ")",
    "[",
    "]",
    "*",
    "+",
    "?",
    "{1000}",
    "{2,",
    "\\",
    "\\1",
    "\\p{L}",
    "(?i)",
  ),
  fc.constantFrom(
    "(?=a)",
    "(?<!b)",
    "(?<n>a)\\k<n>",
    "[[:alpha:]]",
    "\\u{1F600}",
    "\\x",
    "[z-a]",
    "(?#",
    "\n",
    "\0",
    "日本",
  ),
  fc.string({ maxLength: 4 }),
);

/** Patterns of a model on lines that are slow to match. The process tells a search without end from one that takes long. */
export async function patterns(): Promise<Target> {
  const peer = await startMcp(slowText);
  const include = fc.constantFrom(
    "*.txt",
    "**/*",
    "slow/**",
    "{a,b}*",
    "!a",
    "[",
    "**/a/**/a/**/a/**/x",
    "*a*a*a*a*a*x",
  );
  const asked = fc.record(
    {
      pattern: fc.array(regexPart, { minLength: 1, maxLength: 8 }).map((parts) => parts.join("")),
      ...{ include, exclude: include, path: fc.constantFrom(".", "slow", "slow/b.txt") },
      ...{ mode: fc.constantFrom("content", "files", "count"), context: fc.nat(30) },
    },
    { requiredKeys: ["pattern"] },
  );
  return {
    attempt: async (number) => {
      const input = drawn(asked, number);
      const answers = [
        await peer.request(`grep-${number}`, "tools/call", { name: "grep", arguments: input }),
        await peer.request(`find-${number}`, "tools/call", {
          name: "find_files",
          arguments: { pattern: input.pattern },
        }),
      ];
      const faults = peer.faultsNow();
      const ended = peer.ended();
      if (ended) faults.push(ended);
      else if (answers.includes(undefined)) faults.push("no answer");
      if (JSON.stringify(answers).includes("INTERNAL_ERROR"))
        faults.push(JSON.stringify(answers).slice(0, 2_000));
      return faults.map((what) => `${what}\nto ${JSON.stringify(input)}`);
    },
    close: peer.close,
  };
}
