import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import type { StatusView } from "../../src/api/api.ts";
import type { OpenView } from "../../src/api/approvals.ts";
import type { SessionSummary } from "../../src/api/sessions.ts";
import { ApprovalDialog } from "./approval/approval-dialog.tsx";
import { KeptAnswersProvider, KeptAnswersView, useKeptAnswers } from "./approval/kept-answers.tsx";
import { NewChat } from "./chat/new-chat.tsx";
import { WorktreeBar } from "./chat/worktree-bar.tsx";
import { WorktreeEnded } from "./chat/worktree-ended.tsx";
import { Locked } from "./locked.tsx";
import { Boundary } from "./parts/boundary.tsx";
import { Empty, Problem } from "./parts/feedback.tsx";
import { Icon } from "./parts/icon.tsx";
import { aboutCall, isOfTeam } from "./parts/words.ts";
import { useNotifications, type Waiting } from "./server/notify.ts";
import { hrefOf, type PageName, useRoute } from "./server/route.ts";
import { useConnection, useFetched, useStream, useWhyLost } from "./server/use-server.ts";
import { BottomBar, pagesFor, Sidebar } from "./shell.tsx";

const Chat = lazy(async () => ({ default: (await import("./chat/chat.tsx")).Chat }));
const DocumentsPage = lazy(async () => ({
  default: (await import("./documents/documents-page.tsx")).DocumentsPage,
}));
const ChangesPage = lazy(async () => ({ default: (await import("./changes/changes-page.tsx")).ChangesPage }));
const ToolsPage = lazy(async () => ({ default: (await import("./tools/tools-page.tsx")).ToolsPage }));
const SkillsPage = lazy(async () => ({ default: (await import("./tools/skills-page.tsx")).SkillsPage }));
const ActivityPage = lazy(async () => ({
  default: (await import("./activity/activity-page.tsx")).ActivityPage,
}));
const SettingsPage = lazy(async () => ({
  default: (await import("./settings/settings-page.tsx")).SettingsPage,
}));

const AccountPage = lazy(async () => ({ default: (await import("./team/account-page.tsx")).AccountPage }));
const SessionBar = lazy(async () => ({ default: (await import("./team/session-bar.tsx")).SessionBar }));
const TeamPage = lazy(async () => ({ default: (await import("./team/team-page.tsx")).TeamPage }));

const everywhereKey = "wield-all-folders";

