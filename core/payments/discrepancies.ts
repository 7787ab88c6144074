import { Effect } from "effect"
import type { ChannelCallback } from "../gateway/ChannelCallback.ts"
import type { Discrepancy } from "../gateway/Discrepancy.ts"
import { Ids } from "../ports/Ids.ts"
import { Conflict, type KeyChange, Store, type StoreUnavailable } from "../ports/Store.ts"
import type { CurrencyTable } from "../shared/Currency.ts"
import { Failure } from "../shared/Failure.ts"
import { fromMajor } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { chargeAt } from "./Lifecycle.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"

type Kind = Discrepancy["kind"]

/** What a callback says that is not so: our value and the channel's. */
export interface Contradiction {
  readonly kind: Kind
  readonly expected: string
  readonly actual: string
}

/** Where a callback's channel, amount or currency is not the payment's. */
export const mismatch = (
  intent: PaymentIntent,
  callback: ChannelCallback,
  currencies: CurrencyTable,
): Contradiction | undefined => {
  if (chargeAt(intent, callback.channel) === undefined) {
    const expected = intent.offers.map(({ channel }) => channel).join(", ") || `${intent.channel}`
    return { kind: "channel_mismatch", expected, actual: callback.channel }
  }
  const { currency, value } = intent.amount
  const known = currencies.get(currency)
  const paid = known === undefined ? undefined : fromMajor(callback.total_amount, known)
  if (paid === value && (callback.currency ?? currency) === currency) return undefined
  return {
    kind: "amount_mismatch",
    expected: `${value} ${currency}`,
    actual: `${paid ?? callback.total_amount} ${callback.currency ?? currency}`,
  }
}

/** A message as a discrepancy is told by it. */
interface Message {
  readonly channel: string
  readonly trade_no: string
  readonly trade_status: string
}

/** What a commit has of a contradiction. Its name is taken where it was written down before. */
export const discrepancy = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  callback: Message,
  found: Contradiction,
  at: Timestamp,
) {
  const id = `disc_${(yield* Ids).uuid()}`
  const record: Discrepancy = {
    id,
    version: 1,
    account_id: intent.payee_account_id,
    ...found,
    payment_intent: intent.id,
    channel: callback.channel,
    trade_no: callback.trade_no,
    run: null,
    created_at: at,
  }
  const { channel, trade_no, trade_status } = callback
  const key = `discrepancy:${found.kind}:${intent.id}:${channel}:${trade_no}:${trade_status}`
  return {
    writes: [{ op: "insert", kind: "discrepancy", record }],
    keys: [{ op: "claim", key, owner: id }],
  } as const
})

/** Writes a contradiction down for reconciliation, once. */
export const record = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  callback: Message,
  found: Contradiction,
  at: Timestamp,
) {
  const store = yield* Store
  yield* store.commit(yield* discrepancy(intent, callback, found, at)).pipe(ignoreTaken)
})

/** What was recorded before, by this message's twin, is not recorded again. */
export const ignoreTaken = <R>(self: Effect.Effect<void, Conflict | StoreUnavailable, R>) =>
  Effect.catchTag(self, "Conflict", (conflict) =>
    isNoted(conflict) ? Effect.void : Effect.fail(conflict),
  )

/** Whether a commit was refused since its contradiction was written down before. */
export const isNoted = (conflict: Conflict): boolean => isTaken(conflict, "discrepancy:")

const isTaken = ({ reason }: Conflict, prefix: string): boolean =>
  reason.type === "key_taken" && reason.key.startsWith(prefix)

const TRADE = "trade:"

/** Whether a commit was refused since the trade that it claims pays another payment. */
export const isOthersTrade = (conflict: Conflict): boolean => isTaken(conflict, TRADE)

/** What is said of a trade that pays another payment. */
export const othersTrade = (intent: PaymentIntent, tradeNo: string): Contradiction => ({
  kind: "status_mismatch",
  expected: `a trade of ${intent.id}`,
  actual: `trade ${tradeNo}, which pays another payment`,
})

/** The name of a trade, which the payment has that it pays. */
export const tradeKey = (channel: string, tradeNo: string): string =>
  `${TRADE}${channel}:${tradeNo}`

/** Claims the trade of a callback that tells of money: a trade pays one payment. */
export const tradeClaims = (
  intent: PaymentIntent,
  callback: ChannelCallback,
): ReadonlyArray<KeyChange> =>
  callback.trade_status === "AUTHORIZED" || callback.trade_status === "SUCCESS"
    ? [{ op: "claim", key: tradeKey(callback.channel, callback.trade_no), owner: intent.id }]
    : []

/** Refuses a callback whose trade pays another payment already, and writes that down. */
export const ownTrade =
  (intent: PaymentIntent, callback: ChannelCallback, at: Timestamp) =>
  <A, E, R>(self: Effect.Effect<A, E | Conflict, R>) =>
    Effect.catchIf(
      self,
      (error): error is E & Conflict => error instanceof Conflict && isOthersTrade(error),
      () =>
        Effect.andThen(
          record(intent, callback, othersTrade(intent, callback.trade_no), at),
          new Failure({
            code: "CHANNEL_MISMATCH",
            message: `Trade ${callback.trade_no} pays another payment. Nothing was moved.`,
          }),
        ),
    )

const REFUSALS: { readonly [K in Kind]?: "CHANNEL_MISMATCH" | "AMOUNT_MISMATCH" } = {
  channel_mismatch: "CHANNEL_MISMATCH",
  amount_mismatch: "AMOUNT_MISMATCH",
}

/** What the channel is told about a mismatch (Channel callback: 400). */
export const refusal = (found: Contradiction) =>
  new Failure({
    code: REFUSALS[found.kind] ?? "CHANNEL_MISMATCH",
    message:
      `The callback says ${found.actual} where the payment has ${found.expected}. ` +
      "Nothing was moved.",
    details: { expected: found.expected, actual: found.actual },
  })
