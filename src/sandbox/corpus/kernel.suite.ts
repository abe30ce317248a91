// System calls and other ways into the kernel.
import type { Case } from "./case.suite.ts";
import { allFailWith, rawCalls, says, silent } from "./judges.suite.ts";

export const kernelCases: readonly Case[] = [
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
];
