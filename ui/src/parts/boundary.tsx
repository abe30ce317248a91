import { Component, type ReactNode } from "react";
import { Empty } from "./feedback.tsx";

interface BoundaryProps {
  children: ReactNode;
  /** Shown in place of what failed; without it, a word about it. */
  fallback?: ReactNode;
}

/** A part that cannot be loaded or shown is told as such, and everything around it goes on. */
export class Boundary extends Component<BoundaryProps, { failure?: string }> {
  override state: { failure?: string } = {};

  static getDerivedStateFromError(error: unknown): { failure: string } {
    return { failure: String(error) };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return this.props.fallback ?? <Failed failure={failure} />;
  }
}

function Failed({ failure }: { failure: string }) {
  const missing = /dynamically imported module|import.*module/i.test(failure);
  return (
    <Empty icon="cross" title={missing ? "This part could not be loaded" : "This could not be shown"}>
      <p role="alert">
        {missing ? "Is Wield still running in the terminal? If it is, load the page again." : failure}
      </p>
      <button type="button" onClick={() => location.reload()}>
        Load the page again
      </button>
    </Empty>
  );
}
