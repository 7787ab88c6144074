import { Clock, Context, Effect, Layer } from "effect"
import { layer as httpChannels } from "../../adapters/channels/http/httpChannels.ts"
import { byChannel } from "../../adapters/channels/byChannel.ts"
import { measured } from "../../adapters/channels/measured.ts"
import { withinRate } from "../../adapters/channels/rate/withinRate.ts"
import { connectOwnChannel } from "../../adapters/channels/own/connectOwnChannel.ts"
import * as directTransport from "../../adapters/channels/sandbox/directTransport.ts"
import { layerBeside } from "../../adapters/channels/sandbox/layer.ts"
import * as movableClock from "../../adapters/clock/movableClock.ts"
import * as Ids from "../../adapters/crypto/Ids.ts"
import * as keyRing from "../../adapters/crypto/keyRing.ts"
import { currencies } from "../../adapters/fx/Currencies.ts"
import { DatedRates } from "../../adapters/fx/DatedRates.ts"
import { liveIdentity, sandboxIdentity } from "../../adapters/identity/layer.ts"
import { rulesLanguage } from "../../adapters/language/layer.ts"
import * as qrWriter from "../../adapters/qr/writer.ts"
import * as revokers from "../../adapters/revokers/layer.ts"
import { isLocalUrl } from "../../adapters/shared/addresses/localHost.ts"
import * as clientDocuments from "../../adapters/webhooks/clientDocuments.ts"
import * as receiverAddress from "../../adapters/webhooks/receiverAddress.ts"
import * as resourceProbe from "../../adapters/webhooks/resourceProbe.ts"
import * as sender from "../../adapters/webhooks/sender.ts"
import * as wallClock from "../../adapters/webhooks/wallClock.ts"
import { Channels } from "../../core/ports/Channels.ts"
import { CurrentReturnHold } from "../../core/dispatch/holdReturn.ts"
import { EventConsumers } from "../../core/ports/EventConsumers.ts"
import { layer as requestLimits } from "../../core/billing/limitRequests.ts"
import { ReplyRetention } from "../../core/idempotency/Reply.ts"
import { CurrentRetention } from "../../core/retention/Retention.ts"
import { Installation } from "../../core/ports/Installation.ts"
import { MasterKey } from "../../core/ports/MasterKey.ts"
import type { Vault } from "../../core/ports/Vault.ts"
import { WallClock } from "../../core/ports/WallClock.ts"
import { consumerOf } from "./EventHook.ts"
import { hostPorts } from "./hostPorts.ts"
import { logging } from "./logging.ts"
import { noQrReader } from "./noQrReader.ts"
import type { Settings } from "./Settings.ts"

/** A clock with the machine's timers and the host's time of day. */
const hostClock = (now: () => number) =>
  Layer.effect(
    Clock.Clock,
    Effect.map(Clock.Clock, (system): Clock.Clock => {
      const nanos = () => BigInt(Math.floor(now())) * 1_000_000n
      return {
        currentTimeMillisUnsafe: now,
        currentTimeMillis: Effect.sync(now),
        currentTimeNanosUnsafe: nanos,
        currentTimeNanos: Effect.sync(nanos),
        monotonicTimeNanosUnsafe: () => system.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: system.monotonicTimeNanos,
        sleep: (duration) => system.sleep(duration),
      }
    }),
  )

const installation = ({ baseUrl, catalog, mode, terms }: Settings) =>
  Layer.succeed(Installation, {
    mode,
    base_url: baseUrl,
    catalog,
    currencies,
    terms,
    local_receivers: mode === "sandbox" && isLocalUrl(baseUrl),
  })

/** The store and the vault, whose keys are in the store. */
const kept = ({ masterKey, mode, rateLimits, store, terms }: Settings) => {
  const stored = keyRing
    .layer(mode)
    .pipe(Layer.provide(Layer.succeed(MasterKey, masterKey)), Layer.provideMerge(store))
  return rateLimits ? Layer.provideMerge(requestLimits(terms.plans), stored) : stored
}

/** The retention times. */
const retained = ({ retention }: Settings) =>
  Layer.merge(
    Layer.succeed(CurrentRetention, retention),
    Layer.succeed(ReplyRetention, retention.reply),
  )

const consumers = ({ hooks }: Settings) =>
  Layer.succeed(
    EventConsumers,
    new Map(hooks.map((hook) => [hook.consumer, consumerOf(hook)] as const)),
  )

const foundation = (settings: Settings, host: HostPorts) => {
  const { log, now } = settings
  const own = Layer.mergeAll(
    installation(settings),
    Ids.layer,
    qrWriter.layer,
    consumers(settings),
    retained(settings),
    Layer.succeed(CurrentReturnHold, settings.holdReturns),
  )
  // The host's ports are at the bottom, for the services built on them, and at the top, for
  // callers.
  const all = Layer.mergeAll(kept(settings), own, host).pipe(
    Layer.provideMerge(Layer.merge(wallClock.layer, host)),
    Layer.provideMerge(logging(log)),
  )
  return now === undefined ? all : Layer.provideMerge(all, hostClock(now))
}

const outside = Layer.provideMerge(
  revokers.layer,
  Layer.mergeAll(
    sender.layer,
    resourceProbe.layer,
    clientDocuments.layer,
    receiverAddress.layer,
    DatedRates(),
    rulesLanguage,
    noQrReader,
  ),
)

type HostPorts = ReturnType<typeof hostPorts>

/** Adds the host's own channels, each with its functions, to the other channels. */
const withOwn = <E, R>(
  { gateways, mode, own }: Settings,
  others: Layer.Layer<Channels, E, R>,
): Layer.Layer<Channels, E, R | Vault | WallClock> => {
  const make = Effect.gen(function* () {
    const rest = yield* Channels
    const clock = yield* WallClock
    const called = new Map(
      own.map((one) => [one.channel.id, connectOwnChannel(one, clock, currencies)]),
    )
    if (mode === "sandbox" && gateways.length > 0) {
      const behind = Context.get(yield* Layer.build(httpChannels(gateways)), Channels)
      for (const { channel } of gateways) called.set(channel, behind)
    }
    return byChannel(called, rest)
  })
  return Layer.effect(Channels, make).pipe(Layer.provide(others))
}

/** Provides every port with its adapter, and simulated channels. Host ports take precedence. */
export const sandboxServices = (settings: Settings) => {
  const host = hostPorts(settings.ports)
  const moved = Layer.provideMerge(movableClock.layer, foundation(settings, host))
  const sandbox = layerBeside(directTransport.layer, (simulated) => withOwn(settings, simulated))
  return Layer.merge(sandbox, withinRate(measured(sandbox))).pipe(
    Layer.provideMerge(Layer.mergeAll(outside, sandboxIdentity(settings.carriers), host)),
    Layer.provideMerge(moved),
  )
}

/** The same as `sandboxServices`, with the host's channels. */
export const liveServices = (settings: Settings) => {
  const host = hostPorts(settings.ports)
  return withinRate(measured(withOwn(settings, httpChannels(settings.gateways)))).pipe(
    Layer.provideMerge(Layer.mergeAll(outside, liveIdentity(settings.carriers), host)),
    Layer.provideMerge(foundation(settings, host)),
  )
}
