import { Effect, Layer, Redacted } from "effect"
import { layer as httpChannels } from "../../../../adapters/channels/http/httpChannels.ts"
import type { HttpChannel } from "../../../../adapters/channels/http/HttpChannel.ts"
import * as VaultAdapter from "../../../../adapters/crypto/Vault.ts"
import * as wallClock from "../../../../adapters/webhooks/wallClock.ts"
import { startGateway } from "../../../../apps/channel-gateway/gateway.ts"

/** The settings that the service and its channel's gateway share. */
export const agreement = {
  key_id: "payport-1",
  secret: "the secret of our requests",
  callback_secret: "the secret of its callbacks",
}

/** The channel at that address. */
export const lineTo = (base_url: string, said: Partial<HttpChannel> = {}): HttpChannel => ({
  channel: "wallet_a",
  base_url,
  key_id: agreement.key_id,
  secret: Redacted.make(agreement.secret),
  callback_secret: Redacted.make(agreement.callback_secret),
  timeout_ms: 8_000,
  ...said,
})

export const vault = VaultAdapter.layer(Redacted.make(new Uint8Array(32).fill(7)))

export const over = (line: HttpChannel) =>
  httpChannels([line]).pipe(Layer.provide(Layer.merge(vault, wallClock.layer)))

/** The test's own gateway, whose callbacks go nowhere. */
export const gateway = Effect.acquireRelease(
  Effect.promise(() =>
    startGateway({ channels: { wallet_a: agreement }, service: () => "http://127.0.0.1:9" }),
  ),
  (opened) => Effect.promise(opened.close),
)
