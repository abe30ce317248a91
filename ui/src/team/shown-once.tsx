import type { ReactNode } from "react";
import { CopyButton } from "../parts/code-block.tsx";

/** A token, link or secret that cannot be shown again. */
export function ShownOnce({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="shown-once" role="status">
      <p>{children} It is shown only now:</p>
      <div className="row">
        <code className="token grow">{text}</code>
        <CopyButton text={text} />
      </div>
    </div>
  );
}

/** The address that signs a person in. */
export function signInLink(token: string): string {
  return `${location.origin}/#token=${token}`;
}
