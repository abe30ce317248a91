import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TestWield } from "../testing/testing.ts";
import { withoutRepeatedLines } from "./repeated-lines.ts";

// Holds every text in which a tool shows code against the files, which it reads itself: a line with a number is that line of
// its file, whole or cut with a mark, in order; where lines are left out, a mark says how many; all other lines are marks.

export interface Call {
  tool: string;
  input: Record<string, unknown>;
  text: string;
}

export interface Truth {
  /** Lines that were compared: those with a tab behind their number, and those of lists. */
  shown: number;
  listed: number;
  byTool: Record<string, number>;
  faults: string[];
}

const exactTools: ReadonlySet<string> = new Set([
  "read",
  "read_file",
  "batch_read",
  "definition",
  "search_code",
]);

/** What may stand in a text beside lines of files. */
const marks: Readonly<Record<string, readonly RegExp[]>> = {
  "": [
    /^$/,
    /^… lines? \d+–\d+ of \d+/,
    /^… \d+ more (?:members|declarations)$/,
    /^… \d+ of \d+ lines\b.*$/,
    /^listed above: /,
    /^… .*read_result.*$/,
  ],
  read: [
    /^\((?:end of file, |of )\d+ lines\)$/,
    /^… \d+ of \d+ lines follow: read\(.*\)$/,
    /^\(at most 300 lines a call\)$/,
    / is empty\.$/,
  ],
  read_file: [
    /^… lines \d+–\d+ of \d+\. Read on: read_file\(.*\)$/,
    /^\(written in [\w-]+\)$/,
    /^\(empty file\)$/,
  ],
  batch_read: [
    /^… \d+ more lines; read on: ".*:\d+-\d+"$/,
    /^declared there:$/,
    /^== (?:constants named above|calls, by signature|called from \(without tests and the lines above\))$/,
    /^== .*: [A-Z_]+: /,
    /^== callers not listed, many or only possible: .*; references lists them$/,
    /^== \S+(?: \S+)?: see \d+-\d+$/,
  ],
  definition: [
    /^Found \d+ definitions? for "/,
    /^Nothing is called ".*" exactly; similar:$/,
    /^\d+\. /,
    /^No definition of "/,
    /^\d+ of \d+ shown\. /,
    /^\S+ \S+:\d+(?:-\d+)?$/,
    /^Not all files are parsed yet/,
    /^The name occurs in files that could not be parsed/,
  ],
  search_code: [
    /^ \d+-\d+$/,
    /^ {0,2}→ \S/,
    /^ \d+ .+ \(\d+\)$/,
    /^\S+:\d+ .+ \(\d+\)$/,
    /^Nothing found for /,
    /^Nothing fits ".*" well: /,
  ],
};

const cutMark = /… \(\+(\d+) characters\)$/;
const unseenMark = " … (\\u{…}: characters that are not seen)";

export class TruthChecker {
  readonly truth: Truth = { shown: 0, listed: 0, byTool: {}, faults: [] };
  readonly #root: string;
  readonly #files = new Map<string, readonly string[] | undefined>();

  constructor(root: string) {
    this.#root = root;
  }

  check({ tool, input, text }: Call): void {
    const fault = (line: string, why: string) =>
      this.truth.faults.push(
        `${tool}(${JSON.stringify(input).slice(0, 160)}): ${why}: ${JSON.stringify(line.slice(0, 160))}`,
      );
    let file = (input["path"] ?? input["file"]) as string | undefined;
    let before: number | undefined;
    let left = 0;
    let section: "" | "members" | "calls" | "callers" = "";
    const lines = text.split("\n");
    for (const [at, line] of lines.entries()) {
      const [, place, number, code] = /^(?:(\S.*):)?(\d+)\t(.*)$/.exec(line) ?? [];
      if (number !== undefined && code !== undefined) {
        const n = Number(number);
        const why = this.#differs(place ?? file, n, code);
        if (why) fault(line, why);
        else this.#count(tool, "shown");
        if (place !== undefined) continue;
        if (before !== undefined && n !== before + left + 1)
          fault(line, `follows ${before} and ${left} left out`);
        before = n;
        left = 0;
        continue;
      }
      const gone = /^… (\d+) lines?(?:$|: (?:batch_read )?"\S.*:\d+-\d+"(?: shows them)?$|; members:$)/.exec(
        line,
      );
      const above = /^… (\d+)-(\d+) shown above$/.exec(line);
      if (gone || above) {
        left += gone ? Number(gone[1]) : Number(above?.[2]) - Number(above?.[1]) + 1;
        if (line.endsWith("members:")) section = "members";
        continue;
      }
      const listed = listedIn(tool, line);
      if (listed && file !== undefined) {
        for (const n of listed.numbers) {
          const why = this.#differsTrimmed(file, n, listed.text);
          if (why) fault(line, why);
          else this.#count(tool, "listed");
        }
        continue;
      }
      const heading = this.#fileOf(tool, line);
      if (heading) {
        file = heading.file;
        before = heading.first === undefined ? undefined : heading.first - 1;
        left = 0;
        section = "";
        continue;
      }
      if (line === "== calls, by signature") section = "calls";
      else if (line.startsWith("== called from")) section = "callers";
      else if (/^(?:members|declared there):$/.test(line)) section = "members";
      else if (line === "== constants named above") section = "";
      if (!exactTools.has(tool)) continue;
      const isTitle = tool === "definition" && /^\s*Location: /.test(lines[at + 1] ?? "");
      const isOfSection =
        (section === "members" && /^\d+(?:-\d+)? \S/.test(line)) ||
        (section === "calls" && /^\S.*:\d+ .* \(\d+\)(?: by \S+)?$/.test(line)) ||
        (section === "callers" && /^\S+: \S+:\d/.test(line));
      const isMark = [...(marks[""] ?? []), ...(marks[tool] ?? [])].some((mark) => mark.test(line));
      if (!isTitle && !isOfSection && !isMark) fault(line, "neither a line of a file nor a known mark");
    }
  }

