import { Effect } from "effect"
import type { UnreadableCallback } from "../../core/ports/Channels.ts"
import type { ChannelMessage } from "../../core/gateway/ChannelCallback.ts"
import type { Vault } from "../../core/ports/Vault.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { decodeCallback } from "./codec.ts"

/** A callback as received. `signature` is its `X-Channel-Signature` header. */
interface SignedCallback {
  readonly channel: string
  readonly body: Uint8Array
  readonly signature: string | undefined
}

/**
 * Reads a callback that its channel has signed. `secret` is undefined for a channel that is not
 * configured. Fails with `webhook_signature_invalid`, and as `decodeCallback` does.
 */
export const readSignedCallback = (
  vault: Vault["Service"],
  secret: string | undefined,
  { body, channel, signature = "" }: SignedCallback,
): Effect.Effect<ChannelMessage, Failure<"webhook_signature_invalid"> | UnreadableCallback> =>
  secret !== undefined && vault.equal(vault.hmac(secret, body), signature.trim().toLowerCase())
    ? Effect.fromResult(decodeCallback(channel, body))
    : Effect.fail(
        new Failure({
          code: "webhook_signature_invalid",
          message:
            "X-Channel-Signature must be the hex HMAC-SHA256 of the body as sent, with the " +
            "channel's callback secret as key.",
        }),
      )
