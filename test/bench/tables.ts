import type { Area } from "./profile/summarise.ts"

/** A row of a table. */
export type Cells = ReadonlyArray<string>

/** Columns as wide as they need; all but the first are set to the right. */
export const table = (head: Cells, rows: ReadonlyArray<Cells>): string => {
  const widths = head.map((cell, n) =>
    Math.max(cell.length, ...rows.map((row) => (row[n] ?? "").length)),
  )
  const line = (cells: Cells) =>
    `| ${widths
      .map((width, n) => {
        const cell = cells[n] ?? ""
        return n === 0 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join(" | ")} |`
  const dashes = (width: number, n: number) =>
    n === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`
  const rule = `|${widths.map(dashes).join("|")}|`
  return [line(head), rule, ...rows.map(line)].join("\n")
}

/** A number without its fraction. */
export const whole = (value: number): string => Math.round(value).toLocaleString("en-US")
/** A share of 1 in percent. */
export const percent = (share: number): string => `${(100 * share).toFixed(0)}%`
/** Returns the verdict on a target. */
export const verdict = (met: boolean | null): string =>
  met === null ? "unknown" : met ? "met" : "not met"

/** Formats microseconds, or says that they are unknown. */
export const microseconds = (value: number | null): string =>
  value === null ? "unknown" : value.toFixed(1)

/** Returns a table of the cost of each area of a profile. */
export const areaTable = (what: string, areas: ReadonlyArray<Area>): string =>
  table(
    [what, "µs"],
    areas.map(({ area, microseconds: spent }) => [area, microseconds(spent)]),
  )
