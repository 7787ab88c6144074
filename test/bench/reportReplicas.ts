import type { ReplicaCost, ReplicaCosts } from "./measure/replicas.ts"
import { microseconds, percent, table } from "./tables.ts"

const row = ({ answered, name, ratio, with: apart, without }: ReplicaCost) => [
  name,
  microseconds(without.service),
  microseconds(apart.service),
  ratio.service.toFixed(3),
  microseconds(without.primary),
  microseconds(apart.primary),
  ratio.primary.toFixed(3),
  microseconds(apart.replica),
  answered === null ? "" : percent(answered),
]

/** Reports the work that a replica takes from the primary, and its cost. */
export const replicas = ({ rows, sending }: ReplicaCosts): string => {
  const head = ["processor time, µs", "service", "with one", "ratio"]
  const more = ["primary", "with one", "ratio", "replica", "answers from it"]
  return (
    `${table([...head, ...more], rows.map(row))}\n\nTo send the log of a creation to the replica ` +
    `costs the primary ${microseconds(sending)} µs.`
  )
}
