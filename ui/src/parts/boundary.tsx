import { Component, type ReactNode } from "react";
import { Empty } from "./feedback.tsx";

interface BoundaryProps {
  children: ReactNode;
  /** Shown instead of the failed part; default: a message. */
  fallback?: ReactNode;
}

/** Contains the error of a part that cannot be loaded or rendered; the rest of the page keeps working. */
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
    <Empty icon="cross" title={missing ? "This part could not be loaded" : "This part failed"}>
      <p role="alert">{missing ? "Check that Wield is still running, then reload the page." : failure}</p>
      <button type="button" onClick={() => location.reload()}>
        Reload the page
      </button>
    </Empty>
  );
}