  #count(tool: string, kind: "shown" | "listed"): void {
    this.truth[kind]++;
    this.truth.byTool[tool] = (this.truth.byTool[tool] ?? 0) + 1;
  }

  #differs(file: string | undefined, number: number, shown: string): string | undefined {
    const line = this.#line(file, number);
    if (line === undefined) return `${file} has no such line`;
    if (shown === line) return undefined;
    const isUnseen = shown.endsWith(unseenMark);
    const text = isUnseen ? shown.slice(0, -unseenMark.length) : shown;
    const [mark, more] = cutMark.exec(text) ?? [];
    const kept = mark === undefined ? text : text.slice(0, -mark.length);
    const written = isUnseen
      ? kept.replace(/\\u\{([0-9a-f]+)\}|\\([r0])/g, (_, hex, short) =>
          hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : short === "r" ? "\r" : "\0",
        )
      : kept;
    if (mark === undefined)
      return isUnseen && written === line && written !== text
        ? undefined
        : `is ${JSON.stringify(line.slice(0, 120))}`;
    if (isUnseen) return line.startsWith(written) ? undefined : "is no beginning of the line";
    return line.startsWith(kept) && line.length === kept.length + Number(more)
      ? undefined
      : "is cut and says something else";
  }

  /** Lists leave the indentation out, and may name what the line is in. */
  #differsTrimmed(file: string | undefined, number: number, shown: string): string | undefined {
    const line = this.#line(file, number)?.trim();
    if (line === undefined) return `${file} has no such line`;
    const plain = shown
      .replace(/ \((?:\d+ in this line|re-export\b.*?)\)$/, "")
      .replace(/ … also \d[\d, ]*(?: and \d+ more)?$/, "");
    const named = [/^$/, /^\[\S+\]\s*/, /^\[[^\]]+\]\s*/];
    const texts = named.map((name) => plain.replace(name, "").trim());
    const unseen = (text: string) =>
      text.replace(/\\u\{([0-9a-f]+)\}/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
    const isIt = texts.some((text) => {
      const [mark = text.endsWith("…") ? "…" : undefined] = cutMark.exec(text) ?? [];
      const kept = unseen(mark === undefined ? text : text.slice(0, -mark.length));
      return kept === line || (mark !== undefined && line.startsWith(kept));
    });
    return isIt ? undefined : `is ${JSON.stringify(line.slice(0, 120))}`;
  }

  /** A heading that names a file; `first`: the line that it says the lines begin with. */
  #fileOf(tool: string, line: string): { file: string; first?: number } | undefined {
    const [, ranged = "", from] = /^(\S.*?):(\d+)-\d+(?: \S.*)?$/.exec(line) ?? [];
    if (this.#lines(ranged)) return { file: ranged, first: Number(from) };
    const [, place = ""] = /^\s*Location: (.*?):\d+(?:-\d+)?$/.exec(line) ?? [];
    if (this.#lines(place)) return { file: place };
    const [, behind = ""] = (tool === "graph" && / {2}(\S+):\d+$/.exec(line)) || [];
    if (this.#lines(behind)) return { file: behind };
    const head = line.replace(/^== /, "");
    for (let end = head.length; end > 0; end = head.lastIndexOf(" ", end - 1)) {
      const file = head.slice(0, end);
      if (this.#lines(file)) return { file };
    }
    return undefined;
  }

  #line(file: string | undefined, number: number): string | undefined {
    return file === undefined ? undefined : this.#lines(file)?.[number - 1];
  }

  #lines(file: string): readonly string[] | undefined {
    if (!this.#files.has(file)) this.#files.set(file, linesIn(join(this.#root, file)));
    return this.#files.get(file);
  }
}

/** `  12: text`, `  13-⇥text`, `  3, 9: text` and `  4 text`, in the lists of the tools that have them. */
function listedIn(tool: string, line: string): { numbers: number[]; text: string } | undefined {
  if (/: shown above$/.test(line)) return undefined;
  const form =
    tool === "references"
      ? /^ {2}(\d+\??(?:, \d+\??)*):? (\S.*)$/
      : /^ {2}(\d+\??(?:, \d+\??)*)[:-][ \t](.*)$/;
  const [, numbers, text] = form.exec(line) ?? [];
  return numbers === undefined || text === undefined
    ? undefined
    : { numbers: numbers.split(", ").map((number) => Number.parseInt(number, 10)), text };
}

/** As an editor has them; nothing of what is no file, or is not written in UTF-8. */
function linesIn(path: string): readonly string[] | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
    const lines = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)).split(/\r\n|\n|\r/);
    if (lines.at(-1) === "") lines.pop();
    return lines;
  } catch {
    return undefined;
  }
}

