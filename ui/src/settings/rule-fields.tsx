import type { RuleView } from "../../../src/api/settings.ts";

type FieldName = "tool" | "path" | "url" | "command";

/** What a rule can name, and what an example is made of. */
const fields: readonly { name: FieldName; label: string; any: string; example: string }[] = [
  { name: "tool", label: "Tool", any: "every tool", example: "edit_file" },
  { name: "path", label: "Path", any: "every path", example: "src/app.ts" },
  { name: "url", label: "Address", any: "every address", example: "https://example.com/" },
  { name: "command", label: "Command", any: "every command", example: "npm test" },
];

export type RuleFieldValues = Partial<Record<FieldName, string | undefined>>;

interface RuleFieldsProps {
  values: RuleFieldValues;
  /** What empty fields show: that they match everything, or an example. */
  hint: "any" | "example";
  onChange(values: RuleFieldValues): void;
}

export function RuleFields({ values, hint, onChange }: RuleFieldsProps) {
  return fields.map((field) => (
    <label key={field.name}>
      {field.label}
      <input
        value={values[field.name] ?? ""}
        placeholder={field[hint]}
        spellCheck={false}
        onChange={({ target }) => onChange({ [field.name]: target.value })}
      />
    </label>
  ));
}

/** Whether no field says what a rule is about. */
export function namesNothing(rule: RuleFieldValues): boolean {
  return fields.every(({ name }) => !rule[name]?.trim());
}

/** Without spaces around values, and without empty ones. */
export function tidy<T extends RuleView | RuleFieldValues>(values: T): T {
  const trimmed = Object.entries(values).map(
    ([name, value]) => [name, typeof value === "string" ? value.trim() : value] as const,
  );
  return Object.fromEntries(trimmed.filter(([, value]) => value !== "" && value !== undefined)) as T;
}
