import type { CostSumView, TeamView } from "../../../src/api/team.ts";
import { visible } from "../parts/visible.ts";
import { count, dollars } from "../parts/words.ts";
import { Table } from "./table.tsx";

/** What models cost, by day, project and model: an estimate, the provider's bill counts. */
export function CostTables({ cost }: { cost: TeamView["cost"] }) {
  return (
    <>
      <CostTable
        title="Cost by day"
        first="Day (UTC)"
        rows={cost.days.map(({ day, ...sum }) => ({ name: day, ...sum }))}
      />
      <CostTable title="Cost by project this month" first="Project" rows={cost.projects} />
      <CostTable title="Cost by model this month" first="Model" rows={cost.models} />
    </>
  );
}

function CostTable({
  title,
  first,
  rows,
}: {
  title: string;
  first: string;
  rows: readonly (CostSumView & { name: string })[];
}) {
  return (
    <Table
      title={title}
      columns={[first, "Cost", "Tokens", "Steps without a price"]}
      empty="Nothing was used yet."
    >
      {rows.map(({ name, usd, tokens, unpriced }) => (
        <tr key={name}>
          <th scope="row">{visible(name) || "not named"}</th>
          <td>{dollars(usd)}</td>
          <td>{count(tokens)}</td>
          <td>{unpriced}</td>
        </tr>
      ))}
    </Table>
  );
}
