// A page for each framework, from its example in examples/: the comment at its top says what it is for, what to install and how
// approvals work there.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Titles by the names of examples and pages. */
const frameworks: Readonly<Record<string, string>> = {
  "ai-sdk": "AI SDK",
  "hono-stream": "streamText in Hono or Next.js",
  "openai-sdk": "OpenAI SDK",
  "anthropic-sdk": "Anthropic SDK",
  langgraph: "LangGraph",
  mastra: "Mastra",
};

interface Example {
  /** The lines of the comment at its top. */
  comment: string[];
  code: string;
}

export function readExample(name: string): Example {
  const file = resolve(import.meta.dirname, `../examples/${name}.ts`);
  const lines = readFileSync(file, "utf8").split("\n");
  const end = lines.findIndex((line) => !line.startsWith("// "));
  return {
    comment: lines.slice(0, end).map((line) => line.slice(3)),
    code: `\`\`\`ts\n${lines.slice(end).join("\n").trim()}\n\`\`\``,
  };
}

/** By the path below docs/. */
export function frameworkPages(): Record<string, string> {
  const pages = Object.entries(frameworks).map(([name, title]) => {
    const { comment, code } = readExample(name);
    const [purpose = "", install = "", ...approvals] = comment;
    const parts = [
      `# ${title}`,
      purpose,
      `\`\`\`sh\n${install}\n\`\`\``,
      code,
      `This is \`examples/${name}.ts\`, which runs in the tests.`,
      "## Approvals",
      approvals.join(" "),
      "What needs approval, and which rules change that: [permissions](../permissions.md). Everything else that a program can do: [library](../library.md).",
    ];
    return [join("frameworks", `${name}.md`), `${parts.join("\n\n")}\n`] as const;
  });
  return Object.fromEntries(pages);
}

/** A line for each framework, for docs/library.md. */
export function frameworkLinks(): string {
  return Object.entries(frameworks)
    .map(([name, title]) => `- [${title}](frameworks/${name}.md): ${readExample(name).comment[0]}`)
    .join("\n");
}
