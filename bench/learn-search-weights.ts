// Learns `signalWeights` of src/code/search/search-weights.ts. Usage:
//   node bench/learn-search-weights.ts <folder of git repositories> <queries.jsonl> …
// Each file of questions has the form that bench/code-search.ts reads. Use none that the ranking is measured with. For
// each question, the weights turn the signals of the files that a search opens into scores; their softmax is to be high
// where the gold files are. No weight is negative, large ones are penalised. Prints the weights, and the NDCG@10 of each
// file of questions for weights that were learned without the project asked about.
import { compared, type FileSignals } from "../src/code/search/file-signals.ts";
import { signalsOfFiles } from "../src/code/search/search.ts";
import { signalWeights } from "../src/code/search/search-weights.ts";
import { projectsOf, type Question, readQuestions } from "./code-search.ts";

interface Example {
  set: string;
  question: Question;
  /** Of each opened file: its signals as they are added up, and whether it is a gold file. */
  files: { path: string; counted: number[]; isGold: boolean }[];
}

const names = Object.keys(signalWeights) as (keyof FileSignals)[];
/** How sharply scores turn into chances; how much large weights cost; steps of the descent and their size. */
const sharpness = 8;
const penalty = 0.01;
const steps = 400;
const stepSize = 0.02;
const groups = 5;

function exampleOf(
  set: string,
  question: Question,
  files: Awaited<ReturnType<typeof signalsOfFiles>>,
): Example {
  const most = names.map((name) =>
    compared.has(name)
      ? files.reduce((best, { signals, worth }) => Math.max(best, signals[name] * worth), 0) || 1
      : 1,
  );
  return {
    ...{ set, question },
    files: files.map(({ path, worth, signals }) => ({
      path,
      counted: names.map((name, i) => (signals[name] * worth) / (most[i] ?? 1)),
      isGold: question.gold_files.includes(path),
    })),
  };
}

const scoreOf = (weights: readonly number[], counted: readonly number[]) =>
  counted.reduce((sum, amount, i) => sum + amount * (weights[i] ?? 0), 0);

/** Adds what would make the gold files of one example more likely, with the sign turned. */
function addGradient(gradient: number[], weights: readonly number[], { files }: Example): void {
  const golds = files.filter(({ isGold }) => isGold).length;
  if (golds === 0) return;
  const scores = files.map(({ counted }) => sharpness * scoreOf(weights, counted));
  const best = Math.max(...scores);
  const chances = scores.map((score) => Math.exp(score - best));
  const sum = chances.reduce((a, b) => a + b, 0);
  for (const [i, { counted, isGold }] of files.entries()) {
    const error = (chances[i] ?? 0) / sum - (isGold ? 1 / golds : 0);
    for (const [k, amount] of counted.entries()) (gradient[k] as number) += sharpness * error * amount;
  }
}

/** Gradient descent whose step for each weight goes by how large its gradients were (Adam). */
function learn(examples: readonly Example[]): number[] {
  const weights = names.map(() => 0.05);
  const mean = names.map(() => 0);
  const square = names.map(() => 0);
  for (let step = 1; step <= steps; step++) {
    const gradient = names.map(() => 0);
    for (const example of examples) addGradient(gradient, weights, example);
    const size = step < steps / 2 ? stepSize : stepSize / 5;
    for (const [k, weight] of weights.entries()) {
      const slope = (gradient[k] ?? 0) / examples.length + 2 * sharpness * penalty * weight;
      mean[k] = 0.9 * (mean[k] ?? 0) + 0.1 * slope;
      square[k] = 0.99 * (square[k] ?? 0) + 0.01 * slope ** 2;
      const direction =
        (mean[k] ?? 0) / (1 - 0.9 ** step) / (Math.sqrt((square[k] ?? 0) / (1 - 0.99 ** step)) + 1e-6);
      weights[k] = Math.max(0, weight - size * direction);
    }
  }
  return weights;
}

function ndcgOf({ question, files }: Example, weights: readonly number[]): number {
  const gain = (place: number) => 1 / Math.log2(place + 2);
  const found = files
    .map(({ counted, isGold }) => ({ isGold, score: scoreOf(weights, counted) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 10)
    .reduce((sum, { isGold }, place) => sum + (isGold ? gain(place) : 0), 0);
  return found / question.gold_files.slice(0, 10).reduce((sum, _, place) => sum + gain(place), 0);
}

/** NDCG@10 of each example, for weights learned from other projects. */
function crossValidated(examples: readonly Example[]): number[] {
  const projects = [...new Set(examples.map(({ question }) => question.repo))];
  const groupOf = ({ question }: Example) => projects.indexOf(question.repo) % groups;
  const learned = Array.from({ length: groups }, (_, group) =>
    learn(examples.filter((example) => groupOf(example) !== group)),
  );
  return examples.map((example) => ndcgOf(example, learned[groupOf(example)] ?? []));
}

const [repositories, ...sets] = process.argv.slice(2);
if (!repositories || sets.length === 0) {
  console.log("node bench/learn-search-weights.ts <folder of git repositories> <queries.jsonl> …");
  process.exit(2);
}
const examples: Example[] = [];
for (const set of sets)
  for await (const { question, project } of projectsOf(readQuestions(set), repositories, console.log))
    examples.push(exampleOf(set, question, await signalsOfFiles(project, question.query)));
const ndcg = crossValidated(examples);
for (const set of sets) {
  const ofSet = ndcg.filter((_, i) => examples[i]?.set === set);
  const mean = ofSet.reduce((sum, one) => sum + one, 0) / ofSet.length;
  console.log(`${set}: ${ofSet.length} questions, NDCG@10 ${mean.toFixed(3)}`);
}
for (const [i, weight] of learn(examples).entries())
  console.log(`  ${names[i]}: ${Math.round(100 * weight)},`);
