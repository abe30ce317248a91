import type { Field, Form } from "./form.ts";

interface FieldsProps {
  fields: readonly Field[];
  form: Form;
  onForm(form: Form): void;
}

export function FormFields({ fields, form, onForm }: FieldsProps) {
  if (fields.length === 0) return <p className="faint">This tool takes no input.</p>;
  return fields.map((field) => (
    <label key={field.name}>
      <span className="field-name">
        {field.name}
        {!field.required && <span className="faint">optional</span>}
      </span>
      <Control
        field={field}
        value={form[field.name] ?? ""}
        onValue={(value) => onForm({ ...form, [field.name]: value })}
      />
      {field.description && <span className="faint">{field.description}</span>}
    </label>
  ));
}

function Control({ field, value, onValue }: { field: Field; value: string; onValue(value: string): void }) {
  const { kind, required, standard, choices } = field;
  const placeholder = standard === undefined ? "" : `default ${JSON.stringify(standard)}`;
  if (kind === "choice" || kind === "boolean") {
    const options = kind === "boolean" ? ["true", "false"] : choices;
    return (
      <select value={value} required={required} onChange={(event) => onValue(event.target.value)}>
        <option value="">{placeholder || (required ? "choose…" : "leave out")}</option>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    );
  }
  if (kind === "long" || kind === "json") {
    return (
      <textarea
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
      type={kind === "number" ? "number" : "text"}
      step="any"
      value={value}
      placeholder={placeholder}
      required={required}
      onChange={(event) => onValue(event.target.value)}
    />
  );
}
