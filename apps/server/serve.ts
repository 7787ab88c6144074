import { Cause, Context, Deferred, Effect, Fiber, Layer, Schedule } from "effect"
import {
  HttpServer,
  type ListenError,
  type ServerOptions,
} from "../../adapters/http/koa/HttpServer.ts"
import type { Traceparent } from "../../adapters/shared/Traceparent.ts"
import { AddressGate } from "../../adapters/shared/addresses/AddressGate.ts"
import { Intake } from "../../adapters/shared/Intake.ts"
import { layerLive, layerSandbox } from "../../adapters/http/server.ts"
import { makeMetrics } from "../../adapters/http/koa/telemetry.ts"
import { openMcpEndpoint } from "../../adapters/mcp/McpEndpoint.ts"
import { operatorKeys } from "../../adapters/http/koa/operators.ts"
import type { SessionOptions } from "../../adapters/pages/console/sessions.ts"
import { openOauth } from "../../adapters/oauth/openOauth.ts"
import { openConsole } from "../../adapters/pages/console/openConsole.ts"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import { openRuns } from "../../core/reports/openRuns.ts"
import { workLoop } from "../../core/work/workLoop.ts"
import { keepHeads } from "./keepHeads.ts"
import { holdPort, localUrl } from "./address.ts"
import { openDemoAccounts } from "./demoAccounts.ts"
import { type Ready, readyAs } from "./greeting.ts"
import { openMember } from "./processes/member.ts"
import { readChannels } from "./channelsFile.ts"
import { followOperators } from "./operatorsFile.ts"
import { observeBacklog } from "./observe/observeBacklog.ts"
import type { ObserveSettings } from "./observe/observeSettings.ts"
import { isSampled } from "./observe/Sampler.ts"
import { probeListener } from "./observe/probeSettings.ts"
import { shareLook } from "./observe/shareLook.ts"
import { openSecrets, type Secrets } from "./secrets.ts"
import { liveServices, sandboxServices } from "./services.ts"
import type { Settings } from "./settings.ts"
import type { Site } from "./site.ts"

/** How long requests in progress may continue after the signal to stop, in milliseconds. */
const DRAIN_WITHIN = 7_000

/** The backlog is counted at most once in so many milliseconds. */
const COUNT_EVERY = 15_000

/** Counts requests over HTTP and calls over MCP together. */
type PublicOptions = Gated & { readonly intake: Intake }
type Gated = ServerOptions & { readonly gate: AddressGate }

/** Returns who may sign in. If operators have their own listener, only that accepts their keys. */
const sessionsAt = ({ adminKey, gate, operators, part }: Gated): SessionOptions => ({
  gate,
  operators: part === "public" ? () => [] : operatorKeys(adminKey, operators),
})

const consoleAt = (options: Gated) => openConsole(sessionsAt(options))

/**
 * Loads the module that opens the pages. It is loaded here and not at the top, since Node cannot
 * read TSX itself: if it runs the sources directly, every command works but there are no pages.
 */
const loadSite = Effect.catchCause(
  Effect.promise(() => import("./site.ts")),
  (cause) => {
    const { code } = Cause.squash(cause) as NodeJS.ErrnoException
    if (code !== "ERR_UNKNOWN_FILE_EXTENSION") return Effect.failCause(cause)
    return Effect.as(Effect.logWarning("no pages: Node runs the sources as they are"), undefined)
  },
)

const NO_SITE: Site = { pages: [], close: Effect.void }

