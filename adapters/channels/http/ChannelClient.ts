import { Effect, Redacted, Result, Schedule, type Scope } from "effect"
import type { Health } from "../../../core/channels/Channel.ts"
import { ChannelRefusal } from "../../../core/ports/Channels.ts"
import type { Vault } from "../../../core/ports/Vault.ts"
import type { WallClock } from "../../../core/ports/WallClock.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"
import { OutOfTime } from "../../shared/withinTime.ts"
import { METRICS } from "../../shared/metrics/Metrics.ts"
import { gaugeOf } from "../../shared/metrics/series.ts"
import { makeAdmission, type Refused } from "../Admission.ts"
import { exchange, type Incoming, makeAgent, type Outgoing } from "./Exchange.ts"
import type { HttpChannel } from "./HttpChannel.ts"
import { retryAfter } from "./retryAfter.ts"
import { answerText, requestText } from "./Signature.ts"

/** A request to the channel, under its number. `path` follows the base URL. */
export interface ClientRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly number: string
  readonly body?: object
}

/** An answer with the channel's signature. */
export interface ClientAnswer {
  readonly status: number
  readonly json: unknown
}

/** Calls one channel: signs requests, verifies answers, and stops while the channel is down. */
export interface ChannelClient {
  readonly health: Effect.Effect<Health>
  /** Sends once. After a failure the effect is unknown: it may have happened. */
  readonly send: (request: ClientRequest) => Effect.Effect<ClientAnswer, ChannelRefusal>
  /** Sends a request that changes nothing, up to three times. */
  readonly ask: (request: ClientRequest) => Effect.Effect<ClientAnswer, ChannelRefusal>
}

/** Time limit of one try of a query in milliseconds: three tries fit into a worker's job. */
const QUERY_TIMEOUT = 2_500
const QUERY_RETRIES = { times: 2, schedule: Schedule.exponential("200 millis") }

type Exchanged = Result.Result<Incoming, string>

const reasonOf = (error: unknown): string => {
  if (error instanceof OutOfTime) return error.message
  const code: unknown = typeof error === "object" && error !== null && Reflect.get(error, "code")
  return typeof code === "string" ? code : error instanceof Error ? error.message : "no connection"
}

/** An exchange before its body is decoded: a genuine answer, or why there is none. */
type Judged =
  | { readonly type: "answer"; readonly answer: ClientAnswer }
  | ({ readonly type: "refusal" } & Refused)

const refused = (
  broken: boolean,
  reason: ChannelRefusal["reason"],
  message: string,
  retry_after?: number,
): Judged => ({
  type: "refusal",
  broken,
  refusal: new ChannelRefusal({
    reason,
    message,
    ...(retry_after !== undefined && { retry_after }),
  }),
})

const judge = (
  channel: string,
  exchanged: Exchanged,
  isGenuine: (answer: Incoming) => boolean,
  now: number,
): Judged => {
  if (Result.isFailure(exchanged)) {
    return refused(true, "down", `${channel} does not answer: ${exchanged.failure}.`)
  }
  const answer = exchanged.success
  const { status } = answer
  if (status >= 500) return refused(true, "down", `${channel} answered ${status}.`)
  if (status === 429) {
    const seconds = retryAfter(answer.headers["retry-after"], now)
    return refused(
      false,
      "rate_limited",
      `${channel} is over its rate limit for ${seconds} s.`,
      seconds,
    )
  }
  if (status === 401 || status === 403) {
    return refused(false, "credentials", `${channel} answered ${status}.`)
  }
  if (!isGenuine(answer)) {
    return refused(true, "nonsense", `the answer of ${channel} has no valid signature.`)
  }
  const json = Result.try((): unknown => JSON.parse(answer.body))
  if (Result.isFailure(json)) {
    return refused(true, "nonsense", `the answer of ${channel} is not JSON.`)
  }
  return status === 404 || (status >= 200 && status < 300)
    ? { type: "answer", answer: { status, json: json.success } }
    : refused(false, "nonsense", `${channel} answered ${status}.`)
}

const header = (answer: Incoming, name: string): string => {
  const value = answer.headers[name]
  return typeof value === "string" ? value : ""
}

/** Returns a function that signs a request and verifies that an answer belongs to it. */
const makeSigner = ({ base_url, key_id, secret }: HttpChannel, vault: Vault["Service"]) => {
  const { origin, pathname } = new URL(base_url)
  const prefix = pathname.replace(/\/$/, "")
  const hmac = (text: string) => vault.hmac(Redacted.value(secret), text)
  return (request: ClientRequest, now: number) => {
    const { method, number } = request
    const path = prefix + request.path
    const body = request.body === undefined ? "" : JSON.stringify(request.body)
    const timestamp = toIso(now)
    const signature = hmac(requestText({ method, path, body }, timestamp))
    const headers = {
      "User-Agent": "payport",
      ...(method === "POST" && { "Content-Type": "application/json" }),
      "X-Channel-Key": key_id,
      "X-Channel-Timestamp": timestamp,
      "X-Channel-Signature": signature,
      "X-Request-Number": number,
    }
    const outgoing: Outgoing = { method, origin, path, headers, body }
    const isGenuine = (answer: Incoming): boolean => {
      const text = answerText(answer, header(answer, "x-channel-timestamp"), signature)
      return vault.equal(hmac(text), header(answer, "x-channel-signature"))
    }
    return { outgoing, isGenuine }
  }
}

const logRefusal = (channel: string, { message, reason }: ChannelRefusal) =>
  Effect.logWarning("A channel refused a request or did not answer.", { channel, reason, message })

/** Opens a client with its own connections, which close with the scope. */
export const openChannelClient = (
  line: HttpChannel,
  vault: Vault["Service"],
  clock: WallClock["Service"],
): Effect.Effect<ChannelClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { channel, timeout_ms } = line
    const sign = makeSigner(line, vault)
    const admission = makeAdmission(channel)
    const level = () => admission.level(Effect.runSync(clock.now))
    yield* gaugeOf(METRICS.breaker, { channel }, level)
    const agent = yield* Effect.acquireRelease(Effect.sync(makeAgent), (opened) =>
      Effect.promise(() => opened.destroy()),
    )

    const send = Effect.fnUntraced(function* (request: ClientRequest, timeout: number) {
      const now = yield* clock.now
      const refusal = admission.refusal(now)
      if (refusal !== undefined) return yield* refusal
      const { isGenuine, outgoing } = sign(request, now)
      const exchanged = yield* Effect.promise((interrupted) =>
        exchange(agent, outgoing, timeout, interrupted).then(
          (answer): Exchanged => Result.succeed(answer),
          (error: unknown): Exchanged => Result.fail(reasonOf(error)),
        ),
      )
      const then = yield* clock.now
      const judged = judge(channel, exchanged, isGenuine, then)
      admission.note(judged.type === "refusal" ? judged : undefined, then)
      if (judged.type === "answer") return judged.answer
      yield* logRefusal(channel, judged.refusal)
      return yield* judged.refusal
    })

    return {
      health: Effect.map(clock.now, admission.health),
      send: (request) => send(request, timeout_ms),
      ask: (request) =>
        send(request, Math.min(timeout_ms, QUERY_TIMEOUT)).pipe(
          Effect.retry({
            ...QUERY_RETRIES,
            while: ({ reason }) => reason === "down" && !admission.isOpen(),
          }),
        ),
    }
  })
