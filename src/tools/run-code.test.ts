import { afterEach, expect, test } from "vitest";
import { type TestWield, testWield } from "../testing/testing.ts";

const open: TestWield[] = [];
afterEach(() => {
  for (const t of open.splice(0)) t.close();
});
test("x", async () => {
  const t = await testWield({ "a.txt": "1\n", "package.json": "{}" });
  open.push(t);
  const o = await t.wield.call("run_code", {
    language: "python",
    code: "import os\nopen('b.txt','w').write('hi\\n')\nopen('a.txt','a').write('2\\n')\nopen('package.json','w').write('{\"x\":1}')\nos.symlink('/etc/passwd','l')\nos.mkfifo('p')\nprint('done')",
  });
  console.log(o.text, JSON.stringify(o.result, null, 1));
  const u = await t.wield.call("executeCode", {
    code: "print(1+1)\nopen('x.csv','w').write('a,b')\nimport os\nprint(os.listdir('/ws'))",
  });
  console.log(u.text, JSON.stringify(u.result));
  expect(o.result.ok).toBe(true);
});
