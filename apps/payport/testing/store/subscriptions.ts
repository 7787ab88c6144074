import { Effect } from "effect"
import { expect } from "../expect.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { DAY } from "../../../../core/shared/Timestamp.ts"
import type { InvoiceQuery } from "../../../../core/invoices/InvoiceQuery.ts"
import { closed } from "../../../../core/invoices/Tab.ts"
import {
  aTab,
  aUsage,
  id,
  invoiceIn,
  subscriptionIn,
  T0,
  uuid,
  oneTimeIn,
} from "../records/index.ts"
import { type StoreCheck, insert, store, together, tryCommit } from "./probe.ts"

const [buyer, seller, stranger] = [id("acct", 2), id("acct", 1), id("acct", 9)]

const stored = [
  subscriptionIn("active", { n: 1 }),
  subscriptionIn("past_due", { n: 2, service_id: uuid(2), interval: "daily" }),
  subscriptionIn("cancelled", { n: 3, payer: { agent_id: "agent-3", human_id: "h-'1" } }),
  subscriptionIn("active", { n: 4, account_id: seller, cancel_at_period_end: true, period: 7 }),
]

const invoices = [
  invoiceIn("open", { n: 1 }),
  invoiceIn("paid", { n: 2, payment_intent: id("pi", 1) }),
  invoiceIn("void", { n: 3, service_id: uuid(2) }),
  invoiceIn("uncollectible", { n: 4, collection: "overdue" }),
  invoiceIn("open", { n: 5, subscription: null, tab: id("tab", 1) }),
  invoiceIn("open", { n: 6, subscription: id("sub", 1), period: 1, due_at: T0 + DAY }),
]

const tabs = [
  aTab(),
  aTab({
    n: 2,
    price: { unit: "1k_tokens", rate: "0.000001", currency: "JPY", billing_cycle: "yearly" },
    closing: { number: 3, start: T0, end: T0 + DAY },
    base: 2,
    period: 4,
    due_at: T0,
  }),
  aTab({ n: 3, status: "closed", due_at: null, agent_id: "a", human_id: "h", carried: [] }),
  closed(aTab({ n: 4, agent_id: "b", human_id: "h-'1" }), T0 + DAY),
]

const of = (prefix: "sub" | "inv", ...numbers: ReadonlyArray<number>) =>
  numbers.map((n) => id(prefix, n))

const listed = Effect.fnUntraced(function* (query: Partial<InvoiceQuery>) {
  const { data, total } = yield* (yield* Store).listInvoices({
    viewer: buyer,
    limit: 10,
    offset: 0,
    ...query,
  })
  return [total, data.map((invoice) => invoice.id)] as const
})

