import { Clock, Effect } from "effect"
import type { Plan } from "../accounts/Account.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { worthOf } from "../pricing/quoteSettlement.ts"
import { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { billOf, type CurrencyVolume } from "./Bill.ts"
import { usageCounter } from "./Meter.ts"
import { endOf, type Month, startOf } from "../shared/Month.ts"
import { OPERATIONS } from "./Operation.ts"

/** Converts an amount to US cents at the current mid-market rate. Fails without a usable rate. */
const inCents = (amount: Money) =>
  Effect.catchTag(worthOf(amount, "USD", "half-even"), "Failure", ({ message }) =>
    Effect.fail(new Failure({ code: "TEMPORARILY_UNAVAILABLE", message, retry_after: 60 })),
  )

/**
 * Reads the volume of payments to the account that were settled in the month, from the ledger: what
 * the payers paid, in each currency, and in US cents at the current mid-market rate. Refunds do not
 * reduce it.
 */
const readVolumes = Effect.fnUntraced(function* (account_id: string, month: Month) {
  const store = yield* Store
  const sums = yield* store.sumDays({ account_id, from: `${month}-01`, to: `${month}-31` })
  const paid = sums.filter(
    ({ kind, ledger_account }) => kind === "settled" && ledger_account === "payer_clearing",
  )
  return yield* Effect.forEach(paid, ({ amount: value, currency }) => {
    const amount = { currency, value }
    return Effect.map(inCents(amount), (usd): CurrencyVolume => ({ amount, usd }))
  })
})

/**
 * Makes the bill of an account's month so far.
 *
 * Fails with `TEMPORARILY_UNAVAILABLE` when it was paid in a currency without a usable rate.
 */
export const readBill = Effect.fnUntraced(function* (about: {
  readonly account_id: string
  readonly month: Month
  readonly plan: Plan
  readonly opened_at: Timestamp
}) {
  const { account_id, month, plan } = about
  const { plans, usage } = (yield* Installation).terms
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const period = { from: startOf(month), to: endOf(month) }
  const [values, codes, volumes] = yield* Effect.all(
    [
      store.readCounters(OPERATIONS.map((each) => usageCounter(account_id, month, each))),
      store.countQrCodes({
        account_id,
        ...period,
        counter: usageCounter(account_id, month, "qr-generation"),
        now,
      }),
      readVolumes(account_id, month),
    ],
    { concurrency: "unbounded" },
  )
  const counted = new Map(OPERATIONS.map((each, index) => [each, values[index] ?? 0]))
  return billOf({
    ...about,
    volumes,
    terms: plans[plan],
    usage,
    // Codes of payments are counted from the stored payments, so that they need no writes.
    counts: (each) => (each === "qr-generation" ? codes : (counted.get(each) ?? 0)),
  })
})
