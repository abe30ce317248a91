import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { MetLimit } from "./policy.ts";
import { userInside } from "./stage.ts";
import { forbiddenCalls, judgedCalls } from "./system-calls.ts";

/** What surrounds one attempt: everything here lies outside, or is planted inside as bait. */
export interface World {
  workspace: string;
  /** A file beside the workspace that holds the marker; nothing inside may ever print it. */
  secret: string;
  marker: string;
  /** A TCP server on the machine's loopback that greets with the marker; another on its IPv6 loopback. */
  port: number;
  /** A unix socket in the abstract namespace that greets with the marker. */
  abstractName: string;
  /** A process of the machine that must survive. */
  bystander: number;
}

export interface Attempt {
  stdout: string;
  stderr: string;
  exitCode: number;
  durationMs: number;
  limit: MetLimit | null;
  changed: string[];
  held: string[];
  refused: string[];
}

/** One way out that must be closed. `judge` says what is wrong, or nothing; the marker is looked for in any case. */
export interface Case {
  id: string;
  attempt: string;
  language: "bash" | "python";
  code: (world: World) => string;
  prepare?: (world: World) => void;
  env?: (world: World) => Record<string, string>;
  wallMs?: number;
  /** It changes nothing and meets no limit, so it can share one run with others of its kind. */
  together?: true;
  judge?: (attempt: Attempt, world: World) => string | false | undefined;
}

/** What is wrong with the outcome of a case, or null. */
export function verdict(test: Case, attempt: Attempt, world: World): string | null {
  const said = attempt.stdout + attempt.stderr;
  if (said.includes(world.marker)) return `the marker came out: ${said.slice(0, 300)}`;
  return test.judge?.(attempt, world) || null;
}

/** One script that carries out these cases one after the other; what each prints stands between lines with the mark. */
export function scriptOf(cases: readonly Case[], world: World, mark: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return cases
    .map(({ id, language, code }) => {
      const program = language === "bash" ? "/bin/bash -c" : "/usr/bin/python3 -u -c";
      const end = `printf '\\n${mark} ${id} %s\\n' $status`;
      return `cd /ws; ${program} ${quoted(code(world))}; status=$?; ${end}; ${end} >&2`;
    })
    .join("\n");
}

/** The outcome of each case of such a script; a case that is missing there is not in the map. */
export function outcomesOf(whole: Attempt, mark: string): Map<string, Attempt> {
  const parts = (text: string) => {
    const found = text.matchAll(new RegExp(`(.*?)\\n${mark} (\\w+) (\\d+)\\n`, "gs"));
    return new Map(Array.from(found, ([, said = "", id = "", status]) => [id, { said, status }]));
  };
  const errors = parts(whole.stderr);
  return new Map(
    Array.from(parts(whole.stdout), ([id, { said, status }]) => {
      const stderr = errors.get(id)?.said ?? "";
      return [id, { ...whole, stdout: said, stderr, exitCode: Number(status) }];
    }),
  );
}

const column = process.arch === "arm64" ? 1 : 0;
const number = (name: string) =>
  (forbiddenCalls[name] ?? judgedCalls[name as keyof typeof judgedCalls])?.[column] ?? null;

/** Makes raw system calls and prints `name errno`. */
const rawCalls = (...calls: [name: string, ...args: (number | string)[]][]) => `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
${calls
  .filter(([name]) => number(name) !== null)
  .map(([name, ...args]) => {
    const list = [number(name), ...args].join(", ");
    return `ctypes.set_errno(0); r = libc.syscall(${list}); print("${name}", ctypes.get_errno() if r == -1 else 0)`;
  })
  .join("\n")}
`;
const allFailWith = (errno: number) => (attempt: Attempt) => {
  const lines = attempt.stdout.trim().split("\n");
  const wrong = lines.filter((line) => !line.endsWith(` ${errno}`));
  return (
    (lines.length === 0 || attempt.stdout === "" || wrong.length > 0) &&
    `expected ${errno}: ${attempt.stdout}${attempt.stderr}`
  );
};
const silent = (attempt: Attempt) =>
  attempt.stdout.trim() !== "" && `printed ${attempt.stdout.slice(0, 300)}`;
const says = (text: string | RegExp) => (attempt: Attempt) =>
  !(typeof text === "string" ? attempt.stdout.trim() === text : text.test(attempt.stdout)) &&
  `expected ${text}, got ${attempt.stdout.slice(0, 300)} / ${attempt.stderr.slice(0, 300)}`;
