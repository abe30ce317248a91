import { expect, test } from "vitest";
import { combinedScores, type FileSignals } from "./file-signals.ts";
import { signalWeights } from "./search-weights.ts";
import { filesOfFrames, framesIn } from "./stack-frames.ts";

const none = Object.fromEntries(Object.keys(signalWeights).map((name) => [name, 0])) as FileSignals;
const file = (signals: Partial<FileSignals>, worth = 1) => ({ signals: { ...none, ...signals }, worth });

test("a signal counts by its share of the best, whatever its measure is", () => {
  const small = combinedScores([file({ title: 1 }), file({ title: 2 })]);
  const large = combinedScores([file({ title: 100 }), file({ title: 200 })]);
  expect(small).toEqual([signalWeights.title / 2, signalWeights.title]);
  expect(large).toEqual(small);
});

test("a stack trace counts by how near it is, and a kind of file by how much it is asked for", () => {
  const [near = 0, far = 0, inTest = 0] = combinedScores([
    file({ frame: 1 }),
    file({ frame: 0.5 }),
    file({ frame: 1 }, 0.3),
  ]);
  expect(far).toBe(near / 2);
  expect(inTest).toBeLessThan(far);
});

test("the files of a stack trace, where it happened first: Python ends there, others begin there", () => {
  const files = new Set(["app/views.py", "app/db/query.py", "src/pool.js", "lib/feed/parser.rb"]);
  const found = (trace: string) => [...filesOfFrames(framesIn(trace), (path) => files.has(path)).keys()];
  expect(
    found(
      [
        "Traceback (most recent call last):",
        '  File "/usr/lib/python3/site-packages/app/views.py", line 3, in get',
        '  File "C:\\env\\site-packages\\app\\db\\query.py", line 9, in run',
        '  File "/usr/lib/python3/json.py", line 2, in load',
      ].join("\n"),
    ),
  ).toEqual(["app/db/query.py", "app/views.py"]);
  expect(
    found("Error: no\n    at Pool.take (/home/me/src/pool.js:12:5)\n    at main (index.js:1:1)"),
  ).toEqual(["src/pool.js"]);
  expect(found("/gems/feed-1.0/lib/feed/parser.rb:7:in `parse'")).toEqual(["lib/feed/parser.rb"]);
  const inIPython =
    "File ~/app/views.py:3, in get(request)\n----> 3 query.run()\nFile ~/app/db/query.py:9, in run()";
  expect(found(inIPython)).toEqual(["app/db/query.py", "app/views.py"]);
  expect(found("~/app/views.py in get(request)\n~/app/db/query.py in run(self, sql)")).toEqual([
    "app/db/query.py",
    "app/views.py",
  ]);
  expect(found("pool.js:12 is where it is")).toEqual(["src/pool.js"]);
});
