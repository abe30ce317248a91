import { type FormEvent, useEffect, useState } from "react";
import { Problem } from "./parts/feedback.tsx";
import { Icon } from "./parts/icon.tsx";
import { wordsOf } from "./server/api.ts";
import { canPair, hasAccount, pair, signIn, signInWays } from "./server/token.ts";
import { useAttempts } from "./server/use-attempts.ts";

/** The page without its token: how to get in. */
export function Locked() {
  const [pairs, setPairs] = useState(false);
  const [ways, setWays] = useState<{ provider: boolean }>();
  useEffect(() => {
    void canPair().then(setPairs);
    void signInWays().then(setWays);
  }, []);
  return (
    <main className="locked">
      <span className="empty-icon">
        <Icon name="lock" size={22} />
      </span>
      {ways ? <SignInForm {...ways} /> : pairs ? <PairingForm /> : <NeedsToken />}
    </main>
  );
}

/** Before anything can be shown: the server cannot say yet who signs in. */
export function Waiting({ why }: { why: string }) {
  return (
    <main className="locked">
      <h1>Not available right now</h1>
      <p role="status">
        {why} If this lasts, tell an admin of your team. This page signs you in as soon as it can.
      </p>
    </main>
  );
}

function NeedsToken() {
  return (
    <>
      <h1>This page needs its token</h1>
      <p>
        Open the address that <code>wield</code> printed in the terminal: it ends with <code>#token=…</code>.
        The token changes once a month, and when you run <code>wield serve --new-token</code>.
      </p>
    </>
  );
}

function SignInForm({ provider }: { provider: boolean }) {
  const [given, setGiven] = useState("");
  const { problem, busy, attempt } = useAttempts();
  const submit = async () => {
    // The address that signs in may be pasted, too.
    const token = /wield_[\w-]+/.exec(given)?.[0];
    if (token === undefined || !(await signIn(token)))
      throw new Error("This token is wrong, expired or revoked. Ask an admin of your team for a new one.");
    location.reload();
  };
  return (
    <>
      <h1>Sign in to your team’s Wield</h1>
      {hasAccount() && <p role="status">Your token was revoked or has expired.</p>}
      {provider && (
        <p>
          <button type="button" className="primary" onClick={() => location.assign("/sign-in")}>
            Sign in with your organisation’s account
          </button>
        </p>
      )}
      <p>
        {provider
          ? "Or enter a token"
          : "Enter the token, or the address, that an admin of your team gave you"}
        .
      </p>
      <form
        className="sign-in"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(submit);
        }}
      >
        <label htmlFor="sign-in-token">Token</label>
        <input
          id="sign-in-token"
          type="password"
          autoComplete="off"
          value={given}
          onChange={(event) => setGiven(event.target.value)}
        />
        <button type="submit" className="primary" disabled={busy || given.trim() === ""}>
          Sign in
        </button>
      </form>
      {problem && <Problem>{problem}</Problem>}
    </>
  );
}

function PairingForm() {
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    pair(code).then(
      () => location.reload(),
      (error: unknown) => {
        setProblem(wordsOf(error));
        setCode("");
        setBusy(false);
      },
    );
  };
  return (
    <>
      <h1>Pair this device</h1>
      <p>
        Type the code that <code>wield serve --lan</code> shows in the terminal. Continue only if the
        certificate of this page has the fingerprint that is shown there.
      </p>
      <form className="pairing" onSubmit={submit}>
        <label htmlFor="pairing-code">Pairing code</label>
        <input
          id="pairing-code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={9}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <button type="submit" className="primary" disabled={busy || code.replace(/\D/g, "").length !== 8}>
          Pair
        </button>
      </form>
      {problem && <Problem>{problem}</Problem>}
    </>
  );
}
