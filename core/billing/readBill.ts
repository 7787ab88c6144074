import { Clock, Effect, Result } from "effect"
import type { Plan } from "../accounts/Account.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { worthOf } from "../pricing/quoteSettlement.ts"
import { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"
import { billOf, type CurrencyVolume } from "./Bill.ts"
import { usageCounter } from "./Meter.ts"
import { endOf, type Month, startOf } from "../shared/Month.ts"
import { OPERATIONS } from "./Operation.ts"

/** How long after its month a statement waits for the rate of a currency. */
const WAIT_FOR_RATE = 7 * DAY

/**
 * Whether the statement of the month still waits for the rate of a currency, which may come back.
 */
export const waitsForRates = (month: Month, now: Timestamp): boolean =>
  now < endOf(month) + WAIT_FOR_RATE

/**
 * Converts an amount to US cents at the current mid-market rate; undefined if its currency has no
 * rate, and the bill waits for none. Fails without a usable rate.
 */
const inCents = Effect.fnUntraced(function* (amount: Money, waits: boolean) {
  const worth = yield* Effect.result(worthOf(amount, "USD", "half-even"))
  if (Result.isSuccess(worth)) return worth.success
  const { code, message } = worth.failure
  // Rates that are too old become newer, but a currency that left the feed may not come back.
  if (code === "INVALID_AMOUNT" && !waits) return undefined
  return yield* new Failure({ code: "TEMPORARILY_UNAVAILABLE", message, retry_after: 60 })
})

/**
 * Reads the volume of payments to the account that were settled in the month, from the ledger: what
 * the payers paid, in each currency, and in US cents at the current mid-market rate. Refunds do not
 * reduce it.
 */
const readVolumes = Effect.fnUntraced(function* (account_id: string, month: Month, waits: boolean) {
  const store = yield* Store
  const sums = yield* store.sumDays({ account_id, from: `${month}-01`, to: `${month}-31` })
  const volumes: Array<CurrencyVolume> = []
  const unconverted: Array<Money> = []
  for (const { amount: value, currency, kind, ledger_account } of sums) {
    if (kind !== "settled" || ledger_account !== "payer_clearing") continue
    const amount = { currency, value }
    const usd = yield* inCents(amount, waits)
    if (usd === undefined) unconverted.push(amount)
    else volumes.push({ amount, usd })
  }
  return { volumes, unconverted }
})

/**
 * Makes the bill of an account's month so far. What was paid in a currency without a rate is left
 * `unconverted`, or, if the bill `waits` for rates, fails it with `TEMPORARILY_UNAVAILABLE`. So do
 * rates that are too old, in any case.
 */
export const readBill = Effect.fnUntraced(function* (about: {
  readonly account_id: string
  readonly month: Month
  readonly plan: Plan
  readonly opened_at: Timestamp
  readonly waits?: boolean
}) {
  const { account_id, month, plan, waits = false } = about
  const { plans, usage } = (yield* Installation).terms
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const period = { from: startOf(month), to: endOf(month) }
  const [values, codes, volume] = yield* Effect.all(
    [
      store.readCounters(OPERATIONS.map((each) => usageCounter(account_id, month, each))),
      store.countQrCodes({
        account_id,
        ...period,
        counter: usageCounter(account_id, month, "qr-generation"),
        now,
      }),
      readVolumes(account_id, month, waits),
    ],
    { concurrency: "unbounded" },
  )
  const counted = new Map(OPERATIONS.map((each, index) => [each, values[index] ?? 0]))
  return billOf({
    ...about,
    ...volume,
    terms: plans[plan],
    usage,
    // Codes of payments are counted from the stored payments, so that they need no writes.
    counts: (each) => (each === "qr-generation" ? codes : (counted.get(each) ?? 0)),
  })
})
