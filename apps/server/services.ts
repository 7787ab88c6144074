import { Effect, Layer } from "effect"
import type { HttpChannel } from "../../adapters/channels/http/HttpChannel.ts"
import { layer as httpChannels } from "../../adapters/channels/http/httpChannels.ts"
import { measured } from "../../adapters/channels/measured.ts"
import { withinRate } from "../../adapters/channels/rate/withinRate.ts"
import { layer as sandboxLayer } from "../../adapters/channels/sandbox/layer.ts"
import * as directTransport from "../../adapters/channels/sandbox/directTransport.ts"
import * as httpTransport from "../../adapters/channels/sandbox/httpTransport.ts"
import * as movableClock from "../../adapters/clock/movableClock.ts"
import * as Ids from "../../adapters/crypto/Ids.ts"
import * as keyRing from "../../adapters/crypto/keyRing.ts"
import { currencies } from "../../adapters/fx/Currencies.ts"
import { DatedRates } from "../../adapters/fx/DatedRates.ts"
import { HttpRates } from "../../adapters/fx/HttpRates.ts"
import { modelLanguage, rulesLanguage } from "../../adapters/language/layer.ts"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import * as qr from "../../adapters/qr/layer.ts"
import { liveIdentity, sandboxIdentity } from "../../adapters/identity/layer.ts"
import { startEmbeddedPostgres } from "../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import * as revokers from "../../adapters/revokers/layer.ts"
import { isLocalHost, isLocalUrl } from "../../adapters/shared/addresses/localHost.ts"
import * as clientDocuments from "../../adapters/webhooks/clientDocuments.ts"
import * as receiverAddress from "../../adapters/webhooks/receiverAddress.ts"
import * as resourceProbe from "../../adapters/webhooks/resourceProbe.ts"
import * as sender from "../../adapters/webhooks/sender.ts"
import * as wallClock from "../../adapters/webhooks/wallClock.ts"
import { layer as requestLimits } from "../../core/billing/limitRequests.ts"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import { usualTerms } from "../../core/terms/Terms.ts"
import type { Catalog } from "../../core/channels/Channel.ts"
import { CurrentKeyLifetime } from "../../core/accounts/KeyRules.ts"
import { CurrentReturnHold } from "../../core/dispatch/holdReturn.ts"
import { ReplyRetention } from "../../core/idempotency/Reply.ts"
import { ProbeInterval } from "../../core/listings/ProbeInterval.ts"
import { Installation } from "../../core/ports/Installation.ts"
import { MasterKey } from "../../core/ports/MasterKey.ts"
import { CurrentRetention } from "../../core/retention/Retention.ts"
import { RevocationRetention } from "../../core/revocations/RevocationRetention.ts"
import { DAY, MINUTE } from "../../core/shared/Timestamp.ts"
import { guardedStore } from "../../core/work/guardedStore.ts"
import { archivedUntil } from "./archive/archivedUntil.ts"
import { tracedSender, tracedStore } from "./observe/trace.ts"
import type { Secrets } from "./secrets.ts"
import type { Settings } from "./settings.ts"

/**
 * The database of the settings, otherwise the embedded one, which stops last. In live mode the
 * service's role owns nothing in either.
 */
export const database = ({ connection, data_dir, database: use, mode }: Settings) =>
  Layer.unwrap(
    Effect.gen(function* () {
      if (connection !== undefined) {
        const settings = { ...connection, ...use }
        return PostgresStore.layer(settings, { mustOwnNothing: mode === "live" })
      }
      const embedded = yield* startEmbeddedPostgres({ dataDirectory: data_dir })
      const service = { ...embedded.service, ...use }
      return PostgresStore.layer(service, { owner: embedded.connection })
    }),
  )

/**
 * Whether receivers on this machine are accepted. By default only if nobody outside this machine
 * can be a tenant: behind a proxy on the same host, the listen address is loopback, but the base
 * URL is not.
 */
export const takesLocalReceivers = (
  { host, local_receivers, mode }: Pick<Settings, "host" | "local_receivers" | "mode">,
  baseUrl: string,
): boolean => mode === "sandbox" && (local_receivers ?? (isLocalHost(host) && isLocalUrl(baseUrl)))

