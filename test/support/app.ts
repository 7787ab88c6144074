import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import * as directTransport from "../../adapters/channels/sandbox/directTransport.ts"
import { withinRate } from "../../adapters/channels/rate/withinRate.ts"
import { layer as sandboxLayer } from "../../adapters/channels/sandbox/layer.ts"
import * as movableClock from "../../adapters/clock/movableClock.ts"
import * as IdsAdapter from "../../adapters/crypto/Ids.ts"
import * as VaultAdapter from "../../adapters/crypto/Vault.ts"
import { currencies } from "../../adapters/fx/Currencies.ts"
import { DatedRates } from "../../adapters/fx/DatedRates.ts"
import { Api, LiveApi } from "../../adapters/http/contract/Api.ts"
import { documentOf as document } from "../../adapters/http/openapi.ts"
import type { Core } from "../../adapters/http/handlers/Core.ts"
import * as HttpServer from "../../adapters/http/koa/HttpServer.ts"
import { operatorKeys } from "../../adapters/http/koa/operators.ts"
import { layerJsonLines } from "../../adapters/shared/jsonLines.ts"
import {
  mountLive,
  type Mounted,
  type MountOptions,
  mountSandbox,
} from "../../adapters/http/mount.ts"
import { layerLive, layerSandbox } from "../../adapters/http/server.ts"
import { rulesLanguage } from "../../adapters/language/layer.ts"
import type { PagePorts } from "../../adapters/pages/everyPage.ts"
import type { Pages } from "../../adapters/pages/openPages.ts"
import type { McpLimits } from "../../adapters/mcp/limits.ts"
import { type McpEndpoint, openMcpEndpoint } from "../../adapters/mcp/McpEndpoint.ts"
import * as MemoryRateLeases from "../../adapters/memory/MemoryRateLeases.ts"
import * as MemoryDocuments from "../../adapters/memory/MemoryDocuments.ts"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { openOauth } from "../../adapters/oauth/openOauth.ts"
import { openConsole } from "../../adapters/pages/console/openConsole.ts"
import * as qr from "../../adapters/qr/layer.ts"
import * as revokers from "../../adapters/revokers/layer.ts"
import * as clientDocuments from "../../adapters/webhooks/clientDocuments.ts"
import * as receiverAddress from "../../adapters/webhooks/receiverAddress.ts"
import * as resourceProbe from "../../adapters/webhooks/resourceProbe.ts"
import * as Sender from "../../adapters/webhooks/sender.ts"
import * as wallClock from "../../adapters/webhooks/wallClock.ts"
import { AddressGate } from "../../adapters/shared/addresses/AddressGate.ts"
import { Intake, type IntakeLimits } from "../../adapters/shared/Intake.ts"
import { createAccount } from "../../core/accounts/createAccount.ts"
import { usualTerms } from "../../core/terms/Terms.ts"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import type { ClientDocuments } from "../../core/ports/ClientDocuments.ts"
import { Installation } from "../../core/ports/Installation.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import type { Store } from "../../core/ports/Store.ts"
import type { WallClock } from "../../core/ports/WallClock.ts"
import { type Document, flawOf } from "./documented.ts"
import { verified } from "./verified.ts"
import { playedIdentity } from "./identity.ts"
import { makeScript, type Script, scriptedChannels } from "./scriptedChannels.ts"

/** The operator's key of the app under test. */
export const ADMIN_KEY = "admin-key-of-the-tests"

/** The public address of apps under test. */
export const BASE_URL = "http://payport.test"

const installationAt = (base_url: string) =>
  Layer.succeed(Installation, {
    mode: "sandbox",
    base_url,
    catalog: defaultCatalog,
    currencies,
    terms: usualTerms,
    local_receivers: true,
  })

/** The adapters of every app. */
const ports = (
  store: Layer.Layer<Store>,
  wall: Layer.Layer<WallClock>,
  programs: Layer.Layer<ClientDocuments, never, Installation>,
  base_url: string,
) =>
  Layer.merge(revokers.layer, playedIdentity).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        store,
        MemoryDocuments.layer,
        MemoryRateLeases.layer,
        IdsAdapter.layer,
        VaultAdapter.layer(Redacted.make(new Uint8Array(32).fill(7))),
        DatedRates(),
        receiverAddress.layer,
        wall,
        qr.layer,
        rulesLanguage,
        Sender.layer,
        resourceProbe.layer,
        programs,
      ),
    ),
    Layer.provideMerge(installationAt(base_url)),
  )

type Ports = ReturnType<typeof ports>

type Serve<R> = (
  options: HttpServer.ServerOptions,
) => Layer.Layer<HttpServer.HttpServer, HttpServer.ListenError, R>

type Server = HttpServer.ServerOptions & { readonly intake: Intake }

/** Opens what people see, for the requests of a server. */
type OpenSite<R> = (server: Server) => Effect.Effect<Pages, never, R>

