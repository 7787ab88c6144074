import { Cause, Context, Effect, Exit, Layer, Scope } from "effect"
import {
  type Mounted,
  mountLive,
  type MountOptions,
  mountSandbox,
} from "../../adapters/http/mount.ts"
import { failureOf } from "../../adapters/shared/failureOf.ts"
import { MasterKeyFailure } from "../../core/ports/MasterKey.ts"
import type { Route } from "../../adapters/http/koa/Route.ts"
import type { Store } from "../../core/ports/Store.ts"
import { nameConsumers } from "../../core/webhooks/consumers/nameConsumers.ts"
import { Callers } from "./Caller.ts"
import type { Effects, Resources } from "./Method.ts"
import { ALL_METHODS, METHODS } from "./methods.ts"
import { type OwnForms, ownFormsOf, type OwnMethods } from "./ownForms.ts"
import {
  type ChannelsOption,
  type PayportOptions,
  PayportOptionsError,
  type SandboxOption,
  type StoreOption,
  type TransactionOf,
} from "./PayportOptions.ts"
import { liveRoutes, resourcesOf, sandboxRoutes } from "./resources.ts"
import { closed, Runner } from "./Runner.ts"
import { liveServices, sandboxServices } from "./services.ts"
import { readOptions, type Settings } from "./Settings.ts"
import { type Worker, Workers } from "./Workers.ts"

type PortsOf<L> = L extends Layer.Layer<infer Given, infer _E, infer _R> ? Given : never

/** The ports in `payport.context`, for Effect programs. */
export type Ports = PortsOf<ReturnType<typeof liveServices>>

/** The ports of a sandbox. */
export type SandboxPorts = PortsOf<ReturnType<typeof sandboxServices>>

type LiveChannels = Exclude<ChannelsOption, SandboxOption>

type TableOf<Channels> = Channels extends SandboxOption ? typeof ALL_METHODS : typeof METHODS

/** A payment service in this process. One with a `SandboxOption` also has `sandbox`. */
export type Payport<Channels extends ChannelsOption = LiveChannels> = Resources<TableOf<Channels>> &
  OwnMethods &
  OwnForms["own"] & {
    /** The same methods as Effects, with their failures in the types. */
    readonly effects: Effects<TableOf<Channels>>
    /**
     * The HTTP API, to be mounted in the host's app under any prefix: as middleware for Koa, as a
     * handler for node, Express and Fastify, or as one of the fetch API. Call it once for an app,
     * not for each request. It serves until the result or the payport is closed.
     */
    readonly http: (options?: MountOptions) => Mounted
    /**
     * Starts the worker, for `work: false`. Like `http`, it throws `TEMPORARILY_UNAVAILABLE` once
     * the payport is closed.
     */
    readonly work: () => Worker
    /**
     * Ends the worker, waits for running calls, and closes the store. Later calls are refused.
     * Inside a hook it does not wait: the payport closes after the hook has ended.
     */
    readonly close: () => Promise<void>
    /** The same as `close`, for `await using payport = await makePayport(…)`. */
    readonly [Symbol.asyncDispose]: () => Promise<void>
    readonly context: Context.Context<Channels extends SandboxOption ? SandboxPorts : Ports>
  }

const WRONG_KEY =
  "The option secrets.masterKey has to be the key that sealed the secrets in this store, " +
  "and the mode has to be the same."

const inOption = (error: { readonly message: string }) => {
  if (error instanceof PayportOptionsError) return error
  return error instanceof MasterKeyFailure
    ? new PayportOptionsError({ option: "secrets.masterKey", message: WRONG_KEY })
    : new PayportOptionsError({ option: "store", message: error.message })
}

/** Opens the services, and registers the hooks' consumers in the store. */
const build = Effect.fnUntraced(function* <P>(
  services: Layer.Layer<P | Store, { readonly message: string }>,
  { hooks }: Settings,
  scope: Scope.Scope,
) {
  const context = yield* Effect.mapError(Layer.buildWithScope(services, scope), inOption)
  if (hooks.length > 0) {
    const named = nameConsumers(hooks.map(({ consumer }) => consumer))
    const naming = Effect.provideContext(named, context)
    yield* Effect.catchCause(naming, (cause) => Effect.fail(inOption(failureOf(cause))))
  }
  return context
})

/** Makes the methods of a table, including those that have a form of their own. */
const methodsOf = <const T extends typeof METHODS, More>(
  table: T,
  routes: ReadonlyMap<string, Route<Ports | More>>,
  context: Context.Context<Ports | More>,
) => {
  const runner = new Runner<Ports | More>(context)
  const callers = new Callers<Ports | More>()
  const { effects, promises } = resourcesOf<T, Ports | More>(table, routes, callers, runner)
  const forms = ownFormsOf<Ports | More>(routes, callers, runner)
  const merged = Object.entries(forms.resources).map(([name, methods]) => [
    name,
    Object.freeze({ ...(Reflect.get(promises, name) as object), ...(methods as object) }),
  ])
  return {
    ...({ ...promises, ...Object.fromEntries(merged) } as object as Resources<T> & OwnMethods),
    ...forms.own,
    effects,
    runner,
  }
}