/** Serves the HTTP API, MCP and the pages; returns the effect that stops them. */
const openServers = Effect.fnUntraced(function* <R>(
  options: PublicOptions,
  layer: (options: ServerOptions) => Layer.Layer<HttpServer, ListenError, R>,
  site: Site,
) {
  const { gate, host, intake } = options
  const mcp = yield* openMcpEndpoint({ host, gate, intake, authorizes: true })
  const oauth = yield* openOauth({ gate, intake })
  const door = yield* consoleAt(options)
  const pages = [mcp.page, oauth, door, ...site.pages]
  const neighbours = { mcp: mcp.addresses, docs: site.pages.length > 0, oauth: true }
  const context = yield* Layer.build(layer({ ...options, pages, neighbours }))
  const { drain } = Context.get(context, HttpServer)
  return Effect.all([mcp.close, site.close, drain], { discard: true })
})

const openLive = Effect.fnUntraced(function* (options: PublicOptions) {
  const file = yield* loadSite
  const site = file === undefined ? NO_SITE : yield* file.openLiveSite(options)
  return yield* openServers(options, layerLive, site)
})

const openSandbox = Effect.fnUntraced(function* (options: PublicOptions) {
  const file = yield* loadSite
  const site =
    file === undefined ? NO_SITE : yield* file.openSandboxSite(options, sessionsAt(options))
  return yield* openServers(options, layerSandbox, site)
})

/** Serves a part on its own listener; returns the effect that stops it. */
const openPart = Effect.fnUntraced(function* <R>(
  options: PublicOptions,
  layer: (options: ServerOptions) => Layer.Layer<HttpServer, ListenError, R>,
) {
  const isTheirs = options.part === "operators"
  const file = isTheirs ? yield* loadSite : undefined
  const site =
    file === undefined ? NO_SITE : yield* file.openOperatorsSite(options, sessionsAt(options))
  const pages = isTheirs ? [yield* consoleAt(options), ...site.pages] : []
  const { drain } = Context.get(yield* Layer.build(layer({ ...options, pages })), HttpServer)
  return Effect.all([site.close, drain], { discard: true })
})

/** The loop of a worker. It has no trace, since the trace would never end. */
const working = ({ audit_heads }: Settings) =>
  Effect.all([openRuns(), workLoop(), keepHeads(audit_heads)], {
    concurrency: "unbounded",
    discard: true,
  }).pipe(Effect.withTracerEnabled(false))

/** How requests are logged. */
const requestsOf = ({ access_log, otlp }: ObserveSettings) => ({
  accessLog: access_log,
  tracing: otlp && {
    isSampled: (caller: Traceparent | undefined) => isSampled(otlp.sampler, caller, Math.random()),
  },
})

/** Counts the backlog regularly for a collector, since no scrape triggers the count. */
const countOften = (look: Effect.Effect<void>) =>
  Effect.forkScoped(Effect.repeat(look, Schedule.spaced(COUNT_EVERY)))

/**
 * Makes the services of the settings' mode, with the effects that serve the API and run the worker.
 */
const make = Effect.fnUntraced(function* (
  settings: Settings,
  secrets: Secrets,
  base: string,
  served: Effect.Effect<string>,
) {
  if (settings.channels === undefined) {
    const context = yield* Layer.build(sandboxServices(settings, secrets, base, served))
    const run = Effect.provideContext(context)
    if (secrets.demo !== undefined) yield* run(openDemoAccounts(secrets.demo))
    return {
      open: (options: PublicOptions) => run(openSandbox(options)),
      openPart: (options: PublicOptions) => run(openPart(options, layerSandbox)),
      look: yield* run(Effect.map(observeBacklog, run)),
      work: run(working(settings)),
    }
  }
  const channels = yield* readChannels(settings.channels, defaultCatalog)
  const context = yield* Layer.build(liveServices(settings, secrets, base, channels))
  const run = Effect.provideContext(context)
  return {
    open: (options: PublicOptions) => run(openLive(options)),
    openPart: (options: PublicOptions) => run(openPart(options, layerLive)),
    look: yield* run(Effect.map(observeBacklog, run)),
    work: run(working(settings)),
  }
})

