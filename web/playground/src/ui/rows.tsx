// A few rows as a table that scrolls sideways.

/** The rows, under their heads. */
export function Rows(props: { label: string; heads: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <div class="scrolled" tabIndex={0} role="group" aria-label={props.label}>
      <table class="plain">
        <thead>
          <tr>
            {props.heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((cells, i) => (
            <tr key={i}>
              {cells.map((cell, j) => (
                <td key={j}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
