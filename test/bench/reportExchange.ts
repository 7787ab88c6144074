import type { Exchanges } from "./measure/exchange.ts"
import { areaTable, microseconds, table, verdict, whole } from "./tables.ts"

/** The exchange of a 402 at payport and at its peer. */
export const exchange = ({ areas, exchanges, ...compared }: Exchanges): string => {
  const { againstRatio, costRatio, met, ratio, target } = compared
  const rows = exchanges.map(({ asked, database, load, name, p99, rate, seller }) => [
    name,
    whole(rate),
    p99.toFixed(1),
    microseconds(seller),
    microseconds(asked),
    microseconds(database),
    microseconds(load),
  ])
  return [
    table(
      [
        "402, payment, 200",
        "a second",
        "p99, ms",
        "seller, µs",
        "service or facilitator, µs",
        "database, µs",
        "load, µs",
      ],
      rows,
    ),
    `payport's rate is ${ratio.toFixed(2)} of the other's; target ≥ ${target}: ${verdict(met)}. ` +
      `It costs ${costRatio.toFixed(2)} times the processor time, without the load's: its ` +
      "payments are durable when they are answered, of the other's nothing is kept.",
    ...(againstRatio === null
      ? []
      : [`Round by round, this build costs ${againstRatio.toFixed(3)} of the other.`]),
    ...(areas.length === 0 ? [] : [areaTable("an exchange in the service", areas)]),
  ].join("\n\n")
}
