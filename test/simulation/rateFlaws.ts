import { Effect } from "effect"
import { type Flaw } from "./flaw.ts"

/** Flaws of the plans' rates: each breaks one rule. */
export const rateFlaws: ReadonlyArray<Flaw> = [
  {
    name: "every process has the minute's requests to itself",
    noticed_by: [45],
    parts: ["busy accounts"],
    alterations: {
      leases: (leases) => ({
        ...leases,
        lease: (requests) =>
          Effect.succeed(requests.map(({ limit, wanted }) => ({ granted: wanted, left: limit }))),
      }),
    },
  },
  {
    name: "a minute's requests are half as many as the plan allows",
    noticed_by: [45],
    faults: { process_crashed: 0, commit_unanswered: 0, failovers_per_hour: 0 },
    alterations: {
      leases: (leases) => ({
        ...leases,
        lease: (requests) =>
          leases.lease(requests.map((one) => ({ ...one, limit: Math.floor(one.limit / 2) }))),
      }),
    },
  },
]
