import { Effect } from "effect"
import { type Flaw, storing, withIntents } from "./flaw.ts"

/** What can be wrong with exchange rates and what is made of them. */
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
]
