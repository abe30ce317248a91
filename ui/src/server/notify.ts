import { useEffect, useRef } from "react";
import type { SessionSummary } from "../../../src/api/sessions.ts";
import { goTo } from "./route.ts";

const key = "wield-notifications";

export type NotificationState = "on" | "off" | "blocked" | "unsupported";

/** Whether this browser shows notifications of this page: the person turned them on here, and the browser allows them. */
export function notificationState(): NotificationState {
  if (!("Notification" in globalThis)) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && localStorage.getItem(key) === "on" ? "on" : "off";
}

/** Asks the browser; only ever called by a button. */
export async function turnOnNotifications(): Promise<NotificationState> {
  if ((await Notification.requestPermission()) === "granted") localStorage.setItem(key, "on");
  return notificationState();
}

export function turnOffNotifications(): NotificationState {
  localStorage.removeItem(key);
  return notificationState();
}

export interface Waiting {
  id: string;
  /** What is asked. */
  title: string;
  /** The session it belongs to. */
  session?: string | undefined;
}

/** While the tab is hidden, tells of requests that wait for the person and of runs that ended. */
export function useNotifications(waiting: readonly Waiting[], sessions: readonly SessionSummary[]): void {
  const told = useRef<ReadonlySet<string>>(new Set());
  const running = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    for (const { id, title, session } of waiting)
      if (!told.current.has(id)) notify("Wield waits for your answer", title, session);
    told.current = new Set(waiting.map(({ id }) => id));
  }, [waiting]);
  useEffect(() => {
    for (const { id, title, running: isRunning } of sessions)
      if (running.current.has(id) && !isRunning) notify("Wield has finished", title, id);
    running.current = new Set(sessions.flatMap((each) => (each.running ? each.id : [])));
  }, [sessions]);
}

function notify(title: string, body: string, session: string | undefined): void {
  if (!document.hidden || notificationState() !== "on") return;
  const shown = new Notification(title, { body, tag: `wield-${session ?? body}`, icon: "./icon-192.png" });
  shown.onclick = () => {
    window.focus();
    if (session !== undefined) goTo("chat", session);
    shown.close();
  };
}
