import { Effect } from "effect"
import type { Install } from "../../core/installs/Install.ts"
import type { Reservation } from "../../core/ports/Store.ts"
import { calling, type Flaw, storing, withIntents } from "./flaw.ts"
import { changing } from "../support/finding.ts"

/** A store that changes installs when they are read. */
const reading = (change: (install: Install) => Install): Flaw["alterations"] => ({
  store: (store) => ({
    ...store,
    find: changing(store, "install", change),
  }),
})

/** A store that drops additions to these counters. */
const countingAllBut = (counters: string): Flaw["alterations"] =>
  storing((commit) => ({
    ...commit,
    reservations: (commit.reservations ?? []).filter(
      ({ counter }: Reservation) => !counter.startsWith(counters),
    ),
  }))

/** Flaws of payments without asking: each breaks one rule. */
export const installFlaws: ReadonlyArray<Flaw> = [
  {
    name: "an install that is removed keeps its place",
    noticed_by: [127],
    alterations: storing((commit) => ({
      ...commit,
      reservations: (commit.reservations ?? []).filter(
        ({ add, counter }: Reservation) => add > 0 || !counter.startsWith("held:installs:"),
      ),
    })),
  },
  {
    name: "an install's limit is read ten times as high",
    noticed_by: [11],
    alterations: reading((install) => {
      const limit = install.auto_pay_limit
      // A record that is read to be stored again is not changed.
      if (install.mandate?.status !== "active" || limit === null) return install
      return { ...install, auto_pay_limit: { ...limit, value: limit.value * 10 } }
    }),
  },
  {
    name: "a mandate that nobody has approved is charged",
    noticed_by: [11],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(
          {
            ...store,
            find: changing(store, "mandate", (mandate) =>
              mandate.status === "pending"
                ? { ...mandate, status: "active", approved_at: mandate.created_at }
                : mandate,
            ),
          },
          "install",
          (install) =>
            install.mandate?.status === "pending"
              ? { ...install, mandate: { ...install.mandate, status: "active" } }
              : install,
        ),
      }),
    },
  },
  {
    name: "what was charged without asking is said to be asked for",
    noticed_by: [11],
    alterations: storing((commit) =>
      withIntents(commit, (write) =>
        write.record.status === "completed" && write.record.auto_paid
          ? { ...write, record: { ...write.record, auto_paid: false } }
          : write,
      ),
    ),
  },
  {
    name: "a debit that was declined is taken as done",
    noticed_by: [5, 55],
    faults: { debit_declined: 1 },
    alterations: calling((inner, request) =>
      Effect.map(inner.call(request), (outcome) =>
        request.action === "debit" && outcome.type === "refused"
          ? { type: "done", at: 0, trade_no: `trade of ${request.number}` }
          : outcome,
      ),
    ),
  },
  {
    name: "an agent that was verified for little is charged as one that may pay all",
    noticed_by: [11],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "agent", (agent) => ({
          ...agent,
          level: "business",
          verified: agent.verified.map((one) => ({ ...one, level: "business" })),
        })),
      }),
    },
  },
  {
    name: "nobody adds up what is spent through an install",
    noticed_by: [66],
    parts: ["payers with mandates"],
    alterations: countingAllBut("install_spend:"),
  },
  {
    name: "nobody remembers which alerts were told",
    noticed_by: [67],
    // A declined, unpaid debit releases its part of the budget, so the limit is reached again.
    faults: { debit_declined: 1, charge_refused: 0, call_error: 0, process_crashed: 0 },
    alterations: countingAllBut("install_alert:"),
  },
  {
    name: "nobody adds up what is spent with a key",
    noticed_by: [95],
    alterations: countingAllBut("key_spend:"),
  },
]
