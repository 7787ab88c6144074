import { Effect, Result } from "effect"
import { hostOf, type Incoming, type Outgoing } from "../shared/Exchange.ts"
import type { Patience } from "../../core/market/Patience.ts"
import { Failure } from "../../core/shared/Failure.ts"
import type { KeyedStreams } from "../shared/KeyedStreams.ts"
import { networkKey } from "../shared/addresses/networkKey.ts"
import { type Intake, overloaded } from "../shared/Intake.ts"
import { OPEN_TO_PAGES, preflightHeaders } from "../shared/openToPages.ts"
import { requestId } from "../shared/requestId.ts"
import {
  admitted,
  type Admitting,
  type Exchange,
  type Facts,
  type Message,
  withHeaders,
} from "./admission.ts"
import { idOf, refusal } from "./answers.ts"
import { readQuery } from "./addressQuery.ts"
import type { Engine } from "./Engine.ts"
import { makeGuard } from "./guard.ts"
import type { McpLimits } from "./limits.ts"
import type { Listeners } from "./Listeners.ts"
import { receive } from "./receive.ts"
import { describedAt, resourceMetadata } from "./resourceMetadata.ts"
import { Turn } from "./Turn.ts"
import type { Waiters } from "./Waiters.ts"
import { type Answer, sendResponse, webRequest } from "./webRequest.ts"

/** The parts that every exchange of an endpoint uses. */
export interface ExchangeOptions extends Admitting {
  readonly intake: Intake
  readonly listeners: Listeners
  readonly waiters: Waiters
  /** Whether people can give programs tokens for it here. */
  readonly authorizes: boolean
  readonly host: string | undefined
  /** The listening streams, by the path of the tools. */
  readonly keyed: ReadonlyMap<string, KeyedStreams>
  readonly limits: McpLimits
  /** Returns the protocol, which starts on its first use; undefined once the service stops. */
  readonly engine: () => Promise<Engine | undefined>
}

const METHODS = ["POST", "GET", "DELETE"]

const wrongMethod = (allow: ReadonlyArray<string>): Response => {
  const message = `This route takes ${allow.join(", ")}.`
  const response = refusal(new Failure({ code: "METHOD_NOT_ALLOWED", message }), {})
  response.headers.set("Allow", allow.join(", "))
  return response
}

const metadata = (req: Incoming, shown: object): Response => {
  const methods = ["GET", "HEAD"]
  if (req.method === "OPTIONS") {
    return new Response(null, { status: 204, headers: preflightHeaders(methods) })
  }
  if (!methods.includes(req.method ?? "")) return wrongMethod(methods)
  const response = Response.json(shown, { headers: OPEN_TO_PAGES })
  return req.method === "HEAD" ? new Response(null, response) : response
}

const stopping = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "The service is stopping. Repeat the request in a second.",
    retry_after: 1,
  })

const tooSlow = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message:
      "The request was cancelled or took too long, and may have taken effect. Repeat it to see " +
      "the outcome.",
    retry_after: 1,
  })

const tooManyStreams = (key: string | undefined) =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message:
      key === undefined
        ? "Too many callers without a key are listening. Send an API key, or list again instead."
        : "This key has too many open streams. Close some, or list again instead.",
    retry_after: 30,
  })

const isKnownMethod = (method: unknown): method is string =>
  typeof method === "string" && /^[a-z]+(\/[a-z_]+){0,2}$/i.test(method) && method.length <= 64

/** Returns the result of the work, or a refusal once the request is past its deadline. */
const inTime = async (
  { turn }: Exchange,
  message: Message | undefined,
  begin: (late: AbortSignal) => Promise<Answer>,
): Promise<Answer> => {
  const over = new AbortController()
  let stopWaiting = () => {}
  const late = new Promise<Response>((resolve) => {
    stopWaiting = turn.afterwards(() => {
      resolve(refusal(tooSlow(), { id: idOf(message) }))
      over.abort()
    })
  })
  return Promise.race([begin(over.signal), late]).finally(stopWaiting)
}

/**
 * Returns how long a call may wait. While it waits, it holds no place among the requests in
 * progress. The wait ends with its client, its key or the service.
 */
const patienceOf = (
  { keyed, waiters }: ExchangeOptions,
  { client, path, req, res, turn }: Exchange,
  key: string,
): Patience => ({
  begin: (millis, end) => {
    if (res.destroyed) return undefined
    const leave = waiters.take(key, end)
    if (leave === undefined) return undefined
    turn.rest(millis)
    res.once("close", end)
    keyed.get(path)?.watch(req, res, client, () => void res.destroy())
    return leave
  },
})

/** Refuses a request without a message. With a valid key it still counts as a request. */
const unserved = async (
  options: ExchangeOptions,
  exchange: Exchange,
  response: Response,
): Promise<Response> => {
  const caller = await admitted(options, exchange, undefined)
  if (caller instanceof Response) return caller
  return caller === undefined ? response : withHeaders(response, caller)
}

