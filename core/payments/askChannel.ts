import { Effect } from "effect"
import { Channels, type TradeAnswer } from "../ports/Channels.ts"
import { Installation } from "../ports/Installation.ts"
import type { Failure } from "../shared/Failure.ts"
import * as Inquiry from "./Inquiry.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import { actOnCharge } from "./actOnCharge.ts"

/**
 * Logs a refusal. Returns `unknown` if the store was unavailable, so that the channel is asked
 * again.
 */
const unheard = ({ code, message }: Failure): Effect.Effect<TradeAnswer | undefined> =>
  code === "TEMPORARILY_UNAVAILABLE"
    ? Effect.succeed({ type: "unknown", message })
    : Effect.as(
        Effect.logWarning("A channel's answer contradicts a payment.", { code, message }),
        undefined,
      )

/** Asks one channel what became of its charge, and acts on news that no callback had brought. */
export const askChannel = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  { channel, charge_id }: { readonly channel: string; readonly charge_id: string },
) {
  const { currencies } = yield* Installation
  const out_trade_no = intent.id
  const answer = yield* (yield* Channels).query({ channel, out_trade_no, charge_id })
  if (answer.type !== "known") return answer
  const currency = currencies.get(answer.trade.amount.currency)
  const news = currency && Inquiry.callbackOf(intent, channel, answer.trade, currency)
  if (news === undefined) return answer
  const lost = yield* actOnCharge(news).pipe(
    Effect.as(undefined),
    Effect.catchTag("Failure", unheard),
  )
  return lost ?? answer
})