const noFile =
  (...names: string[]) =>
  (_: Attempt, world: World) => {
    const there = names.filter((name) => existsSync(join(world.workspace, name)));
    return there.length > 0 && `on the host: ${there.join(", ")}`;
  };
const both =
  (...judges: NonNullable<Case["judge"]>[]): NonNullable<Case["judge"]> =>
  (attempt, world) =>
    judges.map((judge) => judge(attempt, world)).find(Boolean);
const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};
/** No process on the machine has this word in its command line. */
const nobodyNamed = (word: (world: World) => string) => (_: Attempt, world: World) => {
  const alive = readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(word(world));
    } catch {
      return false;
    }
  });
  return alive.length > 0 && `still running: ${alive.join(", ")}`;
};
const daemon = (world: World) => `daemon-${world.marker}`;
const plantGit = ({ workspace }: World) => {
  mkdirSync(join(workspace, ".git/hooks"), { recursive: true });
  writeFileSync(join(workspace, ".git/config"), "[core]\n");
};
const gitIsUntouched = (_: Attempt, { workspace }: World) => {
  const same =
    readFileSync(join(workspace, ".git/config"), "utf8") === "[core]\n" &&
    readdirSync(join(workspace, ".git/hooks")).length === 0;
  return !same && "the host's .git was changed";
};
const connectAll = (addresses: string) => `
import socket
for family, kind, address in ${addresses}:
    try:
        s = socket.socket(family, kind)
        s.settimeout(2)
        s.connect(address)
        s.send(b"x")
        print("got", s.recv(100).decode())
    except OSError as e:
        print("refused")
`;
const allRefused = (attempt: Attempt) =>
  (attempt.stdout === "" || /got/.test(attempt.stdout)) &&
  `expected refusals: ${attempt.stdout}${attempt.stderr}`;

