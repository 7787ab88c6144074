import { Effect } from "effect"
import type { Commit, Store, Write } from "../../core/ports/Store.ts"
import { DAY } from "../../core/shared/Timestamp.ts"
import { subscribers } from "../../simulator/parts/subscribers.ts"
import { type Flaw, storing } from "./flaw.ts"
import { changing } from "../support/finding.ts"

type StoreService = Store["Service"]

/** A commit without some of its writes. */
const without = (drops: (write: Write, commit: Commit) => boolean) =>
  storing((commit) => ({
    ...commit,
    writes: commit.writes.filter((write) => !drops(write, commit)),
  }))

/** A commit with other writes. */
const writing = (change: (write: Write) => Write) =>
  storing((commit) => ({ ...commit, writes: commit.writes.map(change) }))

/** A store that gives workers changed subscriptions. */
const claiming = (store: StoreService): StoreService => ({
  ...store,
  claimDue: (kind, now, options) =>
    Effect.map(store.claimDue(kind, now, options), (records) =>
      kind === "subscription"
        ? records.map((record) => ({ ...record, cancel_at_period_end: false }))
        : records,
    ),
})

/** Flaws of recurring payments: each breaks one rule. */
export const billingFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a renewal loses its invoice",
    noticed_by: [68],
    alterations: without(
      (write, { writes }) =>
        write.kind === "invoice" &&
        write.op === "insert" &&
        writes.some(({ kind, op }) => kind === "subscription" && op === "replace"),
    ),
  },
  {
    name: "a period ends a day late",
    noticed_by: [69],
    alterations: writing((write) =>
      write.kind === "subscription" && write.record.period > 12
        ? {
            ...write,
            record: {
              ...write.record,
              current_period_end: write.record.current_period_end + DAY,
            },
          }
        : write,
    ),
  },
  {
    name: "what was used is added up without the first report",
    noticed_by: [70],
    alterations: {
      store: (store) => ({
        ...store,
        sumUsage: (...asked) =>
          Effect.map(store.sumUsage(...asked), (sum) =>
            sum.records > 1 ? { ...sum, quantity: "1" } : sum,
          ),
      }),
    },
  },
  {
    name: "a period that is being billed takes more use",
    noticed_by: [27, 70],
    parts: ["subscribers"],
    // The worker that bills is paused between the sum and the commit.
    faults: { process_paused: 0.1, process_crashed: 0 },
    alterations: storing((commit) => ({
      ...commit,
      reservations: (commit.reservations ?? []).filter(
        ({ counter }) => !counter.startsWith("usage:"),
      ),
    })),
  },
  {
    name: "a payment does not mark its invoice paid",
    noticed_by: [71],
    alterations: without(
      (write) =>
        write.kind === "invoice" && write.op === "replace" && write.record.status === "paid",
    ),
  },
  {
    name: "an invoice forgets the payment that is to pay it",
    noticed_by: [71, 73, 74],
    parts: ["subscribers"],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "invoice", (invoice) => ({ ...invoice, payment_intent: null })),
      }),
    },
  },
  {
    name: "a subscription that was to end with its period goes on",
    noticed_by: [72],
    alterations: { store: claiming },
  },
  {
    name: "nobody gives an invoice up",
    noticed_by: [73],
    alterations: writing((write) =>
      write.kind === "invoice" &&
      write.record.status === "open" &&
      write.record.collection === "overdue"
        ? { ...write, record: { ...write.record, due_at: null } }
        : write,
    ),
  },
  {
    name: "an invoice is overdue a day early",
    noticed_by: [74],
    alterations: writing((write) =>
      write.kind === "invoice" && write.op === "replace" && write.record.due_at !== null
        ? { ...write, record: { ...write.record, due_at: write.record.due_at - DAY } }
        : write,
    ),
  },
  {
    name: "a service bills its subscribers while it is paused",
    noticed_by: [68],
    parts: [subscribers.name],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "service", (found) =>
          found.status === "paused" ? { ...found, status: "active", pauses: [] } : found,
        ),
      }),
    },
  },
  {
    name: "a period costs what its service is when a worker comes",
    noticed_by: [68],
    parts: [subscribers.name],
    // The worker that renews comes late.
    faults: { process_paused: 0.1 },
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "service", (found) => ({
          ...found,
          pauses: found.status === "paused" ? [{ from: 0, to: null }] : [],
        })),
      }),
    },
  },
  {
    name: "an invoice never becomes overdue",
    noticed_by: [74],
    parts: ["subscribers"],
    alterations: writing((write) =>
      write.kind === "invoice" && write.record.collection === "overdue"
        ? { ...write, record: { ...write.record, collection: "asked" } }
        : write,
    ),
  },
  {
    name: "an overdue invoice leaves its subscription active",
    noticed_by: [74],
    parts: ["subscribers"],
    alterations: without(
      (write) => write.kind === "subscription" && write.record.status === "past_due",
    ),
  },
]
