import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { removeFolder } from "../testing/remove-folder.ts";
import { Filling } from "./filling.ts";
import {
  filesBelow,
  indexFolderAt,
  openProject,
  type ProjectPlace,
  temporaryFolder,
  writeTree,
} from "./folder.suite.ts";
import { PendingQueue } from "./project/pending-queue.ts";
import { Project } from "./project/project.ts";
import { holdersOf } from "./resolve/definitions.ts";
import { SyntaxStore } from "./syntax/syntax-store.ts";

let place: ProjectPlace;
let filling: Filling;
beforeEach(() => {
  place = openProject();
  filling = new Filling(place.project, (_, work) => work());
});
afterEach(() => {
  vi.restoreAllMocks();
  filling.stop();
  place.close();
});

/** More bytes than a question waits for. */
const others = Object.fromEntries(
  Array.from({ length: 50 }, (_, i) => [
    `other${i}.ts`,
    `// ${"words ".repeat(30_000)}\nexport function other${i}() {}\n`,
  ]),
);
const paths = (name: string) => holdersOf(place.project, name).map(({ path }) => path);

test("the first question in a small workspace is answered from all its files, however little time there is", async () => {
  const files = Array.from({ length: 400 }, (_, i) => [`f${i}.ts`, `export function f${i}() {}\n`]);
  writeTree(place.root, Object.fromEntries(files));
  await place.project.ask(async () => {
    await filling.now({ patienceMs: 0 });
    expect(place.project.coverage()).toMatchObject({ code: 400, parsed: 400 });
  });
});

test("in a large workspace, a question gets the files that it needs, however little time there is", async () => {
  writeTree(place.root, { ...others, "a.ts": "export const wanted = 1;\n", "z.ts": "use(wanted);\n" });
  await place.project.ask(async () => {
    expect(paths("wanted")).toEqual(["a.ts", "z.ts"]);
    await filling.now({ patienceMs: 0, needed: () => paths("wanted") });
    expect(paths("wanted")).toEqual([]);
    expect(place.project.coverage()).toMatchObject({ code: 52, parsed: 2 });
  });
});

test("a file that takes this thread too long is parsed by another one before the answer", async () => {
  writeTree(place.root, { "long.ts": "export const value = 1;\n".repeat(20_000) });
  let used = 0;
  vi.spyOn(process, "threadCpuUsage").mockImplementation(() => {
    used += 10_000_000;
    return { user: used, system: 0 };
  });
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 1_000;
    return now;
  });
  await place.project.ask(async () => {
    await filling.now({ patienceMs: 0 });
    expect(place.project.coverage()).toMatchObject({ code: 1, parsed: 1 });
  });
});

test("questions finish the index of a large workspace between them", async () => {
  writeTree(place.root, others);
  for (const parsed of [30, 50]) {
    await place.project.ask(async () => {
      // Over before it begins.
      await filling.now({ patienceMs: -1 });
      expect(place.project.coverage()).toMatchObject({ code: 50, parsed });
    });
  }
});

test("each file of a queue is taken once, from either end, the needed ones first", async () => {
  const file = (key: string) => ({ path: key, hash: "", key, language: "Go", size: 1 });
  const queue = new PendingQueue(["a", "b", "c"].map(file), ["d", "e"].map(file));
  const taken = [queue.takeLast()?.key, ...queue.takeFirst(8).map(({ key }) => key)];
  expect(taken).toEqual(["c", "a", "b"]);
  expect([queue.takeFirst(1)[0]?.key, queue.takeLast()?.key, queue.takeLast()]).toEqual([
    "d",
    "e",
    undefined,
  ]);
  const late = new PendingQueue([file("a")], [file("b")], 0);
  expect([late.takeLast()?.key, late.takeLast()]).toEqual(["a", undefined]);
  late.finished(["a"]);
  await late.isEnough();
});

test("after a change of one file, a question reads that file alone", async () => {
  const root = temporaryFolder();
  const state = temporaryFolder();
  writeTree(root, {
    "a.ts": "export const first = 1;\n",
    "large.c": `int used(void);\n${"// filler\n".repeat(160_000)}`,
  });
  const reads: string[] = [];
  const source = filesBelow(root);
  const project = new Project(
    {
      ...source,
      read: (path, most) => {
        reads.push(path);
        return source.read(path, most);
      },
    },
    indexFolderAt(state),
  );
  const complete = vi.spyOn(SyntaxStore.prototype, "complete");
  const ask = () =>
    project.ask(async () => {
      await project.parsePending(new PendingQueue([...project.ownPending().values()]), { threads: 1 });
      return project.notUnderstood("used");
    });
  expect(await ask()).toEqual(["large.c"]);
  expect(complete).toHaveBeenCalledTimes(1);
  reads.length = 0;
  writeTree(root, { "a.ts": "export const second = 2;\n" });
  project.index.invalidate(["a.ts"]);
  expect(await ask()).toEqual(["large.c"]);
  expect(project.declaring("second").map(({ path }) => path)).toEqual(["a.ts"]);
  expect(new Set(reads)).toEqual(new Set(["a.ts"]));
  expect(complete).toHaveBeenCalledTimes(1);
  project.close();
  for (const folder of [root, state]) removeFolder(folder);
});