export const corpus: readonly Case[] = [
  // Files
  {
    id: "F01",
    together: true,
    attempt: "read an outside file by its absolute path",
    language: "bash",
    code: (w) => `cat ${w.secret}`,
  },
  {
    id: "F02",
    together: true,
    attempt: "read an outside file by ../",
    language: "bash",
    code: () => "cat ../secret ../../secret; ls .. ; cat /ws/../secret",
  },
  {
    id: "F03",
    attempt: "follow workspace links to outside files",
    language: "bash",
    code: (w) => `ln -s ${w.secret} a; ln -s / b; cat a; cat b${w.secret}; cat planted`,
    prepare: (w) => symlinkSync(w.secret, join(w.workspace, "planted")),
  },
  {
    id: "F04",
    together: true,
    attempt: "read homes, keys and password files",
    language: "bash",
    code: () =>
      "cat /etc/passwd /etc/shadow /root/.ssh/* /home/*/.ssh/* ~/.ssh/* 2>/dev/null; ls /root /home 2>/dev/null",
    // Programs ask for their own name: that one user is all there is.
    judge: (a) => a.stdout !== `${userInside}\n` && a.stdout,
  },
  {
    id: "F05",
    together: true,
    attempt: "write to system folders",
    language: "bash",
    code: () =>
      "for d in /usr /usr/bin /etc / /bin /dev /lib /run /proc; do (echo x > $d/wield-probe) 2>/dev/null && echo $d; done; true",
    judge: silent,
  },
  {
    id: "F06",
    attempt: "write git hooks and git settings",
    language: "bash",
    prepare: plantGit,
    code: () =>
      "echo 'id' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; echo '[alias]' >> .git/config",
    judge: both(gitIsUntouched, (a) => a.held.length !== 2 && `held: ${a.held}`),
  },
  {
    id: "F07",
    attempt: "move .git away and make another with a hook",
    language: "bash",
    prepare: plantGit,
    code: () => "mv .git x; mkdir -p .git/hooks; echo id > .git/hooks/pre-commit",
    judge: both(gitIsUntouched, noFile(".git/hooks/pre-commit")),
  },
  {
    id: "F08",
    together: true,
    attempt: "unmount what is bound",
    language: "bash",
    code: () => "umount /ws && echo unmounted; umount -l /usr && echo unmounted; true",
    judge: silent,
  },
  {
    id: "F09",
    attempt: "leave a set-user-id shell",
    language: "bash",
    code: () =>
      "cp /bin/bash shell; chmod 6755 shell && echo set; install -m 4755 /bin/bash shell2 && echo set; true",
    judge: both(silent, noSetIds),
  },
  {
    id: "F10",
    together: true,
    attempt: "make block and character devices",
    language: "bash",
    code: () => "mknod b b 8 0 && echo made; mknod c c 1 1 && echo made; true",
    judge: both(silent, noFile("b", "c")),
  },
  {
    id: "F11",
    together: true,
    attempt: "write kernel settings and sysrq",
    language: "bash",
    code: () =>
      "for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sys/vm/drop_caches /proc/sysrq-trigger; do (echo x > $f) 2>/dev/null && echo $f; done; true",
    judge: silent,
  },
  {
    id: "F12",
    together: true,
    attempt: "use inherited descriptors",
    language: "bash",
    code: () =>
      "for f in $(ls /proc/self/fd); do readlink /proc/self/fd/$f; done | sort -u | grep -vE '^/(dev/null|proc/)|pipe|deleted'; readlink /proc/self/fd/* | grep socket; true",
    judge: silent,
  },
  {
    id: "F13",
    attempt: "learn the host's path of the workspace",
    language: "bash",
    code: () =>
      "cat /proc/1/cmdline /proc/self/mountinfo /proc/1/environ; pwd -P; readlink /proc/self/fd/* /proc/self/cwd",
    judge: (a, w) => a.stdout.includes(w.workspace) && "the path is visible",
  },
  {
    id: "F14",
    together: true,
    attempt: "read the host's environment",
    language: "bash",
    code: () => "env; cat /proc/*/environ | tr '\\0' '\\n'",
    judge: (a) => /NODE_|VITEST|npm_/.test(a.stdout) && `variables of the host: ${a.stdout.slice(0, 500)}`,
  },
  {
    id: "F15",
    together: true,
    attempt: "reach the outside through /proc",
    language: "bash",
    code: (w) => `for p in /proc/1 /proc/self /proc/2; do cat $p/root${w.secret} $p/cwd/../secret; done`,
  },
  {
    id: "F16",
    attempt: "write through a link to an outside file",
    language: "bash",
    code: (w) => `ln -s ${w.secret} out; echo changed > out; ln -sf ../secret out2; echo changed > out2`,
    judge: both(
      noFile("out", "out2"),
      (_, w) => !readFileSync(w.secret, "utf8").includes(w.marker) && "the outside file was changed",
    ),
  },
  {
    id: "F17",
    attempt: "leave links that lead out",
    language: "bash",
    code: () => "ln -s /etc/passwd abs; ln -s ../secret rel; mkdir d; ln -s ../../secret d/deep",
    judge: both(noLinks("abs", "rel", "d/deep"), (a) => a.refused.length !== 3 && `refused: ${a.refused}`),
  },
  {
    id: "F18",
    attempt: "leave links that lead out by way of each other",
    language: "bash",
    code: () => "ln -s . d; ln -s d/../secret e",
    judge: noLinks("e"),
  },
  {
    id: "F19",
    attempt: "replace a folder by a link to the outside",
    language: "bash",
    prepare: ({ workspace }) => mkdirSync(join(workspace, "folder/inner"), { recursive: true }),
    code: () => "rm -r folder; ln -s /etc folder",
    judge: (_, { workspace }) =>
      lstatSync(join(workspace, "folder")).isSymbolicLink() && "the folder is a link now",
  },
  {
    id: "F20",
    attempt: "write protected names in other spellings",
    language: "bash",
    code: () =>
      "mkdir -p .GIT/hooks; echo id > .GIT/hooks/post-checkout; echo '{}' > PACKAGE.JSON; printf x > $'.git\\u200c'; mkdir GIT~1; echo x > GIT~1/config",
    judge: noFile(".GIT/hooks/post-checkout", "PACKAGE.JSON", ".git\u200c", "GIT~1/config"),
  },
  {
    id: "F21",
    attempt: "leave files that start by themselves",
    language: "bash",
    code: () =>
      "mkdir -p .vscode .husky .github/workflows; echo x | tee .vscode/tasks.json .husky/pre-commit .github/workflows/a.yml .envrc Makefile conftest.py AGENTS.md .npmrc package.json .mcp.json >/dev/null",
    judge: both(
      noFile(
        ".vscode/tasks.json",
        ".husky/pre-commit",
        ".github/workflows/a.yml",
        ".envrc",
        "Makefile",
        "conftest.py",
        "AGENTS.md",
        ".npmrc",
        "package.json",
        ".mcp.json",
      ),
      (a) => a.held.length < 10 && `held: ${a.held}`,
    ),
  },
  {
    id: "F22",
    attempt: "create set-id files by every call",
    language: "python",
    code: () => `
import os
for name, make in {
    "open": lambda: os.open("open", os.O_CREAT | os.O_WRONLY, 0o4755),
    "mkdir": lambda: os.mkdir("mkdir", 0o6755),
    "mknod": lambda: os.mknod("mknod", 0o104755),
    "fchmod": lambda: os.fchmod(os.open("fchmod", os.O_CREAT | os.O_WRONLY), 0o4755),
    "tmpfile": lambda: os.open(".", os.O_TMPFILE | os.O_WRONLY, 0o4755),
}.items():
    try:
        make()
        print(name)
    except PermissionError:
        pass
`,
    judge: both(silent, noSetIds),
  },
  {
    id: "F23",
    together: true,
    attempt: "open files by handle",
    language: "python",
    code: () => rawCalls(["name_to_handle_at", -100, 0, 0, 0, 0], ["open_by_handle_at", -100, 0, 0]),
    judge: allFailWith(1),
  },
  {
    id: "F24",
    attempt: "leave pipes and sockets",
    language: "bash",
    code: () => "mkfifo pipe; mknod sock s 2>/dev/null; true",
    judge: both(noFile("pipe", "sock"), (a) => !a.refused.includes("pipe") && `refused: ${a.refused}`),
  },
  {
    id: "F25",
    attempt: "leave names with control characters",
    language: "bash",
    code: () => "echo x > $'a\\e]0;title\\a'; echo x > $'line\\nbreak'",
    judge: (a) => a.changed.length > 0 && `changed: ${a.changed}`,
  },

  // Network
  {
    id: "N01",
    together: true,
    attempt: "connect to the host's loopback",
    language: "python",
    code: (w) =>
      connectAll(
        `[(2, 1, ("127.0.0.1", ${w.port})), (2, 1, ("0.0.0.0", ${w.port})), (10, 1, ("::1", ${w.port}))]`,
      ),
    judge: allRefused,
  },
  {
    id: "N02",
    together: true,
    attempt: "connect by bash",
    language: "bash",
    code: (w) => `exec 3<>/dev/tcp/127.0.0.1/${w.port} && cat <&3; true`,
  },
  {
    id: "N03",
    together: true,
    attempt: "connect to an abstract unix socket",
    language: "python",
    code: (w) => connectAll(`[(1, 1, "\\0${w.abstractName}")]`),
    judge: allRefused,
  },
  {
    id: "N04",
    together: true,
    attempt: "connect to a unix socket in the workspace",
    language: "python",
    code: () => connectAll('[(1, 1, "host.sock"), (1, 1, "/ws/host.sock")]'),
    judge: allRefused,
  },
  {
    id: "N05",
    together: true,
    attempt: "make a VSOCK socket",
    language: "python",
    code: () => rawCalls(["socket", 40, 1, 0]),
    judge: allFailWith(97),
  },
  {
    id: "N06",
    together: true,
    attempt: "send raw packets",
    language: "python",
    code: () => rawCalls(["socket", 2, 3, 1], ["socket", 10, 3, 58]),
    judge: (a) => / 0$/m.test(a.stdout) && a.stdout,
  },
  {
    id: "N07",
    together: true,
    attempt: "resolve a name",
    language: "python",
    code: () =>
      'import socket\ntry:\n    print(socket.getaddrinfo("example.com", 80))\nexcept OSError:\n    pass',
    judge: silent,
  },
  {
    id: "N08",
    together: true,
    attempt: "use io_uring",
    language: "python",
    code: () =>
      rawCalls(
        ["io_uring_setup", 8, 0],
        ["io_uring_enter", 0, 0, 0, 0, 0],
        ["io_uring_register", 0, 0, 0, 0],
      ),
    judge: allFailWith(1),
  },
  {
    id: "N09",
    together: true,
    attempt: "serve and connect on its own loopback (allowed)",
    language: "python",
    code: () => `
import socket
s = socket.create_server(("localhost", 0))
c = socket.create_connection(s.getsockname())
s.accept()[0].send(b"own")
print(c.recv(3).decode())
`,
    judge: says("own"),
  },
  {
    id: "N10",
    together: true,
    attempt: "send datagrams to the host and the internet",
    language: "python",
    code: (w) =>
      connectAll(
        `[(2, 2, ("127.0.0.1", ${w.port})), (2, 2, ("169.254.169.254", 53)), (2, 2, ("8.8.8.8", 53))]`,
      ),
    judge: allRefused,
  },
  {
    id: "N11",
    together: true,
    attempt: "talk to the kernel's network control",
    language: "python",
    code: () =>
      rawCalls(["socket", 16, 3, 12], ["socket", 16, 3, 15], ["socket", 17, 3, 768], ["socket", 38, 5, 0]),
    judge: allFailWith(97),
  },
  {
    id: "N20",
    together: true,
    attempt: "change a network interface by the socket that lists them",
    language: "python",
    code: () => `
import socket, struct
s = socket.socket(16, 3, 0)
s.bind((0, 0))
s.send(struct.pack("=LHHLL", 32, 16, 5, 1, 0) + struct.pack("=BxHiII", 0, 0, 1, 0, 1))
print("answer", struct.unpack("=i", s.recv(4096)[16:20])[0])`,
    judge: (a) => a.stdout !== "answer -1\n" && `expected a refusal (EPERM): ${a.stdout}${a.stderr}`,
  },
  {
    id: "N12",
    together: true,
    attempt: "reach the metadata service",
    language: "bash",
    code: () => "timeout 3 bash -c 'exec 3<>/dev/tcp/169.254.169.254/80 && echo connected'; true",
    judge: silent,
  },

  // The kernel
  {
    id: "K01",
    together: true,
    attempt: "trace a process",
    language: "python",
    code: () =>
      rawCalls(
        ["ptrace", 0, 0, 0, 0],
        ["process_vm_readv", 1, 0, 0, 0, 0, 0],
        ["process_vm_writev", 1, 0, 0, 0, 0, 0],
        ["kcmp", 1, 1, 0, 0, 0],
        ["pidfd_getfd", 0, 0, 0],
      ),
    judge: allFailWith(1),
  },
  {
    id: "K02",
    together: true,
    attempt: "make a user namespace",
    language: "bash",
    code: () => "unshare -U echo made; unshare -r echo made; unshare -Ur echo made; true",
    judge: silent,
  },
  {
    id: "K03",
    together: true,
    attempt: "use calls whose arguments cannot be judged",
    language: "python",
    code: () => rawCalls(["clone3", 0, 0], ["openat2", -100, 0, 0, 0]),
    judge: allFailWith(38),
  },
  {
    id: "K04",
    together: true,
    attempt: "mount and change roots",
    language: "python",
    code: () =>
      rawCalls(
        ["mount", 0, 0, 0, 0, 0],
        ["umount2", 0, 0],
        ["fsopen", 0, 0],
        ["open_tree", -100, 0, 0],
        ["move_mount", 0, 0, 0, 0, 0],
        ["fsmount", 0, 0, 0],
        ["mount_setattr", 0, 0, 0, 0, 0],
        ["setns", 0, 0],
        ["pivot_root", 0, 0],
        ["chroot", 0],
        ["unshare", 0],
      ),
    judge: allFailWith(1),
  },
  {
    id: "K05",
    together: true,
    attempt: "use kernel interfaces that were holes before",
    language: "python",
    code: () =>
      rawCalls(
        ["bpf", 0, 0, 0],
        ["perf_event_open", 0, 0, 0, 0, 0],
        ["userfaultfd", 0],
        ["keyctl", 0, 0],
        ["add_key", 0, 0, 0, 0, 0],
        ["request_key", 0, 0, 0, 0],
        ["modify_ldt", 0, 0, 0],
        ["lookup_dcookie", 0, 0, 0],
      ),
    judge: allFailWith(1),
  },
  {
    id: "K06",
    together: true,
    attempt: "type into a terminal",
    language: "python",
    code: () => `
import fcntl, os, pty, termios
main, side = pty.openpty()
for request in (0x5412, 0x541C):
    try:
        fcntl.ioctl(side, request, b"x")
        print("typed")
    except OSError:
        pass
`,
    judge: silent,
  },
  {
    id: "K07",
    together: true,
    attempt: "become root by helpers",
    language: "bash",
    code: () =>
      "su -c id 2>/dev/null; sudo -n id 2>/dev/null; newuidmap $$ 0 0 1 2>/dev/null; pkexec id 2>/dev/null; true",
    judge: (a) => /uid=0/.test(a.stdout) && a.stdout,
  },
  {
    id: "K08",
    together: true,
    attempt: "read the kernel's log",
    language: "bash",
    code: () => "dmesg 2>/dev/null; cat /dev/kmsg /proc/kmsg 2>/dev/null; true",
    judge: silent,
  },
  {
    id: "K09",
    together: true,
    attempt: "become root by calls",
    language: "python",
    code: () =>
      'import os\nfor f in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0])):\n    try:\n        f()\n        print("became", os.getuid())\n    except OSError:\n        pass',
    judge: silent,
  },
  {
    id: "K10",
    together: true,
    attempt: "make namespaces by clone",
    language: "python",
    code: () =>
      rawCalls(
        ["clone", 0x10000011, 0, 0, 0, 0],
        ["clone", 0x20000011, 0, 0, 0, 0],
        ["clone", 0x40000011, 0, 0, 0, 0],
        ["clone", 0x20011, 0, 0, 0, 0],
      ),
    judge: allFailWith(1),
  },
  {
    id: "K11",
    together: true,
    attempt: "use another system call table",
    language: "python",
    code: () =>
      process.arch === "x64"
        ? `
import ctypes, mmap, os, sys
libc = ctypes.CDLL(None, use_errno=True)
print("x32", libc.syscall(0x40000000 | 39), ctypes.get_errno()); sys.stdout.flush()
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(b"\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3")
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
print("i386", call())
`
        : 'print("x32 -1 38")',
    judge: (a) =>
      (!a.stdout.includes("x32 -1 38") || a.stdout.includes("i386")) && `${a.stdout} ${a.exitCode}`,
  },
  {
    id: "K12",
    together: true,
    attempt: "load modules, swap, reboot, set the clock",
    language: "python",
    code: () =>
      rawCalls(
        ["init_module", 0, 0, 0],
        ["finit_module", -1, 0, 0],
        ["delete_module", 0, 0],
        ["kexec_load", 0, 0, 0, 0],
        ["swapon", 0, 0],
        ["reboot", 0, 0, 0, 0],
        ["settimeofday", 0, 0],
        ["clock_settime", 0, 0],
        ["acct", 0],
        ["quotactl", 0, 0, 0, 0],
        ["iopl", 3],
        ["ioperm", 0, 1, 1],
      ),
    judge: allFailWith(1),
  },
  {
    id: "K13",
    together: true,
    attempt: "hold capabilities",
    language: "bash",
    code: () =>
      "grep -E '^Cap(Eff|Prm|Bnd|Amb)' /proc/self/status | grep -v 0000000000000000; grep -c 'NoNewPrivs:.1' /proc/self/status",
    judge: says("1"),
  },

  // Processes
  {
    id: "P01",
    attempt: "kill processes of the host",
    language: "bash",
    code: (w) => `kill -9 ${w.bystander}; kill -9 -1; true`,
    judge: (_, w) => !isRunning(w.bystander) && "the bystander was killed",
  },
  {
    id: "P02",
    together: true,
    attempt: "see other processes",
    language: "bash",
    code: () => "n=0; for p in /proc/[0-9]*; do n=$((n + 1)); done; echo $n",
    judge: (a) => Number(a.stdout) >= 12 && `sees ${a.stdout}`,
  },
  {
    id: "P03",
    attempt: "leave a daemon behind",
    language: "bash",
    code: (w) =>
      `setsid bash -c 'exec -a ${daemon(w)} sleep 300' >/dev/null 2>&1 & disown; (setsid setsid bash -c 'exec -a ${daemon(w)} sleep 300' &) ; echo left`,
    judge: both(says("left"), nobodyNamed(daemon)),
  },
  {
    id: "P04",
    attempt: "ignore the end",
    language: "bash",
    wallMs: 1000,
    code: (w) =>
      `trap '' TERM INT HUP; (trap '' TERM INT HUP; exec -a ${daemon(w)} sleep 300) & while :; do sleep 1; done`,
    judge: both(nobodyNamed(daemon), (a) => a.limit !== "time" && `limit ${a.limit}`, soon),
  },
  {
    id: "P05",
    attempt: "hold the output open",
    language: "bash",
    code: () => "sleep 30 & echo hi",
    judge: both(says("hi"), soon),
  },
  {
    id: "P06",
    attempt: "start 400 processes",
    language: "python",
    code: () => `
import os, signal, time
started = 0
for _ in range(400):
    try:
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
        started += 1
    except OSError:
        break
print(started)
`,
    judge: (a) => a.limit !== "processes" && !(Number(a.stdout) < 100) && `${a.stdout} processes`,
  },
  {
    id: "P07",
    attempt: "fork without end",
    language: "bash",
    wallMs: 1500,
    code: () => "bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 300",
    judge: soon,
  },
  {
    id: "P08",
    attempt: "stop itself for ever",
    language: "bash",
    wallMs: 1000,
    code: () => "kill -STOP $$; echo on",
    judge: (a) => a.limit !== "time" && `limit ${a.limit}`,
  },
  {
    id: "P09",
    together: true,
    attempt: "kill process 1",
    language: "bash",
    code: () => "kill -9 1; kill -TERM 1; kill -HUP 1; echo alive",
    judge: says("alive"),
  },

  // Memory and disk
  {
    id: "M01",
    attempt: "take memory with several processes and threads",
    language: "python",
    wallMs: 20000,
    code: () => `
import os, threading, time
def grow():
    if os.fork() == 0:
        block = bytearray(350_000_000)
        for i in range(0, len(block), 4096): block[i] = 1
        time.sleep(3); print("grown", flush=True); os._exit(0)
for _ in range(2): grow()
thread = threading.Thread(target=lambda: [grow() for _ in range(3)]); thread.start(); thread.join()
for _ in range(5): os.wait()
`,
    judge: (a) =>
      (a.limit !== "memory" || a.stdout.split("grown").length > 2) && `limit ${a.limit}, ${a.stdout}`,
  },
  {
    id: "M02",
    attempt: "take memory at once",
    language: "python",
    wallMs: 20000,
    code: () =>
      "import time\nx = bytearray(900_000_000)\nfor i in range(0, len(x), 4096): x[i] = 1\ntime.sleep(1)\nprint('grown')",
    judge: both(silent, (a) => a.limit !== "memory" && `limit ${a.limit}`),
  },
  {
    id: "M03",
    attempt: "take memory as files that are in memory alone",
    language: "python",
    wallMs: 20000,
    code: () =>
      "import os, time\nfor _ in range(18):\n  f = os.memfd_create('x')\n  for _ in range(50): os.write(f, b'x' * 1_000_000)\ntime.sleep(2)\nprint('grown')",
    judge: both(silent, (a) => a.limit !== "memory" && `limit ${a.limit}`),
  },
  {
    id: "M04",
    attempt: "take memory as segments of System V",
    language: "python",
    wallMs: 20000,
    code: () => `
import ctypes, time
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
for _ in range(18):
    segment = libc.shmget(0, ctypes.c_size_t(50_000_000), 0o1600)
    if segment < 0: raise SystemExit
    ctypes.memset(libc.shmat(segment, None, 0), 1, 50_000_000)
    libc.shmdt(ctypes.c_void_p(libc.shmat(segment, None, 0)))
time.sleep(2)
print('grown')`,
    judge: silent,
  },
  {
    id: "D01",
    attempt: "fill /tmp",
    language: "bash",
    code: () => fill("/tmp"),
    judge: atMost(268_435_456, 10_000),
  },
  {
    id: "D02",
    together: true,
    attempt: "fill /dev",
    language: "bash",
    code: () =>
      "(head -c 1000000 /dev/zero > /dev/x) 2>/dev/null && echo written; mkdir /dev/d 2>/dev/null && echo made; true",
    judge: silent,
  },
  {
    id: "D03",
    attempt: "fill the workspace",
    language: "bash",
    code: () => fill("/ws"),
    judge: both(atMost(268_435_456, 10_000), (a) => a.changed.length > 10_000 && "too many files"),
  },
  {
    id: "D04",
    attempt: "make 20,000 files",
    language: "bash",
    code: () =>
      "i=0; while [ $i -lt 20000 ]; do : > /tmp/f$i || break; i=$((i + 1)); done 2>/dev/null; echo 0 $i",
    judge: atMost(1, 10_000),
  },
  {
    id: "D05",
    attempt: "fill shared memory",
    language: "bash",
    code: () => fill("/dev/shm"),
    judge: atMost(268_435_456, 10_000),
  },
  {
    id: "D06",
    attempt: "write one huge file",
    language: "bash",
    code: () => "head -c 200000000 /dev/zero > big; stat -c '%s 1' big",
    judge: both(atMost(67_108_864, 2), (a) => a.exitCode !== 0 && `exit ${a.exitCode}`),
  },
  {
    id: "D07",
    attempt: "send back far more than it wrote",
    language: "bash",
    code: () => "for i in $(seq 7); do truncate -s 60M hole$i; done; echo made",
    judge: (a) => (a.changed.length > 0 || a.refused.length === 0) && `changed ${a.changed}`,
  },
  {
    id: "D08",
    attempt: "multiply a file by hard links",
    language: "bash",
    code: () => "head -c 50000000 /dev/zero > one; for i in $(seq 7); do ln one link$i; done; echo made",
    judge: (a) => (a.changed.length > 0 || a.refused.length === 0) && `changed ${a.changed.length}`,
  },

  // Output, time, start
  {
    id: "O01",
    attempt: "print 200 MB",
    language: "bash",
    code: () => "yes 0123456789 | head -c 200000000",
    judge: (a) =>
      (a.stdout.length > 1_100_000 || a.limit !== "output") && `${a.stdout.length} kept, limit ${a.limit}`,
  },
  {
    id: "O02",
    together: true,
    attempt: "print broken text and terminal commands",
    language: "bash",
    code: () => "printf '\\xff\\xfe\\e[31mred\\e]0;title\\a ok'",
    judge: (a) =>
      (!a.stdout.isWellFormed() || !a.stdout.endsWith("ok") || a.exitCode !== 0) && JSON.stringify(a.stdout),
  },
  {
    id: "T01",
    together: true,
    attempt: "wait for input",
    language: "bash",
    code: () => "read x; echo end $?",
    judge: both(says("end 1"), soon),
  },
  {
    id: "T02",
    attempt: "run in circles",
    language: "bash",
    wallMs: 1000,
    code: () => "while :; do :; done",
    judge: both((a) => a.limit !== "time" && `limit ${a.limit}`, soon),
  },
  {
    id: "E01",
    attempt: "have planted files run before the limits",
    language: "bash",
    prepare: ({ workspace }) => {
      writeFileSync(join(workspace, "early.sh"), "ulimit -n > seen 2>&1; ls /proc/self/fd | wc -l >> seen\n");
      chmodSync(join(workspace, "early.sh"), 0o755);
    },
    env: () => ({
      BASH_ENV: "/ws/early.sh",
      LD_PRELOAD: "/ws/early.so",
      PATH: "/ws:/usr/bin:/bin",
      SHELLOPTS: "xtrace",
    }),
    code: () => "cat seen | head -1",
    judge: (a) => a.stdout.trim() !== "256" && `limits when it ran: ${a.stdout} ${a.stderr.slice(0, 200)}`,
  },
  {
    id: "E02",
    attempt: "pass options as arguments of the launcher",
    language: "bash",
    env: () => ({
      LD_LIBRARY_PATH: "/ws",
      PYTHONSTARTUP: "/ws/x",
      IFS: "/",
      BASH_FUNC_cat: "() { echo x; }",
    }),
    code: () => "echo $IFS | wc -c",
    judge: (a) => a.exitCode !== 0 && a.stderr,
  },
  {
    id: "X01",
    together: true,
    attempt: "change the host name",
    language: "bash",
    code: () => "hostname other 2>/dev/null && echo changed; true",
    judge: silent,
  },
  {
    id: "X02",
    together: true,
    attempt: "raise its priority",
    language: "python",
    code: () =>
      'import os\nfor f in (lambda: os.nice(-5), lambda: os.sched_setscheduler(0, 1, os.sched_param(50))):\n    try:\n        f()\n        print("raised")\n    except OSError:\n        pass',
    judge: silent,
  },
  {
    id: "X03",
    together: true,
    attempt: "find /sys and control groups",
    language: "bash",
    code: () => "ls /sys 2>/dev/null; ls /proc/self/ns/../../../sys/fs/cgroup 2>/dev/null; true",
    judge: silent,
  },
  {
    id: "X04",
    together: true,
    attempt: "open memory and disks",
    language: "bash",
    code: () => "ls /dev/mem /dev/kmem /dev/vda /dev/sda /dev/nvme0n1 /dev/fuse /dev/kvm 2>/dev/null; true",
    judge: silent,
  },
];

