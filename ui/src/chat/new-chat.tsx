import { useEffect, useState } from "react";
import type { PermissionModeName, StatusView } from "../../../src/api/api.ts";
import { Problem } from "../parts/feedback.tsx";
import { isViewer, standardModel } from "../parts/words.ts";
import { send } from "../server/api.ts";
import { addressOf, goTo } from "../server/route.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { useAttachments } from "./attachments.tsx";
import { ChatFrame } from "./chat-frame.tsx";
import { Composer, standardMode } from "./composer.tsx";
import { useProjectChoice } from "./project-choice.tsx";
import { useShareChoice } from "./share-choice.tsx";
import { useDraft } from "./use-draft.ts";
import { Welcome } from "./welcome.tsx";
import { useWorktreeChoice } from "./worktree-choice.tsx";

interface NewChatProps {
  status: StatusView | undefined;
  asked: boolean;
  onWriting(writing: boolean): void;
}

/** A session that starts with the first message. */
export function NewChat({ status, asked, onWriting }: NewChatProps) {
  const [mode, setMode] = useState(standardMode);
  const [model, setModel] = useState<string>();
  const [permission, setPermission] = useState<PermissionModeName>();
  const { project, choice } = useProjectChoice(status?.team);
  const worktree = useWorktreeChoice(status);
  const share = useShareChoice();
  const { problem, attempt } = useAttempts();
  // Loaded in the background: needed for the first message only.
  useEffect(() => void import("./chat.tsx"), []);
  const [text, setText] = useDraft("new");
  const attachments = useAttachments();
  const say: Parameters<typeof Composer>[0]["onSend"] = (given, attached) =>
    attempt(async () => {
      const { profile, thoroughness } = mode;
      const how = profile === "explore" ? { thoroughness } : {};
      const { session, address } = await send<{ session: string; address?: string }>("/sessions", {
        text: given,
        attachments: attached.map(({ body }) => body),
        profile,
        ...how,
        ...(model !== undefined && { model }),
        ...(project && { project: project.id }),
        ...(permission !== undefined && { mode: permission }),
        ...(worktree.isOwn && { worktree: {} }),
        ...(share.isShared && { shared: true }),
      });
      if (address === undefined) goTo("chat", session);
      else location.assign(addressOf(address, "chat", session));
    });
  return (
    <ChatFrame
      running={false}
      fromTop
      dock={
        <>
          {problem && <Problem>{problem}</Problem>}
          {!isViewer(status) && (
            <Composer
              attachments={attachments}
              text={text}
              onText={setText}
              asked={asked}
              onWriting={onWriting}
              running={false}
              profiles={status?.profiles ?? []}
              mode={mode}
              onMode={setMode}
              permissions={status?.permissionModes ?? []}
              permission={permission ?? status?.permissionMode ?? "ask"}
              onPermission={(next) =>
                status?.team ? setPermission(next) : void attempt(() => send("/mode", { mode: next }))
              }
              model={model ?? standardModel(status)}
              onModel={async (name) => {
                if (!status?.team) await send("/models", { model: name });
                setModel(name);
              }}
              begun={false}
              ofTeam={status?.team !== undefined}
              choice={
                status?.team ? (
                  <>
                    {choice}
                    {share.choice}
                  </>
                ) : (
                  worktree.choice
                )
              }
              onSend={say}
              onStop={() => undefined}
            />
          )}
        </>
      }
    >
      {status && (
        <Welcome
          offline={status.model === "offline"}
          team={status.team}
          project={project?.name}
          onPick={(idea) => void say(idea, [])}
        />
      )}
    </ChatFrame>
  );
}
