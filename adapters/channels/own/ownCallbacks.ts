import { Effect, Result } from "effect"
import type { CallbackHeaders, ChannelMessage } from "../../../core/gateway/ChannelCallback.ts"
import type { CurrencyTable } from "../../../core/shared/Currency.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import { thrownReason } from "../../shared/thrownReason.ts"
import { readMessage } from "./Answers.ts"
import { given } from "./ask.ts"
import type { CallbackCodec, RawCallback } from "./OwnChannel.ts"

const notGenuine = (channel: string) =>
  new Failure({
    code: "webhook_signature_invalid",
    message: `The callback is not from ${channel}: the channel's codec did not verify it.`,
  })

const unreadable = (channel: string, reason: string) =>
  new Failure({
    code: "INVALID_REQUEST",
    message: `The codec of ${channel} could not decode the callback: ${reason}`,
  })

const rawOf = (body: Uint8Array, headers: CallbackHeaders): RawCallback => ({
  body: body.slice(),
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === "object" ? value.join(", ") : value,
    ]),
  ),
})

/** Reads a callback with the channel's own codec, after the codec has verified it. */
export const readOwnCallback = Effect.fnUntraced(function* (
  { channel, codec, timeout }: { channel: string; codec: CallbackCodec; timeout: number },
  { body, headers }: { body: Uint8Array; headers: CallbackHeaders },
  currencies: CurrencyTable,
) {
  const raw = rawOf(body, headers)
  const isGenuine = yield* given(codec.verify, raw, timeout).pipe(
    Effect.catch(({ thrown }) =>
      Effect.as(
        Effect.logWarning("A codec failed to verify a callback.", {
          channel,
          error: thrownReason(thrown),
        }),
        false,
      ),
    ),
  )
  if (isGenuine !== true) return yield* notGenuine(channel)
  const answer = yield* given(codec.read, raw, timeout).pipe(
    Effect.mapError(({ thrown }) => unreadable(channel, thrownReason(thrown))),
  )
  const message: ChannelMessage = yield* Effect.fromResult(
    Result.mapError(readMessage(channel, answer, currencies), (flaw) =>
      unreadable(channel, flaw.message),
    ),
  )
  return message
})
