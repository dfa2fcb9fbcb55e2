import type { Child } from "hono/jsx";

/** A column's heading; `""` for a column of buttons. `atEnd` right-aligns figures. */
type Column = string | { text: string; atEnd: true };

interface TableOptions {
  label: string;
  head: readonly Column[];
  children: Child;
}

/** A table. On a phone, each row becomes a card. A row is a `tr` whose `th` is its heading. */
export const Table = ({ label, head, children }: TableOptions) => (
  <table class="table">
    <caption class="unseen">{label}</caption>
    <thead>
      <tr>
        {head.map((column) => {
          const text = typeof column === "string" ? column : column.text;
          const className = typeof column === "string" ? undefined : "end";
          return text === "" ? (
            <td />
          ) : (
            <th scope="col" class={className}>
              {text}
            </th>
          );
        })}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

interface CellOptions {
  /** Shown before the value on phones, where the heading is hidden. */
  label?: string;
  /** Where phones show the cell: next to the heading, on its own line, on the rest of a line, or nowhere. */
  phone?: "lead" | "line" | "rest" | "no";
  /** Right-aligned. */
  atEnd?: boolean;
  children?: Child;
}

export const Cell = ({ label, phone, atEnd, children }: CellOptions) => {
  const classes = [phone === "no" ? "phone-no" : phone, atEnd && "end"].filter(Boolean).join(" ");
  return (
    <td class={classes || undefined} data-label={label}>
      {children}
    </td>
  );
};
