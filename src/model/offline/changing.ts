import { callFor, calling, doneBy } from "./abilities.ts";
import { openFile } from "./locate.ts";
import { fileText, matchesIn } from "./results.ts";
import type { Done, Move, Shape, Standing } from "./standing.ts";

const comment: Shape = {
  example: "Add a comment to the top of main.js explaining what it does",
  recognise: (question) => {
    const [, file = "", rest = ""] =
      /\badd (?:a |an )?(?:\w+ )?comment (?:to|at|on) (?:the )?(?:top|head|beginning|start) of (?:the file )?[`"']?([\w@./+-]+\.\w+)[`"']?(.*)$/is.exec(
        question,
      ) ?? [];
    if (!file) return undefined;
    const words = /(?:saying|that says|with the text|:)\s*["'`“]?(.+?)["'`”]?\s*$/is.exec(rest)?.[1];
    return (standing) => {
      const opened = openFile(standing, file);
      if ("move" in opened) return opened.move;
      const { path } = opened;
      const { content, whole } = fileText(opened.file);
      return changed(standing, path, `a comment at the top of ${path}`, () => {
        const text = commentFor(path, words ?? describe(path, content));
        const why = `add a comment at the top of ${path}`;
        const first = uniqueHead(content);
        return (
          (first &&
            callFor("replace", standing, {
              path,
              old: first,
              content: withComment(text, first),
              count: 1,
              why,
            })) ||
          (whole
            ? callFor("rewrite", standing, { path, content: `${withComment(text, content)}\n`, why })
            : undefined)
        );
      });
    };
  },
};

const replace: Shape = {
  example: 'Replace "foo" with "bar" in src/main.js',
  recognise: (question) => {
    const [, quoted, bare, byQuoted, byBare, file] =
      /^(?:please )?(?:replace|change|rename) (?:all |every )?(?:["'`](.+?)["'`]|(\S+)) (?:by|with|to|into) (?:["'`](.*?)["'`]|(\S+))(?: in ([\w@./+-]+))?/is.exec(
        question,
      ) ?? [];
    const old = quoted ?? bare;
    const content = byQuoted ?? byBare;
    if (old === undefined || content === undefined) return undefined;
    const path = file && /[./]/.test(file.replace(/[.!?]$/, "")) ? file.replace(/[.!?]$/, "") : undefined;
    return (standing) => replaceIn(path, old, content, standing);
  },
};

/** Counts first, so that the edit states how many occurrences it expects: any other number is an error. */
function replaceIn(path: string | undefined, old: string, content: string, standing: Standing): Move {
  const edits = doneBy("replace", standing);
  if (edits.length > 0)
    return { say: report(edits, `${JSON.stringify(old)} is now ${JSON.stringify(content)}`) };
  const searched = doneBy("search", standing).at(-1);
  if (!searched) {
    const call = callFor("search", standing, { pattern: literally(old), path });
    return calling(`I'll look for ${JSON.stringify(old)}.`, call);
  }
  const hits = Map.groupBy(searched.failed ? [] : matchesIn(searched), ({ file }) => file);
  if (hits.size === 0)
    return {
      say: `${JSON.stringify(old)} does not occur in ${path ?? "any file"}. ${searched.failed ? searched.text : ""}`.trim(),
    };
  const calls = [...hits].flatMap(([file, lines]) => {
    const count = lines.reduce((sum, { text }) => sum + text.split(old).length - 1, 0);
    const why = `replace ${JSON.stringify(old)} with ${JSON.stringify(content)}`;
    return callFor("replace", standing, { path: file, old, content, count, why }) ?? [];
  });
  return { say: "", ...(calls.length > 0 && { calls }) };
}

const create: Shape = {
  example: 'Create a file notes.md with the content "hello"',
  recognise: (question) => {
    const [, path = "", rest = ""] =
      /^(?:please )?(?:create|make|write|add) (?:a |the )?(?:new )?file (?:called |named |at )?[`"']?([\w@./+-]+)[`"']?(.*)$/is.exec(
        question,
      ) ?? [];
    const fenced = /```\w*\n([\s\S]*?)```/.exec(rest)?.[1];
    const quoted = /(?:with|containing|that says|content|text)\b[^"'`“]*["'`“]([\s\S]*)["'`”]/i.exec(
      rest,
    )?.[1];
    const content = fenced ?? quoted ?? "";
    if (!path) return undefined;
    const text = content === "" || content.endsWith("\n") ? content : `${content}\n`;
    return (standing) =>
      changed(standing, path, `the file ${path}`, () =>
        callFor("create", standing, { path, content: text, why: `create ${path}` }),
      );
  },
};

const run: Shape = {
  example: "Run this python code: print(1 + 1)",
  recognise: (question) => {
    const [, language, code] =
      /^(?:please )?(?:run|execute) (?:this |the following )?(python|bash|shell)?\s*(?:code|script|command)?\s*:?\s*\n?([\s\S]+)$/i.exec(
        question,
      ) ?? [];
    const fenced = code && /```(\w*)\n([\s\S]*?)```/.exec(code);
    const source = fenced
      ? fenced[2]
      : code && (language || /:/.test(question))
        ? code.replace(/^`|`$/g, "")
        : undefined;
    if (!source?.trim()) return undefined;
    const kind = /^(?:bash|shell|sh)$/i.test(fenced?.[1] || language || "") ? "bash" : "python";
    return (standing) => {
      const done = doneBy("run", standing).at(-1);
      if (done)
        return {
          say: done.failed
            ? `It could not be run. ${done.text}`
            : `The result:\n\n\`\`\`\n${done.text}\n\`\`\``,
        };
      const call = callFor("run", standing, { language: kind, content: source });
      return calling(`I'll run it as ${kind}.`, call);
    };
  },
};

