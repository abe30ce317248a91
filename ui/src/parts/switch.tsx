import { Icon } from "./icon.tsx";

interface SwitchProps {
  label: string;
  on: boolean;
  onChange(on: boolean): void;
}

export function Switch({ label, on, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={on}
      aria-label={label}
      onClick={() => onChange(!on)}
    />
  );
}

/** In the place of a switch: without these tools a model could find no other one. */
export function AlwaysOn() {
  return (
    <span className="always-on">
      <Icon name="lock" size={14} /> Always on
    </span>
  );
}
