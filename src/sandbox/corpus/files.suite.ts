// Ways to read or change what lies outside the workspace.
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { userInside } from "../stage.ts";
import type { Attempt, Case, World } from "./case.suite.ts";
import { allFailWith, both, noFile, rawCalls, silent } from "./judges.suite.ts";

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

export const fileCases: readonly Case[] = [
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
      `cat /etc/passwd /etc/shadow ${homedir()}/.ssh/* /home/*/.ssh/* ~/.ssh/* 2>/dev/null; ls ${homedir()} /home 2>/dev/null`,
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
];

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
