import { describe, expect, onTestFinished, test, vi } from "vitest";
import { anthropicServer, type WireReply } from "../testing/anthropic-server.ts";
import { testWield } from "../testing/testing.ts";
import { runCli } from "./run-cli.suite.ts";
import { bin, editorThat, hasTmux, terminal } from "./terminal.suite.ts";

const files = {
  "package.json": '{ "name": "shop" }\n',
  "src/main.js": "export function start() {}\n",
};

describe.skipIf(!hasTmux)("chat in a terminal", () => {
  test("ask, approve an edited diff, undo, leave", async () => {
    const { type, see, place } = await terminal(files, `EDITOR=../editor.sh ${bin} chat`);
    editorThat(place.root, `sed -i 's/main.js: .*/The way in./' "$1"`);
    await see(/› /);
    type("Read package.json and tell me the project name", "Enter");
    await see(/The project name in package\.json is shop/);
    expect(await see(/░ \d+% · \d+ in, \d+ out/)).toMatch(/● read_file .*package\.json/);
    type("Add a comment to the top of src/main.js explaining what it does", "Enter");
    expect(await see(/Allow replace_in_file\?/)).toMatch(/\+\/\/ main\.js: defines start/);
    type("Down", "Enter");
    await see(/Apply your version/);
    type("Enter");
    await see(/Done: a comment at the top/);
    expect(place.read("src/main.js")).toBe("// The way in.\nexport function start() {}\n");
    await see(/out(?: · \$\S+)?\s+ask › $/m);
    // What was written offers its way back; a change on top of it stands in the way until it is gone.
    const [, change = ""] = /\/undo (\w+) undoes it/.exec(await see(/undoes it/)) ?? [];
    place.write("src/main.js", "// Changed by hand\n");
    type(`/undo ${change}`, "Enter");
    await see(/^Change \w+ cannot be undone: the content of `src\/main\.js` changed/m);
    expect(place.read("src/main.js")).toBe("// Changed by hand\n");
    place.write("src/main.js", "// The way in.\nexport function start() {}\n");
    type("/undo 1 2", "Enter");
    await see(/Use: \/undo \[count \| change ids\]/);
    type(`/undo ${change}`, "Enter");
    // The person has just said what they want, and it can be done again: nothing is asked.
    expect(await see(/Undid /)).not.toMatch(/Allow undo\?/);
    expect(place.read("src/main.js")).toBe(files["src/main.js"]);
    type("Find all TODO comments", "Enter");
    await see(/No match for/);
    type("/exit", "Enter");
    await see(/ended with 0/);
    const [session] = await place.wield.sessions.list();
    const log = JSON.stringify(await place.wield.store.entries(session?.id ?? ""));
    expect(log).toMatch(/The person used undo\. Undid/);
  });

  test("Shift+Tab and /mode change what is asked, and the mode is shown before the input", async () => {
    const { type, see, place } = await terminal(files, `${bin} chat`);
    await see(/› /);
    type("BTab");
    await see(/Mode: Accept edits\. Changes files[\s\S]*edits › $/m);
    type("Add a comment to the top of src/main.js explaining what it does", "Enter");
    await see(/Done: a comment at the top/);
    expect(place.read("src/main.js")).toMatch(/^\/\/ main\.js: defines start/);
    await see(/out(?: · \$\S+)?\s+edits › $/m);
    type("/mode plan folder", "Enter");
    await see(/Mode: Plan\..*Remembered for this folder\.\s+plan › $/ms);
    type("Add a comment to the top of package.json saying hello", "Enter");
    await see(/policy does not allow this call: in plan mode/);
    type("/mode nothing", "Enter");
    await see(/There is no permission mode "nothing"/);
    type("/exit", "Enter");
    await see(/ended with 0/);
    expect((await place.reopen()).settings.mode()).toBe("plan");
  });

  test("Esc stops the model in the midst of a sentence, and the conversation goes on", async () => {
    const answer: WireReply = { content: [{ type: "text", text: "And **now** it is said." }] };
    const server = await anthropicServer((_request, index) =>
      index === 0
        ? { content: [{ type: "text", text: "This sentence is never said to its end." }], wrong: "hangs" }
        : answer,
    );
    try {
      const env = { ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
      const { type, see } = await terminal(files, `${bin} chat`, env);
      await see(/› /);
      type("Tell me something", "Enter");
      await see(/This sentence/);
      type("Escape");
      await see(/Stopped\.[\s\S]*› $/m);
      type("And now?", "Enter");
      await see(/And now it is said\./);
      expect(JSON.stringify(server.requests[1]?.messages)).not.toContain("This sentence");
    } finally {
      await server.close();
    }
  });

  test("what is pasted is one message with all its lines, and so is a line that goes on", async () => {
    const server = await anthropicServer(() => ({ content: [{ type: "text", text: "I see." }] }));
    try {
      const env = { ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
      const { type, paste, see } = await terminal(files, `${bin} chat "Say hello first"`, env);
      await see(/I see\.[\s\S]*› $/m);
      paste("Error: no price\n\tat cart.ts:3\n  at main.js:1\n");
      await see(/at main\.js:1/);
      type("What is wrong? \\", "Enter");
      type("Be brief.", "Enter");
      await see(/Be brief\.[\s\S]*I see\.[\s\S]*› $/m);
      type("/chnges", "Enter");
      await see(/There is no \/chnges\. Did you mean \/changes\?/);
      const said = server.requests.map(({ messages }) => JSON.stringify(messages));
      expect(said).toHaveLength(2);
      expect(said[0]).toContain("Say hello first");
      expect(said[1]).toContain(
        String.raw`Error: no price\n\tat cart.ts:3\n  at main.js:1\nWhat is wrong? \nBe brief.`,
      );
    } finally {
      await server.close();
    }
  });

  test("/model lists what the provider has, refuses what it has not, and switches within the session; so does /profile", async () => {
    const server = await anthropicServer(
      ({ model, tools = [] }) => {
        const does = tools.some(({ name }) => name === "grep") ? "I look." : "I work.";
        return { content: [{ type: "text", text: `I am ${model}. ${does}` }] };
      },
      ["claude-sonnet-5-5", "claude-large-6", "claude-small-6"],
    );
    onTestFinished(() => server.close());
    const env = {
      ANTHROPIC_API_KEY: "key-for-tests",
      ANTHROPIC_BASE_URL: server.url,
      OLLAMA_HOST: "127.0.0.1:1",
    };
    const { type, see, place } = await terminal(files, `${bin} chat`, env);
    await see(/› /);
    type("/model", "Enter");
    await see(
      /● anthropic\/claude-sonnet-5-5\n {2}anthropic\/claude-large-6\n {2}anthropic\/claude-small-6\n {2}offline/,
    );
    type("Who are you?", "Enter");
    await see(/I am claude-sonnet-5-5\. I work\.[\s\S]*› $/m);
    type("/model claude-lrge-6", "Enter");
    await see(/Unknown model "claude-lrge-6"\. Did you mean anthropic\/claude-large-6/);
    type("/model openai/gpt-9", "Enter");
    await see(/The model openai\/gpt-9 needs a key for OpenAI/);
    type("/model anthropic/claude-large-6", "Enter");
    await see(/Model: anthropic\/claude-large-6/);
    type("And now?", "Enter");
    expect(await see(/I am claude-large-6\.[\s\S]*› $/m)).not.toContain("Warning");
    expect(JSON.stringify(server.requests[1]?.messages)).toMatch(
      /Who are you\?.*I am claude-sonnet-5-5.*And now\?/,
    );
    type("/profile", "Enter");
    await see(/● code[\s\S]*explore[\s\S]*research[\s\S]*assistant/);
    type("/profile explor", "Enter");
    await see(/There is no profile "explor"\. The profiles: code, explore/);
    type("/mode Explore", "Enter");
    await see(/From here on: Explore\.[\s\S]*explore · ask › $/m);
    type("And as that?", "Enter");
    await see(/I am claude-large-6\. I look\.[\s\S]*› $/m);
    expect(JSON.stringify(server.requests[2]?.messages)).toMatch(
      /Who are you\?.*I work\..*The person switched the profile from code to explore.*And as that\?/,
    );
    type("/clear", "Enter", "Still?", "Enter");
    await see(/Still\?\s+I am claude-large-6\./);
    expect(await place.wield.sessions.list()).toHaveLength(2);
  });

  test("the agent's question is answered, and a run that it delegated to is shown with /show", async () => {
    const server = await anthropicServer(({ messages, system }, index) => {
      const isExplorer = JSON.stringify(system).includes("Answer questions about the code");
      if (isExplorer)
        return JSON.stringify(messages).includes("tool_result")
          ? { content: [{ type: "text", text: "In package.json." }] }
          : { content: [{ type: "tool_use", id: "e1", name: "grep", input: { pattern: "shop" } }] };
      if (index === 0)
        return {
          content: [
            {
              type: "tool_use",
              id: "t1",
              name: "ask_person",
              input: { questions: [{ question: "Which shop?", options: ["Old", "New"] }] },
            },
          ],
        };
      return index === 1
        ? {
            content: [
              { type: "tool_use", id: "t2", name: "explore", input: { question: "Where is the name?" } },
            ],
          }
        : { content: [{ type: "text", text: "Done." }] };
    });
    onTestFinished(() => server.close());
    const env = { ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
    const { type, see } = await terminal(files, `${bin} chat "Rename the shop"`, env);
    await see(/The agent asks[\s\S]*Which shop\?[\s\S]*Answer it\?/);
    type("Enter");
    await see(/◆ +answer: Which shop\?[\s\S]*Old[\s\S]*New/);
    type("Down", "Enter");
    const screen = await see(/Done\.[\s\S]*› $/m);
    expect(JSON.stringify(server.requests[1]?.messages)).toContain("Which shop?\\n→ New");
    expect(screen).toMatch(/^ {2}● grep[\s\S]*^● explore/m);
    const [, id = ""] = /\/show (t_\w+) shows its run/.exec(screen) ?? [];
    type(`/show ${id}`, "Enter");
    await see(/## Person\n+Where is the name\?[\s\S]*\*\*grep\*\*[\s\S]*In package\.json\./);
  });

  test("after a question the keyboard is the chat's again: Esc stops the run", async () => {
    const held = Promise.withResolvers<void>();
    const server = await anthropicServer(async (_request, index) => {
      if (index > 0) await held.promise;
      const input = { questions: [{ question: "Which shop?", options: ["Old", "New"] }] };
      return { content: [{ type: "tool_use", id: "t1", name: "ask_person", input }] };
    });
    onTestFinished(() => {
      held.resolve();
      return server.close();
    });
    const env = { ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
    const { type, see } = await terminal(files, `${bin} chat "Rename the shop"`, env);
    await see(/Answer it\?/);
    type("Enter");
    await see(/◆ +answer: Which shop\?/);
    type("Enter");
    await vi.waitFor(() => expect(server.requests).toHaveLength(2), { timeout: 60_000 });
    type("Escape");
    await see(/Stopped\./);
  });

  test("a conversation that is continued shows what was said last", async () => {
    const commands = `${bin} ask "What is the project name?" && ${bin} chat --continue`;
    const { type, see } = await terminal(files, commands);
    const screen = await see(/Continuing a_\w+[\s\S]*› $/m);
    expect(screen).toMatch(/\/show a_\w+ shows all of it\.\s+› What is the project name\?[\s\S]*shop/);
    type("C-c");
    await see(/ended with 0/);
  });

  test("Esc at an approval is a no, and nothing is changed; a no may have a reason", async () => {
    const { type, see, place } = await terminal(files, `${bin} chat`);
    await see(/› /);
    type("Add a comment to the top of src/main.js explaining what it does", "Enter");
    await see(/Allow replace_in_file\?/);
    type("Escape");
    const denied = await see(/Nothing was changed/);
    expect(denied).toMatch(/Allow replace_in_file\?\n│ {2}No \(Esc\)/);
    expect(denied).not.toMatch(/│ {2}Yes/);
    expect(place.read("src/main.js")).toBe(files["src/main.js"]);
    // A no that is said in the list may have a reason, which the model reads.
    type("Add a comment to the top of src/main.js explaining what it does", "Enter");
    await see(/Nothing was changed[\s\S]*Allow replace_in_file\?/);
    type("Up", "Enter");
    await see(/Why not\?/);
    type("keep it", "Enter");
    await see(/out(?: · \$\S+)?\s+ask › $/m);
    const [session] = await place.wield.sessions.list();
    const log = JSON.stringify(await place.wield.store.entries(session?.id ?? ""));
    expect(log).toContain("User rejected changes: keep it");
    type("Up");
    await see(/› Add a comment to the top/);
    // The first Ctrl+C takes the text away, the second leaves.
    type("C-c");
    await see(/out(?: · \$\S+)?\s+ask › $/m);
    type("C-c");
    expect(await see(/ended with 0/)).toMatch(/wield chat --resume a_/);
  });
});

describe.skipIf(!hasTmux)("what is written while the model works", () => {
  const words = (text: string): WireReply => ({ content: [{ type: "text", text }] });
  const editing: WireReply = {
    content: [
      {
        type: "tool_use",
        id: "toolu_1",
        name: "replace_in_file",
        input: {
          path: "src/main.js",
          edits: [{ oldText: "start", newText: "begin" }],
          description: "rename",
        },
      },
    ],
  };
  const hanging: WireReply = {
    content: [{ type: "text", text: "This sentence is never said to its end." }],
    wrong: "hangs",
  };

  /** A chat whose first answer comes when the test lets it. */
  async function heldChat(then: (index: number) => WireReply) {
    const first = Promise.withResolvers<WireReply>();
    const server = await anthropicServer((_request, index) => (index === 0 ? first.promise : then(index)));
    onTestFinished(() => server.close());
    const env = { ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
    const screen = await terminal(files, `${bin} chat`, env);
    await screen.see(/› /);
    screen.type("Begin", "Enter");
    await screen.see(/type a message to send next/);
    return {
      ...screen,
      answerFirst: first.resolve,
      said: () => server.requests.map(({ messages }) => JSON.stringify(messages)),
    };
  }

  test("is sent in its turn, and arrow up withdraws it", async () => {
    const { type, see, answerFirst, said } = await heldChat((index) => words(`Answer ${index + 1}.`));
    type("And then?", "Enter");
    await see(/next: And then\?\nask › .*withdraws it/);
    type("Never mind", "Enter");
    await see(/next: And then\?\nnext: Never mind\n/);
    type("Up");
    await see(/next: And then\?\nask › Never mind\s*$/);
    type("C-u", "whole 😀", "Left");
    await see(/› whole 😀\s*$/);
    type("C-e", "C-u");
    answerFirst(words("Answer 1."));
    await see(/Answer 1\.[\s\S]*› And then\?\n[\s\S]*Answer 2\.[\s\S]*› $/m);
    expect(said()).toHaveLength(2);
    expect(said()[1]).toMatch(/And then\?/);
    expect(said()[1]).not.toContain("Never mind");
  });

  test("reaches the model before its next step, but a command waits for the end", async () => {
    const { type, see, answerFirst, said } = await heldChat(() => words("Answer 2."));
    type("Only the name", "Enter");
    await see(/next: Only the name/);
    type("/changes", "Enter");
    await see(/next: \/changes/);
    answerFirst({
      content: [{ type: "tool_use", id: "t1", name: "read_file", input: { path: "package.json" } }],
    });
    await see(/● read_file[\s\S]*› Only the name\n[\s\S]*Answer 2\.[\s\S]*No changes yet\.[\s\S]*› $/m);
    expect(said()).toHaveLength(2);
    expect(said()[1]).toMatch(/tool_result.*Only the name/);
  });

  test("the shell gets its screen back when the chat is ended from outside", async () => {
    const server = await anthropicServer(() => hanging);
    onTestFinished(() => server.close());
    const env = { ANTHROPIC_API_KEY: "key-for-tests", ANTHROPIC_BASE_URL: server.url };
    const { see, paste } = await terminal(files, `sh -c 'echo process $$; exec ${bin} chat Begin'`, env);
    const [, pid = ""] =
      /process (\d+)/.exec(await see(/This sentence[\s\S]*type a message to send next/)) ?? [];
    process.kill(Number(pid), "SIGTERM");
    expect(await see(/ended with 143/)).not.toContain("what you write now");
    paste("pasted as it is\n");
    await see(/^pasted as it is$/m);
  });

  test("the shell gets its cursor back when the chat is ended at a question; --continue waits for /continue", async () => {
    const ask = "Add a comment to the top of src/main.js explaining what it does";
    const command = `sh -c 'echo process $$; exec ${bin} chat "${ask}"'; echo "first ended with $?"; cat; ${bin} chat --continue`;
    const { see, type, showsCursor } = await terminal(files, command);
    const [, pid = ""] = /process (\d+)/.exec(await see(/Allow replace_in_file\?[\s\S]*No/)) ?? [];
    process.kill(Number(pid), "SIGTERM");
    await see(/first ended with 143/);
    expect(showsCursor()).toBe(true);
    type("C-d");
    const again = await see(/was interrupted\. \/continue continues it[\s\S]*ask › $/m);
    expect(again.split("first ended")[1]).not.toMatch(/Allow replace_in_file/);
    type("/continue", "Enter");
    await see(/\/continue[\s\S]*Allow replace_in_file\?/);
  });

  test("a text of many pieces is pasted whole, and does not stop the agent", async () => {
    const { type, paste, see, answerFirst, said } = await heldChat(() => words("I see."));
    // Whatever the length of a piece is, one of them ends within a character.
    const lines = Array.from({ length: 1500 }, (_, at) => `${"x".repeat(at % 7)}価格は無料です ${at}`);
    const text = lines.join("\n");
    paste(text);
    await see(/1498\\n.*1499/);
    type("Enter");
    await see(/next: /);
    answerFirst(words("Answer 1."));
    await see(/I see\.[\s\S]*› $/m);
    expect(said()).toHaveLength(2);
    // Not toContain, which would print all of it.
    expect(said()[1]?.includes(JSON.stringify(text))).toBe(true);
  });

  test.each([
    ["Esc", hanging, /Stopped\./],
    ["an error", { status: 400, error: { type: "invalid_request_error", message: "no" } }, /\bno\b/],
  ] as const)("comes back into the input after %s", async (how, reply, ending) => {
    const { type, see, answerFirst, said } = await heldChat(() => words("I see."));
    type("First do this", "Enter", "then tha");
    await see(/next: First do this\nask › then tha/);
    answerFirst(reply);
    if (how === "Esc") {
      await see(/This sentence[\s\S]*next: First do this\nask › then tha/);
      type("Escape");
    }
    await see(ending);
    await see(/› First do this\n.*then tha\s*$/);
    type("t", "Enter");
    await see(/I see\./);
    expect(said()[1]).toContain(String.raw`First do this\nthen that`);
  });

  test("is finished before a question takes the keys, and its Enter is no answer", async () => {
    const { type, see, answerFirst, said, place } = await heldChat(() => words("I see."));
    type("wait, ");
    await see(/› wait,/);
    answerFirst(editing);
    await see(/An approval is waiting/);
    type("not yet", "Enter");
    await see(/Allow replace_in_file\?/);
    expect(place.read("src/main.js")).toBe(files["src/main.js"]);
    type("Escape");
    await see(/› wait, not yet\n/);
    await see(/I see\.[\s\S]*› $/m);
    expect(said().at(-1)).toContain("wait, not yet");
    expect(place.read("src/main.js")).toBe(files["src/main.js"]);
  });

  test("keys that come after it, without a pause, are no answer", async () => {
    const { type, typeFast, see, answerFirst, place } = await heldChat(() => words("I see."));
    type("wait");
    await see(/› wait/);
    answerFirst(editing);
    await see(/An approval is waiting/);
    typeFast("\n".repeat(30_000));
    await see(/Allow replace_in_file\?/);
    expect(place.read("src/main.js")).toBe(files["src/main.js"]);
    type("Enter");
    await see(/I see\./);
    expect(place.read("src/main.js")).toContain("begin");
  });

  test("a question that waits for it is not asked any more after Esc", async () => {
    const { type, see, answerFirst } = await heldChat(() => words("I see."));
    type("wait");
    await see(/› wait/);
    answerFirst(editing);
    await see(/An approval is waiting/);
    type("Escape");
    await see(/Stopped\.[\s\S]*› wait\s*$/);
    type(" a moment", "Enter");
    expect(await see(/I see\.[\s\S]*› $/m)).not.toContain("rename");
  });
});

test("in a pipe every line is one message of one session", async () => {
  const place = await testWield(files);
  try {
    const said = ["Read package.json and tell me the project name", "Show the structure of the project"];
    const input = `${said[0]}\n${said[1]}\r\n`;
    const { code, out } = await runCli(place, ["chat"], input);
    expect(code).toBe(0);
    expect(out).toMatch(/is shop[\s\S]*src\/[\s\S]*main\.js/);
    const [session, ...others] = await place.wield.sessions.list();
    expect(others).toEqual([]);
    const texts = (await place.wield.store.entries(session?.id ?? ""))
      .map(({ data }) => data as { kind: string; text?: string })
      .flatMap(({ kind, text }) => (kind === "user" ? text : []));
    expect(texts).toEqual(said);
  } finally {
    await place.close();
  }
});
