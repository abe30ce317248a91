/** What is asked about, chosen for a folder or a session. A mode never overrides a `deny`, a protected name or flow control. */
export const permissionModes = ["ask", "edits", "plan", "auto"] as const;

export type PermissionMode = (typeof permissionModes)[number];

/** What each mode does, in one sentence: the same in the terminal, on the page and in editors. */
export const modeTexts: Readonly<Record<PermissionMode, { label: string; hint: string }>> = {
  ask: {
    label: "Ask",
    hint: "Asks before tools change files and before other calls that need approval; what a run adds as new files is not asked about.",
  },
  edits: {
    label: "Accept edits",
    hint: "Changes files in this folder without asking, except protected names; everything else asks as usual.",
  },
  plan: { label: "Plan", hint: "Changes nothing and sends nothing; the agent reads and makes a plan." },
  auto: {
    label: "Auto",
    hint: "Asks only where a rule says so, for protected names, outside the sandbox, and before private data could leave.",
  },
};

export function isPermissionMode(name: string): name is PermissionMode {
  return Object.hasOwn(modeTexts, name);
}

/** The notice for the model when plan mode starts or ends. */
export function planNotice(before: PermissionMode, mode: PermissionMode): string[] {
  if ((mode === "plan") === (before === "plan")) return [];
  return mode === "plan"
    ? [
        "The person switched to plan mode: calls that change or send something are refused. Read, then propose a plan.",
      ]
    : ["The person ended plan mode: calls that change or send something are possible again."];
}

/** The next one, for a key that walks through them. */
export function nextMode(mode: PermissionMode): PermissionMode {
  return permissionModes[(permissionModes.indexOf(mode) + 1) % permissionModes.length] ?? "ask";
}
