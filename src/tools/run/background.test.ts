import { existsSync, readdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { type TestWield, testWield } from "../../testing/testing.ts";

const hasBubblewrap = existsSync("/usr/bin/bwrap");
const patience = { timeout: 60_000, interval: 100 };

let place: TestWield | undefined;
afterEach(async () => {
  await place?.close();
});
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever value the tool gave
async function value(tool: string, input: Record<string, unknown>): Promise<any> {
  const { result, text } = await (place as TestWield).wield.callAny(tool, input);
  if (!result.ok) throw new Error(text);
  return result.value;
}
const begin = (code: string) => value("run_code", { language: "bash", code, background: true });

/** Whether a process of this machine has the text in its command. */
function isAnywhere(text: string): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
      } catch {
        return false;
      }
    });
}

/** A port that nobody on this machine listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.skipIf(!hasBubblewrap)("run_code in the background", () => {
  test("a server runs on, sees later edits, and is reached by runs and, as the rules allow, by web_fetch", async () => {
    const asked: string[] = [];
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    place = await testWield(
      { "index.html": "<p>first</p>", "data.txt": "old\n" },
      {
        settings: { flow: { control: false } },
        approve: ({ tool, reason }) => {
          asked.push(`${tool}: ${reason}`);
          return { approved: tool !== "apply_held_changes" };
        },
      },
    );
    const started = await begin(
      `echo new > data.txt; echo made > made.txt; echo ready; exec python3 -m http.server ${port}`,
    );
    expect(started).toMatchObject({
      exitCode: null,
      stdout: expect.stringContaining("ready"),
      changes: null,
    });
    const { process: id } = started;
    await vi.waitFor(
      async () =>
        expect((await value("background_processes", {})).processes).toEqual([
          expect.objectContaining({ id, state: "running", ports: [port] }),
        ]),
      patience,
    );
    // Nothing of what it writes is in the workspace yet.
    expect(readdirSync(place.root).sort()).toEqual(["data.txt", "index.html"]);

    const look = `python3 -c 'from urllib.request import urlopen; print(urlopen("${origin}/").read().decode())'`;
    expect((await value("run_code", { language: "bash", code: look })).stdout).toContain("first");
    expect(asked).toEqual([]);
    const fetched = await value("web_fetch", { url: `${origin}/data.txt` });
    expect(fetched.body).toContain("new");
    expect(asked).toEqual([expect.stringContaining(`May tools reach ${origin}?`)]);

    await value("write_file", { path: "index.html", content: "<p>second</p>" });
    await vi.waitFor(
      async () => expect((await value("web_fetch", { url: `${origin}/` })).body).toContain("second"),
      patience,
    );
    // The servers of one session do not answer another.
    const stranger = scriptedModel([
      { calls: [{ tool: "web_fetch", input: { url: `${origin}/` } }] },
      { say: "Done." },
    ]);
    await (await place.wield.agent({ model: stranger })).send("Look.");
    const seen = JSON.stringify(stranger.requests.at(-1)?.prompt);
    expect(seen).toContain("web_fetch");
    expect(seen).not.toContain("second");
    const all = await value("background_processes", { id });
    expect(all.output).toContain("GET /data.txt");
    const rest = await value("background_processes", { id, offset: all.output.indexOf("GET") });
    expect(rest.output.startsWith("GET")).toBe(true);

    // A person, and no tool, can open the port on the machine itself.
    await expect(fetch(`${origin}/`)).rejects.toThrow();
    const [address = "", again] = await Promise.all([1, 2].map(() => place?.wield.processes.open(id)));
    expect(again).toBe(address);
    expect(await (await fetch(address)).text()).toContain("second");
    await expect(place.wield.processes.open(id, 1)).rejects.toThrow(`it listens on ${port}`);

    const stopped = await value("background_processes", { id, stop: true });
    await expect(fetch(address)).rejects.toThrow();
    expect(stopped.processes).toMatchObject([{ state: "stopped", ports: [] }]);
    expect(place.read("made.txt")).toBe("made\n");
    // Replacing a file is asked about, as after any run, and the person said no.
    expect(asked.at(-1)).toContain("apply_held_changes");
    expect(place.read("data.txt")).toBe("old\n");
    expect(stopped.refused).toMatchObject([{ path: "data.txt" }]);
    await value("undo", {});
    expect(readdirSync(place.root)).not.toContain("made.txt");
  });

  test("rules: a port that they open is free for the run's own server, and a file that they hide is not seen when it comes later", async () => {
    const port = await freePort();
    place = await testWield(
      { "a.txt": "a\n" },
      {
        settings: {
          rules: [
            { decision: "allow", url: `http://localhost:${port}/**` },
            { decision: "deny", path: "*.key" },
          ],
        },
      },
    );
    const { process: server } = await begin(`exec python3 -m http.server ${port}`);
    const ports = async () =>
      (await value("background_processes", {})).processes.map((one: { ports: number[] }) => one.ports);
    await vi.waitFor(async () => expect(await ports()).toEqual([[port]]), patience);
    // What leads to the first one is no port of the second.
    const { process: other } = await begin("echo up; exec sleep 600");
    expect(await ports()).toEqual([[port], []]);
    place.write("later.key", "secret\n");
    place.write("later.txt", "text\n");
    const look = `python3 -c 'from urllib.request import urlopen; print(urlopen("http://localhost:${port}/").read().decode())'`;
    const { stdout } = await value("run_code", { language: "bash", code: look });
    expect(stdout).toContain("a.txt");
    expect(stdout).not.toContain("later.key");
    await value("background_processes", { id: server, stop: true });
    expect(readdirSync(place.root).sort()).toEqual(["a.txt", "later.key", "later.txt"]);

    // A rule that comes later ends what has been able to read the file so far.
    place.writeConfig("settings.json", JSON.stringify({ rules: [{ decision: "deny", path: "later.txt" }] }));
    await vi.waitFor(async () => {
      await value("background_processes", {});
      expect(place?.wield.processes.list().find(({ id }) => id === other)).toMatchObject({
        state: "stopped",
        reason: expect.stringContaining("a rule was added"),
      });
    }, patience);
  });

  test("one that ends is told with the next result, and all end with the session and with Wield", async () => {
    place = await testWield();
    const calls = (...codes: string[]) =>
      codes.map((code) => ({ tool: "run_code", input: { language: "bash", code, background: true } }));
    const model = scriptedModel([
      {
        calls: calls(
          "exit 3",
          "echo waits; until [ -e go ]; do sleep 0.05; done; exit 4",
          "echo up; exec sleep 7771",
        ),
      },
      { calls: [{ tool: "write_file", input: { path: "go", content: "" } }] },
      { say: "Done." },
      { calls: [{ tool: "read_file", input: { path: "go" } }] },
      { say: "Done." },
    ]);
    const agent = await place.wield.agent({ model });
    await agent.send("Go.");
    const running = () => place?.wield.processes.list().filter(({ state }) => state === "running");
    await vi.waitFor(() => expect(running()).toHaveLength(1), patience);
    await agent.send("Look again.");
    const [, first, , , last] = model.requests.map(({ prompt }) => JSON.stringify(prompt.at(-1)));
    expect(first).toContain("It ended at once, with exit code 3");
    expect(first).toMatch(/Runs in the background as p_/);
    expect(last).toMatch(/Background process p_\w+ \(echo waits.*\) has ended with exit code 4/);
    expect(isAnywhere("sleep\u00007771")).toBe(true);
    expect(place.wield.processes.list("another")).toEqual([]);
    await place.wield.sessions.remove(agent.session);
    expect(place.wield.processes.list()).toEqual([]);
    await vi.waitFor(() => expect(isAnywhere("sleep\u00007771")).toBe(false), patience);

    await Promise.all([1, 2, 3, 4].map((n) => begin(`echo up; exec sleep 777${n}0`)));
    await expect(begin("sleep 1")).rejects.toThrow(/LIMIT_EXCEEDED.*at most 4/s);
    await expect(value("background_processes", { id: "p_none" })).rejects.toThrow(/INVALID_INPUT/);
    expect(isAnywhere("sleep\u000077710")).toBe(true);
    await place.wield.close();
    await vi.waitFor(() => expect(isAnywhere("sleep\u000077710")).toBe(false), patience);
  });
});
