import { Failure } from "../failure/failure.ts";
import { forbiddenCalls, judgedCalls } from "./system-calls.ts";

/** Instructions of a classic BPF program: code, jump if true, jump if false, operand. Jumps count from the next one. */
type Instruction = readonly [code: number, jt: number, jf: number, k: number];

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const ifEqual = (k: number, skip: number): Instruction => [0x15, skip, 0, k];
const unlessEqual = (k: number, skip: number): Instruction => [0x15, 0, skip, k];
const unlessAtLeast = (k: number, skip: number): Instruction => [0x35, 0, skip, k];
const unlessAnyBit = (k: number, skip: number): Instruction => [0x45, 0, skip, k];
const give = (k: number): Instruction => [0x06, 0, 0, k];

const allow = give(0x7fff0000);
const kill = give(0x80000000);
const errno = { EPERM: 1, ENOMEM: 12, ENOSYS: 38, EAFNOSUPPORT: 97 };
const refuse = (with_: keyof typeof errno) => give(0x00050000 | errno[with_]);

/** Offsets in the kernel's record of a call; of an argument only the low word, which is all that is judged. */
const callNumber = 0;
const architecture = 4;
const argument = (n: number) => 16 + 8 * n;

const machines = {
  x64: { column: 0, audit: 0xc000003e, foreignNumbers: 0x40000000 },
  arm64: { column: 1, audit: 0xc00000b7, foreignNumbers: undefined },
} as const;

const highWord = 4;
/** There are at most 4,096 of them, so together they stay below 256 MB. */
const largestSegment = 64 * 1024;
const setIds = 0o6000;
const createFlags = 0o100 | 0o20000000;
const namespaceFlags = 0x7e020080;
const terminalTricks = [0x5412, 0x541c];
const internet = [2, 10];
const localPair = [1];
/** Lists network interfaces, of the run's own network; changing them takes a capability that no run has. */
const netlink = 16;
const routes = 0;

/**
 * The system call filter of every run: no other processes, no mounts, no namespaces, no kernel interfaces, no set-id
 * files, no sockets but the internet's and the one that lists interfaces. Returns the program in the form that bubblewrap loads.
 * Where nothing counts the memory of System V segments, only small ones can be made.
 */
export function seccompProgram(arch: string = process.arch, { countsSegments = true } = {}): Buffer {
  if (arch !== "x64" && arch !== "arm64") {
    throw new Failure(
      "SANDBOX_UNAVAILABLE",
      `Code cannot be confined on ${arch}: the sandbox knows x64 and arm64. Run it elsewhere.`,
    );
  }
  const { column, audit, foreignNumbers } = machines[arch];
  // Every block ends the call's judgement or leaves the call number loaded, so blocks follow each other freely.
  const on = (call: keyof typeof judgedCalls, ...block: Instruction[]): Instruction[] => {
    const number = judgedCalls[call][column];
    return number === null ? [] : [unlessEqual(number, block.length), ...block];
  };
  const refuseBits = (call: keyof typeof judgedCalls, arg: number, bits: number) =>
    on(call, load(argument(arg)), unlessAnyBit(bits, 1), refuse("EPERM"), allow);
  const refuseCreating = (call: keyof typeof judgedCalls, flags: number, mode: number) =>
    on(
      call,
      load(argument(flags)),
      unlessAnyBit(createFlags, 3),
      load(argument(mode)),
      unlessAnyBit(setIds, 1),
      refuse("EPERM"),
      allow,
    );
  const refuseValues = (call: keyof typeof judgedCalls, arg: number, values: number[]) =>
    on(
      call,
      load(argument(arg)),
      ...values.flatMap((value) => [unlessEqual(value, 1), refuse("EPERM")]),
      allow,
    );
  const onlyFamilies = (call: keyof typeof judgedCalls, families: number[]) =>
    on(
      call,
      load(argument(0)),
      ...families.flatMap((family) => [unlessEqual(family, 1), allow]),
      refuse("EAFNOSUPPORT"),
    );
  const forbidden = Object.values(forbiddenCalls)
    .map((numbers) => numbers[column])
    .filter((number) => number !== null);

  return encode([
    load(architecture),
    ifEqual(audit, 1),
    kill,
    load(callNumber),
    ...(foreignNumbers === undefined ? [] : [unlessAtLeast(foreignNumbers, 1), refuse("ENOSYS")]),
    ...forbidden.flatMap((number) => [unlessEqual(number, 1), refuse("EPERM")]),
    // Their arguments lie behind a pointer that a filter cannot follow; the C library falls back to older calls.
    ...on("clone3", refuse("ENOSYS")),
    ...on("openat2", refuse("ENOSYS")),
    ...refuseBits("clone", 0, namespaceFlags),
    ...refuseValues("ioctl", 1, terminalTricks),
    ...refuseBits("chmod", 1, setIds),
    ...refuseBits("fchmod", 1, setIds),
    ...refuseBits("fchmodat", 2, setIds),
    ...refuseBits("fchmodat2", 2, setIds),
    ...refuseBits("creat", 1, setIds),
    ...refuseBits("mkdir", 1, setIds),
    ...refuseBits("mkdirat", 2, setIds),
    ...refuseBits("mknod", 1, setIds),
    ...refuseBits("mknodat", 2, setIds),
    ...refuseCreating("open", 1, 2),
    ...refuseCreating("openat", 2, 3),
    ...on(
      "socket",
      load(argument(0)),
      ...internet.flatMap((family) => [unlessEqual(family, 1), allow]),
      unlessEqual(netlink, 3),
      load(argument(2)),
      unlessEqual(routes, 1),
      allow,
      refuse("EAFNOSUPPORT"),
    ),
    ...onlyFamilies("socketpair", localPair),
    ...(countsSegments
      ? []
      : on(
          "shmget",
          load(argument(1) + highWord),
          ifEqual(0, 1),
          refuse("ENOMEM"),
          load(argument(1)),
          unlessAtLeast(largestSegment + 1, 1),
          refuse("ENOMEM"),
          allow,
        )),
    allow,
  ]);
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, jt, jf, k], n) => {
    bytes.writeUInt16LE(code, n * 8);
    bytes.writeUInt8(jt, n * 8 + 2);
    bytes.writeUInt8(jf, n * 8 + 3);
    bytes.writeUInt32LE(k, n * 8 + 4);
  });
  return bytes;
}
