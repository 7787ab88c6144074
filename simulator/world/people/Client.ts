import { Cause, Effect, Exit, Option } from "effect"
import type { Caller } from "../../../core/accounts/Account.ts"
import { answerOnce } from "../../../core/idempotency/answerOnce.ts"
import { isKeptRefusal, KEPT_FOR, type ReplyTaken } from "../../../core/idempotency/Reply.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { introspectAccess } from "../../../core/revocations/introspectAccess.ts"
import { StoreUnavailable } from "../../../core/ports/Store.ts"
import { canonicalJson } from "../../../core/shared/Text.ts"
import {
  type Failure,
  type FailureCode,
  isFailure,
  statusOf,
} from "../../../core/shared/Failure.ts"
import { HOUR, MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Auditor } from "../../auditor/Auditor.ts"
import type { Trace } from "../../auditor/Trace.ts"
import { NO_FAULTS } from "../../faults/Faults.ts"
import type { Gate, Shown } from "../../players/PlayerWorld.ts"
import type { Chance } from "../../random/Chance.ts"
import { CurrentCause } from "../ports/CurrentCause.ts"
import type { Services, Stage } from "../Stage.ts"
import { ConnectionLost } from "../processes/Process.ts"

/** Returns the text of an error that is stored for retries. */
const renderFailure = ({ code }: Failure, status: number): string => `${status}${code}`

/** Returns the same for the caller's error; undefined if it is not stored. */
const keptText = (failure: Failure): string | undefined => {
  const { code, retry_after, subject } = failure
  const status = statusOf(code, subject)
  return isKeptRefusal({ code, retry_after, status }) ? renderFailure(failure, status) : undefined
}

/** Errors after which the same request is worth retrying. */
const PASSING: ReadonlySet<string> = new Set<FailureCode>([
  "IDEMPOTENCY_KEY_IN_PROGRESS",
  "TEMPORARILY_UNAVAILABLE",
])

/** Returns the error code that a client sees for an expected failure; undefined for another one. */
const codeOf = (error: unknown): string | undefined => {
  if (isFailure(error)) return error.code
  if (error instanceof ConnectionLost) return "CONNECTION_LOST"
  if (!(error instanceof StoreUnavailable)) return undefined
  return error.outcome === "unknown" ? "OUTCOME_UNKNOWN" : "TEMPORARILY_UNAVAILABLE"
}

/** After these errors, the request may or may not have been served. */
const UNSURE: ReadonlySet<string | undefined> = new Set(["CONNECTION_LOST", "OUTCOME_UNKNOWN"])

/** Returns the payment that an error names. */
const paymentIn = (exit: Exit.Exit<unknown, unknown>): string | undefined => {
  const error = Exit.isFailure(exit)
    ? Option.getOrUndefined(Cause.findErrorOption(exit.cause))
    : undefined
  const details = isFailure(error) ? error.details : undefined
  const { payment_intent } = (details ?? {}) as { readonly payment_intent?: unknown }
  return typeof payment_intent === "string" ? payment_intent : undefined
}

/** Returns the whole text of an error. */
export const textOf = ({ details, message }: Failure): string =>
  details === undefined ? message : `${message} ${JSON.stringify(details)}`

/** A request as a client sends it. */
export interface Request {
  readonly caller: Caller
  readonly route: string
  readonly body: unknown
  /** The Idempotency-Key. */
  readonly key: string | null
  /** The status of a success; 200 by default. */
  readonly status?: 201
  /** Whether the reply is stored together with the effect, without reserving the key before. */
  readonly optimistic?: boolean
  /** The payment that the request changes, and the event; undefined if there is none. */
  readonly moves?: { readonly id: string; readonly event: string }
  readonly verb: Effect.Effect<unknown, Failure | StoreUnavailable | ReplyTaken, Services>
}

/** Replies with one of these are not stored: the same request may get another answer later. */
const PROVISIONAL = ['"channel_outcome"', '"success":false'] as const

const isProvisional = (text: string): boolean => PROVISIONAL.some((part) => text.includes(part))

const RETRIES = 8

/** From this number on, simultaneous requests count as a fault. */
const STAMPEDE = 10

/** Returns a route without the ids in it. */
const routeOf = (route: string): string => route.replace(/\/[a-z]+_[0-9a-f-]{36}/, "/{id}")

/** Returns the account, key and content by which the auditor knows a request. */
const keyedOf = ({ body, caller, route }: Request, key: string) => ({
  account: caller.account.id,
  key,
  request: `${route} ${canonicalJson(body)}`,
})

