import type { ReactNode } from "react";

interface TableProps {
  title: string;
  columns: readonly string[];
  /** Instead of a table without rows. */
  empty: string;
  children: readonly ReactNode[];
}

/** A titled table that scrolls sideways where the screen is narrow. */
export function Table({ title, columns, empty, children }: TableProps) {
  return (
    <>
      <h2>{title}</h2>
      {children.length === 0 ? (
        <p className="faint">{empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <section className="table-scroll card" tabIndex={0} aria-label={title}>
          <table className="numbers">
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
