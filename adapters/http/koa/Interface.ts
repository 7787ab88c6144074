import { Context, Effect, type Redacted, References } from "effect"
import { KnownUses } from "../../../core/accountLog/KnownUses.ts"
import { authenticate } from "../../../core/accounts/authenticate.ts"
import type { AddressGate } from "../../shared/addresses/AddressGate.ts"
import { Intake } from "../../shared/Intake.ts"
import { type Neighbours, NO_NEIGHBOURS } from "../../shared/Neighbours.ts"
import { KeyedStreams } from "../../shared/KeyedStreams.ts"
import { makeDispatch } from "./dispatch.ts"
import type { Dispatch } from "./Dispatcher.ts"
import {
  makeStreams,
  STREAM_LIMITS,
  type StreamLimits,
  type Streams,
} from "../../shared/streams/eventStreams.ts"
import { type OperatorKeys, operatorKeys } from "./operators.ts"
import { type Part, partOf, type Route } from "./Route.ts"
import { type AccessLog, makeMetrics } from "./telemetry.ts"
import type { Tracing } from "./traceRequest.ts"

/** How requests are served, independent of the listener. */
export interface InterfaceOptions {
  /** The key that the operators share. */
  readonly adminKey?: Redacted.Redacted | undefined
  /** The operators' own keys, read at each of their requests. */
  readonly operators?: OperatorKeys
  /** Limits callers by address; no limits unless given. */
  readonly gate?: AddressGate | undefined
  /** Limits the number of requests in progress, and their duration. By default the usual limits. */
  readonly intake?: Intake
  /**
   * The part that is served: everything; the operators' routes with metrics and health; everything
   * without the operators' routes; health and metrics; or health.
   */
  readonly part?: Part
  /** Runs before metrics are shown, for example to count waiting work. By default nothing. */
  readonly beforeMetrics?: Effect.Effect<void>
  /** Replaces the process's own metrics, for example to add those of other processes. */
  readonly withOthers?: (own: Effect.Effect<string>) => Effect.Effect<Effect.Effect<string>>
  /** The limits of event streams. */
  readonly streams?: Partial<StreamLimits>
  /** How requests are traced. Without it they have no spans. */
  readonly tracing?: Tracing | undefined
  /** The requests that are logged. All by default. */
  readonly accessLog?: AccessLog
  /** The services beside the interface, for the discovery documents. None by default. */
  readonly neighbours?: Neighbours
}

/** Whether the listener is stopping. */
export interface Stopping {
  /** Whether it is not ready for more requests. */
  readonly isLeaving: () => boolean
  /** Whether responses close their connections. */
  readonly isDraining: () => boolean
}

/** What handlers can read of their server. */
export interface ServerState {
  readonly isDraining: () => boolean
  readonly metrics: Effect.Effect<string>
  readonly neighbours: Neighbours
}

/** The interface without a listener. */
export interface Interface<R> {
  readonly dispatch: Dispatch<R>
  readonly streams: Streams<R>
}

/** Returns the context of requests. They have spans only if `traced`. */
const requestContext = <R>(context: Context.Context<R>, traced: boolean): Context.Context<R> =>
  Context.add(context, References.TracerEnabled, traced)

const keyedStreams = <R>(context: Context.Context<R>): KeyedStreams => {
  const run = Effect.runCallbackWith(context)
  return new KeyedStreams(({ address, authorization }, onExit) => {
    const known = authenticate(authorization, address)
    run(known as Effect.Effect<unknown, unknown, R>, { onExit })
  })
}

const operatorsOf = ({ adminKey, operators }: InterfaceOptions): OperatorKeys =>
  adminKey === undefined ? (operators ?? (() => [])) : operatorKeys(adminKey, operators)

/**
 * Opens the interface in the context of this effect, in which its requests run. `routes` gets the
 * server's state for the handlers.
 */
export const openInterface = Effect.fnUntraced(function* <R>(
  options: InterfaceOptions,
  { isDraining, isLeaving }: Stopping,
  routes: (state: ServerState) => ReadonlyArray<Route<R>>,
) {
  const { accessLog = "on", gate, intake = new Intake(), tracing } = options
  const { neighbours = NO_NEIGHBOURS } = options
  const context = requestContext(yield* Effect.context<R>(), tracing !== undefined)
  const metrics = yield* makeMetrics
  const { beforeMetrics = Effect.void, withOthers = Effect.succeed } = options
  const shown = yield* withOthers(Effect.andThen(beforeMetrics, Effect.sync(metrics.text)))
  const run = Effect.runCallbackWith(context)
  const streams = makeStreams<R>(
    (effect, onExit) => void run(effect, { onExit }),
    { ...STREAM_LIMITS, ...options.streams },
    metrics.streaming,
  )
  const dispatch = makeDispatch<R>({
    routes: partOf(routes({ isDraining: isLeaving, metrics: shown, neighbours }), options.part),
    context,
    operators: operatorsOf(options),
    metrics,
    streams,
    keyed: keyedStreams(context),
    isDraining,
    accessLog,
    gate,
    intake,
    knownUses: new KnownUses(),
    tracing,
  })
  return { dispatch, streams } satisfies Interface<R>
})
