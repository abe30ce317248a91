import { isActionVerb, isCreatingVerb } from "./action-verbs.ts";
import type { Entry, EntryField } from "./entry.ts";
import type { ValueKind } from "./values.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { Meaning } from "./word-table.ts";

/**
 * Features of a tool relative to the catalogue: computed when it first becomes a candidate, and again after the
 * catalogue changed.
 */
export interface ToolFeatures {
  meaning: Float32Array;
  /** Name and description: each stem with its share of the field. */
  said: readonly { stem: number; share: number }[];
  /** Stems of its arguments, each once, and of what is said about them. */
  arguments: readonly number[];
  explanations: ReadonlySet<number>;
  /** Kinds of values that it has an argument for. */
  takes: ReadonlySet<ValueKind>;
  /** The action that its name states. */
  actions: readonly Action[];
  /** What it creates, by its name (`createDocument`: a document); empty for a tool that creates nothing. */
  made: readonly number[];
  /** The words of the name: tools with the same name differ only in their arguments. */
  namesakes: string;
}

export interface Action {
  stem: number;
  vector: Float32Array | undefined;
  creates: boolean;
}

export function featuresOf(
  { fields, weights }: Entry,
  vocabulary: Vocabulary,
  rarity: (stem: number) => number,
): ToolFeatures {
  const meaning = new Meaning();
  for (const [stem, weight] of weights) meaning.add(vocabulary.vectorOf(stem), weight * rarity(stem));
  const distinct = (says: EntryField["says"]) => {
    const field = fields.find((each) => each.says === says);
    return field ? [...new Set(field.stems)] : [];
  };
  const name = distinct("its name");
  const creates = (stem: number) => isCreatingVerb(vocabulary.stemOf(stem));
  const asked = distinct("what it asks for");
  return {
    meaning: meaning.direction(),
    said: [...shares(name, rarity), ...shares(distinct("what it does"), rarity)],
    arguments: asked,
    explanations: new Set(distinct("how it asks")),
    takes: new Set(asked.flatMap((stem) => vocabulary.valuesFor(stem))),
    actions: name.flatMap((stem) =>
      isActionVerb(vocabulary.stemOf(stem))
        ? [
            {
              stem,
              vector: vocabulary.vectorOf(stem),
              creates: creates(stem),
            },
          ]
        : [],
    ),
    made: name.some(creates) ? name.filter((stem) => !creates(stem)) : [],
    namesakes: name
      .map((stem) => vocabulary.stemOf(stem))
      .filter((stem) => !/^\d/.test(stem))
      .sort()
      .join(" "),
  };
}

function shares(stems: readonly number[], rarity: (stem: number) => number): ToolFeatures["said"] {
  const rarities = stems.map(rarity);
  const all = rarities.reduce((sum, each) => sum + each, 0) || 1;
  return stems.map((stem, at) => ({ stem, share: (rarities[at] as number) / all }));
}
