import { byDepth } from "../../text/depth.ts";
import { isComment, type LineRange } from "./shown-lines.ts";

/** A line that the question is about has at least this share of the greatest weight. */
const farBelow = 0.35;
/** A block with more than this share of the lines is the text itself, and is always unfolded. */
const mostOfText = 0.5;
const shortComment = 2;
/** A block of so few lines is unfolded if its first line, or the comment above it, is about the question. */
const blockAbout = 20;
/** Where more than this share of the lines stays, nothing is folded. */
const littleSaved = 0.8;

/** How much is folded. */
export interface Fold {
  /** The share of the lines that are taken for what the question is about, at most. */
  aboutIt: number;
  /** A block of so few lines is not folded, nor is a function among others, a constant among them, or a run of so few statements. */
  shortBlock: number;
  shortFunction: number;
  shortConstant: number;
  shortRun: number;
  /** The same for a value inside a function that is written in several lines. */
  shortValue: number;
  /** Statements that stay beside a line that the question is about. */
  beside: number;
}

/** From the lightest on. */
export const folds: readonly Fold[] = [
  {
    ...{ aboutIt: 0.25, beside: 3, shortRun: 10 },
    ...{ shortBlock: 16, shortFunction: 60, shortConstant: 40, shortValue: 10 },
  },
  {
    ...{ aboutIt: 0.2, beside: 2, shortRun: 8 },
    ...{ shortBlock: 8, shortFunction: 20, shortConstant: 40, shortValue: 8 },
  },
  {
    ...{ aboutIt: 0.2, beside: 1, shortRun: 4 },
    ...{ shortBlock: 6, shortFunction: 20, shortConstant: 20, shortValue: 3 },
  },
];

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
 * A long text folded to what a question is about, as an editor folds code: blocks that hold none of its heaviest lines are
 * left out below their first line. Returns the ranges of lines that stay, counted from 1; all of them where little would
 * be saved.
 */
export function unfoldedLines(
  lines: readonly string[],
  weightOf: (line: string) => number,
  isNamed: (line: string) => boolean = () => false,
  fold = folds[0] as Fold,
): LineRange[] {
  const aside = asideOf(lines);
  const about = linesAbout(lines, (line, index) => (aside.has(index) ? 0 : weightOf(line)), isNamed, fold);
  const statements = statementsOf(lines, about).map((one) => withoutLogging(one, lines));
  const filled = statements.reduce((sum, { size }) => sum + size, 0);
  const kept = new Set<number>();
  unfold(statements, kept, { lines, fold, all: filled });
  if (kept.size >= filled * littleSaved) return [[1, lines.length]];
  return rangesOf(lines, kept);
}

/** Closing brackets and words: the indentation says the same. */
export const isClosing = (line: string) => /^\s*(?:[)\]}]+[;,]*|end)\s*$/.test(line);

function linesAbout(
  lines: readonly string[],
  weightOf: (line: string, index: number) => number,
  isNamed: (line: string) => boolean,
  { aboutIt }: Fold,
): ReadonlySet<number> {
  const weighed = lines
    .map((line, index) => ({ index, weight: weightOf(line, index), named: isNamed(line) }))
    .sort((a, b) => b.weight - a.weight);
  const greatest = weighed[0]?.weight ?? 0;
  const heavy = weighed
    .slice(0, Math.ceil(lines.length * aboutIt))
    .filter(({ weight }) => weight > 0 && weight >= greatest * farBelow);
  return new Set([...heavy, ...weighed.filter(({ named }) => named)].map(({ index }) => index));
}

