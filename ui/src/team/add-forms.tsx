import { useState } from "react";
import { send } from "../server/api.ts";
import { AddForm } from "./add-form.tsx";

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
