import { type Clock, Effect } from "effect"
import type { Commit, Store, Write } from "../../core/ports/Store.ts"
import { dropping, type Flaw, storing, withIntents } from "./flaw.ts"
import { UNPAID_COUNTERS } from "../../core/payments/UnpaidPayments.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import { changingList, finding } from "../support/finding.ts"

type StoreService = Store["Service"]

/** Replaces records without a check of their version. */
const lastWriteWins = (store: StoreService): StoreService => ({
  ...store,
  commit: (commit) =>
    Effect.flatMap(
      Effect.forEach(commit.writes, (write) => {
        if (write.op !== "replace" || write.kind !== "payment_intent") return Effect.succeed(write)
        return Effect.map(store.find("payment_intent", write.record.id), (stored) => ({
          ...write,
          record: { ...write.record, version: stored?.version ?? write.record.version },
        }))
      }),
      (writes) => store.commit({ ...commit, writes }),
    ),
})

/** Always returns what it read first. */
const neverReadsAgain = (store: StoreService): StoreService => {
  const seen = new Map<string, PaymentIntent | undefined>()
  return {
    ...store,
    find: finding(store, "payment_intent", (id) =>
      Effect.map(store.find("payment_intent", id), (stored) => {
        if (!seen.has(id)) seen.set(id, stored)
        return seen.get(id)
      }),
    ),
  }
}

const shifted = (clock: Clock.Clock, millis: number): Clock.Clock => {
  const now = () => clock.currentTimeMillisUnsafe() + millis
  return { ...clock, currentTimeMillisUnsafe: now, currentTimeMillis: Effect.sync(now) }
}

const without = (commit: Commit, kind: Write["kind"]): Commit => ({
  ...commit,
  writes: commit.writes.filter((write) => write.kind !== kind),
})