/** A call that only reports for those who run the program. What is printed for its user is another thing. */
const logging =
  /^\s*(?:await\s+)?(?:[a-z]\w*\.)?_?(?:log|logger|logging|slog|tracing|telemetry|posthog)(?:\.|::|\?\.)(?:debug|info|warn|error|exception|critical|trace|log|print|capture|emit|track)\w*(?:\?\.)?\(|^\s*(?:debug|info|trace)!\(/i;

/** Lines whose words say little about what the code does, although they may be those of the question: messages for a log, long texts. */
function asideOf(lines: readonly string[]): ReadonlySet<number> {
  const aside = new Set<number>();
  const depthOf = (line: string) => line.length - line.trimStart().length;
  let text: string | undefined;
  for (const [index, line] of lines.entries()) {
    const quotes = line.match(/"""|'''/g) ?? [];
    if (text !== undefined) {
      aside.add(index);
      if (quotes.includes(text as never)) text = undefined;
      continue;
    }
    // Documentation stands alone; a text is given to something.
    if (quotes.length === 1 && /[=(,]\s*[a-zA-Z]{0,2}(?:"""|''')/.test(line)) text = quotes[0];
    if (!logging.test(line)) continue;
    aside.add(index);
    for (let at = index + 1; at < lines.length && depthOf(lines[at] ?? "") > depthOf(line); at++)
      aside.add(at);
  }
  return aside;
}

/** Messages for a log are the first to be folded. */
function withoutLogging(statement: Statement, lines: readonly string[]): Statement {
  const inside = statement.inside
    .filter(({ index, hasAbout }) => hasAbout || !logging.test(lines[index] ?? ""))
    .map((one) => withoutLogging(one, lines));
  return { ...statement, inside };
}

/** Lines by their indentation: what is deeper than a line and follows it is inside of it. Blank and closing lines are left out. */
function statementsOf(lines: readonly string[], about: ReadonlySet<number>): Statement[] {
  const top: Statement[] = [];
  const open: { depth: number; statement: Statement }[] = [];
  for (const [index, line] of byDepth(lines).entries()) {
    if (line === "" || isClosing(line)) continue;
    const depth = line.length - line.trimStart().length;
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
  fold: Fold;
  /** How many lines there are that are neither blank nor closing. */
  all: number;
}

function unfold(statements: readonly Statement[], kept: Set<number>, text: Folded, isTop = true): void {
  const { lines, fold, all } = text;
  const { beside, shortRun } = fold;
  const isNear = (at: number) =>
    statements.slice(Math.max(0, at - beside), at + beside + 1).some(({ hasAbout }) => hasAbout);
  let run: Statement[] = [];
  const endRun = () => {
    const isOfComment = run.every(({ index }) => isComment(lines[index] ?? ""));
    const stays = run.length <= (isOfComment ? shortComment : shortRun) ? run : run.slice(0, 1);
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
      statement.size - 1 <= longestUnfolded(lines[statement.index] ?? "", isTop, fold) ||
      statement.size > all * mostOfText;
    if (!isOpen) continue;
    if (isMeant || isConstant(lines[statement.index] ?? "")) keepAll(statement.inside, kept);
    else unfold(statement.inside, kept, text, false);
  }
  endRun();
}

/** How many lines below this one stay, whatever they are about. */
function longestUnfolded(line: string, isTop: boolean, fold: Fold): number {
  if (isConstant(line)) return isTop ? fold.shortConstant : fold.shortValue;
  return isTop ? fold.shortFunction : fold.shortBlock;
}

/** `const names = [`: what follows is one value. */
const isConstant = (line: string) => /=\s*[\w.<>&[\]]*[[({]\s*$/.test(line);

function keepAll(statements: readonly Statement[], kept: Set<number>): void {
  for (const { index, inside } of statements) {
    kept.add(index);
    keepAll(inside, kept);
  }
}

/** Lines that stay, with the blank and closing ones between them. */
function rangesOf(lines: readonly string[], kept: ReadonlySet<number>): LineRange[] {
  const ranges: LineRange[] = [];
  for (const index of [...kept].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    const between = last ? lines.slice(last[1], index) : [""];
    if (last && between.every((line) => line.trim() === "" || isClosing(line))) last[1] = index + 1;
    else ranges.push([index + 1, index + 1]);
  }
  const last = ranges.at(-1);
  if (last && lines.slice(last[1]).every((line) => line.trim() === "" || isClosing(line)))
    last[1] = lines.length;
  return ranges;
}
