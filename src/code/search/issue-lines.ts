/** What a line of a longer question is: of an issue text, not every line tells what it is about. */
export type LineKind = "title" | "prose" | "code" | "trace" | "form";

const fence = /^\s*(?:```|~~~)/;
const heading = /^#{1,6} |^\*\*[^*]+\*\*:?\s*$/;
/** Headings of issue templates below which nothing about the code is said. */
const formHeading =
  /^\W*(?:(?:your )?environment|system(?: info(?:rmation)?)?|(?:\w+ )?versions?|operating system|output of .*|installed packages|checklist|are you willing.*|code of conduct)\W*$/i;
const traceStart = /Traceback \(most recent/;
const frame =
  /^\s*File "[^"]+", line \d+|^\s*at [\w.$<>]+\(|^\s*from .*:\d+:in |^\s*[\w./-]+:\d+:in |^-+> ?\d+|^\s*\d+ {2,}/;
/** Ends a stack trace, and says what happened. */
const errorMessage = /^[\w.]*(?:Error|Exception|Warning)\b/;
const codeLine =
  /^(?:\t| {4,})\S|^\s*(?:>>>|\.\.\. |In \[\d+\]|Out\[\d+\]|\$ )|^\s*(?:from [\w.]+ import |import [\w.]+|def \w+\(|class \w+[(:]|return\b|@\w+|\w+(?:\.\w+)* = |\w+(?:\.\w+)*\(.*\)\s*$)/;

export function lineKinds(lines: readonly string[]): LineKind[] {
  let isFenced = false;
  let isComment = false;
  let isForm = false;
  let isTrace = false;
  return lines.map((line, index) => {
    if (index === 0) return "title";
    if (fence.test(line)) {
      isFenced = !isFenced;
      isTrace = false;
      return "form";
    }
    if (!isFenced && line.includes("<!--")) isComment = true;
    if (isComment) {
      isComment = !line.includes("-->");
      return "form";
    }
    if (!isFenced && (heading.test(line) || formHeading.test(line)))
      isForm = formHeading.test(line.replace(/^#+ /, ""));
    const isFrame = frame.test(line);
    if (isFrame || traceStart.test(line)) isTrace = true;
    // Below a frame stands its line of code, indented.
    else if (isTrace && !isFenced && !/^\s+\S/.test(line)) isTrace = false;
    if (isForm && !isFrame) return "form";
    if (isTrace && !errorMessage.test(line)) return "trace";
    isTrace = false;
    if (!isFenced && !codeLine.test(line)) return "prose";
    return errorMessage.test(line) ? "prose" : "code";
  });
}