/** A generator of numbers from a seed: the same calls each time. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const code =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|cs?|cc|cpp|hpp?|h|rb|php|kt|swift|scala|lua|sh|bash|md|txt|json|ya?ml|toml|css|html)$/i;
const largest = 400_000;

/** Calls of all tools that show code with what stands in the files, and what a conversation leaves of them: each text is checked. */
export async function checkTruth(
  { wield, root }: Pick<TestWield, "wield" | "root">,
  { rounds, seed = 1 }: { rounds: number; seed?: number },
): Promise<Truth> {
  const random = randomFrom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => code.test(file) && !/(?:^|\/)(?:\.git|node_modules)\//.test(file))
    .filter(
      (file) => statSync(join(root, file)).size < largest && (linesIn(join(root, file))?.length ?? 0) > 0,
    )
    .sort();
  const checker = new TruthChecker(root);
  const engine = await wield.code();
  let conversation: Call[] = [];
  const ask = async (tool: string, input: Record<string, unknown>, topic: string): Promise<void> => {
    const budget = pick([undefined, undefined, undefined, 120, 600, 2_000]);
    const { text, result } = await wield.callAny(tool, input, {
      ...(random() < 0.7 && { topic }),
      ...(budget !== undefined && { budget }),
    });
    if (!result.ok) return;
    checker.check({ tool, input, text });
    const left = withoutRepeatedLines({ tool, text }, conversation);
    if (left !== text) checker.check({ tool, input, text: left });
    conversation = [...conversation.slice(-4), { tool, input, text: left }];
  };
  for (let round = 0; round < rounds; round++) {
    const file = pick(files);
    const lines = linesIn(join(root, file)) ?? [];
    const words = lines.join("\n").match(/[\p{L}_]\w{3,}/gu) ?? ["word"];
    const topic = [pick(words), pick(words), pick(words)].join(" ");
    const first = 1 + Math.floor(random() * lines.length);
    const count = 1 + Math.floor(random() * 320);
    const { syntax } = (await engine.outline(file).catch(() => undefined)) ?? {};
    const names = (syntax?.declarations ?? []).map(({ name }) => name).filter((name) => /^\w+$/.test(name));
    const symbol = names.length > 0 ? pick(names) : pick(words);
    await ask("read", { file, start_line: first, num_lines: count }, topic);
    await ask(
      "read_file",
      { path: file, ...(random() < 0.5 && { startLine: first, numLines: count }) },
      topic,
    );
    await ask("batch_read", { reads: [`${file}:${first}-${Math.min(lines.length, first + count)}`] }, topic);
    await ask("batch_read", { reads: [pick(files), `${file}#${symbol}`, pick(files)] }, topic);
    await ask("batch_read", { reads: [...new Set([symbol, ...names.slice(0, 3)])] }, topic);
    await ask("definition", { symbols: [symbol, pick(words)] }, topic);
    await ask("search_code", { query: topic }, topic);
    await ask("grep", { pattern: RegExp.escape(pick(words)), context: pick([0, 0, 2]) }, topic);
    await ask("search_files", { pattern: RegExp.escape(pick(words)) }, topic);
    await ask("references", { symbol: names.length > 0 ? `${file}#${symbol}` : symbol }, topic);
    await ask("graph", { operation: pick(["callers", "callees"]), target: symbol }, topic);
  }
  return checker.truth;
}
