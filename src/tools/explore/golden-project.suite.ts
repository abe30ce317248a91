/** A small project for the golden texts: a few real-looking sources, tests, texts, and a folder with very many of everything. */
export const goldenProject: Record<string, string> = {
  "src/store/store.ts": `import { readRows } from "../rows/rows.js";

/** What keeps orders. */
export interface OrderStore {
  load(id: string): Promise<Order | undefined>;
  save(order: Order): Promise<void>;
}

export interface Order {
  id: string;
  total: number;
}

export class FileOrderStore implements OrderStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined for an order that was never saved. */
  async load(id: string): Promise<Order | undefined> {
    const rows = await readRows(this.#folder, id);
    return rows.length === 0 ? undefined : { id, total: sumOf(rows) };
  }

  async save(order: Order): Promise<void> {
    if (order.total < 0) throw new RangeError("An order has no negative total.");
    await appendRow(this.#folder, order.id, order.total);
  }
}

function sumOf(rows: readonly number[]): number {
  return rows.reduce((sum, row) => sum + row, 0);
}

async function appendRow(folder: string, id: string, total: number): Promise<void> {
  await import("../rows/rows.js").then(({ writeRow }) => writeRow(folder, id, total));
}
`,
  "src/rows/rows.ts": `/** Reads all rows of an order. */
export async function readRows(folder: string, id: string): Promise<number[]> {
  const text = await fetchText(\`\${folder}/\${id}\`);
  return text.split("\\n").filter(Boolean).map(Number);
}

export async function writeRow(folder: string, id: string, total: number): Promise<void> {
  await fetchText(\`\${folder}/\${id}?append=\${total}\`);
}

async function fetchText(path: string): Promise<string> {
  return (await fetch(path)).text();
}
`,
  "src/app.ts": `import { FileOrderStore } from "./store/store.js";

export async function main(): Promise<void> {
  const store = new FileOrderStore("data");
  await store.save({ id: "1", total: 3 });
  console.log(await store.load("1"));
}
`,
  "tests/store.test.ts": `import { FileOrderStore } from "../src/store/store.js";

test("an order that was saved is loaded", async () => {
  const store = new FileOrderStore("data");
  await store.save({ id: "1", total: 3 });
});
`,
  "README.md": "# Orders\n\nKeeps orders in files.\n",
  "empty.txt": "",
  ...Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`many/part${i}/handler${i}.ts`, manyFile(i)])),
  "many/large.ts": largeClass(),
  "many/long.txt": Array.from({ length: 5_000 }, (_, i) => `line ${i + 1} of a long text`).join("\n"),
};

function manyFile(i: number): string {
  return `import { LargeRegistry } from "../large.js";

export class Handler${i} {
  handle(event: string, registry: LargeRegistry): string {
    if (event === "") throw new Error("no event");
    return registry.method${i % 80}(event.length).toString();
  }
}
`;
}

function largeClass(): string {
  const methods = Array.from(
    { length: 80 },
    (_, i) => `  /** Number ${i}. */\n  method${i}(value: number): number {\n    return value + ${i};\n  }\n`,
  );
  return `export class LargeRegistry {\n${methods.join("\n")}}\n`;
}