/** Passes a message to the protocol. Only authenticated callers can call a tool. */
const serve = async (
  options: ExchangeOptions,
  exchange: Exchange,
  message: Message | undefined,
): Promise<Answer> => {
  const { address, facts, path, req, res } = exchange
  const method = message?.["method"]
  if (isKnownMethod(method)) facts.rpc_method = method
  const said = readQuery(path, req.url)
  if (Result.isFailure(said)) {
    return unserved(options, exchange, refusal(said.failure, { id: idOf(message) }))
  }
  const { filter, mpp, x402 } = said.success
  const isOwn = filter.installed === true
  const caller = await admitted(options, exchange, message, isOwn)
  if (caller instanceof Response) return caller
  const key = caller?.by.caller.api_key_id
  const engine = await options.engine()
  // For a caller that has left meanwhile, no event would end what begins now.
  if (engine === undefined || res.closed) return refusal(stopping(), { id: idOf(message) })
  if (method === "subscriptions/listen") {
    const leave = options.listeners.take(key, address)
    if (leave === undefined) return refusal(tooManyStreams(key), { id: idOf(message) })
    res.once("close", leave)
  }
  // Calls finish. A listening stream ends with its key.
  const listens = message === undefined || method === "subscriptions/listen"
  if (listens && key !== undefined)
    options.keyed.get(path)?.watch(req, res, exchange.client, () => void res.destroy())
  const gone = new AbortController()
  const done = new Promise<void>((resolve) => {
    res.once("close", () => {
      // A client that has its whole answer waits for nothing.
      if (!res.writableFinished) gone.abort()
      resolve()
    })
  })
  const request = () => webRequest(req, `${options.baseUrl}${path}`, gone.signal)
  const response = await inTime(exchange, message, (signal) => {
    const patience = patienceOf(options, exchange, key ?? address)
    const { deadline } = exchange.turn
    const asking = { caller: caller?.by, deadline, signal, filter, patience, x402, mpp }
    const { headers } = req
    const from = { key, address, done, gone: gone.signal }
    return engine.serve({ path, headers, request, message, asking, ...from })
  })
  return caller === undefined ? response : withHeaders(response, caller)
}

/** Serves a message, unless too many requests are in progress, in total or of its account. */
const serveInTurn = async (
  options: ExchangeOptions,
  exchange: Exchange,
  message: Message,
): Promise<Answer> => {
  const { turn } = exchange
  if (!turn.enter()) return refusal(overloaded(), { id: idOf(message) })
  await new Promise<void>((resolve) => options.intake.inTurn(resolve))
  return serve(options, exchange, message).finally(() => turn.leave())
}

/** Returns the handler of requests: it checks, authenticates, answers and logs. */
export const makeExchange = (options: ExchangeOptions) => {
  const { baseUrl, gate, intake, run } = options
  const provenanceFlaw = makeGuard(baseUrl, options.host)

  const answer = async (exchange: Exchange): Promise<Answer | undefined> => {
    const { address, path, req } = exchange
    if (req.headers.authorization === undefined) {
      const wait = gate.admit(address)
      if (wait !== undefined) return refusal(wait, {})
    }
    const described = describedAt(path)
    if (described !== undefined) {
      return metadata(req, resourceMetadata(baseUrl, described, options.authorizes))
    }
    const flaw = provenanceFlaw({ host: hostOf(req), origin: req.headers.origin })
    if (flaw !== undefined) return refusal(new Failure({ code: "FORBIDDEN", message: flaw }), {})
    if (!METHODS.includes(req.method ?? "")) {
      return unserved(options, exchange, wrongMethod(METHODS))
    }
    if (req.method !== "POST") return serve(options, exchange, undefined)
    // The refusal comes before the body is read, which holds no place while it arrives.
    if (intake.isFull() || intake.isShareTaken(req.headers.authorization)) {
      await new Promise<void>((resolve) => intake.refuse(resolve))
      return refusal(overloaded(), {})
    }
    const received = await receive(req)
    if (received.type === "gone") return undefined
    return received.type === "refused"
      ? unserved(options, exchange, received.response)
      : serveInTurn(options, exchange, received.message)
  }

  return async (req: Incoming, res: Outgoing, path: string): Promise<void> => {
    const began = performance.now()
    const facts: Facts = { request_id: requestId(req) }
    const client = gate.addressOf(req)
    const address = networkKey(client)
    const turn = new Turn(intake, began)
    const response = await answer({ req, res, path, client, address, facts, turn }).finally(() =>
      turn.leave(),
    )
    if (response === undefined) {
      res.destroy()
      return
    }
    const { status } = response
    const line = status >= 500 ? Effect.logWarning("request") : Effect.logInfo("request")
    const duration_ms = Math.round((performance.now() - began) * 100) / 100
    const annotations = { ...facts, method: req.method, route: path, status, duration_ms }
    void run(Effect.annotateLogs(line, annotations))
    await sendResponse(req, res, response, { "X-Request-Id": facts.request_id })
  }
}