/** Checks and holds the operators' listener before anything starts; undefined if there is none. */
const ownListener = Effect.fnUntraced(function* ({ admin_host: host, admin_port }: Settings) {
  if (admin_port === undefined) return undefined
  const held = yield* holdPort(host, admin_port, "ADMIN_")
  return { host, ...held, part: "operators" } as const
})

/** Opens the probe listener; undefined if there is none, or a worker's default port is taken. */
const ownProbes = Effect.fnUntraced(function* ({ admin_port, probes, roles }: Settings) {
  const listeners = { api: roles.has("api"), admin: admin_port !== undefined }
  const wanted = probeListener(probes, listeners)
  if (wanted === undefined) return undefined
  const { host, isWanted, part, port } = wanted
  const holding = holdPort(host, port, "PROBE_")
  const held = yield* isWanted
    ? holding
    : Effect.catch(holding, ({ message }) =>
        Effect.as(Effect.logWarning(`This worker has no probes: ${message}`), undefined),
      )
  return held && { host, part, ...held }
})

/** Starts the roles of the settings, reports when they are ready, and runs until interrupted. */
export const serve = Effect.fnUntraced(function* (
  settings: Settings,
  announce: (ready: Ready) => Effect.Effect<void>,
) {
  const { host, roles } = settings
  const member = yield* openMember
  const api = roles.has("api")
  const held = api ? yield* holdPort(host, settings.port) : { port: settings.port }
  const secrets = yield* openSecrets(settings)
  const local = localUrl(host, held.port)
  const base = settings.base_url ?? local
  const served = yield* Deferred.make<string>()

  const own = yield* ownListener(settings)
  const probes = yield* ownProbes(settings)
  const { operators: named } = settings
  const operators = named === undefined ? () => [] : yield* followOperators(named)

  const made = yield* make(settings, secrets, base, Deferred.await(served))
  const gate = new AddressGate({
    proxies: settings.trusted_proxies,
    limits: settings.rate_limits ? undefined : null,
  })
  let leaving = false
  const looking = member?.counts === false ? Effect.void : made.look
  const look = yield* shareLook(COUNT_EVERY, looking)
  if (member !== undefined && !api) {
    const { text } = yield* makeMetrics
    yield* member.shows(Effect.andThen(look, Effect.sync(text)))
  }
  if (settings.observe.otlp !== undefined) yield* countOften(look)
  const common = {
    gate,
    isLeaving: () => leaving,
    adminKey: secrets.admin_key,
    operators,
    drainWithin: DRAIN_WITHIN,
    beforeMetrics: look,
    ...(member && { withOthers: member.withOthers }),
    ...requestsOf(settings.observe),
  }
  const part = own === undefined ? {} : ({ part: "public" } as const)
  const intake = () => new Intake(settings.intake)
  const drain = api
    ? yield* made.open({ ...common, ...part, intake: intake(), host, ...held })
    : Effect.void
  const parts = [own, probes].flatMap((listener) => listener ?? [])
  const closed = yield* Effect.forEach(parts, (listener) =>
    made.openPart({ ...common, ...listener, intake: intake() }),
  )
  yield* Deferred.succeed(served, local)
  const work = yield* Effect.forkChild(roles.has("worker") ? made.work : Effect.never)
  const operatorsAt = own === undefined ? base : localUrl(own.host, own.port)
  const places = {
    operators: operatorsAt,
    probes: probes && localUrl(probes.host, probes.port),
  }
  const tell = member?.announce ?? announce
  yield* tell(readyAs(base, settings, secrets, places))
  const together = { concurrency: "unbounded", discard: true } as const
  const leave = Effect.suspend(() => {
    leaving = true
    return Effect.sleep(api ? settings.stop_pause : 0)
  })
  const close = Effect.andThen(leave, Effect.all([drain, ...closed], together))
  const stop = Effect.all([close, Fiber.interrupt(work)], together)
  return yield* Effect.onInterrupt(Fiber.join(work), () => stop)
}, Effect.scoped)
