import type { Doors } from "./measure/doors.ts"
import { areaTable, microseconds, table, verdict, whole } from "./tables.ts"

/** Requests by the way they come in, and beside each other. */
export const doors = ({ areas, doors: found, ratios }: Doors): string => {
  const head = ["requests", "a second", "p99, ms", "process, µs", "database, µs"]
  const rows = found.map(({ database, name, p99, process: spent, rate }) => [
    name,
    whole(rate),
    p99.toFixed(1),
    microseconds(spent),
    microseconds(database),
  ])
  const compared = ratios.map(({ met, name, ratio, target }) => [
    name,
    ratio.toFixed(2),
    String(target),
    verdict(met),
  ])
  return [
    table(head, rows),
    table(["", "ratio", "target", "verdict"], compared),
    ...(areas.length === 0 ? [] : [areaTable("a purchase by MCP in the service", areas)]),
  ].join("\n\n")
}
