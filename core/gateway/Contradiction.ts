import type { KeyChange } from "../commits/Commit.ts"
import type { CurrencyTable } from "../shared/Currency.ts"
import { Failure } from "../shared/Failure.ts"
import { fromMajor, type Money, writtenIn } from "../shared/Money.ts"
import type { ChannelCallback } from "./ChannelCallback.ts"
import type { Discrepancy } from "./Discrepancy.ts"

type Kind = Discrepancy["kind"]

/** A contradiction between a message and our records: our value and the channel's. */
export interface Contradiction {
  readonly kind: Kind
  readonly expected: string
  readonly actual: string
}

/** Makes the contradiction of a trade that pays another payment. */
export const othersTrade = (paymentIntent: string, tradeNo: string): Contradiction => ({
  kind: "status_mismatch",
  expected: `a trade of ${paymentIntent}`,
  actual: `trade ${tradeNo}, which pays another payment`,
})

/** Prefix of the names of trades; see {@link tradeKey}. */
export const TRADE_KEYS = "trade:"

/** Returns the unique name of a trade; the payment that the trade pays holds it. */
export const tradeKey = (channel: string, tradeNo: string): string =>
  `${TRADE_KEYS}${channel}:${tradeNo}`

/** Claims the trade of a callback about money, since a trade pays only one payment. */
export const tradeClaims = ({
  channel,
  out_trade_no: owner,
  trade_no,
  trade_status,
}: ChannelCallback): ReadonlyArray<KeyChange> =>
  trade_status === "AUTHORIZED" || trade_status === "SUCCESS"
    ? [{ op: "claim", key: tradeKey(channel, trade_no), owner }]
    : []

/** An amount in major units that a channel names; of the expected currency if it names none. */
interface SaidAmount {
  readonly amount: string
  readonly currency: string | undefined
}

/** Returns a contradiction if a channel names another amount or currency than is in our records. */
export const amountMismatch = (
  expected: Money,
  { amount, currency = expected.currency }: SaidAmount,
  currencies: CurrencyTable,
): Contradiction | undefined => {
  const known = currencies.get(expected.currency)
  const value = known === undefined ? undefined : fromMajor(amount, known)
  if (value === expected.value && currency === expected.currency) return undefined
  return {
    kind: "amount_mismatch",
    expected: writtenIn(expected, currencies),
    actual: `${amount} ${currency}`,
  }
}

const REFUSALS: { readonly [K in Kind]?: "CHANNEL_MISMATCH" | "AMOUNT_MISMATCH" } = {
  channel_mismatch: "CHANNEL_MISMATCH",
  amount_mismatch: "AMOUNT_MISMATCH",
}

/** Makes the response to a channel about a mismatch (Channel callback: 400). */
export const refusal = (found: Contradiction) =>
  new Failure({
    code: REFUSALS[found.kind] ?? "CHANNEL_MISMATCH",
    message:
      `The callback says ${found.actual}, but the payment has ${found.expected}. ` +
      "The callback had no effect.",
    details: { expected: found.expected, actual: found.actual },
  })