/** Runs an effect on behalf of a client. */
const by =
  (account: string, route: string, key?: string, body?: unknown) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(effect, CurrentCause, {
      type: "client",
      account,
      route,
      ...(key !== undefined && { key }),
      ...(body !== undefined && { body }),
    })

/** A client of the service: it sends, loses answers, and retries under the same key. */
export class Client {
  readonly #stage: Stage
  readonly #auditor: Auditor
  readonly #trace: Trace
  readonly #chance: Chance

  constructor(stage: Stage, auditor: Auditor, trace: Trace) {
    this.#stage = stage
    this.#auditor = auditor
    this.#trace = trace
    this.#chance = stage.chance("clients")
  }

  /** Sends a request until it is answered. Returns undefined if it fails. */
  send(request: Request): Effect.Effect<unknown, never, Services> {
    return Effect.gen({ self: this }, function* () {
      const begun = this.#stage.now()
      let unanswered = false
      for (let retry = 0; retry < RETRIES; retry += 1) {
        if (request.moves !== undefined) this.#stage.visit(request.moves.id, request.moves.event)
        const { error, text } = yield* this.#attempt(request)
        const lost = this.#chance.hits(this.#stage.faults().answer_lost)
        if (lost) this.#stage.log.note("answer_lost")
        const unsure = lost || UNSURE.has(error)
        const again = unsure ? request.key !== null : error !== undefined && PASSING.has(error)
        if (!again) {
          if (unanswered) this.#settled(request, text ?? error ?? null)
          return text?.startsWith("2") === true ? (JSON.parse(text.slice(3)) as unknown) : undefined
        }
        unanswered ||= unsure
        yield* Effect.sleep(this.#chance.int(1, 3 * SECOND))
      }
      if (unanswered) this.#stage.spawn(this.#findOut(request, begun))
      return undefined
    })
  }

  /** Sends a request once; returns the answer, or why there is none. */
  #attempt(request: Request) {
    return Effect.gen({ self: this }, function* () {
      const { body, caller, key, moves, route } = request
      const sentAt = this.#stage.now()
      const since = this.#auditor.model.step
      const keyed = key === null ? undefined : keyedOf(request, key)
      if (keyed !== undefined) this.#auditor.see("asked", caller.account.id, keyed)
      const exit = yield* Effect.exit(this.#stage.serve(this.#once(request)))
      this.#stage.measure(routeOf(route), this.#stage.now() - sentAt)
      const error = this.#refusal(route, exit)
      this.#trace.note(`answer ${route} ${key} ${Exit.isSuccess(exit) ? exit.value : error}`)
      if (keyed !== undefined && error !== undefined) {
        this.#auditor.see("refused", caller.account.id, {
          ...keyed,
          code: error,
          payment_intent: paymentIn(exit),
        })
      }
      if (error !== undefined) {
        const [account, at] = [caller.account.id, this.#stage.now()]
        const seen = { account, route, code: error, body, moves, sent: sentAt, since, at }
        this.#auditor.see("turned_away", `${route} ${key}`, seen)
      }
      return { error, text: Exit.isSuccess(exit) ? exit.value : undefined }
    })
  }

