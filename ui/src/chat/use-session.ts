import { useChat } from "@ai-sdk/react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ProfileName } from "../../../src/api/api.ts";
import type { ChatMessage } from "../../../src/api/chat.ts";
import type { AttachmentBody, SessionView } from "../../../src/api/sessions.ts";
import { get, isPassing, wordsOf } from "../server/api.ts";
import { useStream } from "../server/use-server.ts";
import { urlOf } from "./attachments.tsx";
import { SessionTransport } from "./transport.ts";

export interface ShownSession {
  messages: readonly ChatMessage[];
  profile: ProfileName;
  running: boolean;
  /** An earlier process left a run unfinished. */
  unfinished: boolean;
  error: string | undefined;
  /** Why it has not begun yet. */
  queued: string | undefined;
  /** The folder that the session belongs to, where it is not this one. */
  folder: string | undefined;
  /** Its name, where that folder is a worktree of this one. */
  worktree: string | undefined;
  /** What became of that worktree, once it has ended. */
  worktreeEnd: string | undefined;
  /** Who started it, where that is somebody else of the team. */
  owner: string | undefined;
  /** Reads everything again. */
  reload(): Promise<void>;
  /** With options for the server; false if the server did not accept it. */
  say(text: string, files: readonly AttachmentBody[], more: object): Promise<boolean>;
}

interface About {
  unfinished: boolean;
  queued?: string;
  agent: ProfileName;
  folder?: string;
  worktree?: string;
  worktreeEnd?: string;
  owner?: string;
  error?: string;
}

/** Milliseconds between updates: smooth, at little cost. */
const drawMs = 30;

/** A session from its beginning, then live. Runs that another tab started are followed too. */
export function useSession(id: string): ShownSession {
  const stream = useStream();
  const transport = useMemo(() => new SessionTransport(id, stream), [id, stream]);
  /** Why the last message was not accepted. */
  const refusal = useRef("");
  const { messages, status, error, setMessages, sendMessage, resumeStream, stop } = useChat<ChatMessage>({
    id,
    transport,
    throttle: drawMs,
    onError: (failed) => {
      refusal.current = wordsOf(failed);
    },
  });
  const [about, setAbout] = useState<About>({ unfinished: false, agent: "code" });
  const loading = useRef<AbortController>(undefined);
  /** It could not be read because the server could not answer. */
  const isUnread = useRef(false);

  const load = useCallback(async () => {
    loading.current?.abort();
    const left = new AbortController();
    loading.current = left;
    try {
      const view = await get<SessionView>(`/sessions/${id}`, left.signal);
      // The snapshot includes everything that was read so far.
      await stop();
      if (left.signal.aborted) return;
      setMessages(view.messages);
      const { agent, folder, worktree, worktreeEnd, owner } = view.session;
      setAbout({
        ...{ unfinished: view.unfinished, agent },
        ...(view.queued !== undefined && { queued: view.queued }),
        ...(folder !== undefined && { folder }),
        ...(worktree !== undefined && { worktree }),
        ...(worktreeEnd !== undefined && { worktreeEnd }),
        ...(owner !== undefined && { owner }),
      });
      if (view.chunks) transport.found(view.chunks, left.signal);
      stream.follow(id, view.cursor);
      void resumeStream();
      isUnread.current = false;
    } catch (failed) {
      if (left.signal.aborted) return;
      setAbout((known) => ({ ...known, error: wordsOf(failed) }));
      // The connection notices when the server can answer again.
      isUnread.current = isPassing(failed);
      if (isUnread.current) stream.follow(id);
    }
  }, [id, stream, transport, stop, setMessages, resumeStream]);

  useEffect(() => {
    void load();
    const unlisten = stream.listen((event) => {
      const foreign = event.type === "chunk" && event.chunk.type === "start" && !transport.reading;
      if (event.type === "resync" || foreign) void load();
    });
    const unwatch = stream.watchConnection(() => {
      if (stream.connection === "open" && isUnread.current) void load();
    });
    return () => {
      unlisten();
      unwatch();
      loading.current?.abort();
    };
  }, [load, stream, transport]);

  const say = async (text: string, files: readonly AttachmentBody[], more: object) => {
    refusal.current = "";
    setAbout(({ error: _, ...known }) => known);
    const shown = files.map((file) => {
      const url = urlOf(file) ?? "data:,";
      return { type: "file" as const, filename: file.name, mediaType: file.mediaType, url };
    });
    const attachments = files.length > 0 ? { attachments: files } : {};
    await sendMessage({ parts: [...shown, { type: "text", text }] }, { body: { ...more, ...attachments } });
    const refused = refusal.current;
    // An unfinished run of an earlier process was finished before this message, so its message has changed.
    if (refused !== "" || about.unfinished) await load();
    if (refused !== "") setAbout((known) => ({ ...known, error: refused }));
    return refused === "";
  };
  const running = status === "submitted" || status === "streaming";
  const problem = about.error ?? (error && wordsOf(error));
  const { agent: profile, unfinished, queued, folder, worktree, worktreeEnd, owner } = about;
  const elsewhere = { folder, worktree, worktreeEnd, owner };
  return { messages, profile, running, unfinished, queued, ...elsewhere, error: problem, say, reload: load };
}