export const changingShapes: readonly Shape[] = [comment, replace, create, run];

function changed(
  standing: Standing,
  path: string,
  what: string,
  call: () => ReturnType<typeof callFor>,
): Move {
  const edits = (["replace", "rewrite", "create"] as const).flatMap((ability) => doneBy(ability, standing));
  if (edits.length > 0) return { say: report(edits, `${what} is in place`) };
  const next = call();
  return {
    say: "",
    ...(next ? { calls: [next] } : { say: `I cannot change ${path} with the tools I have.` }),
  };
}

function report(edits: readonly Done[], success: string): string {
  const failures = [...new Set(edits.filter(({ failed }) => failed).map(({ text }) => text))];
  if (failures.length === 0) return `Done: ${success}.`;
  const done = edits.length > failures.length ? "Some changes were made. " : "Nothing was changed. ";
  return `${done}${failures.join("\n")}\nTell me how to proceed.`;
}

/** As many lines from the top as are needed for a text that occurs only once in the file. */
function uniqueHead(content: string): string | undefined {
  const lines = content.split("\n");
  for (let count = 1; count <= Math.min(20, lines.length); count++) {
    const head = lines.slice(0, count).join("\n");
    if (head.trim() !== "" && content.split(head).length === 2) return head;
  }
  return undefined;
}

/** At the top, below the interpreter line. */
function withComment(comment: string, text: string): string {
  const [first = "", ...rest] = text.split("\n");
  return first.startsWith("#!") ? [first, comment, ...rest].join("\n") : `${comment}\n${text}`;
}

function commentFor(path: string, text: string): string {
  const extension = path.split(".").at(-1)?.toLowerCase() ?? "";
  const lines = text.trim().split("\n");
  if (["html", "xml", "md", "vue", "svg"].includes(extension)) return `<!-- ${lines.join("\n     ")} -->`;
  if (["css", "scss", "less"].includes(extension)) return `/* ${lines.join("\n   ")} */`;
  const mark = [
    "py",
    "rb",
    "sh",
    "bash",
    "toml",
    "yaml",
    "yml",
    "pl",
    "r",
    "ex",
    "exs",
    "mk",
    "conf",
  ].includes(extension)
    ? "#"
    : ["sql", "lua", "hs", "elm"].includes(extension)
      ? "--"
      : "//";
  return lines.map((line) => `${mark} ${line}`.trimEnd()).join("\n");
}

/** A description from imports and declarations alone. */
function describe(path: string, content: string): string {
  const imports = names(
    content,
    /^\s*(?:import\b.*?from\s+["']|import\s+["']?|from\s+|.*\brequire\(["'])([\w@./:-]+)/gm,
  );
  const declared = names(
    content,
    /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function|class|interface|const|let|def|fn|func|struct|type)\s+([A-Za-z_$][\w$]*)/gm,
  );
  const says = [
    ...(declared.length > 0 ? [`defines ${declared.slice(0, 6).join(", ")}`] : []),
    ...(imports.length > 0 ? [`uses ${imports.slice(0, 6).join(", ")}`] : []),
  ];
  return `${path.split("/").at(-1)}: ${says.join("; ") || `${content.split("\n").length} lines`}.`;
}

/** Readable in the call, unlike `RegExp.escape`. */
function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function names(content: string, pattern: RegExp): string[] {
  return [...new Set([...content.matchAll(pattern)].flatMap(([, name]) => (name ? [name] : [])))];
}
