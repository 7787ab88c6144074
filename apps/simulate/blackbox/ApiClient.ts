import { isKeptRefusal } from "../../../core/idempotency/Reply.ts"
import { canonicalJson } from "../../../core/shared/Text.ts"
import type { FailureCode } from "../../../core/shared/Failure.ts"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import type { Span, Witness } from "../../../simulator/blackbox/Witness.ts"
import type { SeenPayment } from "../../../simulator/blackbox/Seen.ts"
import type { Chance } from "../../../simulator/random/Chance.ts"
import type { HttpConnection, HttpReply, HttpRequest } from "./HttpConnection.ts"
import { judgeReply, routeOf, waitOf } from "./judgeReply.ts"
import type { FaultLog } from "../../../simulator/faults/Fault.ts"
import type { Faults } from "../../../simulator/faults/Faults.ts"
import type { Latencies } from "../../../simulator/report/Latencies.ts"
import type { ServiceTime } from "./ServiceTime.ts"

/** What all players share. */
export interface RunContext {
  readonly http: HttpConnection
  readonly time: ServiceTime
  readonly witness: Witness
  /** Returns the random stream with that name. */
  readonly chance: (name: string) => Chance
  /** Returns the faults while they last; none once they have stopped. */
  readonly faults: () => Faults
  readonly log: FaultLog
  readonly latencies: Latencies
}

/** An account that plays. */
export interface Actor {
  /** Our name for the account; its id is shown only to its owner. */
  readonly name: string
  readonly key: string
  /** The account's agent. */
  readonly agent_id: string
}

/** A request of a player. */
export interface Request {
  readonly who: Pick<Actor, "name" | "key">
  readonly method: Exclude<HttpRequest["method"], "GET">
  readonly path: string
  readonly body: object
  /** The Idempotency-Key. */
  readonly key: string | null
  /** Receives the first successful response, before any other check uses it. */
  readonly done?: (body: unknown, span: Span) => void
}

const RETRIES = 8

/** Errors after which the same request is worth retrying. */
export const PASSING: ReadonlySet<string> = new Set<FailureCode>([
  "IDEMPOTENCY_KEY_IN_PROGRESS",
  "TEMPORARILY_UNAVAILABLE",
  "OVERLOADED",
  "RATE_LIMIT_EXCEEDED",
])

/** What a service refuses with that cannot do it now, and could later. */
const NOT_NOW: FailureCode = "TEMPORARILY_UNAVAILABLE"

const PROVISIONAL = '"channel_outcome"'

const isPayment = (body: unknown): body is SeenPayment =>
  typeof body === "object" && body !== null && "expires_at" in body && "settlement" in body

/** Sends requests like clients that lose responses and retry, and reports the responses. */
export class ApiClient {
  /** How often requests were refused, by error code. */
  readonly refusals = new Map<string, number>()
  readonly #context: RunContext
  readonly #chance: Chance
  /** Requests that were put off each time. Without a key, nobody may send them later. */
  readonly #putOff = new Set<Request>()

  constructor(context: RunContext) {
    this.#context = context
    this.#chance = context.chance("clients")
  }

