import type { ProfileName } from "../agent/profiles.ts";
import type { Wield } from "../app/wield.ts";
import { modeTexts, nextMode, type PermissionMode, permissionModes, planNotice } from "../approval/modes.ts";
import { wrap } from "../text/wrap.ts";
import { columns } from "./command.ts";
import { knownMode } from "./run-options.ts";
import type { Io } from "./terminal.ts";

/** The session whose permission mode is shown and changed. */
interface Permitting {
  wield: Wield;
  agent: { session: string; profile: ProfileName };
  pendingNotices: string[];
}

/** The permission mode of the conversation: shown before the input, changed with Shift+Tab or /mode. */
export class ChatPermissions {
  #chat: Permitting | undefined;

  follow(chat: Permitting): void {
    this.#chat = chat;
  }

  get mode(): PermissionMode {
    return this.#chat?.wield.settings.mode(this.#chat.agent.session) ?? "ask";
  }

  /** Before the input: the permission mode, after the profile if it is not the usual one. */
  get label(): string {
    const profile = this.#chat?.agent.profile ?? "code";
    return `${profile === "code" ? "" : `${profile} · `}${this.mode} `;
  }

  next(): PermissionMode {
    const mode = nextMode(this.mode);
    void this.set(mode);
    return mode;
  }

  async set(mode: PermissionMode, folder = false): Promise<void> {
    const chat = this.#chat;
    if (!chat) return;
    const before = this.mode;
    await chat.wield.settings.setMode(mode, { session: chat.agent.session, folder });
    chat.pendingNotices.push(...planNotice(before, mode));
  }
}

export function modeSentence(mode: PermissionMode): string {
  const { label, hint } = modeTexts[mode];
  return `Mode: ${label}. ${hint}`;
}

/** `/mode`: lists the modes, or changes to one; with `folder`, also for later sessions in this folder. */
export async function choosePermissions(
  permissions: ChatPermissions,
  [wanted, where]: readonly string[],
  io: Io,
): Promise<void> {
  if (wanted === undefined) {
    const rows = permissionModes.map((mode) => [
      `${mode === permissions.mode ? "●" : " "} ${mode}`,
      modeTexts[mode].hint,
    ]);
    io.out(wrap(columns(rows), io.columns));
    return;
  }
  const mode = knownMode(wanted);
  await permissions.set(mode, where === "folder");
  io.out(modeSentence(mode) + (where === "folder" ? " Remembered for this folder." : ""));
}
