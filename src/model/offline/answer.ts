import { modelChoices } from "../providers.ts";
import { changingShapes } from "./changing.ts";
import { doingShapes } from "./doing.ts";
import { aboutCode, findingShapes } from "./finding.ts";
import { readingShapes } from "./reading.ts";
import type { Move, Shape, Standing } from "./standing.ts";
import { usingShapes } from "./using.ts";

/** Tried first: questions that change something are the most specific. */
const shapes: readonly Shape[] = [
  ...usingShapes,
  ...doingShapes,
  ...changingShapes,
  ...findingShapes,
  ...readingShapes,
];
/** More calls than any kind of question needs: repeated failures end here. */
const maxCalls = 60;

export function answer(standing: Standing): Move {
  const known = standing.done.length > 0 || canBegin(aboutCode, standing) ? [...shapes, aboutCode] : shapes;
  const next = known.map((shape) => shape.recognise(standing.question)).find((found) => found !== undefined);
  if (!next) return { say: unknownQuestion(standing) };
  const move = standing.done.length < maxCalls ? next(standing) : { say: "" };
  const callable = move.calls?.every(({ tool }) => standing.has(tool)) ?? true;
  if (callable && (move.say !== "" || move.calls)) return move;
  return { say: whatWasFound(standing) };
}

/** The last results, if the question cannot be answered completely. */
function whatWasFound({ done }: Standing): string {
  const useful = done.filter(({ failed }) => !failed);
  if (useful.length === 0) return "I found nothing: the tools for this question are not available here.";
  return `This is what I found so far:\n\n${useful.map(({ tool, text }) => `${tool}:\n${text}`).join("\n\n")}`;
}

/** Whether the available tools can answer its example. */
function canBegin({ example, recognise }: Shape, standing: Standing): boolean {
  const { calls = [] } = recognise(example)?.({ ...standing, question: example, done: [] }) ?? {};
  return calls.length > 0 && calls.every(({ tool }) => standing.has(tool));
}

function unknownQuestion(standing: Standing): string {
  return [
    "This is Wield's built-in offline model. It is not a language model and did not recognise this; it lists, reads and searches files, finds definitions and uses, makes small edits, runs commands and tests, and shows and undoes changes. `wield login` or Settings set up a language model; in a team, My account → Keys, or an admin. Examples of what it can do:",
    "",
    ...[aboutCode, ...shapes.toReversed()]
      .filter((shape) => canBegin(shape, standing))
      .map(({ example }) => `- ${example}`),
    "",
    "For everything else, set up a language model:",
    "",
    ...modelChoices()
      .split("\n")
      .map((choice) => `- ${choice}`),
  ].join("\n");
}
