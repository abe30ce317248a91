import { useState } from "react";
import type { StatusView } from "../../src/api/api.ts";
import { Icon, type IconName } from "./parts/icon.tsx";
import { visible } from "./parts/visible.ts";
import { isOfTeam, isViewer, modelLabel, plural, standardModel } from "./parts/words.ts";
import { hrefOf, type PageName, useRoute } from "./server/route.ts";
import { SessionList, type SessionListProps } from "./sessions/session-list.tsx";
import { setTheme, theme } from "./settings/theme.ts";

interface PageLink {
  page: PageName;
  label: string;
  icon: IconName;
  /** Not in the bar of a small screen; the menu has it. */
  onlyInMenu?: boolean;
}

const pages: readonly PageLink[] = [
  { page: "chat", label: "Chat", icon: "chat" },
  { page: "documents", label: "Documents", icon: "documents" },
  { page: "changes", label: "Changes", icon: "changes" },
  { page: "tools", label: "Tools", icon: "tools" },
  { page: "skills", label: "Skills", icon: "skills", onlyInMenu: true },
  { page: "activity", label: "Activity", icon: "activity" },
  { page: "settings", label: "Settings", icon: "settings" },
];

/** The page of a team has chats and the person's account; and for administrators the team. */
const teamPages: readonly PageLink[] = [
  { page: "chat", label: "Chat", icon: "chat" },
  { page: "account", label: "My account", icon: "lock" },
  { page: "team", label: "Team", icon: "people" },
];

export function pagesFor(status: StatusView | undefined): readonly PageLink[] {
  if (!isOfTeam(status)) return pages;
  return status?.team?.person.role === "admin" ? teamPages : teamPages.slice(0, 2);
}

interface SidebarProps extends Omit<SessionListProps, "ofTeam"> {
  connected: boolean;
  status: StatusView | undefined;
  waiting: { asks: number; questions: number };
  /** Approval requests that an earlier process left pending. */
  left: number;
  onReview(): void;
  onClose(): void;
}

/** "2 approvals, 1 question pending". */
function pendingWords({ asks, questions }: SidebarProps["waiting"]): string {
  const words = [
    ...(asks > 0 ? [plural(asks, "approval")] : []),
    ...(questions > 0 ? [plural(questions, "question")] : []),
  ];
  return `${words.join(", ")} pending`;
}

export function Sidebar({ connected, status, waiting, left, onReview, onClose, ...list }: SidebarProps) {
  const { page } = useRoute();
  return (
    <>
      <button type="button" className="scrim" aria-label="Close the menu" onClick={onClose} />
      <aside className="sidebar" aria-label="Sessions and pages">
        <div className="brand">
          <Mark />
          <div>
            <strong>Wield</strong>
            <span title={status?.workspace}>{status?.workspace.split("/").at(-1) ?? " "}</span>
          </div>
        </div>
        {!isViewer(status) && (
          <a className="new-chat" href={hrefOf("chat")}>
            <Icon name="plus" />
            New chat
          </a>
        )}
        {waiting.asks + waiting.questions > 0 && (
          <button type="button" className="waiting" onClick={onReview}>
            <Icon name="shield" />
            {pendingWords(waiting)}
          </button>
        )}
        <nav aria-label="Pages">
          <ul>
            {pagesFor(status)
              .slice(1)
              .map(({ page: name, label, icon }) => (
                <li key={name}>
                  <a href={hrefOf(name)} aria-current={page === name ? "page" : undefined}>
                    <Icon name={icon} />
                    {label}
                    {name === "changes" && <LeftBadge left={left} />}
                  </a>
                </li>
              ))}
          </ul>
        </nav>
        <SessionList {...list} ofTeam={isOfTeam(status)} />
        {status?.lan && (
          <p className="on-network" title={status.lan.join("\n")}>
            Reachable in your network
          </p>
        )}
        <footer>
          {isOfTeam(status) ? (
            <a href={hrefOf("account")} className="model">
              <span className={connected ? "dot" : "dot bad"} />
              {connected && status?.team
                ? `${visible(status.team.person.name)} (role: ${status.team.person.role})`
                : "Not connected"}
            </a>
          ) : (
            <a
              href={hrefOf("settings")}
              className="model"
              aria-label={status ? undefined : "Choose the model"}
              title={status?.modelError ? status.model : undefined}
            >
              <span className={status?.modelError || !connected ? "dot bad" : "dot"} />
              {connected ? modelLabel(standardModel(status)) : "Not connected"}
            </a>
          )}
          <ThemeButton />
        </footer>
      </aside>
    </>
  );
}

/** Navigation at the bottom of a small screen. */
export function BottomBar({ status, left }: { status: StatusView | undefined; left: number }) {
  const { page } = useRoute();
  const shown = pagesFor(status).filter(({ onlyInMenu }) => !onlyInMenu);
  if (shown.length < 2) return null;
  return (
    <nav className="bottombar" aria-label="Pages">
      {shown.map(({ page: name, label, icon }) => (
        <a key={name} href={hrefOf(name)} aria-current={page === name ? "page" : undefined}>
          <Icon name={icon} size={20} />
          {label}
          {name === "changes" && <LeftBadge left={left} />}
        </a>
      ))}
    </nav>
  );
}

function LeftBadge({ left }: { left: number }) {
  if (left === 0) return null;
  return (
    <span className="badge" role="img" aria-label={`${left} pending`}>
      {left}
    </span>
  );
}

function ThemeButton() {
  const dark = () =>
    theme() === "dark" || (theme() === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  const [isDark, setDark] = useState(dark);
  const change = () => {
    setTheme(isDark ? "light" : "dark");
    setDark(!isDark);
  };
  return (
    <button
      type="button"
      className="quiet"
      onClick={change}
      aria-label={isDark ? "Light colours" : "Dark colours"}
    >
      <Icon name={isDark ? "sun" : "moon"} />
    </button>
  );
}

function Mark() {
  return (
    <svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true" className="mark">
      <rect width="32" height="32" rx="8" />
      <path d="M6 10l5 13 5-11 5 11 5-13" />
    </svg>
  );
}
