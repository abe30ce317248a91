import type { AskingChat } from "../../../src/api/approvals.ts";
import { visible } from "../parts/visible.ts";

/** At the page of a team: who started the chat, and the project that it works on. */
export function WhoseChat({ chat: { owner, project } }: { chat: AskingChat }) {
  if (owner === undefined || project === undefined) return null;
  return (
    <>
      {" · session of "}
      <strong>{visible(owner)}</strong> in <strong>{visible(project)}</strong>
    </>
  );
}
