import { type ReactNode, useEffect, useRef } from "react";
import { unreachable } from "../server/api.ts";
import { useConnection, useWhyLost } from "../server/use-server.ts";
import { Icon, type IconName } from "./icon.tsx";

/** An empty state: what appears here, and when. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={22} />
      </span>
      <h2>{title}</h2>
      <div className="empty-text">{children}</div>
    </div>
  );
}

/** An error message; it scrolls into view, since what caused it may be at the edge of the screen. */
export function Problem({ children }: { children: ReactNode }) {
  const connection = useConnection();
  const whyLost = useWhyLost();
  const place = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each message
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, [children]);
  // The banner says it once for the whole page.
  if (connection === "lost" && (children === unreachable || children === whyLost)) return null;
  return (
    <p ref={place} className="problem" role="alert">
      {children}
    </p>
  );
}

export function PageHead({
  title,
  children,
  actions,
}: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {children && <p>{children}</p>}
      </div>
      {actions && <div className="actions">{actions}</div>}
    </header>
  );
}
