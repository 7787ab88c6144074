import { Cause, type Context, Effect, Exit, Layer, Scope } from "effect"
import { failureOf } from "../../adapters/shared/failureOf.ts"
import { authenticate } from "../../core/accounts/authenticate.ts"
import { MasterKeyFailure } from "../../core/ports/MasterKey.ts"
import type { Store } from "../../core/ports/Store.ts"
import { forgetConsumer, nameConsumers } from "../../core/webhooks/consumers/nameConsumers.ts"
import { type Caller, Callers, type Resolve } from "./Caller.ts"
import { hostCaller } from "./hostCaller.ts"
import type { Resources } from "./Method.ts"
import { METHODS, SANDBOX_METHODS } from "./methods.ts"
import {
  type ChannelsOption,
  type PayportOptions,
  PayportOptionsError,
  type SandboxOption,
} from "./PayportOptions.ts"
import { liveRoutes, resourcesOf, sandboxRoutes } from "./resources.ts"
import { Runner } from "./Runner.ts"
import { liveServices, sandboxServices } from "./services.ts"
import { readOptions, type Settings } from "./Settings.ts"
import { type Worker, Workers } from "./Workers.ts"

type PortsOf<L> = L extends Layer.Layer<infer Given, infer _E, infer _R> ? Given : never

/** What `payport.context` holds, for who writes Effect. */
export type Ports = PortsOf<ReturnType<typeof liveServices>>

/** The same of a sandbox. */
export type SandboxPorts = PortsOf<ReturnType<typeof sandboxServices>>

/** A payment service in this process. */
export type Payport<Channels extends ChannelsOption = ChannelsOption> = Omit<
  Resources<typeof METHODS>,
  "accounts"
> & {
  readonly accounts: Resources<typeof METHODS>["accounts"] & {
    /** Who has that API key. Rejects with `INVALID_API_KEY` and `ACCOUNT_SUSPENDED`. */
    readonly authenticate: (apiKey: string) => Promise<Caller>
  }
  /** An account of whom the host knows by itself that it calls. Rejects with `NOT_FOUND`. */
  readonly caller: (accountId: string) => Promise<Caller>
  /**
   * Ends that a consumer is told of events, whose hook is in use no more: what waits for it is
   * dropped. Resolves with false where the store has none of that name.
   */
  readonly forgetConsumer: (name: string) => Promise<boolean>
  /** Starts the worker, where `work: false` has kept it from running. */
  readonly work: () => Worker
  /** Ends workers and calls, and what the store has opened. Calls from now on are refused. */
  readonly close: () => Promise<void>
  readonly context: Context.Context<Channels extends SandboxOption ? SandboxPorts : Ports>
} & (Channels extends SandboxOption ? Resources<typeof SANDBOX_METHODS> : unknown)

const inOption = (error: { readonly message: string }) =>
  error instanceof PayportOptionsError
    ? error
    : new PayportOptionsError({
        option: error instanceof MasterKeyFailure ? "secrets.masterKey" : "store",
        message: error.message,
      })

/** What is there once the store is ready, with the names of the hooks in it. */
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

/** What is the same in both modes. */
const common = <More>(
  context: Context.Context<Ports | More>,
  scope: Scope.Closeable,
  settings: Settings,
) => {
  const runner = new Runner<Ports | More>(context)
  const callers = new Callers<Ports | More>()
  const workers = new Workers(context)
  const callerBy = (resolve: Resolve<Ports>) =>
    runner.run(Effect.map(resolve, (found) => callers.make(found, resolve)))
  if (settings.work) workers.start()
  const own = {
    caller: (accountId: string) => callerBy(hostCaller(accountId)),
    forgetConsumer: (name: string) => runner.run(forgetConsumer(name)),
    work: workers.start,
    close: async () => {
      await Promise.all([workers.stop(), runner.close()])
      await Effect.runPromise(Scope.close(scope, Exit.void))
    },
    context,
  }
  const authenticated = (apiKey: unknown) =>
    // Of what is no text no key is made, and it is refused as one that nobody has.
    callerBy(authenticate(`Bearer ${typeof apiKey === "string" ? apiKey : "none"}`))
  return { runner, callers, own, authenticated }
}

const openSandbox = Effect.fnUntraced(function* (settings: Settings, scope: Scope.Closeable) {
  const context = yield* build(sandboxServices(settings), settings, scope)
  const { authenticated, callers, own, runner } = common<SandboxPorts>(context, scope, settings)
  const routes = sandboxRoutes()
  const resources = resourcesOf<typeof METHODS, SandboxPorts>(METHODS, routes, callers, runner)
  const accounts = { ...resources.accounts, authenticate: authenticated }
  return {
    ...resources,
    ...resourcesOf<typeof SANDBOX_METHODS, SandboxPorts>(SANDBOX_METHODS, routes, callers, runner),
    ...own,
    accounts,
  }
})

const openLive = Effect.fnUntraced(function* (settings: Settings, scope: Scope.Closeable) {
  const context = yield* build(liveServices(settings), settings, scope)
  const { authenticated, callers, own, runner } = common<Ports>(context, scope, settings)
  const resources = resourcesOf<typeof METHODS, Ports>(METHODS, liveRoutes(), callers, runner)
  const accounts = { ...resources.accounts, authenticate: authenticated }
  return { ...resources, ...own, accounts }
})

const open = Effect.fnUntraced(function* (options: unknown) {
  const settings = yield* Effect.fromResult(readOptions(options))
  const scope = yield* Scope.make()
  const opening =
    settings.mode === "sandbox" ? openSandbox(settings, scope) : openLive(settings, scope)
  return yield* Effect.onError(opening, () => Scope.close(scope, Exit.void))
})

/**
 * Opens a payment service in this process. Rejects with `PayportOptionsError` where an option is
 * wrong or missing, or the store cannot be used.
 *
 * ```ts
 * const payport = await makePayport({ store: memory(), channels: sandbox() })
 * const account = await payport.accounts.create({ name: "Ada", kind: "buyer", agent_id: "ada" })
 * const buyer = await payport.accounts.authenticate(account.api_key.key)
 * ```
 */
export const makePayport = async <const Channels extends ChannelsOption>(
  options: PayportOptions<Channels>,
): Promise<Payport<Channels>> => {
  const exit = await Effect.runPromiseExit(open(options))
  if (Exit.isSuccess(exit)) return exit.value as Payport<Channels>
  throw Cause.squash(exit.cause)
}
