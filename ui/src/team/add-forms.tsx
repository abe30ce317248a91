import { type FormEvent, type ReactNode, useState } from "react";
import { Problem } from "../parts/feedback.tsx";
import { send } from "../server/api.ts";
import { useAttempts } from "../server/use-attempts.ts";

const roles = ["member", "viewer", "admin", "bot"] as const;

export function AddPerson({ onAdded }: { onAdded(): void }) {
  const [token, setToken] = useState<{ name: string; token: string }>();
  return (
    <AddForm
      title="Person"
      button="Add person"
      onAdd={async (given) => {
        setToken(await send<{ name: string; token: string }>("/people", given));
        onAdded();
      }}
      after={
        token && (
          <p role="status">
            {token.name} signs in with this address. It is shown once:{" "}
            <code className="token">{`${location.origin}/#token=${token.token}`}</code>
          </p>
        )
      }
    >
      <label>
        Name
        <input name="name" required maxLength={100} />
      </label>
      <label>
        Role
        <select name="role">
          {roles.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </select>
      </label>
    </AddForm>
  );
}

export function AddProject() {
  const [added, setAdded] = useState<string>();
  return (
    <AddForm
      title="Project"
      button="Add project"
      onAdd={async (given) => setAdded((await send<{ name: string }>("/projects", given)).name)}
      after={added !== undefined && <p role="status">Sessions can work on {added} now.</p>}
    >
      <label>
        Name
        <input name="name" required maxLength={100} pattern="[\w.\-]+" />
      </label>
      <label>
        Git address
        <input name="url" required maxLength={2000} placeholder="git@example.org:team/app.git" />
      </label>
      <label>
        Branch
        <input name="ref" required maxLength={200} defaultValue="main" />
      </label>
    </AddForm>
  );
}

interface AddFormProps {
  title: string;
  button: string;
  onAdd(given: Record<string, string>): Promise<void>;
  after: ReactNode;
  children: ReactNode;
}

function AddForm({ title, button, onAdd, after, children }: AddFormProps) {
  const { problem, busy, attempt } = useAttempts();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = Object.fromEntries(
      [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]),
    );
    if (await attempt(() => onAdd(given))) form.reset();
  };
  return (
    <form className="card" aria-label={title} onSubmit={(event) => void submit(event)}>
      <h3>{title}</h3>
      {children}
      <button type="submit" disabled={busy}>
        {button}
      </button>
      {after}
      {problem && <Problem>{problem}</Problem>}
    </form>
  );
}
