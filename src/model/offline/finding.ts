import { callFor, calling, doneBy } from "./abilities.ts";
import { openFile } from "./locate.ts";
import { matchesIn, pathsIn } from "./results.ts";
import type { Move, Shape, Standing } from "./standing.ts";

const name = "[\"'`]?([\\w$.#]+)[\"'`]?";

const definition: Shape = {
  example: "Find where DatabaseService is defined",
  recognise: (question) => {
    const symbol = firstGroup(question, [
      new RegExp(`where (?:is|are|was) (?:the )?(?:\\w+ )?${name} (?:defined|declared|implemented)`, "i"),
      new RegExp(`where ${name} (?:is|are|was) (?:defined|declared|implemented)`, "i"),
      new RegExp(
        `(?:definition|declaration|implementation) of (?:the )?(?:function |class |method |type )?${name}`,
        "i",
      ),
    ]);
    if (!symbol) return undefined;
    const known =
      "function|class|interface|type|enum|struct|trait|impl|def|fn|func|const|let|var|module|object|record";
    const pattern = `\\b(?:${known})\\s+(?:\\([^)]*\\)\\s*)?${symbol}\\b`;
    return (standing) => {
      const found = standing.done.at(-1);
      if (!found) {
        const call = callFor("define", standing, { symbol }) ?? callFor("search", standing, { pattern });
        return calling(`I'll look for the definition of ${symbol}.`, call);
      }
      if (found.failed) return { say: `I could not find a definition of ${symbol}. ${found.text}` };
      if (doneBy("define", standing).length > 0) return { say: `${symbol}:\n\n${found.text}` };
      const matches = matchesIn(found);
      if (matches.length === 0) return { say: `I found no definition of ${symbol}.` };
      const lines = matches.map(({ file, line, text }) => `${file}:${line}: \`${text.trim()}\``);
      return { say: `${symbol} is defined in ${lines.join("\nand in ")}` };
    };
  },
};

const usages: Shape = {
  example: "What files use ToolExecutionService?",
  recognise: (question) => {
    const target = firstGroup(question, [
      /(?:what|which|who|find all|list|show)(?: other)?(?: files| modules| code)?(?: that| which)? (?:uses?|imports?|depends? on|requires?|references?) [`"']?([\w$./@-]+?)[`"']?[?.!]?$/i,
      /(?:who|what) (?:calls|is using|is importing) [`"']?([\w$./@-]+?)[`"']?(?:\(\))?[?.!]?$/i,
      /(?:usages?|importers|users|references) (?:of|to) [`"']?([\w$./@-]+?)[`"']?[?.!]?$/i,
      /where (?:is|are) [`"']?([\w$./@-]+?)[`"']? (?:used|imported|called|referenced)/i,
    ]);
    return target ? (standing) => usagesOf(target, standing) : undefined;
  },
};

/** References if available; else importers of the file with that name; else every occurrence of the name. */
function usagesOf(target: string, standing: Standing): Move {
  const base = target.split("/").at(-1) ?? target;
  const asked = doneBy("importers", standing).at(-1) ?? doneBy("references", standing).at(-1);
  if (asked && !asked.failed && !/^(?:Nothing imports|No )|is not defined here/.test(asked.text))
    return { say: `${target} is used here:\n\n${asked.text}` };
  const searched = doneBy("search", standing).at(-1);
  if (searched) return { say: usageReport(target, searched.failed ? [] : matchesIn(searched)) };
  const found = doneBy("find", standing).at(-1);
  const say = standing.done.length > 0 ? "" : `I'll look for what uses ${target}.`;
  const isPath = target.includes("/");
  const isFile = isPath || /\.(?:[cm]?[jt]sx?|py|go|rs|java|[ch](?:pp)?|rb|php|cs|kt|swift)$/.test(base);
  const references = !asked && !isFile && callFor("references", standing, { symbol: base });
  if (references) return { say, calls: [references] };
  const file = isPath ? target : found && pathsIn(found).find((path) => !/\.(?:md|json|txt|css)$/.test(path));
  const byFile = !asked && file !== undefined && callFor("importers", standing, { path: file });
  if (byFile) return { say, calls: [byFile] };
  const look =
    !found && !asked && !isPath && callFor("find", standing, { pattern: isFile ? base : `${base}.*` });
  if (look && callFor("importers", standing, { path: base })) return { say, calls: [look] };
  return calling(say, callFor("search", standing, { pattern: `\\b${base.replaceAll(".", "\\.")}\\b` }));
}

function usageReport(target: string, matches: ReturnType<typeof matchesIn>): string {
  const declares = new RegExp(`\\b(?:class|function|interface|type|enum|def|fn|func|struct)\\s+${target}\\b`);
  const uses = matches.filter(({ text }) => !declares.test(text));
  if (uses.length === 0) return `I found no uses of ${target}.`;
  const files = [...Map.groupBy(uses, ({ file }) => file)];
  const lines = files.map(
    ([file, hits]) =>
      `- ${file}: ${hits.map(({ line, text }) => `line ${line} \`${text.trim()}\``).join(", ")}`,
  );
  return `${files.length} ${files.length === 1 ? "file uses" : "files use"} ${target}:\n\n${lines.join("\n")}`;
}

const search: Shape = {
  example: "Find all TODO comments in the project",
  recognise: (question) => {
    const folder =
      /\b(?:in|under|below) (?:the )?([\w.-]+(?:\/[\w.-]+)*)\/?(?: folder| directory)?[?.!]?$/i.exec(
        question,
      )?.[1];
    const path =
      folder && !/^(?:project|code|codebase|repo|repository|workspace|files?|here)$/i.test(folder)
        ? folder
        : undefined;
    const marks = /\b((?:TODO|FIXME|HACK|XXX)s?)\b/.exec(question)?.[1]?.replace(/s$/, "");
    const quoted = firstGroup(question, [
      /(?:find|search(?: for)?|grep|look for|matches? (?:of|for)) (?:all |every )?(?:the )?(?:pattern |regex |text |lines with |occurrences of )*\/(.+)\//i,
      /(?:find|search(?: for)?|grep|look for|matches? (?:of|for)) (?:all |every )?(?:the )?(?:pattern |regex |text |lines with |occurrences of )*["'`](.+?)["'`]/i,
      /^(?:please )?(?:grep(?: for)?|search for) (\S+)/i,
      /^(?:please )?(?:find|search) ([\w$.-]+)[?!]*$/i,
    ]);
    const pattern = quoted ?? marks;
    if (
      !pattern ||
      !/\b(?:find|search|grep|look|list|show|what|which|where|any|all|matches)\b/i.test(question)
    )
      return undefined;
    return (standing) => {
      const found = doneBy("search", standing).at(-1);
      const call = callFor("search", standing, { pattern, path });
      if (!found) return calling(`I'll search for ${pattern}.`, call);
      if (found.failed) return { say: `The search failed. ${found.text}` };
      const matches = matchesIn(found);
      if (matches.length === 0) return { say: found.text };
      const more = found.text.split("\n").filter((line) => line.startsWith("...and "));
      const lines = matches.map(({ file, line, text }) => `- ${file}:${line}: ${text.trim()}`);
      return { say: [`${found.text.split("\n")[0]} for \`${pattern}\`:`, "", ...lines, ...more].join("\n") };
    };
  },
};