export function App() {
  const stream = useStream();
  const { page, item } = useRoute();
  const connection = useConnection();
  const whyLost = useWhyLost();
  const waiting = useFetched<OpenView>("/approvals", "approvals-change");
  const status = useFetched<StatusView>("/status", "settings-change");
  const ofTeam = isOfTeam(status.data);
  /** Undefined: this person has no such page. */
  const shown = pagesFor(status.data).some((one) => one.page === page) || !status.data ? page : undefined;
  const [query, setQuery] = useState("");
  const [everywhere, setEverywhere] = useState(() => localStorage.getItem(everywhereKey) === "yes");
  const sessions = useFetched<SessionSummary[]>(
    `/sessions?query=${encodeURIComponent(query)}${everywhere ? "&folders=all" : ""}`,
    "sessions-change",
  );
  const [menu, setMenu] = useState(false);
  /** The dialog does not open while the person writes: the key that sends a message must not answer a request they have not seen. */
  const [writing, setWriting] = useState(false);
  const [later, setLater] = useState<ReadonlySet<string>>(new Set());
  /** The person wants to see all of them. */
  const [reviewing, setReviewing] = useState(false);
  const { asks = [], questions = [], left = [] } = waiting.data ?? {};
  const answers = useKeptAnswers(waiting.again);
  const answered = new Set(answers.kept.map(({ id }) => id));
  const open = [...asks, ...questions].filter(({ id }) => !answered.has(id));
  // Without a visible session, only events for every page are received.
  const followed = page === "chat" ? item : undefined;
  // The requests of a team's other sessions do not interrupt what this person does: they open when they ask for them.
  const opensAnywhere = status.data !== undefined && !ofTeam;
  const isHere = ({ chat }: { chat?: { id: string } }) => chat !== undefined && chat.id === followed;
  const isDue = (one: (typeof open)[number]) =>
    reviewing || ((opensAnywhere || isHere(one)) && !later.has(one.id));
  const due = open.filter(isDue).toSorted((one, other) => Number(isHere(other)) - Number(isHere(one)));
  const asked = due.length > 0;
  useNotifications(
    useMemo(() => waitingIn(waiting.data), [waiting.data]),
    useMemo(() => sessions.data ?? [], [sessions.data]),
  );

  const review = useCallback(() => setReviewing(true), []);
  const decideLater = () => {
    setReviewing(false);
    setLater(new Set(open.map(({ id }) => id)));
  };

  useEffect(() => {
    if (followed === undefined) stream.follow();
  }, [stream, followed]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the menu
  useEffect(() => setMenu(false), [page, item]);
  useEffect(() => {
    if (open.length === 0) setReviewing(false);
    document.title = open.length > 0 ? `(${open.length}) Wield` : "Wield";
  }, [open.length]);

  if (connection === "locked") return <Locked />;
  const { worktree, worktreeEnd } = status.data ?? {};
  if (worktree && worktreeEnd !== undefined)
    return <WorktreeEnded end={worktreeEnd} repository={worktree.repository} />;
  return (
    <KeptAnswersProvider value={answers}>
      <div className="shell" data-menu={menu}>
        <button type="button" className="skip" onClick={() => document.getElementById("main")?.focus()}>
          Skip to content
        </button>
        <Sidebar
          connected={connection !== "lost"}
          status={status.data}
          sessions={sessions.data ?? []}
          asking={needsIn(waiting.data)}
          query={query}
          onQuery={setQuery}
          everywhere={everywhere}
          onEverywhere={(all) => {
            setEverywhere(all);
            localStorage.setItem(everywhereKey, all ? "yes" : "no");
          }}
          waiting={{
            asks: open.filter((one) => "tool" in one).length,
            questions: open.filter((one) => "schema" in one).length,
          }}
          left={left.length}
          onReview={review}
          onClose={() => setMenu(false)}
        />
        <main id="main" tabIndex={-1}>
          <TopBar waiting={open.length} onMenu={() => setMenu(true)} onReview={review} />
          {connection === "lost" && (
            <p className="banner" role="status">
              {whyLost ?? "Wield is not reachable."}{" "}
              {ofTeam
                ? "If this lasts, tell an admin of your team."
                : "If it has stopped, start it again in the terminal."}{" "}
              This page reconnects automatically, and no work is lost.
            </p>
          )}
          {page === "chat" && worktree && <WorktreeBar worktree={worktree} />}
          <KeptAnswersView />
          <Boundary key={page}>
            <Suspense fallback={<p className="loading">Loading…</p>}>
              {page === "chat" && item === undefined && (
                <NewChat status={status.data} asked={asked} onWriting={setWriting} />
              )}
              {page === "chat" && item !== undefined && status.data?.team && (
                <SessionBar key={`bar ${item}`} id={item} />
              )}
              {page === "chat" && item !== undefined && (
                <Chat
                  key={item}
                  id={item}
                  status={status.data}
                  asked={asked}
                  answerable={open.some(({ chat }) => chat?.id === item)}
                  onWriting={setWriting}
                  onReview={review}
                />
              )}
              {shown === "documents" && <DocumentsPage item={item} />}
              {shown === "changes" && <ChangesPage left={left} onAnswered={waiting.again} />}
              {shown === "tools" && <ToolsPage item={item} />}
              {shown === "skills" && <SkillsPage item={item} />}
              {shown === "activity" && <ActivityPage />}
              {shown === "team" && <TeamPage item={item} />}
              {shown === "account" && status.data?.team && (
                <AccountPage team={status.data.team} onChanged={status.again} />
              )}
              {shown === "settings" && <SettingsPage status={status.data} />}
              {shown === undefined && <NotHere page={page} />}
            </Suspense>
          </Boundary>
          {waiting.error && <Problem>{waiting.error}</Problem>}
        </main>
        <BottomBar status={status.data} left={left.length} />
        {asked && !writing && (
          <ApprovalDialog requests={due} onLater={decideLater} onAnswered={waiting.again} />
        )}
      </div>
    </KeptAnswersProvider>
  );
}

/** What each session needs from this person. */
function needsIn({ asks = [], questions = [] }: Partial<OpenView> = {}): ReadonlyMap<string, string> {
  const named = (all: readonly { chat?: { id: string } }[], need: string) =>
    all.flatMap(({ chat }) => (chat ? [[chat.id, need] as const] : []));
  return new Map([...named(questions, "has a question"), ...named(asks, "needs approval")]);
}

function waitingIn({ asks, questions }: Partial<OpenView> = {}): Waiting[] {
  return [
    ...(asks ?? []).map(({ id, title, args, chat }) => ({
      ...{ id, session: chat?.id },
      title: [title, aboutCall(args)].filter(Boolean).join(": "),
    })),
    ...(questions ?? []).map(({ id, message, chat }) => ({ id, title: message, session: chat?.id })),
  ];
}

/** A page that a team does not have, or that is for administrators. */
function NotHere({ page }: { page: PageName }) {
  return (
    <Empty icon="lock" title={page === "team" ? "For admins only" : "Not part of a team’s page"}>
      <p>
        {page === "team"
          ? "The page Team needs the role admin."
          : "What you can set yourself is under My account; an admin sets the rest on the page Team and on the workers."}
      </p>
      <a href={hrefOf("account")}>My account</a>
    </Empty>
  );
}

function TopBar({ waiting, onMenu, onReview }: { waiting: number; onMenu(): void; onReview(): void }) {
  return (
    <div className="topbar">
      <button type="button" className="quiet" onClick={onMenu} aria-label="Sessions and menu">
        <Icon name="menu" />
      </button>
      <strong>Wield</strong>
      {waiting > 0 ? (
        <button type="button" className="waiting" onClick={onReview}>
          {waiting} waiting
        </button>
      ) : (
        <span className="topbar-space" />
      )}
    </div>
  );
}
