import fc from "../testing/properties.ts";

export const junk = fc.oneof(
  fc.string(),
  fc.constantFrom("\0", "\ufeff", "\r", "{", "]", '"', "\\u", "\u2028", "null", "1e999"),
);
export const value = fc.jsonValue({ maxDepth: 4 });
export const big = (size: number) => "x".repeat(size);

/** A message as it is meant, and the bytes that are sent instead. */
export interface Wired {
  message: { jsonrpc?: unknown; id?: unknown; method?: unknown; params?: unknown };
  bytes: Buffer;
  isWhole: boolean;
}

/** `params` are those that methods expect, in which any member may be another value. */
export function wired(methods: readonly string[], params: fc.Arbitrary<unknown>): fc.Arbitrary<Wired> {
  const message = fc.record(
    {
      jsonrpc: fc.oneof({ weight: 8, arbitrary: fc.constant("2.0") }, value),
      id: fc.oneof(
        { weight: 8, arbitrary: fc.constant("the-case") },
        fc.constantFrom(null, -1, 1.5, 2 ** 60, "", {}, []),
      ),
      method: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...methods) },
        value,
        fc.constantFrom("__proto__", ""),
      ),
      params: fc.oneof({ weight: 8, arbitrary: params }, value, fc.constantFrom(big(1_000_000))),
    },
    { requiredKeys: [] },
  );
  const way = fc.constantFrom("cut", "cut", "cut", "batch", "twice", "deep", "wide", "binary", "proto");
  const spoil = fc.tuple(way, fc.nat(60_000), junk);
  return fc.tuple(message, fc.option(spoil, { freq: 2 })).map(([meant, spoilt]) => {
    const text = JSON.stringify(meant);
    return {
      message: meant,
      bytes: spoilt === null ? Buffer.from(text) : spoiled(text, ...spoilt),
      isWhole: spoilt === null,
    };
  });
}

function spoiled(text: string, how: string, size: number, put: string): Buffer {
  if (how === "batch") return Buffer.from(`[${text},${text}]`);
  if (how === "twice") return Buffer.from(`${text}${text}`);
  if (how === "deep") return Buffer.from(`${"[".repeat(size)}${"]".repeat(size)}`);
  if (how === "wide") return Buffer.from(text.replace(/}$/, `,"more":"${big(size * 200)}"}`));
  if (how === "proto")
    return Buffer.from(text.replace("{", '{"__proto__":{"id":1},"constructor":{"prototype":{}},'));
  if (how === "binary") return Buffer.concat([Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0]), Buffer.from(text)]);
  const at = size % text.length;
  return Buffer.from(`${text.slice(0, at)}${put}${text.slice(at + 1)}`);
}

/** Members of params, each of which may be missing or anything else. */
export function spoiltRecord(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const entries = Object.entries(members).map(([name, arbitrary]) => [
    name,
    fc.oneof({ weight: 4, arbitrary }, value),
  ]);
  return fc.record(Object.fromEntries(entries), { requiredKeys: [] });
}
