import { Effect } from "effect"
import * as Channel from "../channels/Channel.ts"
import { type CallbackHeaders, isAboutMandate, isAboutRefund } from "../gateway/ChannelCallback.ts"
import { hearCallback } from "../gateway/hearCallback.ts"
import { actOnMandate } from "../installs/settleMandate.ts"
import { actOnCharge } from "../payments/actOnCharge.ts"
import { Channels } from "../ports/Channels.ts"
import { Installation } from "../ports/Installation.ts"
import { actOnRefund } from "../refunds/receiveRefundCallback.ts"
import { notFound } from "../shared/Failure.ts"

/**
 * Handles a channel's message about a charge, a refund or a mandate (Channel callback). A repeated
 * or late message changes nothing. A message that contradicts the payment is noted for
 * reconciliation. Each genuine message about a payment is stored with its effect.
 */
export const receiveCallback = Effect.fn("receiveCallback")(function* (
  channel: string,
  body: Uint8Array,
  signature: string | undefined,
  headers?: CallbackHeaders,
) {
  const { catalog } = yield* Installation
  if (Channel.find(catalog, channel) === undefined) return yield* notFound("channel", channel)
  const callback = yield* (yield* Channels).readCallback(channel, body, signature, headers)
  if (isAboutMandate(callback)) yield* actOnMandate(callback)
  else if (isAboutRefund(callback)) yield* actOnRefund(callback)
  else yield* actOnCharge(callback, hearCallback(callback))
  return { received: true } as const
})
