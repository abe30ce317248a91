import { isComment, type LineRange, withoutBlanks } from "./shown-lines.ts";

/** A word of the question that stands in more than this share of the lines does not say which of them are meant. */
const everywhere = 0.2;
/** A block with more than this share of the lines is the text itself, and is always unfolded. */
const mostOfText = 0.5;
const shortComment = 2;
/** A block of so few lines is unfolded if its first line, or the comment above it, is about the question. */
const blockAbout = 20;
/** Where more than this share of the lines stays, nothing is folded. */
const littleSaved = 0.8;
/** Statements that stay beside a line that the question is about. */
const beside = 2;
/** A block of so few lines is not folded, nor is a function among others, a constant among them, or a run of so few statements. */
const short = { block: 8, function: 20, constant: 40, run: 8, value: 8 };

interface Statement {
  index: number;
  /** The lines that are indented below it. */
  inside: Statement[];
  /** How many lines it has with all that is inside. */
  size: number;
  isAbout: boolean;
  /** Whether it or something inside is about the question. */
  hasAbout: boolean;
}

/**
 * A long text folded to what a question is about, as an editor folds code: blocks without any word of it are left out
 * between their first line and their last one. Returns the ranges of lines that stay, counted from 1; all of them where
 * little would be saved.
 */
export function unfoldedLines(
  lines: readonly string[],
  wordsIn: (line: string) => readonly string[],
  isNamed: (line: string) => boolean = () => false,
): LineRange[] {
  const statements = statementsOf(lines, linesAbout(lines, wordsIn, isNamed));
  const filled = statements.reduce((sum, { size }) => sum + size, 0);
  const kept = new Set<number>();
  unfold(statements, kept, { lines, all: filled });
  return kept.size >= filled * littleSaved ? [[1, lines.length]] : rangesOf(lines, kept);
}

/** Closing brackets and words. */
export const isClosing = (line: string) => /^\s*(?:[)\]}]+[;,]*|end)\s*$/.test(line);

function linesAbout(
  lines: readonly string[],
  wordsIn: (line: string) => readonly string[],
  isNamed: (line: string) => boolean,
): ReadonlySet<number> {
  const texts = textsIn(lines);
  const found = lines.map((line, index) => (texts.has(index) ? [] : wordsIn(line)));
  const counts = new Map<string, number>();
  for (const words of found) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const telling = [...counts].filter(([, count]) => count <= lines.length * everywhere);
  const words = new Set((telling.length > 0 ? telling : [...counts]).map(([word]) => word));
  return new Set(
    lines.flatMap((line, index) =>
      found[index]?.some((word) => words.has(word)) || isNamed(line) ? [index] : [],
    ),
  );
}

/** Lines of long texts that are given to something: their words, although they may be those of the question, are no code. */
function textsIn(lines: readonly string[]): ReadonlySet<number> {
  const inside = new Set<number>();
  let text: string | undefined;
  for (const [index, line] of lines.entries()) {
    const quotes = line.match(/"""|'''/g) ?? [];
    if (text !== undefined) {
      inside.add(index);
      if (quotes.includes(text as never)) text = undefined;
      continue;
    }
    // Documentation stands alone.
    if (quotes.length === 1 && /[=(,]\s*[a-zA-Z]{0,2}(?:"""|''')/.test(line)) text = quotes[0];
  }
  return inside;
}

/** Lines by their indentation: what is deeper than a line and follows it is inside of it. Blank and closing lines are left out. */
function statementsOf(lines: readonly string[], about: ReadonlySet<number>): Statement[] {
  const top: Statement[] = [];
  const open: { depth: number; statement: Statement }[] = [];
  for (const [index, line] of lines.entries()) {
    if (isBare(line)) continue;
    const depth = depthOf(line);
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    const isAbout = about.has(index);
    const statement = { index, inside: [], size: 1, isAbout, hasAbout: isAbout };
    (open.at(-1)?.statement.inside ?? top).push(statement);
    for (const { statement: around } of open) {
      around.size++;
      around.hasAbout ||= isAbout;
    }
    open.push({ depth, statement });
  }
  return top;
}

interface Folded {
  lines: readonly string[];
  /** How many lines there are that are neither blank nor closing. */
  all: number;
}

function unfold(statements: readonly Statement[], kept: Set<number>, text: Folded, isTop = true): void {
  const { lines, all } = text;
  const isNear = (at: number) =>
    statements.slice(Math.max(0, at - beside), at + beside + 1).some(({ hasAbout }) => hasAbout);
  let run: Statement[] = [];
  const endRun = () => {
    const isOfComment = run.every(({ index }) => isComment(lines[index] ?? ""));
    const stays = run.length <= (isOfComment ? shortComment : short.run) ? run : run.slice(0, 1);
    for (const { index } of stays) kept.add(index);
    run = [];
  };
  for (const [at, statement] of statements.entries()) {
    if (statement.inside.length === 0 && !isNear(at)) {
      run.push(statement);
      continue;
    }
    endRun();
    kept.add(statement.index);
    const above = statements[at - 1];
    const isToldAbove = above?.isAbout === true && isComment(lines[above.index] ?? "");
    const isMeant = (statement.isAbout || isToldAbove) && statement.size - 1 <= blockAbout;
    const isOpen =
      isMeant ||
      statement.inside.some(({ hasAbout }) => hasAbout) ||
      statement.size - 1 <= longestUnfolded(lines[statement.index] ?? "", isTop) ||
      statement.size > all * mostOfText;
    if (!isOpen) continue;
    if (isMeant || isConstant(lines[statement.index] ?? "")) keepAll(statement.inside, kept);
    else unfold(statement.inside, kept, text, false);
  }
  endRun();
}

/** How many lines below this one stay, whatever they are about. */
function longestUnfolded(line: string, isTop: boolean): number {
  if (isConstant(line)) return isTop ? short.constant : short.value;
  return isTop ? short.function : short.block;
}

/** `const names = [`: what follows is one value. */
const isConstant = (line: string) => /=\s*[\w.<>&[\]]*[[({]\s*$/.test(line);

function keepAll(statements: readonly Statement[], kept: Set<number>): void {
  for (const { index, inside } of statements) {
    kept.add(index);
    keepAll(inside, kept);
  }
}

/**
 * Lines that stay, with the closing lines of the blocks that they open, and the blank ones beside them. A single line costs
 * less than what would be said of it.
 */
function rangesOf(lines: readonly string[], kept: ReadonlySet<number>): LineRange[] {
  const ranges: LineRange[] = [];
  for (const index of [...[...kept].sort((a, b) => a - b), lines.length]) {
    const last = ranges.at(-1);
    let start = index;
    if (last) {
      const depth = depthOf(lines[last[1] - 1] ?? "");
      const closes = (at: number, below: number) =>
        isBare(lines[at] ?? "") && (isBlank(lines[at]) || depthOf(lines[at] ?? "") < below);
      while (last[1] < start && closes(last[1], depth)) last[1]++;
      while (last[1] < start && closes(start - 1, depth + 1)) start--;
    }
    const end = Math.min(index + 1, lines.length);
    if (last && start - last[1] <= 1) last[1] = end;
    else if (start < end) ranges.push([start + 1, end]);
  }
  return ranges.map((range) => withoutBlanks(lines, range));
}

const isBlank = (line = "") => line.trim() === "";
const isBare = (line: string) => isBlank(line) || isClosing(line);

/** The second and further lines of a block comment begin one space further right, which is no depth. */
function depthOf(line: string): number {
  const text = line.trimStart();
  const depth = line.length - text.length;
  return text.startsWith("*") && isComment(line) ? depth - 1 : depth;
}