/** Long before what it waits for: how quickly exactly is for the benchmark to tell. */
function soon({ durationMs }: Attempt): string | false {
  return durationMs > 15_000 && `took ${durationMs} ms`;
}

/** Prints how many bytes and files fitted. */
function fill(folder: string): string {
  return `cd ${folder}; for i in $(seq 8); do head -c 50000000 /dev/zero > big$i; done 2>/dev/null
du -sb . | cut -f1 | tr '\\n' ' '; rm -f big*; i=0; while [ $i -lt 12000 ]; do : > f$i || break; i=$((i + 1)); done 2>/dev/null; echo $i; find . -name 'f*' -delete`;
}

function atMost(bytes: number, files: number): NonNullable<Case["judge"]> {
  return ({ stdout, stderr }) => {
    const [size = Number.NaN, count = Number.NaN] = stdout.trim().split(" ").map(Number);
    return !(size <= bytes && count < files) && `${stdout} ${stderr.slice(0, 200)}`;
  };
}

function noLinks(...names: string[]): NonNullable<Case["judge"]> {
  return (_, { workspace }) => {
    const there = names.filter((name) => lstatSync(join(workspace, name), { throwIfNoEntry: false }));
    return there.length > 0 && `on the host: ${there.join(", ")}`;
  };
}

function noSetIds(_: Attempt, { workspace }: World): string | false {
  const names = readdirSync(workspace);
  const set = names.filter((name) => (lstatSync(join(workspace, name)).mode & 0o6000) !== 0);
  return set.length > 0 && `set-id on the host: ${set.join(", ")}`;
}
