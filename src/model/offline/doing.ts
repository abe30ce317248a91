import type { Call, Done, Move, Shape, Standing } from "./standing.ts";

/** One call, and its result as the answer. */
function once(say: string, call: Call, told: (done: Done) => string): (standing: Standing) => Move {
  return ({ done, has }) => {
    const made = done.find(({ tool }) => tool === call.tool);
    if (made) return { say: told(made) };
    return has(call.tool) ? { say, calls: [call] } : { say: "" };
  };
}

const fenced = ({ text }: Done) => `\`\`\`\n${text}\n\`\`\``;

const tests: Shape = {
  example: "Run the tests",
  recognise: (question) => {
    const found =
      /^(?:please )?(?:run|execute|start) (?:all (?:of )?)?(?:the |my |our )?(?:unit )?tests?(?: suite)?(?: (?:in|of|for) ([\w@./+-]*\w))?[.!?]*$/i.exec(
        question,
      ) ?? /^(?:do|are) (?:all )?(?:the )?tests (?:pass|passing|green)[.!?]*$/i.exec(question);
    if (!found) return undefined;
    const [, path] = found;
    return once(
      "I'll run the tests.",
      { tool: "run_tests", input: path === undefined ? {} : { path } },
      fenced,
    );
  },
};

const command: Shape = {
  example: "Run `ls -la`",
  recognise: (question) => {
    const [, quoted, bare] =
      /^(?:please )?(?:run|execute) (?:the command )?(?:[`"'](.+)[`"']|((?:npm|npx|node|python3?|pip|make|cargo|go|git|ls|cat|echo|grep|find|pwd|wc|head|tail|bash|sh)\b[^\n]*))$/i.exec(
        question.trim(),
      ) ?? [];
    const code = quoted ?? bare;
    if (code === undefined) return undefined;
    return once(
      "I'll run it in the sandbox.",
      { tool: "run_code", input: { language: "bash", code } },
      (done) => (done.failed ? `It could not be run. ${done.text}` : fenced(done)),
    );
  },
};

const undo: Shape = {
  example: "Undo the last change",
  recognise: (question) => {
    const [all, count] =
      /^(?:please )?(?:undo|revert|take back)(?: (?:that|this|it|the last (?:(\d+) )?(?:changes?|edits?)|your (?:last )?changes?|the changes?))?[.!?]*$/i.exec(
        question.trim(),
      ) ?? [];
    if (all === undefined) return undefined;
    const input = count === undefined ? {} : { steps: Number(count) };
    return once("I'll undo it.", { tool: "undo", input }, ({ failed, text }) =>
      failed ? `Nothing was undone. ${text}` : text,
    );
  },
};

const changes: Shape = {
  example: "What changed?",
  recognise: (question) => {
    const asked =
      /^(?:please )?(?:what (?:has |have |was |were |did )?(?:(?:you|i|we) )?(?:been )?changed?|(?:show|list)(?: me)? (?:the |all |my |your )?(?:changes|diff|changed files)|git (?:status|diff))(?: here| so far| since the last commit)?[.!?]*$/i;
    return asked.test(question.trim())
      ? once("I'll ask git.", { tool: "git_diff", input: {} }, (done) =>
          done.failed ? done.text : fenced(done),
        )
      : undefined;
  },
};

/** What a person asks for in a word or two. */
export const doingShapes: readonly Shape[] = [tests, command, undo, changes];
