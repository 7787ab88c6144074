import { type Context, Effect } from "effect"
import type { Incoming, Outgoing } from "../../shared/Exchange.ts"
import { type Intake, overloaded } from "../../shared/Intake.ts"
import { requestId } from "../../shared/requestId.ts"
import type { ErrorShape } from "../contract/Errors.ts"
import { USUAL_LIMIT } from "../contract/Route.ts"
import { refused, respond } from "./respond.ts"
import type { AccessLog, HttpMetrics } from "./telemetry.ts"

/** How often refusals without their own log line are logged together, in milliseconds. */
const LINE_EVERY = 1_000

const ANSWERS = { flat: refused(overloaded(), "flat"), nested: refused(overloaded(), "nested") }

/** The parts that refusals need. */
interface RefusalsOptions {
  readonly context: Context.Context<never>
  readonly intake: Intake
  readonly metrics: HttpMetrics
  readonly accessLog: AccessLog
  readonly isDraining: () => boolean
}

/** A request that is refused for overload, and its route if it has one. */
interface Refused {
  readonly req: Incoming
  readonly res: Outgoing
  readonly route: string | null
  readonly shape: ErrorShape
  /** The time of its begin, on the clock of `performance.now()`. */
  readonly started: number
}

/**
 * Refuses requests before they begin. In an overload nine of ten requests may end here. So this
 * runs as little code as possible, and many refusals share one line of the log with their number.
 */
export class Refusals {
  readonly #options: RefusalsOptions
  #count = 0

  constructor(options: RefusalsOptions) {
    this.#options = options
  }

  /** Resolves once the request has been answered. */
  async refuse({ req, res, route, shape, started }: Refused): Promise<void> {
    const { intake, isDraining, metrics } = this.#options
    metrics.started()
    await new Promise<void>((resolve) => intake.refuse(resolve))
    const answer = ANSWERS[shape]
    const fields = { ignored: null, strict: false }
    const named = { requestId: requestId(req), idempotencyKey: null, standing: null, fields }
    if (answer.type === "body") {
      respond(req, res, answer, { ...named, close: isDraining() }, USUAL_LIMIT)
    }
    const milliseconds = performance.now() - started
    metrics.ended(route ?? "none", req.method ?? "none", answer.status, milliseconds)
    this.#note()
  }

  #note(): void {
    this.#count++
    if (this.#count > 1 || this.#options.accessLog === "off") return
    setTimeout(() => {
      const line = Effect.logWarning("requests refused")
      const counted = Effect.annotateLogs(line, { code: "OVERLOADED", count: this.#count })
      this.#count = 0
      Effect.runSyncWith(this.#options.context)(counted)
    }, LINE_EVERY).unref()
  }
}