/** Serves the API with the agents' and the console's endpoints; `opened` gets the former. */
const withDoor = <R, P>(
  serve: Serve<R>,
  server: Server,
  limits: Partial<McpLimits>,
  opened: (door: McpEndpoint) => void,
  site: OpenSite<P> | undefined,
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { gate, host, intake } = server
      const door = yield* openMcpEndpoint({ host, gate, intake, authorizes: true, ...limits })
      opened(door)
      const open = gate ?? new AddressGate({ limits: null })
      const oauth = yield* openOauth({ gate: open, intake })
      const sessions = { gate: open, operators: operatorKeys(server.adminKey, server.operators) }
      const entry = yield* openConsole(sessions, LOOKS_EVERY)
      const shown = site === undefined ? [] : [(yield* site(server)).page]
      return serve({
        ...server,
        neighbours: { mcp: door.addresses, docs: site !== undefined, oauth: true },
        pages: [door.page, oauth, entry, ...shown, ...(server.pages ?? [])],
      })
    }),
  )

/** How often the console looks whether the session of an open stream goes on, in milliseconds. */
const LOOKS_EVERY = 100

/** A live installation's interface, with channels that follow a script. */
const scripted = (script: Script, serve: Doors["live"], behind: Ports) =>
  serve.pipe(Layer.provideMerge(scriptedChannels(script)), Layer.provideMerge(behind))

const sandbox = sandboxLayer(directTransport.layer)

/** The whole interface, with the sandbox's own channels and a clock that moves. */
const played = (serve: Doors["sandbox"], behind: Ports) =>
  serve.pipe(
    Layer.provideMerge(Layer.merge(sandbox, withinRate(sandbox))),
    Layer.provideMerge(movableClock.layer),
    Layer.provideMerge(behind),
  )

/** Both interfaces with their doors. */
const doors = (
  server: Server,
  limits: Partial<McpLimits>,
  opened: (door: McpEndpoint) => void,
  site: AppOptions["site"],
) => ({
  live: withDoor<Core, never>(layerLive, server, limits, opened, undefined),
  sandbox: withDoor(layerSandbox, server, limits, opened, site),
})
type Doors = ReturnType<typeof doors>

const once = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => (made ??= make())
}

/** The document of the served API, against which every response is checked. */
const documents = {
  live: once(() => document(LiveApi, BASE_URL) as unknown as Document),
  sandbox: once(() => document(Api, BASE_URL) as unknown as Document),
}

type Party = Effect.Success<ReturnType<typeof createAccount>>

/** The options of an app under test. */
export interface AppOptions extends Partial<Omit<HttpServer.ServerOptions, "intake">> {
  readonly intake?: Partial<IntakeLimits>
  readonly store?: Layer.Layer<Store>
  /** The accounts of another app on the same store, which is a second process of it. */
  readonly parties?: { readonly seller: Party; readonly buyer: Party }
  /** The wall clock; by default the machine's. */
  readonly wall?: Layer.Layer<WallClock>
  /** Serve the sandbox's part too, with its channels instead of scripted ones. */
  readonly sandbox?: boolean
  readonly mcp?: Partial<McpLimits>
  /** How client documents are read; by default as in production. */
  readonly programs?: Layer.Layer<ClientDocuments>
  /** Its public address, which is never looked up. */
  readonly base_url?: string
  /** The pages of a sandbox. This file does not import them, since Node alone cannot read TSX. */
  readonly site?: OpenSite<PagePorts | Sandbox | WallClock>
}

/** An answer with its body read. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: { readonly [key: string]: unknown }
}

/** Mounts the API in another app, under another base URL if given. */
const mounting =
  <R>(
    context: Context.Context<R | Installation>,
    mount: (context: Context.Context<R | Installation>, options?: MountOptions) => Mounted,
  ) =>
  (options: MountOptions & { readonly base_url?: string }): Mounted => {
    const own = Context.get(context, Installation)
    const { base_url = own.base_url, ...said } = options
    return mount(Context.add(context, Installation, { ...own, base_url }), said)
  }

type Services<C> = C extends Context.Context<infer R> ? R : never

/** Long limits, since a busy machine may read a request seconds after it was sent. */
const UNHURRIED = { headersTimeout: 60_000, requestTimeout: 60_000 }

