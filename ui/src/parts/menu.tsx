import { type ReactNode, useEffect, useRef, useState } from "react";

/** As in the style sheet. */
const width = 250;

interface MenuProps {
  label: string;
  /** What the button shows. */
  button: ReactNode;
  className?: string;
  /** Items; an action that returns closes the menu. */
  children(close: () => void): ReactNode;
}

/** A button with a list of actions. The list is above everything else, so no scrolling part can cut it off. */
export function Menu({ label, button, className = "quiet small", children }: MenuProps) {
  const [place, setPlace] = useState<{ top: number; left: number }>();
  const whole = useRef<HTMLSpanElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const toggle = () => {
    if (place) return setPlace(undefined);
    const box = opener.current?.getBoundingClientRect();
    if (!box) return;
    const below = box.bottom + 4;
    const top = below + 220 > innerHeight ? Math.max(8, box.top - 220) : below;
    setPlace({ top, left: Math.max(8, Math.min(box.right - width, innerWidth - width - 8)) });
  };
  // A place that was computed for another size of the window would be wrong.
  useEffect(() => {
    const forget = () => setPlace(undefined);
    addEventListener("resize", forget);
    return () => removeEventListener("resize", forget);
  }, []);
  const close = () => setPlace(undefined);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: closes its list
    <span
      className="actions-menu"
      ref={whole}
      onBlur={({ relatedTarget }) => {
        if (!whole.current?.contains(relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !place) return;
        event.stopPropagation();
        close();
        opener.current?.focus();
      }}
    >
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        aria-expanded={place !== undefined}
        onClick={toggle}
      >
        {button}
      </button>
      {place && (
        <ul style={place} aria-label={label}>
          {children(close)}
        </ul>
      )}
    </span>
  );
}

interface ItemProps {
  children: ReactNode;
  danger?: boolean;
  onPick(): void;
}

export function MenuItem({ children, danger = false, onPick }: ItemProps) {
  return (
    <li>
      <button type="button" className={danger ? "quiet bad-text" : "quiet"} onClick={onPick}>
        {children}
      </button>
    </li>
  );
}
