// The ranking engines that bench/discovery.ts compares, behind one shape.
import { create, insertMultiple, search as oramaSearch } from "@orama/orama";
import { generateText, isStepCount, jsonSchema, type ToolSet, tool, toolSearch } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import MiniSearch from "minisearch";
import { stem } from "../src/discovery/stem.ts";
import type { ToolDocument } from "../src/discovery/tool-document.ts";
import { ToolIndex } from "../src/discovery/tool-index.ts";

export interface Engine {
  name: string;
  build(tools: readonly ToolDocument[]): Search | Promise<Search>;
}
export type Search = (query: string, limit: number) => readonly string[] | Promise<readonly string[]>;

export const wield: Engine = {
  name: "wield",
  build: (tools) => {
    const index = new ToolIndex();
    for (const document of tools) index.add(document);
    return (query, limit) => index.search(query, limit);
  },
};

const substring: Engine = {
  name: "substring",
  build: (tools) => {
    const texts = tools.map((t) => ({
      name: t.name,
      text: `${t.name} ${t.category ?? ""} ${t.description}`.toLowerCase(),
    }));
    return (query, limit) => {
      const wanted = query.toLowerCase();
      return texts
        .filter(({ text }) => text.includes(wanted))
        .slice(0, limit)
        .map(({ name }) => name);
    };
  },
};

const minisearch: Engine = {
  name: "minisearch 7.2",
  build: (tools) => {
    const index = new MiniSearch({ fields: ["name", "category", "description", "parameters"] });
    index.addAll(tools.map((t, id) => ({ id, ...flat(t) })));
    return (query, limit) =>
      index
        .search(query)
        .slice(0, limit)
        .map(({ id }) => tools[id as number]?.name ?? "");
  },
};

const orama: Engine = {
  name: "orama 3.1",
  build: async (tools) => {
    const index = create({
      schema: {
        key: "string",
        name: "string",
        category: "string",
        description: "string",
        parameters: "string",
      },
    });
    await insertMultiple(
      index,
      tools.map((t) => ({ key: t.name, ...flat(t) })),
    );
    const properties = ["name", "category", "description", "parameters"] as const;
    return async (query, limit) => {
      const { hits } = await oramaSearch(index, { term: query, limit, properties: [...properties] });
      return hits.map(({ document }) => document.key);
    };
  },
};

/** The real thing, asked through `generateText`: its ranking is not exported. */
const aiSdk: Engine = {
  name: "ai sdk toolSearch",
  build: (tools) => {
    const set: ToolSet = { toolSearch: toolSearch({ maxResults: 10 }) };
    const inputSchema = jsonSchema({ type: "object", properties: {} });
    for (const { name, description } of tools)
      set[name] = tool({ description, inputSchema, deferLoading: true });
    return async (query) => {
      let step = 0;
      const model = new MockLanguageModelV4({
        doGenerate: async () => {
          const call = {
            type: "tool-call" as const,
            toolCallId: "1",
            toolName: "toolSearch",
            input: JSON.stringify({ query }),
          };
          const done = step++ > 0;
          return {
            content: done ? [{ type: "text" as const, text: "done" }] : [call],
            finishReason: { unified: done ? ("stop" as const) : ("tool-calls" as const), raw: undefined },
            usage: {
              inputTokens: {
                total: 1,
                noCache: undefined,
                cacheRead: undefined,
                cacheWrite: undefined,
              },
              outputTokens: { total: 1, text: undefined, reasoning: undefined },
            },
            warnings: [],
          };
        },
      });
      const { steps } = await generateText({ model, tools: set, prompt: query, stopWhen: isStepCount(2) });
      const found = steps[0]?.toolResults[0]?.output as { tools: { name: string }[] } | undefined;
      return found?.tools.map(({ name }) => name) ?? [];
    };
  },
};

/** The anchor: plain BM25F with weights that are usual for it. */
const bm25f: Engine = {
  name: "bm25f",
  build: (tools) => {
    const weights = [3, 1, 1, 0.5];
    const lengths = [0.3, 0.3, 0.75, 0.75];
    const texts = tools.map((t) => {
      const { name, category, description, parameters } = flat(t);
      return [name, category, description, parameters].map(plainWords);
    });
    const mean = weights.map((_, f) => texts.reduce((sum, t) => sum + (t[f]?.length ?? 0), 0) / texts.length);
    const postings = new Map<string, Map<number, number>>();
    for (const [at, fields] of texts.entries()) {
      for (const [f, words] of fields.entries()) {
        const b = lengths[f] ?? 0;
        const each = (weights[f] ?? 0) / (1 - b + (b * words.length) / (mean[f] || 1));
        for (const word of words) {
          const posting = postings.get(word) ?? new Map<number, number>();
          postings.set(word, posting.set(at, (posting.get(at) ?? 0) + each));
        }
      }
    }
    return (query, limit) => {
      const scores = new Map<number, number>();
      for (const word of new Set(plainWords(query))) {
        const posting = postings.get(word);
        if (!posting) continue;
        const rarity = Math.log(1 + (texts.length - posting.size + 0.5) / (posting.size + 0.5));
        for (const [at, w] of posting) scores.set(at, (scores.get(at) ?? 0) + (rarity * w) / (1.2 + w));
      }
      return [...scores]
        .sort((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, limit)
        .map(([at]) => tools[at]?.name ?? "");
    };
  },
};

export const engines: readonly Engine[] = [substring, orama, aiSdk, minisearch, bm25f, wield];

const plainStops = new Set(
  "a an and are as at be by for from in is it of on or that the this to with i me my you your we our".split(
    " ",
  ),
);

function plainWords(text: string): string[] {
  const spaced = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return (spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((w) => !plainStops.has(w)).map(stem);
}

function flat({ name, category = "", description, parameters = {} }: ToolDocument) {
  return { name, category, description, parameters: Object.entries(parameters).flat().join(" ") };
}
