import { Schema } from "effect"
import { PLANS } from "../accounts/Account.ts"
import { exactly } from "../shared/Exact.ts"
import type { Money } from "../shared/Money.ts"
import { toIso } from "../shared/Timestamp.ts"
import { Amount, Time } from "../shared/Wire.ts"
import { aboveCap, type Bill, sum, volumeOf } from "./Bill.ts"
import { endOf, startOf } from "../shared/Month.ts"
import { OPERATIONS } from "./Operation.ts"

const usd = (value: number): Money => ({ currency: "USD", value })

const dollars = (description: string) => Amount.annotate({ description })

const Operation = Schema.Struct({
  operation: Schema.Literals(OPERATIONS).annotateKey({ description: "The metered operation." }),
  count: Schema.Int.annotateKey({ description: "The number of operations in the month." }),
  free_allowance: Schema.NullOr(Schema.Int).annotate({
    description: "The number that the plan includes; null means unlimited.",
  }),
  billable: Schema.Int.annotate({ description: "The number of charged operations." }),
  unit_price: Schema.String.annotate({
    description: "The price of one operation in US dollars, as an exact decimal.",
  }),
  cost: dollars("The charge, rounded once, half to even."),
})

const Volume = Schema.Struct({
  total: dollars("The volume settled in the month, in US dollars. Refunds do not reduce it."),
  by_currency: Schema.Array(
    Schema.Struct({
      amount: dollars("The amount that payers paid in one currency."),
      total: dollars("The same amount in US dollars at the mid-market rate."),
    }),
  ).annotateKey({ description: "The sums by currency." }),
  unconverted: Schema.optionalKey(Schema.Array(Amount)).annotateKey({
    description:
      "Amounts that payers paid in currencies without an exchange rate. They are not part of the " +
      "total and not charged. A statement waits a week after its month for the rate. Missing " +
      "where there are none.",
  }),
  cap: Schema.NullOr(Amount).annotate({
    description: "The plan's volume cap; null if it has none.",
  }),
  above_cap: dollars("The part of the total that is above the cap."),
  overage_percent: Schema.NullOr(Schema.String).annotate({
    description:
      "The percentage charged on the part above the cap, such as `0.5`; null if there is no cap.",
  }),
  overage: dollars("The charge, rounded once, half to even."),
})

/** The example of a bill. */
export const exampleBill = {
  month: "2026-01",
  period_start: "2026-01-01T00:00:00.000Z",
  period_end: "2026-02-01T00:00:00.000Z",
  plan: "starter" as const,
  price: usd(2_900),
  operations: [
    {
      operation: "qr-generation" as const,
      count: 1_500,
      free_allowance: 0,
      billable: 1_500,
      unit_price: "0.001",
      cost: usd(150),
    },
  ],
  volume: {
    total: usd(1_250_000),
    by_currency: [{ amount: usd(1_250_000), total: usd(1_250_000) }],
    cap: usd(1_000_000),
    above_cap: usd(250_000),
    overage_percent: "1.0",
    overage: usd(2_500),
  },
  total: usd(5_550),
}

/** A month of an account, with its charges. */
export const BillView = Schema.Struct({
  month: Schema.String.annotate({ description: "A UTC month, such as 2026-01." }),
  period_start: Time.annotateKey({ description: "When the period began." }),
  period_end: Time.annotateKey({ description: "When the period ends." }),
  plan: Schema.Literals(PLANS).annotate({
    description: "The largest plan that the account had in the month.",
  }),
  price: dollars(
    "The plan's price. In an account's first month it covers the days since its opening.",
  ),
  operations: Schema.Array(Operation).annotateKey({
    description: "The metered operations, each with its count.",
  }),
  volume: Volume.annotateKey({
    description: "The settled volume, and the part of it above the plan's cap.",
  }),
  total: dollars("The sum of the price, the operations' costs and the overage."),
}).annotate({
  identifier: "MonthlyUsage",
  description: "An account's use in a month, and its charges.",
  examples: [exampleBill],
})

/** Formats parts per ten thousand as a percentage: `1.0` for 100. */
const percent = (basisPoints: number): string =>
  `${Math.floor(basisPoints / 100)}.${String(basisPoints % 100)
    .padStart(2, "0")
    .replace(/0$/, "")}`

const volumeView = (bill: Bill) => {
  const { overage, volume_cap } = bill.terms
  const total = volumeOf(bill)
  return {
    total: usd(total),
    by_currency: bill.volumes.map(({ amount, usd: cents }) => ({ amount, total: usd(cents) })),
    ...(bill.unconverted && { unconverted: bill.unconverted }),
    cap: volume_cap === null ? null : usd(volume_cap),
    above_cap: usd(aboveCap(bill.terms, total)),
    overage_percent: volume_cap === null ? null : percent(overage),
    overage: usd(bill.overage),
  }
}

/** See {@link BillView}. */
export const billView = exactly<typeof BillView.Type>()((bill: Bill) => ({
  month: bill.month,
  period_start: toIso(startOf(bill.month)),
  period_end: toIso(endOf(bill.month)),
  plan: bill.plan,
  price: usd(bill.price),
  operations: bill.charges.map((charge) => ({ ...charge, cost: usd(charge.cost) })),
  volume: volumeView(bill),
  total: usd(bill.price + bill.overage + sum(bill.charges.map(({ cost }) => cost))),
}))
