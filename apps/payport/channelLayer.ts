import { Effect, Layer } from "effect"
import { connectOwnChannel } from "../../adapters/channels/own/connectOwnChannel.ts"
import { currencies } from "../../adapters/fx/Currencies.ts"
import * as wallClock from "../../adapters/webhooks/wallClock.ts"
import { Channels } from "../../core/ports/Channels.ts"
import { WallClock } from "../../core/ports/WallClock.ts"
import { type OwnChannelOption, readOwnChannel } from "./OwnChannelOption.ts"
import type { PayportOptionsError } from "./PayportOptions.ts"

/**
 * Provides one channel of the host's own as the port `Channels`, for `channelContract` of
 * `payport/testing`.
 */
export const channelLayer = (
  channel: OwnChannelOption,
): Layer.Layer<Channels, PayportOptionsError> =>
  Layer.effect(
    Channels,
    Effect.gen(function* () {
      const own = yield* Effect.fromResult(readOwnChannel("channel", channel))
      return connectOwnChannel(own, yield* WallClock, currencies)
    }),
  ).pipe(Layer.provide(wallClock.layer))
