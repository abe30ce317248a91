import { useId } from "react";
import type { Field, Form } from "./form.ts";

interface FieldsProps {
  fields: readonly Field[];
  form: Form;
  onForm(form: Form): void;
  /** A few choices, of which one must be made, are shown at once. */
  asButtons?: boolean;
}

/** More of them are a list to choose from. */
const mostButtons = 6;

export function FormFields({ fields, form, onForm, asButtons = false }: FieldsProps) {
  if (fields.length === 0) return <p className="faint">This tool has no input fields.</p>;
  return fields.map((field) => {
    const isShort = field.kind === "choice" && field.required && field.choices.length <= mostButtons;
    const View = asButtons && isShort ? ChoiceButtons : FormField;
    return (
      <View
        key={field.name}
        field={field}
        value={form[field.name] ?? ""}
        onValue={(value) => onForm({ ...form, [field.name]: value })}
      />
    );
  });
}

const yesOrNo: Field["choices"] = [
  { value: "true", words: "yes" },
  { value: "false", words: "no" },
];

interface FieldProps {
  field: Field;
  value: string;
  onValue(value: string): void;
}

function ChoiceButtons({ field, value, onValue }: FieldProps) {
  const id = useId();
  return (
    <fieldset className="field choice-buttons">
      <legend>{field.title}</legend>
      {field.choices.map(({ value: option, words }) => (
        <label key={option}>
          <input
            type="radio"
            name={id}
            required={field.required}
            checked={option === value}
            onChange={() => onValue(option)}
          />
          {words}
        </label>
      ))}
      {field.description && <span className="faint">{field.description}</span>}
    </fieldset>
  );
}

function FormField({ field, value, onValue }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <div className="field-name">
        <label htmlFor={id}>{field.title}</label>
        {!field.required && <span className="faint">optional</span>}
      </div>
      <Control id={id} field={field} value={value} onValue={onValue} />
      {field.description && (
        <span className="faint" id={`${id}-about`}>
          {field.description}
        </span>
      )}
    </div>
  );
}

function Control({ id, field, value, onValue }: FieldProps & { id: string }) {
  const { kind, required, standard, choices } = field;
  const named = { id, "aria-describedby": `${id}-about` };
  const placeholder = standard === undefined ? "" : `default ${JSON.stringify(standard)}`;
  if (kind === "choice" || kind === "boolean") {
    const options = kind === "boolean" ? yesOrNo : choices;
    return (
      <select {...named} value={value} required={required} onChange={(event) => onValue(event.target.value)}>
        <option value="">{placeholder || (required ? "choose…" : "leave out")}</option>
        {options.map(({ value: option, words }) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    );
  }
  if (kind === "long" || kind === "json") {
    return (
      <textarea
        {...named}
        rows={kind === "json" ? 3 : 5}
        spellCheck={false}
        value={value}
        placeholder={kind === "json" ? placeholder || "JSON" : placeholder}
        required={required && kind === "json"}
        onChange={(event) => onValue(event.target.value)}
      />
    );
  }
  return (
    <input
      {...named}
      type={kind === "number" ? "number" : "text"}
      step="any"
      value={value}
      placeholder={placeholder}
      required={required}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}
