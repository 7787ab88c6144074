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

/** What the dispatcher uses. */
export interface DispatchOptions<R> {
  readonly routes: ReadonlyArray<Route<R>>
  readonly context: Context.Context<R>
  readonly operators: OperatorKeys
  readonly metrics: HttpMetrics
  readonly streams: Streams<R>
  readonly keyed: KeyedStreams
  /** Limits callers by address; undefined for no limits. */
  readonly gate: AddressGate | undefined
  readonly intake: Intake
  readonly knownUses: KnownUses
  /** Whether the server is stopping: responses end their connections then. */
  readonly isDraining: () => boolean
  readonly tracing: Tracing | undefined
  readonly accessLog: AccessLog
}

/** A request's path, and what the interface has there. */
export interface Found<R> extends Target {
  readonly match: RouteMatch<R>
  /** When it was found, on the clock of `performance.now()`. */
  readonly started: number
}

/** Serves the contract's routes: finds what a request is for, and answers it. */
export interface Dispatch<R> {
  readonly find: (req: Incoming, target: Target) => Found<R>
  /**
   * Ends once the request has been answered; a path without a route is `NOT_FOUND`. It does not
   * reject, since not everybody who serves has somebody to tell.
   */
  readonly serve: (req: Incoming, res: Outgoing, found: Found<R>) => Promise<void>
}
