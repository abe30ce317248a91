export interface Figure {
  name: string;
  value: string | number;
  note: string;
}

/** A row of cards with one figure each. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="figures">
      {figures.map(({ name, value, note }) => (
        <div key={name} className="card">
          <dt>{name}</dt>
          <dd>{value}</dd>
          <dd className="faint">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
