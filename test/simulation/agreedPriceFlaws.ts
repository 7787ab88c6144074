import type { Invoice } from "../../core/invoices/Invoice.ts"
import type { Store, Write } from "../../core/ports/Store.ts"
import { subscribers } from "../../simulator/parts/subscribers.ts"
import { smallUse } from "../../simulator/parts/smallUse.ts"
import { changing, changingList } from "../support/finding.ts"
import { type Flaw, storing } from "./flaw.ts"

/** A commit with other writes. */
const writing = (change: (write: Write) => Write) =>
  storing((commit) => ({ ...commit, writes: commit.writes.map(change) }))

type Tab = Extract<Write, { kind: "tab" }>["record"]

/** A store in which tabs keep something of what was stored of them before. */
const keeping = (keep: (tab: Tab, before: Tab) => Tab): Flaw["alterations"] => ({
  store: (store) => {
    const stored = new Map<string, Tab>()
    const kept = (write: Write): Write => {
      if (write.kind !== "tab" || write.op === "remove") return write
      const record = keep(write.record, stored.get(write.record.id) ?? write.record)
      stored.set(record.id, record)
      return { ...write, record }
    }
    return {
      ...store,
      commit: (commit) => store.commit({ ...commit, writes: commit.writes.map(kept) }),
    }
  },
})

/** A store that does not store that an invoice was paid after it had been given up. */
const stayingOwed: Flaw["alterations"] = {
  store: (store) => {
    const owed = new Set<string>()
    const isKept = (write: Write): boolean => {
      if (write.kind !== "invoice") return true
      if (write.record.status === "uncollectible") owed.add(write.record.id)
      return !owed.has(write.record.id) || write.record.status !== "paid"
    }
    return {
      ...store,
      commit: (commit) => store.commit({ ...commit, writes: commit.writes.filter(isKept) }),
    }
  },
}

const twice = (rate: string): string => String(Number(rate) * 2)

const flaw = (
  name: string,
  noticed_by: ReadonlyArray<number>,
  alterations: Flaw["alterations"],
): Flaw => ({ name, noticed_by, alterations, parts: [smallUse.name] })

/** A store that lists a bill among those that were given up, whatever happens to it. */
const neverForgiven = (store: Store["Service"]): Store["Service"] => {
  const given = new Map<string, Invoice>()
  return {
    ...store,
    commit: (commit) => {
      for (const { kind, record } of commit.writes) {
        if (kind === "invoice" && record.status === "uncollectible") given.set(record.id, record)
      }
      return store.commit(commit)
    },
    list: changingList(store, "invoice", (all, { by }) => {
      if (!("tab" in by) || by.status !== "uncollectible") return all
      const listed = new Set(all.map(({ id }) => id))
      const others = [...given.values()].filter(({ id, tab }) => tab === by.tab && !listed.has(id))
      return [...all, ...others]
    }),
  }
}

/** Flaws of prices that somebody agreed to, and of bills in other currencies. */
export const agreedPriceFlaws: ReadonlyArray<Flaw> = [
  flaw(
    "a tab is opened at twice its service's price",
    [117],
    writing((write) =>
      write.kind === "tab" && write.op === "insert"
        ? {
            ...write,
            record: {
              ...write.record,
              price: { ...write.record.price, rate: twice(write.record.price.rate) },
            },
          }
        : write,
    ),
  ),
  flaw(
    "a tab that is opened again keeps the price that it had",
    [117],
    keeping((tab, { price }) => ({ ...tab, price })),
  ),
  flaw(
    "a subscription pays more from its second period on",
    [117],
    writing((write) => {
      if (write.kind !== "subscription" || write.op !== "replace") return write
      const { amount } = write.record
      return { ...write, record: { ...write.record, amount: { ...amount, value: 9_999 } } }
    }),
  ),
  flaw("an open tab is dearer from its second period on", [117], {
    store: (store) => ({
      ...store,
      find: changing(store, "tab", (tab) =>
        tab.period === 0 ? tab : { ...tab, price: { ...tab.price, rate: twice(tab.price.rate) } },
      ),
    }),
  }),
  flaw("a bill that is too small to settle is asked for", [116], {
    store: (store) => ({
      ...store,
      find: changing(store, "service", (service) => ({
        ...service,
        settlement_currency: service.pricing.cumulative?.currency ?? "USD",
      })),
    }),
  }),
  {
    name: "a tab is opened again whose bill was given up",
    noticed_by: [118],
    alterations: {
      store: (store) => ({
        ...store,
        list: changingList(store, "invoice", (invoices) =>
          invoices.filter(({ status }) => status !== "uncollectible"),
        ),
      }),
    },
    parts: [subscribers.name],
  },
  {
    name: "a void of an invoice leaves its payment open",
    noticed_by: [119],
    alterations: {
      store: (store) => ({
        ...store,
        commit: (commit) => {
          const voids = commit.writes.some(
            ({ kind, op, record }) =>
              kind === "invoice" && op === "replace" && record.status === "void",
          )
          const writes = commit.writes.filter(({ kind }) => kind !== "payment_intent")
          return store.commit(voids ? { ...commit, writes } : commit)
        },
      }),
    },
    parts: [subscribers.name],
  },
  {
    name: "a bill that was given up blocks its tab for ever",
    noticed_by: [119],
    alterations: { store: neverForgiven },
    parts: [subscribers.name],
  },
  {
    name: "an invoice that was given up stays owed when it is paid",
    noticed_by: [71],
    alterations: stayingOwed,
    parts: [subscribers.name],
  },
  flaw(
    "every bill of a tab is left to the next one",
    [116],
    writing((write) => {
      if (write.kind !== "invoice" || write.op !== "insert" || write.record.tab === null) {
        return write
      }
      const { created_at: voided_at, status: _status, ...common } = write.record
      const record = { ...common, created_at: voided_at, due_at: null, voided_at }
      return { ...write, record: { ...record, status: "void" } as const }
    }),
  ),
  flaw(
    "what small bills have left is forgotten",
    [70],
    writing((write) =>
      write.kind === "tab" && write.op === "replace"
        ? { ...write, record: { ...write.record, carried: [] } }
        : write,
    ),
  ),
  flaw(
    "what small bills have left is charged again and again",
    [70],
    keeping((tab, { carried }) => ({
      ...tab,
      carried: tab.carried.length > 0 ? tab.carried : carried,
    })),
  ),
  flaw(
    "what small bills have left is forgotten with the next bill of another currency",
    [70],
    writing((write) =>
      write.kind === "tab" && write.op === "replace"
        ? { ...write, record: { ...write.record, carried: write.record.carried.slice(-1) } }
        : write,
    ),
  ),
  flaw(
    "what is rounded to nothing is free",
    [70],
    writing((write) => {
      if (write.kind !== "tab" || write.op !== "replace") return write
      const carried = write.record.carried.filter(({ value }) => Number(value) >= 0.5)
      return { ...write, record: { ...write.record, carried } }
    }),
  ),
  flaw("what was used before a tab was closed cannot be reported any more", [113], {
    store: (store) => ({
      ...store,
      find: changing(store, "tab", (tab) => ({ ...tab, stopped: [] })),
      list: changingList(store, "tab", (tabs) => tabs.map((tab) => ({ ...tab, stopped: [] }))),
    }),
  }),
]
