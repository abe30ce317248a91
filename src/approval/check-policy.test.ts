import { expect, test } from "vitest";
import { checkPolicy } from "./check-policy.ts";

test("examples that do not hold are told with their rule", () => {
  const problems = checkPolicy([
    {
      decision: "allow",
      tool: "write_file",
      path: "src/**",
      match: [{ tool: "write_file", path: "src/a.ts" }],
    },
    { decision: "deny", path: "/*.env", match: [{ tool: "read_file", path: "config/prod.env" }] },
    {
      decision: "allow",
      url: "*.example.com",
      notMatch: [{ tool: "web_fetch", url: "https://a.example.com/" }],
    },
  ]);
  expect(problems).toEqual([
    { rule: 1, message: 'should match {"tool":"read_file","path":"config/prod.env"}, but does not' },
    { rule: 2, message: 'should not match {"tool":"web_fetch","url":"https://a.example.com/"}, but does' },
  ]);
});
