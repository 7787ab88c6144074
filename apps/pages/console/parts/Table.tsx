import type { ComponentChildren } from "preact"

interface TableProps {
  readonly label: string
  /** Whether it has so few and short columns that a phone can show it unchanged. */
  readonly isCompact?: boolean
  /** Column names; one that begins with `>` is of figures, aligned to the right. */
  readonly head: ReadonlyArray<string>
  readonly rows: ReadonlyArray<{
    readonly id: string
    readonly cells: ReadonlyArray<ComponentChildren>
  }>
}

const isFigure = (name: string): boolean => name.startsWith(">")

/** A short table, of which all rows are drawn. */
export const Table = ({ head, isCompact = false, label, rows }: TableProps) => (
  <div class={isCompact ? "scroll compact" : "scroll"}>
    <table class="plain" aria-label={label}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col" class={isFigure(name) ? "right" : ""}>
              {name.replace(">", "") || <span class="hidden">Acts</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ cells, id }) => (
          <tr key={id}>
            {cells.map((cell, at) => (
              <td
                key={head[at]}
                data-name={(head[at] ?? "").replace(">", "")}
                class={isFigure(head[at] ?? "") ? "right figure" : ""}
              >
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
