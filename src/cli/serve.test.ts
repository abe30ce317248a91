import { expect, test } from "vitest";
import { testWield } from "../testing/testing.ts";
import { main } from "./main.ts";
import { runCli } from "./run-cli.suite.ts";
import type { Io } from "./terminal.ts";

/** Runs until it is interrupted, as Ctrl+C would; `during` sees what was printed first. */
async function served(args: string[], during: (printed: string) => Promise<void>): Promise<number> {
  const place = await testWield({ "a.txt": "a\n" });
  const interrupted = new AbortController();
  const printed = Promise.withResolvers<string>();
  const io: Io = {
    out: printed.resolve,
    write: () => undefined,
    err: (text) => printed.reject(new Error(text)),
    input: async () => "",
    interactive: false,
    colour: false,
    columns: 80,
    cwd: place.root,
    env: place.env,
    signal: interrupted.signal,
  };
  const ended = main(args, io);
  try {
    await during(await printed.promise);
    interrupted.abort();
    return await ended;
  } finally {
    place.close();
  }
}

test.each([
  ["serve with a port of its own", ["serve", "--port", "0"]],
  ["nothing but the name", []],
])("%s prints the address with its token, serves until it is interrupted, and ends well", async (_, args) => {
  let origin = "";
  const code = await served(args, async (printed) => {
    const [, address = "", token = ""] =
      /(http:\/\/127\.0\.0\.1:\d+)\/#token=([\w-]{43})/.exec(printed) ?? [];
    origin = address;
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${origin}/api/tools`, { headers })).status).toBe(200);
    expect((await fetch(`${origin}/api/tools`)).status).toBe(401);
  });
  expect(code).toBe(0);
  await expect(fetch(`${origin}/`)).rejects.toThrow();
});

test("a port that is none or taken is told as such", async () => {
  const place = await testWield();
  expect(await runCli(place, ["serve", "--port", "http"])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/--port takes a number/),
  });
  await served(["serve", "--port", "0"], async (printed) => {
    const port = /:(\d+)\//.exec(printed)?.[1] ?? "";
    const { code, err } = await runCli(place, ["serve", "--port", port]);
    expect([code, err]).toEqual([1, expect.stringMatching(/is in use. Choose another with --port/)]);
  });
  place.close();
});