const opened = <More>(
  context: Context.Context<Ports | More>,
  mount: (options?: MountOptions) => Mounted,
  { runner, ...methods }: ReturnType<typeof methodsOf<typeof METHODS, More>>,
  scope: Scope.Closeable,
  settings: Settings,
) => {
  const workers = new Workers(context)
  const mounted = new Set<() => Promise<void>>()
  let closing: Promise<void> | undefined
  /** Refuses to open anything once the payport closes, since nobody would close it. */
  const whileOpen = <A>(open: () => A): A => {
    if (closing !== undefined) throw closed()
    return open()
  }
  const close = async () => {
    try {
      const mounts = Array.from(mounted, (closeOne) => closeOne())
      await Promise.all([...mounts, workers.stop(), runner.close()])
    } finally {
      await Effect.runPromise(Scope.close(scope, Exit.void))
    }
  }
  const { unlessWithin } = settings.hookWork
  const closeOnce = () => unlessWithin((closing ??= close()))
  const work = () => {
    const { stop } = workers.start()
    return { stop: () => unlessWithin(stop()) }
  }
  if (settings.work) work()
  return {
    ...methods,
    work: () => whileOpen(work),
    http: (options?: MountOptions) =>
      whileOpen(() => {
        const one = mount(options)
        const closeOne = () => one.close().finally(() => mounted.delete(closeOne))
        mounted.add(closeOne)
        return { ...one, close: () => unlessWithin(closeOne()) }
      }),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
    context,
  }
}

const openSandbox = Effect.fnUntraced(function* (settings: Settings, scope: Scope.Closeable) {
  const context = yield* build(sandboxServices(settings), settings, scope)
  const methods = methodsOf<typeof ALL_METHODS, SandboxPorts>(ALL_METHODS, sandboxRoutes(), context)
  const mount = (options?: MountOptions) => mountSandbox(context, options)
  return opened<SandboxPorts>(context, mount, methods, scope, settings)
})

const openLive = Effect.fnUntraced(function* (settings: Settings, scope: Scope.Closeable) {
  const context = yield* build(liveServices(settings), settings, scope)
  const methods = methodsOf<typeof METHODS, never>(METHODS, liveRoutes(), context)
  const mount = (options?: MountOptions) => mountLive(context, options)
  return opened<never>(context, mount, methods, scope, settings)
})

/** The options with a store of that type, which may be chosen at run time. */
export type OptionsWith<Channels extends ChannelsOption, Kept extends StoreOption> = PayportOptions<
  Channels,
  TransactionOf<Kept>
> & { readonly store: Kept }

const open = Effect.fnUntraced(function* (options: unknown) {
  const settings = yield* Effect.fromResult(readOptions(options))
  const scope = yield* Scope.make()
  const opening =
    settings.mode === "sandbox" ? openSandbox(settings, scope) : openLive(settings, scope)
  return yield* Effect.onError(opening, () => Scope.close(scope, Exit.void))
})

/**
 * Opens a payment service in this process. Rejects with `PayportOptionsError` if an option is wrong
 * or missing, or if the store cannot be used.
 *
 * ```ts
 * const payport = await makePayport({ store: memory(), channels: sandbox() })
 * const account = await payport.accounts.create({ name: "Ada", kind: "buyer", agent_id: "ada" })
 * const buyer = await payport.accounts.authenticate(account.api_key.key)
 * ```
 */
export const makePayport = async <
  const Channels extends ChannelsOption,
  Kept extends StoreOption = StoreOption,
>(
  options: OptionsWith<Channels, Kept>,
): Promise<Payport<Channels>> => {
  const exit = await Effect.runPromiseExit(open(options))
  if (Exit.isSuccess(exit)) return exit.value as Payport<Channels>
  throw Cause.squash(exit.cause)
}

/** A payport as a service of Effect, with access to its ports. */
export class PayportService extends Context.Service<PayportService, Payport>()(
  "payport/apps/payport/PayportService",
) {}

/** The same as `makePayport`, as a layer. Closing the layer closes the payport. */
export const layer = <
  const Channels extends ChannelsOption,
  Kept extends StoreOption = StoreOption,
>(
  options: OptionsWith<Channels, Kept>,
): Layer.Layer<
  PayportService | (Channels extends SandboxOption ? SandboxPorts : Ports),
  PayportOptionsError
> =>
  Layer.effectContext(
    Effect.map(
      Effect.acquireRelease(
        Effect.map(open(options), (payport) => payport as Payport<Channels>),
        (payport) => Effect.promise(payport.close),
      ),
      (payport) => Context.add(payport.context, PayportService, payport as object as Payport),
    ),
  )
