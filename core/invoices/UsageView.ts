import { Schema } from "effect"
import { INTERVALS } from "../shared/Period.ts"
import { toIso } from "../shared/Timestamp.ts"
import { shownAs } from "../shared/View.ts"
import { Amount, Time } from "../shared/Wire.ts"
import type { Tab } from "./Tab.ts"
import { roundingOf } from "./TabBill.ts"
import { priceOf, type UsageRecord, type UsageSum } from "./Usage.ts"

/** An amount that is too small to be paid by itself. */
const CarriedView = Schema.Struct({
  currency: Schema.String.annotateKey({
    description: "An ISO 4217 currency code, or a stablecoin's code.",
  }),
  value: Schema.String.annotate({ description: "Minor units, as an exact decimal." }),
})

/** A tab as its payer and its payee see it. */
export const TabView = Schema.Struct({
  id: Schema.String.annotate({ description: "`tab_` and a UUID." }),
  service_id: Schema.String.annotateKey({ description: "The service's id." }),
  agent_id: Schema.String.annotateKey({
    description: "The agent's id, chosen by its account.",
  }),
  status: Schema.Literals(["open", "closed"]).annotate({
    description: "Use counts that happens while the tab is open.",
  }),
  unit: Schema.String.annotateKey({ description: "The unit that is counted, in words." }),
  rate: Schema.String.annotate({
    description: "The price of one unit in minor units, as an exact decimal.",
  }),
  currency: Schema.String.annotateKey({
    description: "An ISO 4217 currency code, or a stablecoin's code.",
  }),
  billing_cycle: Schema.Literals(INTERVALS).annotateKey({
    description: "The period after which use is billed.",
  }),
  quantity: Schema.String.annotate({ description: "The units used in the current period." }),
  amount: Amount.annotate({
    description:
      "The price of these units so far, rounded half to even, or up once the tab is closed.",
  }),
  carried: Schema.Array(CarriedView)
    .annotate({
      description:
        "What earlier bills have left to the next one of their currency, since they were rounded " +
        "to nothing or too small to be settled in the seller's currency.",
    })
    .pipe(Schema.optionalKey),
  period_start: Time.annotateKey({ description: "When the period began." }),
  period_end: Time.annotateKey({ description: "When the period ends." }),
  reports_until: Time.annotateKey({
    description:
      "Only of a closed tab that is not billed yet: until when use before it was closed can be " +
      "reported. Then it is billed.",
  }).pipe(Schema.optionalKey),
  created_at: Time.annotateKey({ description: "The time of creation." }),
}).annotate({
  identifier: "Tab",
  description: "An agent's use of a service, billed once per cycle.",
  examples: [
    {
      id: "tab_01997d3e-8a00-8000-8000-000000000050",
      service_id: "01997d3e-8a00-7000-8000-000000000010",
      agent_id: "agent_buyer_1",
      status: "open",
      unit: "request",
      rate: "0.25",
      currency: "USD",
      billing_cycle: "monthly",
      quantity: "12.5",
      amount: { currency: "USD", value: 3 },
      period_start: "2026-01-31T08:00:00.000Z",
      period_end: "2026-02-28T08:00:00.000Z",
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/** Shows a tab; `quantity` is the use in its current period, or in the last one. */
export const tabView = ({ carried, ...tab }: Tab, { quantity }: UsageSum) => {
  const { period, price, status, stopped } = tab
  const { currency, rate } = price
  const isStopped = status === "closed"
  const value = priceOf(quantity, rate, roundingOf(isStopped))
  const until = stopped.find(({ number }) => isStopped && number === period)?.reported_until
  return shownAs(TabView, tab, {
    ...price,
    quantity,
    amount: { currency, value },
    ...(carried.length > 0 && { carried }),
    ...(typeof until === "number" && { reports_until: toIso(until) }),
  })
}

/** A report of use as its seller sees it. */
export const UsageView = Schema.Struct({
  id: Schema.String.annotate({ description: "`use_` and a UUID." }),
  service_id: Schema.String.annotateKey({ description: "The service's id." }),
  agent_id: Schema.String.annotateKey({
    description: "The agent's id, chosen by its account.",
  }),
  quantity: Schema.String.annotate({ description: "Units, as an exact decimal." }),
  occurred_at: Time.annotateKey({ description: "When the use happened." }),
  idempotency_key: Schema.String.annotateKey({
    description: "The seller's idempotency key for this use.",
  }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
}).annotate({
  identifier: "UsageRecord",
  description: "A counted use.",
  examples: [
    {
      id: "use_01997d3e-8a00-8000-8000-000000000060",
      service_id: "01997d3e-8a00-7000-8000-000000000010",
      agent_id: "agent_buyer_1",
      quantity: "12.5",
      occurred_at: "2026-01-31T08:00:00.000Z",
      idempotency_key: "call-8F3a",
      created_at: "2026-01-31T08:00:01.000Z",
    },
  ],
})

/** See {@link UsageView}. */
export const usageView = (used: UsageRecord) => shownAs(UsageView, used)
