import { describe, expect, test } from "vitest";
import { seccompProgram } from "./seccomp.ts";
import { forbiddenCalls, judgedCalls } from "./system-calls.ts";

const audit = { x64: 0xc000003e, arm64: 0xc00000b7 };
type Arch = keyof typeof audit;

/** What the kernel would answer: the program, interpreted. */
function answer(
  arch: Arch,
  call: { nr: number; args?: number[]; arch?: number },
  program = seccompProgram(arch),
): string {
  const data = Buffer.alloc(64);
  data.writeInt32LE(call.nr, 0);
  data.writeUInt32LE(call.arch ?? audit[arch], 4);
  for (const [n, value] of (call.args ?? []).entries()) data.writeBigUInt64LE(BigInt(value), 16 + 8 * n);
  let loaded = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const [code, jt, jf] = [
      program.readUInt16LE(at * 8),
      program.readUInt8(at * 8 + 2),
      program.readUInt8(at * 8 + 3),
    ];
    const k = program.readUInt32LE(at * 8 + 4);
    if (code === 0x20) loaded = data.readUInt32LE(k);
    else if (code === 0x15) at += loaded === k ? jt : jf;
    else if (code === 0x35) at += loaded >= k ? jt : jf;
    else if (code === 0x45) at += (loaded & k) !== 0 ? jt : jf;
    else if (code === 0x06) return { 2147418112: "allow", 2147483648: "kill" }[k] ?? `errno ${k & 0xffff}`;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error("the program runs off its end");
}

test.each(["x64", "arm64"] as const)(
  "%s: where segments are not counted, only small ones are made",
  (arch) => {
    const nr = judgedCalls.shmget[arch === "x64" ? 0 : 1];
    const uncounted = seccompProgram(arch, { countsSegments: false });
    const ask = (size: number, program?: Buffer) => answer(arch, { nr, args: [0, size] }, program);
    expect([ask(65536, uncounted), ask(65537, uncounted), ask(2 ** 32 + 1, uncounted)]).toEqual([
      "allow",
      "errno 12",
      "errno 12",
    ]);
    expect(ask(2 ** 32 + 1)).toBe("allow");
  },
);

describe.each([
  ["x64", 0],
  ["arm64", 1],
] as const)("the filter for %s", (arch, column) => {
  const nr = (name: keyof typeof judgedCalls) => judgedCalls[name][column];
  const ask = (name: keyof typeof judgedCalls, ...args: number[]) => {
    const number = nr(name);
    return number === null ? "no such call" : answer(arch, { nr: number, args });
  };
  const exists = (name: keyof typeof judgedCalls) => nr(name) !== null;

  test("ordinary calls pass, forbidden ones fail", () => {
    const named = new Set<number | null>(
      Object.values({ ...forbiddenCalls, ...judgedCalls }).map((numbers) => numbers[column]),
    );
    for (let number = 0; number < 500; number++)
      if (!named.has(number)) expect(answer(arch, { nr: number })).toBe("allow");
    for (const numbers of Object.values(forbiddenCalls)) {
      const number = numbers[column];
      if (number !== null) expect(answer(arch, { nr: number })).toBe("errno 1");
    }
  });

  test("another machine's calls kill", () => {
    expect(answer(arch, { nr: 1, arch: 0x40000003 })).toBe("kill");
    expect(answer(arch, { nr: 1, arch: audit[arch === "x64" ? "arm64" : "x64"] })).toBe("kill");
    expect(answer(arch, { nr: 0x40000001 })).toBe(arch === "x64" ? "errno 38" : "allow");
  });

  test("calls that hide their arguments do not exist", () => {
    expect([ask("clone3"), ask("openat2")]).toEqual(["errno 38", "errno 38"]);
  });

  test("clone makes threads and processes but no namespaces", () => {
    expect(ask("clone", 0x3d0f00)).toBe("allow");
    expect(ask("clone", 17)).toBe("allow");
    for (const flag of [0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]) {
      expect(ask("clone", flag | 17)).toBe("errno 1");
    }
  });

  test("no typing into terminals", () => {
    expect([ask("ioctl", 0, 0x5412), ask("ioctl", 0, 0x541c), ask("ioctl", 0, 0x5401)]).toEqual([
      "errno 1",
      "errno 1",
      "allow",
    ]);
  });

  test("no set-id bits, by any call", () => {
    const byArgument = {
      chmod: 1,
      fchmod: 1,
      fchmodat: 2,
      fchmodat2: 2,
      creat: 1,
      mkdir: 1,
      mkdirat: 2,
      mknod: 1,
      mknodat: 2,
    } as const;
    for (const [name, at] of Object.entries(byArgument) as [keyof typeof byArgument, number][]) {
      if (!exists(name)) continue;
      const mode = (bits: number) => ask(name, ...Array(at).fill(0), bits);
      expect([mode(0o4755), mode(0o2755), mode(0o755)]).toEqual(["errno 1", "errno 1", "allow"]);
    }
    const open = (flags: number, mode: number) => ask("openat", 0, 0, flags, mode);
    expect([open(0o101, 0o4755), open(0o20000001, 0o4755), open(0o101, 0o644), open(0, 0o4755)]).toEqual([
      "errno 1",
      "errno 1",
      "allow",
      "allow",
    ]);
    if (exists("open"))
      expect([ask("open", 0, 0o101, 0o4755), ask("open", 0, 0, 0o4755)]).toEqual(["errno 1", "allow"]);
  });

  test("internet sockets, the list of interfaces and unnamed pairs only", () => {
    const families = [1, 2, 10, 17, 38, 40].map((family) => ask("socket", family));
    expect(families).toEqual(["errno 97", "allow", "allow", "errno 97", "errno 97", "errno 97"]);
    expect([ask("socket", 16, 3, 0), ask("socket", 16, 3, 15)]).toEqual(["allow", "errno 97"]);
    expect([ask("socketpair", 1), ask("socketpair", 2)]).toEqual(["allow", "errno 97"]);
  });
});

test("a machine it does not know is refused", () => {
  expect(() => seccompProgram("riscv64")).toThrow(/cannot be confined on riscv64/);
});