const structure: Shape = {
  example: "Show the structure of the project",
  recognise: (question) => {
    if (
      !/\b(?:structure|layout|tree)\b/i.test(question) &&
      !/\b(?:list|show|what)\b.*\b(?:files|folders|directories)\b/i.test(question)
    )
      return undefined;
    const folder =
      /\b(?:of|in|under|below) (?:the )?([\w.-]+(?:\/[\w.-]+)*)\/?(?: folder| directory)?[?.!]?$/i.exec(
        question,
      )?.[1];
    const path =
      folder && !/^(?:project|code|codebase|repo|repository|workspace|here|folder)$/i.test(folder)
        ? folder
        : undefined;
    return (standing) => {
      const found = doneBy("structure", standing).at(-1);
      const call = callFor("structure", standing, { path });
      if (!found) return calling("I'll look at the files.", call);
      return { say: found.failed ? `I could not list it. ${found.text}` : `\`\`\`\n${found.text}\n\`\`\`` };
    };
  },
};

const outline: Shape = {
  example: "Outline src/main.js",
  recognise: (question) => {
    const file = /\b(?:outline|symbols|overview|declarations|functions|classes)\b.*?([\w@./+-]+\.\w+)/i.exec(
      question,
    )?.[1];
    return file ? (standing) => outlineOf(file, standing) : undefined;
  },
};

function outlineOf(file: string, standing: Standing): Move {
  const shown = doneBy("outline", standing).find(({ failed }) => !failed);
  if (shown) return { say: `\`\`\`\n${shown.text}\n\`\`\`` };
  const call = standing.done.length === 0 && callFor("outline", standing, { path: file });
  if (call) return { say: `I'll outline ${file}.`, calls: [call] };
  const opened = openFile(standing, file);
  if ("move" in opened) return opened.move;
  const declares =
    /^\s*\d+\s+(?:export |default |public |private |protected |static |async |abstract )*(?:function|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|impl|module|package)\s+\w/;
  const lines = opened.file.text.split("\n").filter((line) => declares.test(line));
  if (lines.length === 0) return { say: `I found no declarations in ${opened.path}.` };
  return { say: `${opened.path} declares (line numbers first):\n\n\`\`\`\n${lines.join("\n")}\n\`\`\`` };
}

/** Any other question, if the code can be searched: not an answer, but the relevant code. */
export const aboutCode: Shape = {
  example: "How does the login work?",
  recognise: (question) => {
    if (!/^(?:please )?(?:how|why|where|what|which|who|when|explain|describe)\b.*\w{4}/is.test(question))
      return undefined;
    return (standing) => {
      const found = doneBy("about", standing).at(-1);
      if (!found)
        return calling("I'll search the code for it.", callFor("about", standing, { pattern: question }));
      if (found.failed) return { say: `The search failed. ${found.text}` };
      return {
        say: `The most relevant code for this question, best first:\n\n\`\`\`\n${found.text}\n\`\`\`\n\nThis is Wield's built-in offline model. It is not a language model and cannot explain what it found.`,
      };
    };
  },
};

export const findingShapes: readonly Shape[] = [definition, usages, outline, search, structure];

function firstGroup(text: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found) return found;
  }
  return undefined;
}
