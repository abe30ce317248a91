import type { ModeView, PermissionModeName } from "../../../src/api/api.ts";

interface PermissionChoiceProps {
  modes: readonly ModeView[];
  mode: PermissionModeName;
  onChoose(mode: PermissionModeName): void;
}

/** What is asked about; remembered for the folder. */
export function PermissionChoice({ modes, mode, onChoose }: PermissionChoiceProps) {
  return (
    <select
      className="small permissions"
      aria-label="Permissions"
      data-mode={mode}
      title={modes.find(({ name }) => name === mode)?.hint}
      value={mode}
      onChange={(event) => onChoose(event.target.value as PermissionModeName)}
    >
      {modes.map(({ name, label, hint }) => (
        <option key={name} value={name} title={hint}>
          {label}
        </option>
      ))}
    </select>
  );
}
