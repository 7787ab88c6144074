import { Effect } from "effect"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import type { Refunded } from "../../core/payments/Refunded.ts"
import type { Commit, Store } from "../../core/ports/Store.ts"
import { CurrentCause } from "../../simulator/world/ports/CurrentCause.ts"
import { changing, finding } from "../support/finding.ts"
import { type Flaw, storing, withIntents } from "./flaw.ts"

type StoreService = Store["Service"]

const more = <A extends { readonly value: number }>(amount: A): A => ({
  ...amount,
  value: amount.value + 1,
})

/** Payments that cost more once their money is taken. */
const dearer = (intent: PaymentIntent): PaymentIntent => {
  const { fees } = intent
  if (fees === null || !("captured_at" in intent) || intent.captured_at === undefined) return intent
  return { ...intent, fees: { ...fees, service: more(fees.service), total: more(fees.total) } }
}

/** Commits in which the sums of refunds are others. */
const refunding = (change: (refunded: Refunded, intent: PaymentIntent) => Refunded) =>
  storing((commit) =>
    withIntents(commit, (write) => {
      const { refunded } = write.record
      const changed = refunded.value === 0 ? refunded : change(refunded, write.record)
      return { ...write, record: { ...write.record, refunded: changed } }
    }),
  )

/** Commits whose events tell another amount. */
const tellsMore = ({ events = [], ...commit }: Commit): Commit => ({
  ...commit,
  events: events.map((event) => {
    const { amount } = event.data as { readonly amount?: { readonly value: number } }
    return amount === undefined
      ? event
      : { ...event, data: { ...event.data, amount: more(amount) } }
  }),
})

/** Whoever acts on a payment is read as its payee; what is stored is right. */
const anybodyIsPayee = (store: StoreService): StoreService => {
  const payees = new Map<string, string>()
  return {
    ...store,
    find: finding(store, "payment_intent", (id) =>
      Effect.gen(function* () {
        const found = yield* store.find("payment_intent", id)
        const cause = yield* CurrentCause
        if (found === undefined || cause.type !== "client") return found
        payees.set(id, found.payee_account_id)
        return { ...found, payee_account_id: cause.account }
      }),
    ),
    commit: (commit) =>
      store.commit(
        withIntents(commit, (write) => {
          const payee_account_id = payees.get(write.record.id) ?? write.record.payee_account_id
          return { ...write, record: { ...write.record, payee_account_id } }
        }),
      ),
  }
}

/** Flaws of facts that are fixed or told, and of who may act: each breaks one rule. */
export const factFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a payment costs more once its money is taken",
    noticed_by: [9],
    alterations: storing((commit) =>
      withIntents(commit, (write) => ({ ...write, record: dearer(write.record) })),
    ),
  },
  {
    name: "refunds of parts leave the fee where it is",
    noticed_by: [10],
    alterations: refunding((refunded) => ({ ...refunded, service_fee: 0 })),
  },
  {
    name: "a refund of a part takes the whole settlement back",
    noticed_by: [87],
    alterations: refunding((refunded, { settlement }) => ({
      ...refunded,
      settlement: settlement.value,
    })),
  },
  {
    name: "events tell another amount than was paid",
    noticed_by: [28],
    alterations: storing(tellsMore),
  },
  {
    name: "webhooks tell something else than their events",
    noticed_by: [121],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "event", (event) => ({
          ...event,
          data: { ...event.data, id: "another" },
        })),
      }),
    },
  },
  {
    name: "nobody is told what of a cap is spent",
    noticed_by: [67],
    parts: ["payers with mandates"],
    alterations: storing(({ events = [], ...commit }) => ({
      ...commit,
      events: events.filter(({ type }) => type !== "budget.alert"),
    })),
  },
  {
    name: "an alert tells twice of what is spent",
    noticed_by: [67],
    parts: ["payers with mandates"],
    alterations: storing(({ events = [], ...commit }) => ({
      ...commit,
      events: events.map((event) => {
        const { spent } = event.data as { readonly spent?: { readonly value: number } }
        if (spent === undefined) return event
        return { ...event, data: { ...event.data, spent: { ...spent, value: spent.value * 2 } } }
      }),
    })),
  },
  {
    name: "nobody is told that a level will end",
    noticed_by: [64],
    alterations: storing(({ events = [], ...commit }) => ({
      ...commit,
      events: events.filter(({ type }) => type !== "kyc.expiring"),
    })),
  },
  {
    name: "an agent that was verified for little pays at once as one that may pay all",
    noticed_by: [41],
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
    name: "a quote that was used is read as one that was not",
    noticed_by: [82],
    parts: ["exchange"],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "quote", (quote) => ({ ...quote, payment_intent: null })),
      }),
    },
  },
  {
    name: "the fees of a day are taken before it is over",
    noticed_by: [56],
    alterations: storing(({ fee_days = [], ...commit }) => ({
      ...commit,
      fee_days: fee_days.map((day) => ({ ...day, due_at: day.created_at })),
    })),
  },
  {
    name: "whoever acts on a payment is taken for its payee",
    noticed_by: [120],
    parts: ["prying"],
    alterations: { store: anybodyIsPayee },
  },
]
