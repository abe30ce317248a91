import type { FormEvent, ReactNode } from "react";
import { Problem } from "../parts/feedback.tsx";
import { useAttempts } from "../server/use-attempts.ts";

interface AddFormProps {
  title: string;
  button: string;
  onAdd(given: Record<string, string>): Promise<void>;
  after: ReactNode;
  children: ReactNode;
}

/** A small form that adds something; what came of it is shown below. */
export function AddForm({ title, button, onAdd, after, children }: AddFormProps) {
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
