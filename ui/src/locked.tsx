import { type FormEvent, useEffect, useState } from "react";
import { Problem } from "./parts/feedback.tsx";
import { Icon } from "./parts/icon.tsx";
import { wordsOf } from "./server/api.ts";
import { canPair, pair } from "./server/token.ts";

/** The page without its token: how to get in. */
export function Locked() {
  const [pairs, setPairs] = useState(false);
  useEffect(() => {
    void canPair().then(setPairs);
  }, []);
  return (
    <main className="locked">
      <span className="empty-icon">
        <Icon name="lock" size={22} />
      </span>
      {pairs ? <PairingForm /> : <NeedsToken />}
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