/** Starts the interface on a free port, with a seller and a buyer. */
export const startApp = async (options: AppOptions = {}) => {
  const script = makeScript()
  const lines: Array<string> = []
  const logger = layerJsonLines((text) => void lines.push(...text.trimEnd().split("\n")))
  const scope = Scope.makeUnsafe()
  const { base_url = BASE_URL, mcp = {}, store = MemoryStore.layer } = options
  const { parties, programs = clientDocuments.layer, wall = wallClock.layer } = options
  const { mcp: _limits, sandbox: plays, site, store: _store, wall: _wall, ...more } = options
  const { base_url: _base, parties: _parties, programs: _programs, ...said } = more
  const intake = new Intake(options.intake)
  const place = { host: "127.0.0.1", port: 0, adminKey: Redacted.make(ADMIN_KEY) }
  const server = { ...place, ...UNHURRIED, ...said, intake }
  const behind = ports(store, wall, programs, base_url)
  let door: McpEndpoint | undefined
  const { live, sandbox } = doors(server, mcp, (opened) => (door = opened), site)
  const build = <A, E>(served: Layer.Layer<A, E>) =>
    Effect.runPromise(Layer.buildWithScope(Layer.provideMerge(served, logger), scope))
  const opened =
    plays === true
      ? await build(played(sandbox, behind)).then((context) => ({
          context,
          mount: mounting(context, mountSandbox),
        }))
      : await build(scripted(script, live, behind)).then((context) => ({
          context,
          mount: mounting(context, mountLive),
        }))
  const { context, mount } = opened
  const run = <A, E>(effect: Effect.Effect<A, E, Services<typeof context>>) =>
    Effect.runPromiseWith(context)(effect)
  const http = Context.get(context, HttpServer.HttpServer)
  const open = (kind: "seller" | "buyer") =>
    run(
      Effect.gen(function* () {
        const agent_id = `agent-of-the-${kind}`
        const account = yield* createAccount({ name: `The ${kind}`, kind, agent_id })
        yield* verified(account.id, agent_id)
        return account
      }),
    )

  const call = async (
    method: string,
    path: string,
    said: {
      readonly key?: string | null
      readonly body?: unknown
      readonly headers?: { readonly [name: string]: string }
    } = {},
  ): Promise<Reply> => {
    const key = said.key === undefined ? seller.api_key.key : said.key
    const response = await fetch(`${http.url}${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(said.body !== undefined && { "content-type": "application/json" }),
        ...said.headers,
      },
      ...(said.body !== undefined && {
        body: typeof said.body === "string" ? said.body : JSON.stringify(said.body),
      }),
    })
    const text = await response.text()
    const isJson = /^application\/(problem\+)?json/.test(response.headers.get("content-type") ?? "")
    const { headers, status } = response
    const json = isJson && text !== "" ? JSON.parse(text) : {}
    const reply = { status, headers, text, json }
    const flaw = flawOf(documents[plays === true ? "sandbox" : "live"](), method, path, reply)
    if (flaw !== undefined) throw new Error(`The answer is not as documented: ${flaw}`)
    return reply
  }

  const { seller, buyer } = parties ?? { seller: await open("seller"), buyer: await open("buyer") }
  return {
    url: http.url,
    port: http.port,
    mount,
    script,
    /** The lines of the log so far. */
    lines,
    seller,
    buyer,
    run,
    call,
    drain: () => Effect.runPromise(http.drain),
    stop: () =>
      Effect.runPromise(Effect.andThen(door?.close ?? Effect.void, Scope.close(scope, Exit.void))),
  }
}

export type App = Awaited<ReturnType<typeof startApp>>

/** A manifest that the registry takes. */
export const aManifest = (said: object = {}) => ({
  name: "Weather reports",
  description: "Forecasts for any place on earth.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "7 days" }] },
  accepted_channels: ["wallet_a", "wallet_b"],
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://weather.example/webhooks",
  tags: ["weather"],
  default_channel: "wallet_a",
  ...said,
})

/** Registers and activates a service; returns its id. */
export const activeService = async (app: App, said: object = {}): Promise<string> => {
  const registered = await app.call("POST", "/v1/services", { body: aManifest(said) })
  const id = String(registered.json["id"])
  await app.call("PATCH", `/v1/services/${id}/activate`)
  return id
}

/** Calls a tool over MCP, in one request without a session. */
export const callTool = (
  app: Pick<App, "url">,
  name: string,
  args: object,
  headers: { readonly [name: string]: string },
  path = "/mcp",
): Promise<Response> =>
  fetch(`${app.url}${path}`, {
    method: "POST",
    headers: {
      ...headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args },
    }),
  })

/** Gives the account the plan that allows the most. */
export const enlarge = (app: App, account: string) =>
  app.call("PATCH", `/v1/accounts/${account}`, { key: ADMIN_KEY, body: { plan: "enterprise" } })

/** Makes an authorized payment of that many US cents by `wallet_a`, and returns its id. */
export const authorizedPayment = async (
  app: App,
  service_id: string,
  value: number,
  payer_channel = "wallet_a",
) => {
  const key = app.buyer.api_key.key
  const amount = { currency: "USD", value }
  const offered = { service_id, type: "one_time", payer_channel }
  const body = { ...offered, amount, description: "One report" }
  const id = String((await app.call("POST", "/v1/payment-intents", { key, body })).json["id"])
  const simulate = `/v1/sandbox/payment-intents/${id}/simulate`
  await app.call("POST", simulate, { key, body: { action: "authorize" } })
  return id
}
