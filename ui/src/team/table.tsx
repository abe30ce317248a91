import type { ReactNode } from "react";

interface TableProps {
  title?: string;
  /** Instead of a title that is shown. */
  label?: string;
  columns: readonly string[];
  /** Words rather than numbers: from the left. */
  texts?: boolean;
  /** Its texts wrap, so that all of it is in view on a narrow screen, too. */
  fits?: boolean;
  /** Instead of a table without rows. */
  empty: string;
  children: readonly ReactNode[];
}

/** A table that scrolls sideways where the screen is narrow. */
export function Table({
  title,
  label = title,
  columns,
  texts = false,
  fits = false,
  empty,
  children,
}: TableProps) {
  return (
    <>
      {title !== undefined && <h2>{title}</h2>}
      {children.length === 0 ? (
        <p className="faint">{empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <section className="table-scroll card" tabIndex={0} aria-label={label}>
          <table className={["numbers", texts && "texts", fits && "fits"].filter(Boolean).join(" ")}>
            <thead>
              <tr>
                {columns.map((name) => (
                  <th key={name}>{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>{children}</tbody>
          </table>
        </section>
      )}
    </>
  );
}
