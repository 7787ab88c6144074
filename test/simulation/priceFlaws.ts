import { Effect } from "effect"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import type { Fees } from "../../core/pricing/Price.ts"
import { MINUTE } from "../../core/shared/Timestamp.ts"
import { changing } from "../support/finding.ts"
import { type Flaw, storing, withIntents } from "./flaw.ts"

/** New payments with other fees whose lines still add up. */
const pricing = (change: (fees: Fees, intent: PaymentIntent) => Fees): Flaw["alterations"] => {
  const changed = (intent: PaymentIntent): PaymentIntent => {
    if (intent.fees === null) return intent
    const { channel, fx_spread, service } = change(intent.fees, intent)
    const total = { ...service, value: channel.value + fx_spread.value + service.value }
    return { ...intent, fees: { channel, fx_spread, service, total } }
  }
  return storing((commit) =>
    withIntents(commit, (write) =>
      write.op === "insert" ? { ...write, record: changed(write.record) } : write,
    ),
  )
}

const more = <A extends { readonly value: number }>(amount: A): A => ({
  ...amount,
  value: amount.value + 1,
})

/** Flaws of prices and refusals: each breaks one rule. */
export const priceFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a payment costs one cent more than the price list says",
    noticed_by: [112],
    alterations: pricing((fees) => ({ ...fees, service: more(fees.service) })),
  },
  {
    name: "a channel's fee is rounded up",
    noticed_by: [112],
    alterations: pricing((fees) => ({ ...fees, channel: more(fees.channel) })),
  },
  {
    name: "an exchange is said to cost nothing",
    noticed_by: [112],
    alterations: pricing((fees) => ({ ...fees, fx_spread: { ...fees.fx_spread, value: 0 } })),
  },
  {
    name: "a service that is active is taken for one that is paused",
    noticed_by: [113],
    // In this world only payers read the payment's state.
    parts: [],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "service", (found) =>
          found.status === "active" ? { ...found, status: "paused" } : found,
        ),
      }),
    },
  },
  {
    name: "a payment is refused its refund as if all of it were refunded",
    noticed_by: [113],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "payment_intent", (found) => ({
          ...found,
          refunded: { ...found.refunded, value: found.amount.value },
        })),
      }),
    },
  },
  {
    name: "a payment that is authorized is taken for one that is over when it is captured",
    noticed_by: [113],
    alterations: {
      store: (store) => ({
        ...store,
        find: (kind, id) =>
          Effect.map(store.find(kind, id), (found) =>
            found !== undefined && "status" in found && found.status === "authorized"
              ? { ...found, status: "cancelled" }
              : found,
          ),
      }),
    },
  },
  {
    name: "a quote ends when it is given",
    noticed_by: [82],
    parts: ["exchange"],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "quote", (quote) => ({ ...quote, expires_at: quote.created_at })),
      }),
    },
  },
  {
    name: "a quote never ends",
    noticed_by: [82],
    parts: ["exchange"],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "quote", (quote) => ({ ...quote, expires_at: Infinity })),
        commit: (commit) =>
          store.commit({
            ...commit,
            writes: commit.writes.map((write) => {
              if (write.kind !== "quote" || write.op === "remove") return write
              const expires_at = write.record.created_at + MINUTE
              return { ...write, record: { ...write.record, expires_at } }
            }),
          }),
      }),
    },
  },
]
