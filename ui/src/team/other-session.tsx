import { visible } from "../parts/visible.ts";

/** Instead of the composer: only its owner writes to a session. */
export function OtherSession({ owner }: { owner: string }) {
  return (
    <div className="foreign card">
      <p>
        This session belongs to {visible(owner)}. You can read it here; only {visible(owner)} can write to it.
      </p>
    </div>
  );
}
