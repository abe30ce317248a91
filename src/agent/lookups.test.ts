import { expect, test } from "vitest";
import { lookupsFor } from "./lookups.ts";

const references = (symbol: string) => ({ tool: "references", input: { symbol } });
const graph = (operation: string, target: string) => ({ tool: "graph", input: { operation, target } });

test.each([
  ["Where is parseConfig called?", [references("parseConfig")]],
  ["Who uses the type Session declared in src/store.ts?", [references("src/store.ts#Session")]],
  ["I want to rename `load` in src/a/b.py; which places change?", [references("src/a/b.py#load")]],
  [
    "Which classes override the method close of the class Transport?",
    [graph("implementations", "Transport.close")],
  ],
  [
    "List all implementations of the Store interface (src/store.go).",
    [graph("implementations", "src/store.go#Store")],
  ],
  ["What are the subclasses of BaseModel?", [graph("inheritors", "BaseModel")]],
  ["Which files import src/util/paths.ts?", [graph("importers", "src/util/paths.ts")]],
  ["Where is http.Server.serve used?", [references("http.Server.serve")]],
  [
    "Find every call of NewManager of the package internal/skills.",
    [references("internal/skills#NewManager")],
  ],
])("%s", (question, calls) => {
  expect(lookupsFor(question)).toEqual(calls);
});

test.each([
  "How does the program choose between shortening and a digest?",
  "What is called when a user signs in?",
  "Explain how parseConfig works.",
  "Compare loadOne, loadTwo and loadThree: where are they used?",
  `An issue that names parseConfig and is used: ${"long ".repeat(300)}`,
])("nothing is looked up for: %.60s", (question) => {
  expect(lookupsFor(question)).toEqual([]);
});