const installation = (settings: Settings, base_url: string, catalog: Catalog) =>
  Layer.succeed(Installation, {
    mode: settings.mode,
    base_url,
    catalog,
    terms: usualTerms,
    currencies,
    local_receivers: takesLocalReceivers(settings, base_url),
  })

const rates = ({ rates_url }: Settings) =>
  rates_url === undefined ? DatedRates() : HttpRates({ url: rates_url })

/**
 * The database and the vault of its keys. The database is used only while the machine's clock
 * agrees with its clock. The mode and the master key have to be those of the database.
 */
const kept = (settings: Settings, secrets: Secrets) => {
  const vault = Layer.provide(
    keyRing.layer(settings.mode),
    Layer.succeed(MasterKey, secrets.master_key),
  )
  const own = database(settings)
  const traced = settings.observe.otlp === undefined ? own : Layer.provideMerge(tracedStore, own)
  const timed = Layer.merge(traced, wallClock.layer)
  const stored = Layer.provideMerge(vault, Layer.provideMerge(guardedStore, timed))
  return settings.rate_limits ? Layer.provideMerge(requestLimits(usualTerms.plans), stored) : stored
}

/** The layers of both modes: database, vault, ids, the machine's time. */
const foundation = (settings: Settings, secrets: Secrets, baseUrl: string, catalog: Catalog) =>
  Layer.mergeAll(
    kept(settings, secrets),
    installation(settings, baseUrl, catalog),
    Ids.layer,
    qr.layer,
    Layer.succeed(CurrentKeyLifetime, settings.key_lifetime),
    Layer.succeed(RevocationRetention, settings.revocation_retention_days * DAY),
    Layer.succeed(CurrentReturnHold, settings.hold_returns),
    Layer.succeed(ProbeInterval, settings.listing_probe_minutes * MINUTE),
    Layer.succeed(CurrentRetention, settings.retention),
    archivedUntil(settings.archive_dir),
    Layer.succeed(ReplyRetention, settings.retention.reply),
  )

const language = ({ language_model }: Settings) =>
  language_model === undefined ? rulesLanguage : modelLanguage(language_model)

const sending = ({ observe }: Settings) =>
  observe.otlp === undefined ? sender.layer : Layer.provide(tracedSender, sender.layer)

const outside = (settings: Settings) =>
  Layer.provideMerge(
    revokers.layer,
    Layer.mergeAll(
      sending(settings),
      resourceProbe.layer,
      clientDocuments.layer,
      receiverAddress.layer,
      rates(settings),
      language(settings),
    ),
  )

/**
 * Provides every port of the core with its adapter, and simulated channels. These call back over
 * HTTP if this process serves it; `served` then succeeds with its address.
 */
export const sandboxServices = (
  settings: Settings,
  secrets: Secrets,
  baseUrl: string,
  served: Effect.Effect<string>,
) => {
  const moved = Layer.provideMerge(
    movableClock.layer,
    foundation(settings, secrets, baseUrl, defaultCatalog),
  )
  const sandbox = settings.roles.has("api")
    ? sandboxLayer(httpTransport.layer(served))
    : sandboxLayer(directTransport.layer)
  return Layer.merge(sandbox, withinRate(measured(sandbox))).pipe(
    Layer.provideMerge(Layer.merge(outside(settings), sandboxIdentity(settings.carriers))),
    Layer.provideMerge(moved),
  )
}

/** Provides every port of the core with its adapter, and only the configured channels. */
export const liveServices = (
  settings: Settings,
  secrets: Secrets,
  baseUrl: string,
  channels: ReadonlyArray<HttpChannel>,
) => {
  const catalog = defaultCatalog.filter(({ id }) => channels.some(({ channel }) => channel === id))
  const identity = liveIdentity(settings.carriers)
  return Layer.merge(identity, withinRate(measured(httpChannels(channels)))).pipe(
    Layer.provideMerge(outside(settings)),
    Layer.provideMerge(foundation(settings, secrets, baseUrl, catalog)),
  )
}
