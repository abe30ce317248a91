import { openFile } from "./locate.ts";
import { fileText } from "./results.ts";
import type { Shape } from "./standing.ts";

const fileName = /([\w@.+-]+(?:\/[\w@.+-]+)*\.\w+)/;

const field: Shape = {
  example: "Read package.json and tell me the project name",
  recognise: (question) => {
    const [, name = ""] = /([\w@./+-]+\.(?:json|toml))\b/i.exec(question) ?? [];
    const [, wanted = ""] =
      /(?:tell me|what(?:'s| is| are)?|which|show(?: me)?|give me|say) (?:the |its |about )?(?:value of |field )?(?:the )?["'`]?([\w.@ -]+?)["'`]?(?= (?:of|in|from|is|are|does|do)\b|[?.!]?\s*$)/i.exec(
        question.replace(name, "").replace(/\s+/g, " "),
      ) ?? [];
    if (!name || !wanted) return undefined;
    return (standing) => {
      const opened = openFile(standing, name);
      if ("move" in opened) return opened.move;
      const { content } = fileText(opened.file);
      const fields = /\.toml$/i.test(name) ? tomlFields(content) : jsonFields(content);
      const hit = bestField(wanted, fields);
      if (hit)
        return { say: `The ${wanted.trim()} in ${opened.path} is ${hit.value} (field \`${hit.key}\`).` };
      const keys = fields.filter(({ key }) => !key.includes(".")).map(({ key }) => key);
      return {
        say: `${opened.path} has no field ${JSON.stringify(wanted.trim())}. It has: ${keys.join(", ")}.`,
      };
    };
  },
};

const read: Shape = {
  example: "Show me src/main.js",
  recognise: (question) => {
    const name =
      /^(?:please )?(?:read|show(?: me)?|open|print|what(?:'s| is) in)\b/i.test(question) &&
      fileName.exec(question)?.[1];
    if (!name) return undefined;
    return (standing) => {
      const opened = openFile(standing, name);
      if ("move" in opened) return opened.move;
      return { say: `${opened.path}:\n\n\`\`\`\n${opened.file.text}\n\`\`\`` };
    };
  },
};

export const readingShapes: readonly Shape[] = [field, read];

interface Field {
  key: string;
  value: string;
}

function jsonFields(text: string): Field[] {
  try {
    return flatten(JSON.parse(text), "");
  } catch {
    return [...text.matchAll(/"([\w@./-]+)"\s*:\s*("[^"]*"|[\d.]+|true|false|null)/g)].map(
      ([, key = "", value = ""]) => ({ key, value: value.replace(/^"|"$/g, "") }),
    );
  }
}

function flatten(value: unknown, path: string): Field[] {
  const shown = typeof value === "string" ? value : JSON.stringify(value);
  const own = path === "" ? [] : [{ key: path, value: shown }];
  if (value === null || typeof value !== "object" || Array.isArray(value)) return own;
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, member]) =>
      flatten(member, path === "" ? key : `${path}.${key}`),
    ),
  ];
}

/** Single-line fields with their table: enough for most questions about a TOML file. */
function tomlFields(text: string): Field[] {
  let table = "";
  return text.split("\n").flatMap((line) => {
    const head = /^\s*\[+([^\]]+)\]+\s*(?:#.*)?$/.exec(line);
    if (head) table = (head[1] ?? "").trim();
    const [, key, value] = /^\s*"?([\w.-]+)"?\s*=\s*(.+?)\s*$/.exec(line) ?? [];
    if (head || key === undefined || value === undefined) return [];
    const plain = /^"([^"]*)"|^'([^']*)'/.exec(value);
    const bare = plain ? (plain[1] ?? plain[2] ?? "") : value.replace(/\s+#.*$/, "");
    return [{ key: table ? `${table}.${key}` : key, value: bare }];
  });
}

/** The field whose name ends the phrase: "project name" is `name`, "dev dependencies" is `devDependencies`. */
function bestField(wanted: string, fields: readonly Field[]): Field | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const target = plain(wanted);
  const last = plain(wanted.trim().split(/\s+/).at(-1) ?? "");
  const named = (field: Field, name: string) =>
    plain(field.key) === name || plain(field.key.split(".").at(-1) ?? "") === name;
  return (
    fields.find((candidate) => plain(candidate.key) === target) ??
    fields.find((candidate) => named(candidate, target)) ??
    fields.find((candidate) => named(candidate, last)) ??
    fields.find((candidate) => named(candidate, last.replace(/s$/, "")))
  );
}
