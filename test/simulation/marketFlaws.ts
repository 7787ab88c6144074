import { Effect } from "effect"
import { currencies } from "../../adapters/fx/Currencies.ts"
import { convert } from "../../core/shared/Rate.ts"
import { type Flaw, storing, withIntents } from "./flaw.ts"

const currencyOf = (code: string) => currencies.get(code)

/** Flaws of exchange rates and their use. */
export const marketFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a rate of zero is stored",
    noticed_by: [81],
    alterations: storing((commit) =>
      withIntents(commit, (write) => {
        const { settlement } = write.record
        if (settlement.currency === write.record.amount.currency) return write
        return { ...write, record: { ...write.record, settlement: { ...settlement, rate: "0" } } }
      }),
    ),
  },
  {
    name: "a currency without a rate counts as the dollar",
    noticed_by: [81],
    faults: { rate_absent: 0.2 },
    alterations: {
      rates: (rates) => ({
        perDollar: (currency) =>
          Effect.orElseSucceed(rates.perDollar(currency), () => ({ rate: "1", as_of: 0 })),
      }),
    },
  },
  {
    name: "a settlement is rounded up",
    noticed_by: [81],
    alterations: storing((commit) =>
      withIntents(commit, (write) => {
        const { amount, settlement } = write.record
        if (settlement.currency === amount.currency) return write
        const value = settlement.value + 1
        return { ...write, record: { ...write.record, settlement: { ...settlement, value } } }
      }),
    ),
  },
  {
    name: "a settlement is rounded half to even",
    noticed_by: [81, 87],
    alterations: storing((commit) =>
      withIntents(commit, (write) => {
        const { amount, settlement } = write.record
        if (settlement.currency === amount.currency) return write
        const [sold, bought] = [amount.currency, settlement.currency].map(currencyOf)
        if (sold === undefined || bought === undefined) return write
        const value = convert(amount.value, settlement.rate, sold, bought, "half-even")
        return { ...write, record: { ...write.record, settlement: { ...settlement, value } } }
      }),
    ),
  },
  {
    name: "a refund leaves its payee what rounding takes",
    noticed_by: [87],
    parts: [],
    alterations: storing((commit) => {
      const begun = commit.writes.some(({ kind, op }) => kind === "refund" && op === "insert")
      if (!begun) return commit
      const less = (settlement: { readonly currency: string; readonly value: number }) => ({
        ...settlement,
        value: settlement.value - 1,
      })
      return {
        ...commit,
        writes: commit.writes.map((write) => {
          if (write.kind === "refund") {
            const { amount, partial, settlement } = write.record
            const exchanged = partial && amount.currency !== settlement.currency
            if (!exchanged || settlement.value === 0) return write
            return { ...write, record: { ...write.record, settlement: less(settlement) } }
          }
          if (write.kind !== "payment_intent") return write
          const { amount, refunded, settlement } = write.record
          const exchanged = amount.currency !== settlement.currency
          if (!exchanged || refunded.settlement === 0) return write
          const fewer = { ...refunded, settlement: refunded.settlement - 1 }
          return { ...write, record: { ...write.record, refunded: fewer } }
        }),
      }
    }),
  },
]