  /** When the faults have ended, repeats a request that was given up without an answer. */
  #findOut(request: Request, begun: Timestamp): Effect.Effect<void, never, Services> {
    return Effect.gen({ self: this }, function* () {
      while (this.#stage.faults() !== NO_FAULTS) yield* Effect.sleep(MINUTE)
      // A key stays reserved longer if its holder's clock was ahead.
      yield* Effect.sleep(2 * this.#auditor.model.clocksOff)
      if (this.#stage.now() - begun > KEPT_FOR - HOUR) return
      for (let retry = 0; retry < RETRIES; retry += 1) {
        // Fifty simultaneous requests block each other.
        yield* Effect.sleep(this.#chance.int(5, 60) * SECOND)
        const { error, text } = yield* this.#attempt(request)
        const isOpen = UNSURE.has(error) || PASSING.has(error ?? "")
        if (!isOpen) return this.#settled(request, text ?? error ?? null)
      }
      this.#settled(request, null)
    })
  }

  #settled(request: Request, outcome: string | null): void {
    if (request.key === null || (outcome !== null && isProvisional(outcome))) return
    const keyed = keyedOf(request, request.key)
    this.#auditor.see("settled", keyed.account, { ...keyed, outcome })
  }

  /** Sends a request several times at once; returns the first answer that is not an error. */
  flood(request: Request, times: number): Effect.Effect<unknown, never, Services> {
    if (times === 1) return this.send(request)
    this.#stage.log.note(times < STAMPEDE ? "client_parallel" : "client_stampede")
    const all = Array.from({ length: times }, () => this.send(request))
    return Effect.map(Effect.all(all, { concurrency: "unbounded" }), (answers) =>
      answers.find((answer) => answer !== undefined),
    )
  }

  /** Calls what stores its own answers, once; returns `lost` if the answer does not arrive. */
  call<A>(
    caller: Caller,
    route: string,
    key: string | undefined,
    verb: Effect.Effect<A, unknown, Services>,
  ) {
    return Effect.gen({ self: this }, function* () {
      const account = caller.account.id
      const exit = yield* Effect.exit(this.#stage.serve(by(account, route, key)(verb)))
      const error = this.#refusal(route, exit)
      this.#trace.note(`call ${key} ${error} ${route}`)
      const lost = this.#chance.hits(this.#stage.faults().answer_lost)
      if (lost) this.#stage.log.note("answer_lost")
      return { answer: Exit.isSuccess(exit) ? exit.value : undefined, error, lost }
    })
  }

  /** Reads a payment; undefined if this caller sees none. */
  read(caller: Caller, id: string): Effect.Effect<Shown | undefined, never, Services> {
    return Effect.gen({ self: this }, function* () {
      const account = caller.account.id
      const route = "GET /v1/payment-intents/{id}"
      const since = this.#auditor.model.step
      const askedAt = this.#stage.now()
      const exit = yield* Effect.exit(this.#stage.serve(by(account, route)(getIntent(caller, id))))
      const view = Exit.isSuccess(exit) ? exit.value : undefined
      this.#refusal(route, exit)
      const at = this.#stage.now()
      this.#trace.note(`read ${id} ${view?.status}`)
      this.#auditor.see("read", id, { account, id, status: view?.status, since, askedAt, at })
      this.#auditor.see("payment_shown", id, { account, id, view, since, at })
      return view
    })
  }

  /** Asks as a seller's gate what is left of an access. */
  ask(caller: Caller, { id, scope, type }: Gate): Effect.Effect<void, never, Services> {
    return Effect.gen({ self: this }, function* () {
      const since = this.#auditor.model.step
      const asked = introspectAccess(caller, { type, id, ...(scope !== null && { scope }) })
      const account = caller.account.id
      const route = "POST /v1/access-items/introspect"
      const exit = yield* Effect.exit(this.#stage.serve(by(account, route)(asked)))
      this.#refusal(route, exit)
      if (Exit.isFailure(exit)) return
      const { active } = exit.value
      this.#trace.note(`gate ${account} ${type} ${id} ${scope} ${active}`)
      this.#auditor.see("gate", id, { account, type, id, scope, active, since })
    })
  }

  #once(asked: Request) {
    const { body, caller, key, optimistic = false, route, status = 200, verb } = asked
    const account = caller.account.id
    const attributed = by(account, route, key ?? undefined, body)
    const render = (view: unknown) => `${status}${JSON.stringify(view)}`
    if (key === null) return Effect.map(attributed(verb), render)
    const { request } = keyedOf(asked, key)
    const keyed = { account_id: account, key, request, render, renderFailure, optimistic }
    const answered = (text: string) =>
      Effect.sync(() => {
        if (!isProvisional(text)) this.#auditor.answer({ account, key, request, text })
      })
    return answerOnce(keyed, verb).pipe(
      attributed,
      Effect.map(({ text }) => text),
      Effect.tap(answered),
      Effect.tapError((error) => {
        const text = isFailure(error) ? keptText(error) : undefined
        return text === undefined ? Effect.void : answered(text)
      }),
    )
  }

  /** Returns the code of an error. Shows unexpected failures to the auditor. */
  #refusal(where: string, exit: Exit.Exit<unknown, unknown>): string | undefined {
    const error = Exit.isSuccess(exit)
      ? undefined
      : Option.getOrUndefined(Cause.findErrorOption(exit.cause))
    const code = codeOf(error)
    const flaw = Exit.isSuccess(exit) || code !== undefined ? undefined : Cause.pretty(exit.cause)
    this.#auditor.see("ending", where, { where, flaw })
    if (isFailure(error)) this.#auditor.see("refusal_text", where, { where, text: textOf(error) })
    return code ?? flaw
  }
}
