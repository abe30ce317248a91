/**
 * Reporters of Wield's own, loaded by the runner inside: they tell what the runners' ready-made reports leave out, the
 * errors of hooks, suites and files. Both write the same shape, `ReportedTest[]`, to the outbox.
 */
export interface ReportedTest {
  /** With the names of the groups around it. */
  name: string;
  file?: string;
  /** A group or a file counts only when it failed by itself. */
  kind: "test" | "group" | "file";
  state: "passed" | "failed" | "skipped";
  message?: string;
}

/** For `node --test`: events of every test, each group after its members. */
export const nodeReporter = `
import { existsSync } from "fs";
import { resolve } from "node:path";
import { inspect } from "node:util";

export default async function* report(source) {
  const done = [];
  const printed = new Map();
  const open = new Map();
  for await (const { type, data } of source) {
    if (type === "test:stderr" && data.file) {
      const from = resolve(data.file);
      printed.set(from, (printed.get(from) ?? "") + data.message);
    }
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { name, nesting, details = {} } = data;
    const place = resolve(name);
    const isFile = nesting === 0 && /\\.[cm]?[jt]sx?$/.test(name) && (place === data.file || existsSync(place));
    const file = data.file ?? (isFile ? place : undefined);
    const members = open.get(nesting + 1) ?? [];
    open.delete(nesting + 1);
    for (const member of members) member.name = name + " > " + member.name;
    const problem = type === "test:fail" ? details.error : undefined;
    const because = problem?.failureType;
    const isGroup = details.type === "suite" || because === "subtestsFailed";
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const test = {
      name,
      file,
      kind: isFile ? "file" : isGroup ? "group" : "test",
      state: skipped ? "skipped" : problem ? "failed" : "passed",
    };
    if (test.state === "failed") {
      // A group that failed of its members, and members that never ran, have nothing of their own to tell.
      if (because === "subtestsFailed") test.state = "passed";
      else if (because === "cancelledByParent") test.message = "";
      else {
        const cause = problem.cause ?? problem;
        const text = typeof cause === "string" ? cause : inspect(cause);
        test.message = text;
      }
    }
    done.push(test);
    if (nesting > 0) open.set(nesting, [...(open.get(nesting) ?? []), ...members, test]);
  }
  // What a file printed may arrive after the word that it failed.
  for (const test of done)
    if (test.kind === "file" && test.state === "failed") test.message = printed.get(test.file) || test.message;
  yield JSON.stringify(done);
}
`;

/** For vitest, by the call that its versions up to 3 make at the end, and by that of the later ones. */
export const vitestReporter = `
import { writeFileSync } from "fs";

const textOf = ({ name = "Error", message = "", diff, stacks, stack = "" }) => {
  const frames = stacks
    ? stacks.map(({ method, file, line, column }) => "    at " + (method ? method + " " : "") + file + ":" + line + ":" + column)
    : stack.split("\\n").filter((line) => /^\\s+at /.test(line));
  return [name + ": " + message, ...(diff ? [diff] : []), ...frames].join("\\n");
};

function collect(task, file, names, done) {
  const { state, errors = [] } = task.result ?? {};
  const isTest = task.type !== "suite";
  const kind = task === file ? "file" : isTest ? "test" : "group";
  const failed = state === "fail" && (isTest || errors.length > 0);
  const skipped = task.mode === "skip" || task.mode === "todo" || state === "skip" || (isTest && state === undefined);
  done.push({
    name: kind === "file" ? file.name : names.join(" > "),
    file: file.filepath,
    kind,
    state: failed ? "failed" : isTest && skipped ? "skipped" : "passed",
    ...(failed && { message: errors.map(textOf).join("\\n") }),
  });
  for (const member of task.tasks ?? []) collect(member, file, [...names, member.name], done);
}

function write(files, errors) {
  const done = [];
  for (const file of files) collect(file, file, [], done);
  for (const error of errors ?? [])
    done.push({ name: "error outside of tests", kind: "file", state: "failed", message: textOf(error) });
  writeFileSync("/out/report.json", JSON.stringify(done));
}

export default class {
  onFinished(files = [], errors = []) {
    write(files, errors);
  }
  onTestRunEnd(modules, errors) {
    write(modules.map(({ task }) => task), errors);
  }
}
`;