/** Flaws of the store and the clock: each breaks one rule. */
export const storeFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a commit replaces a payment whatever its version",
    noticed_by: [12, 13, 14, 15, 16, 48, 49],
    faults: { client_parallel: 0.5, store_latency_ms: 20 },
    alterations: { store: lastWriteWins },
  },
  {
    name: "a read never looks again",
    noticed_by: [5, 48, 51, 52],
    alterations: { store: neverReadsAgain },
  },
  {
    name: "an unpaid payment leaves as soon as its channels have answered",
    noticed_by: [13],
    alterations: storing((commit) =>
      withIntents(commit, (write) => {
        const { channel_asks, status } = write.record
        const leaves = channel_asks === null && (status === "expired" || status === "voided")
        return leaves ? { ...write, op: "remove" } : write
      }),
    ),
  },
  {
    name: "an account is full of unpaid payments with the first",
    noticed_by: [13],
    alterations: storing((commit) => ({
      ...commit,
      reservations: (commit.reservations ?? []).map((reservation) =>
        reservation.counter.startsWith(UNPAID_COUNTERS)
          ? { ...reservation, limit: 1 }
          : reservation,
      ),
    })),
  },
  {
    name: "what tells of a payment leaves as soon as it was told",
    noticed_by: [13],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === "delivery" && write.record.status === "delivered"
          ? { ...write, op: "remove" }
          : write,
      ),
    })),
  },
  {
    name: "a delivery leaves by its age although it is still to be made",
    noticed_by: [13],
    faults: { receiver_failed: 0.5 },
    alterations: {
      store: (store) => ({
        ...store,
        scan: (kind, page) =>
          Effect.map(store.scan(kind, page), (all) =>
            all.map((one) => (kind === "delivery" ? { ...one, status: "failed" } : one)),
          ),
      }),
    },
  },
  {
    name: "an event leaves by its age although a delivery of it is kept",
    noticed_by: [13],
    faults: { receiver_failed: 0.5 },
    alterations: {
      store: (store) => ({ ...store, list: changingList(store, "delivery", () => []) }),
    },
  },
  {
    name: "commits lose their events",
    noticed_by: [28],
    alterations: dropping("events"),
  },
  {
    name: "commits lose what they post",
    noticed_by: [55],
    alterations: dropping("postings"),
  },
  {
    name: "nobody remembers on which days fees were owed",
    noticed_by: [56],
    alterations: dropping("fee_days"),
  },
  {
    name: "journals are posted twice under one number",
    noticed_by: [6],
    alterations: storing(({ postings = [], ...commit }) => ({
      ...commit,
      postings: postings.map((posting) => ({ ...posting, id: "post_1", journal: "jrn_1" })),
    })),
  },
  {
    name: "fees are charged twice",
    noticed_by: [10, 55],
    alterations: storing(({ postings = [], ...commit }) => ({
      ...commit,
      postings: postings.flatMap((posting) =>
        posting.kind === "fees"
          ? [posting, { ...posting, id: `${posting.id}-2`, journal: `${posting.journal}-2` }]
          : [posting],
      ),
    })),
  },
  {
    name: "fees are charged when money is captured",
    noticed_by: [10],
    alterations: storing(({ postings = [], ...commit }) => ({
      ...commit,
      postings: postings.map((posting) =>
        posting.kind === "captured" ? { ...posting, kind: "fees" } : posting,
      ),
    })),
  },
  {
    name: "events are told twice",
    noticed_by: [28],
    alterations: storing((commit) => ({
      ...commit,
      events: (commit.events ?? []).flatMap((event) => [
        event,
        { ...event, id: event.id.replace(/^evt_./, "evt_f") },
      ]),
    })),
  },
  {
    name: "the answer to an Idempotency-Key is not kept",
    noticed_by: [23],
    alterations: dropping("reply"),
  },
  {
    name: "the body is no part of what an Idempotency-Key stands for",
    noticed_by: [24],
    alterations: { vault: (vault) => ({ ...vault, fingerprint: () => "the same for all" }) },
  },
  {
    name: "a trade number can pay several payments",
    noticed_by: [21, 22],
    faults: { callback_crossed: 0.5 },
    alterations: storing((commit) => ({
      ...commit,
      keys: (commit.keys ?? []).filter(({ key }) => !key.startsWith("trade:")),
    })),
  },
  {
    name: "a purchase does not take its name",
    noticed_by: [54],
    alterations: storing((commit) => ({
      ...commit,
      keys: (commit.keys ?? []).filter(({ key }) => !key.startsWith("one_time:")),
    })),
  },
  {
    name: "a decision does not rest on the service's version",
    noticed_by: [47],
    alterations: dropping("guards"),
  },
  {
    name: "the settlement is converted again with every change",
    noticed_by: [9],
    alterations: storing((commit) =>
      withIntents(commit, (write) =>
        write.op === "insert"
          ? write
          : {
              ...write,
              record: {
                ...write.record,
                settlement: {
                  ...write.record.settlement,
                  value: write.record.settlement.value + 1,
                },
              },
            },
      ),
    ),
  },
  {
    name: "a capture stamps the scan again",
    noticed_by: [15],
    alterations: storing((commit) =>
      withIntents(commit, (write) =>
        write.record.status === "captured"
          ? {
              ...write,
              record: { ...write.record, scanned_at: write.record.scanned_at + 1 },
            }
          : write,
      ),
    ),
  },
  {
    name: "half of a commit is stored: the payment without the requests to its channel",
    noticed_by: [7, 16, 50, 52],
    alterations: storing((commit) => without(commit, "channel_request")),
  },
  {
    name: "nobody looks after payments that expire",
    noticed_by: [7, 29, 52],
    alterations: {
      store: (store) => ({
        ...store,
        claimDue: (kind, now, options) =>
          kind === "payment_intent" ? Effect.succeed([]) : store.claimDue(kind, now, options),
      }),
    },
  },
  {
    name: "the clock is five seconds behind",
    noticed_by: [14],
    alterations: { clock: (clock) => shifted(clock, -5_000) },
  },
  {
    name: "the clock is five seconds ahead",
    noticed_by: [14, 15],
    alterations: { clock: (clock) => shifted(clock, 5_000) },
  },
]