  /** Sends a request until it is answered. Undefined if refused, or if the outcome is unknown. */
  async send(request: Request): Promise<unknown> {
    const { body, key, method, path, who } = request
    const { faults, log, time } = this.#context
    const headers = key === null ? {} : { "Idempotency-Key": key }
    let code: string | undefined
    for (let retry = 0; retry < RETRIES; retry += 1) {
      const { reply, span } = await this.#ask({ method, path, key: who.key, body, headers })
      const lost = this.#chance.hits(faults().answer_lost)
      if (lost) log.note("answer_lost")
      code = reply === undefined ? undefined : this.#judge(request, reply, span)
      const unsure = lost || reply === undefined || code === "OUTCOME_UNKNOWN"
      const again = unsure ? key !== null : code !== undefined && PASSING.has(code)
      if (!again) return code === undefined ? reply?.json : undefined
      await time.sleep(Math.max(this.#chance.int(1, 3 * SECOND), reply ? waitOf(reply) : 0))
    }
    if (code === NOT_NOW && key !== null) this.#putOff.add(request)
    return undefined
  }

  /** Sends what was put off each time again, now that nothing goes wrong any more. */
  async insist(): Promise<void> {
    const { auditor } = this.#context.witness
    const open = new Set(this.#putOff)
    this.#putOff.clear()
    for (const request of open) {
      await this.send(request)
      const flaw = this.#putOff.has(request) ? `is always refused with ${NOT_NOW}` : undefined
      const where = routeOf(request)
      auditor.see("ending", where, { where, flaw })
    }
  }

  /** Sends a POST without an Idempotency-Key; `A` is the response of its route. */
  post<A>(who: Request["who"], path: string, body: object = {}, done?: Request["done"]) {
    const sent = this.send({ who, method: "POST", path, body, key: null, ...(done && { done }) })
    return sent as Promise<A | undefined>
  }

  /** Sends the same request several times at once; returns the first successful response. */
  async flood(request: Request, times: number): Promise<unknown> {
    if (times === 1) return this.send(request)
    this.#context.log.note("client_parallel")
    const answers: Array<unknown> = []
    const once = async () => {
      const answer = await this.send(request)
      if (answer !== undefined) answers.push(answer)
    }
    await this.#context.time.together(Array.from({ length: times }, () => once))
    return answers[0]
  }

  /** Reads a payment; undefined if this client sees none. */
  async read(who: Pick<Actor, "name" | "key">, id: string): Promise<SeenPayment | undefined> {
    const path = `/v1/payment-intents/${id}`
    const seen = await this.get<SeenPayment>(who, path)
    this.#context.witness.read(who.name, id, seen?.status)
    return seen
  }

  /** Reads a path; returns its route's response, undefined if it is refused. */
  async get<A>(who: Pick<Actor, "key">, path: string): Promise<A | undefined> {
    for (let retry = 0; ; retry += 1) {
      const { reply, span } = await this.#ask({ method: "GET", path, key: who.key })
      if (reply === undefined) return undefined
      const code = judgeReply(this.#context.witness.auditor, "GET", path, reply)
      if (code === undefined && isPayment(reply.json)) this.#context.witness.shown(reply.json, span)
      if (code === undefined || !PASSING.has(code) || retry >= RETRIES) {
        return code === undefined ? (reply.json as A) : undefined
      }
      await this.#context.time.sleep(Math.max(SECOND, waitOf(reply)))
    }
  }

  async #ask(
    asked: HttpRequest,
  ): Promise<{ readonly reply: HttpReply | undefined; readonly span: Span }> {
    const from = performance.now()
    const asked_at = this.#context.time.now()
    const reply = await this.#context.http.send(asked)
    const to = performance.now()
    this.#context.latencies.measure(routeOf(asked), to - from)
    return { reply, span: { from, to, asked_at } }
  }

  /** Reports a request's response; returns the code of an error. */
  #judge({ body, done, key, method, path, who }: Request, reply: HttpReply, span: Span) {
    const { witness } = this.#context
    const code = judgeReply(witness.auditor, method, path, reply)
    if (key !== null && !reply.text.includes(PROVISIONAL)) {
      const request = `${method} ${path} ${canonicalJson(body)}`
      const retry_after = waitOf(reply) || undefined
      const kept = code === undefined || isKeptRefusal({ code, retry_after, status: reply.status })
      const text = kept ? `${reply.status}${reply.text}` : undefined
      witness.auditor.answer({ account: who.name, key, request, text })
    }
    if (code !== undefined) {
      this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1)
      return code
    }
    done?.(reply.json, span)
    // A replayed response shows an earlier state, not the current one.
    const isFresh = reply.headers["idempotent-replayed"] === undefined
    if (isFresh && isPayment(reply.json)) witness.shown(reply.json, span)
    return undefined
  }
}
