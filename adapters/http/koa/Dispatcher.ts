import type { Context } from "effect"
import type { KnownUses } from "../../../core/accountLog/KnownUses.ts"
import type { AddressGate } from "../../shared/addresses/AddressGate.ts"
import type { Incoming, Outgoing } from "../../shared/Exchange.ts"
import type { Intake } from "../../shared/Intake.ts"
import type { KeyedStreams } from "../../shared/KeyedStreams.ts"
import type { Streams } from "../../shared/streams/eventStreams.ts"
import type { OperatorKeys } from "./operators.ts"
import type { Target } from "./readRequest.ts"
import type { Route, RouteMatch } from "./Route.ts"
import type { AccessLog, HttpMetrics } from "./telemetry.ts"
import type { Tracing } from "./traceRequest.ts"

/** The parts of the dispatcher. */
export interface DispatchOptions<R> {
  readonly routes: ReadonlyArray<Route<R>>
  readonly context: Context.Context<R>
  readonly operators: OperatorKeys
  readonly metrics: HttpMetrics
  readonly streams: Streams<R>
  readonly keyed: KeyedStreams
  /** Limits callers by address. Undefined for no limits. */
  readonly gate: AddressGate | undefined
  readonly intake: Intake
  readonly knownUses: KnownUses
  /** Whether the server is stopping. Then responses close their connections. */
  readonly isDraining: () => boolean
  readonly tracing: Tracing | undefined
  readonly accessLog: AccessLog
}

/** A request's path and its match in the interface. */
export interface Found<R> extends Target {
  readonly match: RouteMatch<R>
  /** The time of the match, on the clock of `performance.now()`. */
  readonly started: number
}

/** Finds the routes of requests, and serves them. */
export interface Dispatch<R> {
  readonly find: (req: Incoming, target: Target) => Found<R>
  /**
   * Resolves once the request has been answered. A path without a route gets `NOT_FOUND`. Never
   * rejects, because not every caller can handle that.
   */
  readonly serve: (req: Incoming, res: Outgoing, found: Found<R>) => Promise<void>
}