/** Checks subscriptions, their invoices and tabs. */
export const subscriptions = (check: StoreCheck): unknown =>
  check.group("subscriptions, invoices and use", () => {
    check("are given back as they were stored, in every state", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...stored.map((record) => insert("subscription", record)))
        yield* store(...invoices.map((record) => insert("invoice", record)))
        yield* store(...tabs.map((record) => insert("tab", record)))
        const payment = oneTimeIn("pending", { invoice: id("inv", 1) })
        yield* store(insert("payment_intent", payment))
        expect(yield* port.find("payment_intent", payment.id)).toStrictEqual(payment)
        const used = aUsage({ quantity: "0.000001" })
        yield* store(insert("usage_record", used))
        for (const record of stored) {
          expect(yield* port.find("subscription", record.id)).toStrictEqual(record)
        }
        for (const record of invoices) {
          expect(yield* port.find("invoice", record.id)).toStrictEqual(record)
        }
        for (const record of tabs) expect(yield* port.find("tab", record.id)).toStrictEqual(record)
        expect(yield* port.find("usage_record", used.id)).toStrictEqual(used)
        expect(yield* port.find("subscription", id("sub", 9))).toBeUndefined()
        expect(yield* port.find("invoice", "inv_'; --")).toBeUndefined()
        expect(yield* port.find("tab", id("inv", 1))).toBeUndefined()
        expect(yield* port.find("usage_record", "")).toBeUndefined()
      }),
    )

    check("subscriptions are listed newest first to both sides, with how many there are", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...stored.map((record) => insert("subscription", record)))
        const list = Effect.fnUntraced(function* (
          viewer: string,
          said: object = {},
          [limit, offset] = [10, 0],
        ) {
          const query = { viewer, limit, offset, ...said }
          const { data, total } = yield* port.listSubscriptions(query)
          return [total, data.map((record) => record.id)] as const
        })
        expect(yield* list(buyer)).toStrictEqual([3, of("sub", 3, 2, 1)])
        expect(yield* list(seller)).toStrictEqual([4, of("sub", 4, 3, 2, 1)])
        expect(yield* list(seller, {}, [2, 1])).toStrictEqual([4, of("sub", 3, 2)])
        const newest = yield* port.listSubscriptions({ viewer: seller, limit: 1, offset: 0 })
        expect(newest).toStrictEqual({ data: stored.slice(-1), total: 4 })
        expect(yield* list(seller, {}, [2, 9])).toStrictEqual([4, []])
        expect(yield* list(seller, {}, [100, 2_147_483_647])).toStrictEqual([4, []])
        expect(yield* list(buyer, { status: "past_due" })).toStrictEqual([1, of("sub", 2)])
        expect(yield* list(buyer, { service_id: uuid(1) })).toStrictEqual([2, of("sub", 3, 1)])
        expect(yield* list(stranger)).toStrictEqual([0, []])
        expect(yield* list("acct_'; --")).toStrictEqual([0, []])
        expect(yield* list(buyer, { service_id: "'" })).toStrictEqual([0, []])
      }),
    )

    check("invoices are listed newest first to both sides, with how many there are", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...invoices.map((record) => insert("invoice", record)))
        const newest = yield* port.listInvoices({ viewer: seller, limit: 1, offset: 0 })
        expect(newest).toStrictEqual({ data: invoices.slice(-1), total: 6 })
        expect(yield* listed({})).toStrictEqual([6, of("inv", 6, 5, 4, 3, 2, 1)])
        expect(yield* listed({ viewer: seller, limit: 2, offset: 1 })).toStrictEqual([
          6,
          of("inv", 5, 4),
        ])
        expect(yield* listed({ status: "open" })).toStrictEqual([3, of("inv", 6, 5, 1)])
        expect(yield* listed({ status: "open", limit: 1, offset: 5 })).toStrictEqual([3, []])
        expect(yield* listed({ limit: 100, offset: 2_147_483_647 })).toStrictEqual([6, []])
        expect(yield* listed({ service_id: uuid(2) })).toStrictEqual([1, of("inv", 3)])
        expect(yield* listed({ subscription: id("sub", 1) })).toStrictEqual([2, of("inv", 6, 1)])
        expect(yield* listed({ subscription: "sub_'" })).toStrictEqual([0, []])
        expect(yield* listed({ viewer: stranger })).toStrictEqual([0, []])
      }),
    )

    check("what waits for its payment is listed by subscription, oldest first", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* store(...invoices.map((record) => insert("invoice", record)))
        const listed = (subscription: string) =>
          port.list("invoice", { by: { subscription, status: "open" }, order: "oldest" })
        const open = yield* listed(id("sub", 1))
        expect(open.map((invoice) => invoice.id)).toStrictEqual(of("inv", 1, 6))
        expect(yield* listed(id("sub", 2))).toStrictEqual([])
        expect(yield* listed("sub_'")).toStrictEqual([])
      }),
    )

    check("what was given up is listed by tab, oldest first", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const ofTab = { subscription: null, tab: id("tab", 1) }
        const owed = [7, 8].map((n) => invoiceIn("uncollectible", { ...ofTab, n, period: n }))
        yield* store(...[...owed, ...invoices].map((record) => insert("invoice", record)))
        const listed = (tab: string, limit = 10) =>
          port.list("invoice", { by: { tab, status: "uncollectible" }, order: "oldest", limit })
        const ids = (found: ReadonlyArray<{ readonly id: string }>) => found.map((each) => each.id)
        expect(ids(yield* listed(id("tab", 1)))).toStrictEqual(of("inv", 7, 8))
        expect(ids(yield* listed(id("tab", 1), 1))).toStrictEqual(of("inv", 7))
        expect(yield* listed(id("tab", 2))).toStrictEqual([])
      }),
    )

    check("a period has one invoice, whoever opens it at the same time", () =>
      Effect.gen(function* () {
        const racers = [1, 2, 3, 4].map((n) => {
          const record = invoiceIn("open", { n, subscription: id("sub", 1) })
          return tryCommit({ writes: [insert("invoice", record)] })
        })
        const outcomes = yield* together(racers)
        expect(outcomes.filter((reason) => reason === undefined)).toHaveLength(1)
        expect(outcomes.filter((reason) => reason?.type === "key_taken")).toHaveLength(3)
        expect((yield* listed({}))[0]).toBe(1)
      }),
    )

    check("use is summed exactly, by tab and period", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const used = [
          aUsage({ n: 1, quantity: "0.1" }),
          aUsage({ n: 2, quantity: "0.2" }),
          aUsage({ n: 3, quantity: "999999999999.999999" }),
          aUsage({ n: 4, quantity: "4", period: 1 }),
          aUsage({ n: 5, quantity: "5", tab: id("tab", 2) }),
        ]
        yield* store(...used.map((record) => insert("usage_record", record)))
        const sum = (tab: number, period: number) => port.sumUsage(id("tab", tab), period)
        expect(yield* sum(1, 0)).toStrictEqual({ quantity: "1000000000000.299999", records: 3 })
        expect(yield* sum(1, 1)).toStrictEqual({ quantity: "4", records: 1 })
        expect(yield* sum(2, 0)).toStrictEqual({ quantity: "5", records: 1 })
        expect(yield* sum(2, 1)).toStrictEqual({ quantity: "0", records: 0 })
        expect(yield* port.sumUsage("tab_'", 0)).toStrictEqual({ quantity: "0", records: 0 })
        const again = yield* tryCommit({ writes: [insert("usage_record", aUsage({ n: 1 }))] })
        expect(again?.type).toBe("stale_version")
      }),
    )
  })
