import type { KeyChange } from "../commits/Commit.ts"
import { Failure } from "../shared/Failure.ts"
import type { ChannelCallback } from "./ChannelCallback.ts"
import type { Discrepancy } from "./Discrepancy.ts"

type Kind = Discrepancy["kind"]

/** What a message says that is not so: our value and the channel's. */
export interface Contradiction {
  readonly kind: Kind
  readonly expected: string
  readonly actual: string
}

/** What is said of a trade that pays another payment. */
export const othersTrade = (paymentIntent: string, tradeNo: string): Contradiction => ({
  kind: "status_mismatch",
  expected: `a trade of ${paymentIntent}`,
  actual: `trade ${tradeNo}, which pays another payment`,
})

/** What the names of trades begin with; see {@link tradeKey}. */
export const TRADE_KEYS = "trade:"

/** The name of a trade, which the payment has that it pays. */
export const tradeKey = (channel: string, tradeNo: string): string =>
  `${TRADE_KEYS}${channel}:${tradeNo}`

/** Claims the trade of a callback that tells of money: a trade pays one payment. */
export const tradeClaims = ({
  channel,
  out_trade_no: owner,
  trade_no,
  trade_status,
}: ChannelCallback): ReadonlyArray<KeyChange> =>
  trade_status === "AUTHORIZED" || trade_status === "SUCCESS"
    ? [{ op: "claim", key: tradeKey(channel, trade_no), owner }]
    : []

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
