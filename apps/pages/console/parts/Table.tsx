import type { ComponentChildren } from "preact"

interface TableProps {
  readonly label: string
  /** Of so few and short columns that a phone shows it as it is. */
  readonly isCompact?: boolean
  /** A name that begins with `>` is of figures, which stand to the right. */
  readonly head: ReadonlyArray<string>
  readonly rows: ReadonlyArray<{
    readonly id: string
    readonly cells: ReadonlyArray<ComponentChildren>
  }>
}

const isFigure = (name: string): boolean => name.startsWith(">")

/** A short table, of which all is drawn. */
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
