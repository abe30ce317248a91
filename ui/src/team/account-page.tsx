import type { StatusView } from "../../../src/api/api.ts";
import type { TokenView } from "../../../src/api/team.ts";
import { PageHead, Problem } from "../parts/feedback.tsx";
import { visible } from "../parts/visible.ts";
import { get, send } from "../server/api.ts";
import { forgetAccount } from "../server/token.ts";
import { useAttempts } from "../server/use-attempts.ts";
import { Notifications } from "../settings/notifications.tsx";
import { KeysView } from "./keys-view.tsx";
import { Schedules } from "./schedules.tsx";
import { TokensView } from "./tokens-view.tsx";

const roleWords = {
  admin: "You manage the team, and see and stop every session.",
  member: "You start sessions, answer their requests, and read what others share.",
  viewer: "You read what others share.",
  bot: "An account for programs: it starts sessions and answers no requests.",
} as const;

/** What belongs to the person who is signed in. */
export function AccountPage({
  team,
  onChanged,
}: {
  team: NonNullable<StatusView["team"]>;
  onChanged(): void;
}) {
  const { person, projects } = team;
  const { problem, busy, attempt } = useAttempts();
  return (
    <section className="page narrow team">
      <PageHead
        title="My account"
        actions={
          <button type="button" disabled={busy} onClick={() => void attempt(signOut)}>
            Sign out
          </button>
        }
      >
        {visible(person.name)} (role: {person.role}). {roleWords[person.role]}
      </PageHead>
      {problem && <Problem>{problem}</Problem>}
      {(person.role === "member" || person.role === "admin") && (
        <>
          <h2>Keys</h2>
          <p className="faint">
            Your sessions use your own keys first, then those of the team. A key is kept encrypted, is never
            shown again, and reaches only its provider.
          </p>
          <KeysView ofTeam={false} onChanged={onChanged} />
        </>
      )}
      <h2>Tokens</h2>
      <p className="faint">
        A token signs in a browser or a program as you. Revoke one that you no longer need or that somebody
        may have seen.
      </p>
      <TokensView path="/tokens" who="You" role={person.role} />
      {person.role === "member" && <Schedules projects={projects} />}
      <Notifications />
    </section>
  );
}

/** A token that an identity provider's sign-in made ends; any other stays valid for whoever keeps it. */
async function signOut(): Promise<void> {
  const own = (await get<TokenView[]>("/tokens")).find(({ current }) => current);
  const isSignIn = own?.label === "Sign-in";
  const question = isSignIn
    ? "Sign out?"
    : "Sign out of this browser? To sign in again you need your token or the address that you were given.";
  if (!confirm(question)) return;
  if (isSignIn) await send(`/tokens/${own.id}`, {}, { method: "DELETE" });
  forgetAccount();
  location.assign("/");
}
