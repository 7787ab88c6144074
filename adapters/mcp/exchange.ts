import { Effect, Exit } from "effect"
import type { Incoming, Outgoing } from "../shared/Exchange.ts"
import { byKey } from "../../core/accountLog/logged.ts"
import { noteRefusals } from "../../core/accountLog/noteRefusals.ts"
import { authenticate, requireGroup } from "../../core/accounts/authenticate.ts"
import { type Admission, admitRequest } from "../../core/billing/limitRequests.ts"
import { CurrentDeadline, type Deadline } from "../../core/shared/CurrentDeadline.ts"
import { Failure } from "../../core/shared/Failure.ts"
import type { AddressGate } from "../shared/addresses/AddressGate.ts"
import type { KeyedStreams } from "../shared/KeyedStreams.ts"
import { networkKey } from "../shared/addresses/ClientAddress.ts"
import { failureOf } from "../shared/failureOf.ts"
import { type Intake, overloaded } from "../shared/Intake.ts"
import { requestId } from "../shared/requestId.ts"
import { idOf, refusal } from "./answers.ts"
import type { ToolCaller, ToolPorts } from "./coreTools.ts"
import type { Engine } from "./Engine.ts"
import { makeGuard } from "./guard.ts"
import type { McpLimits } from "./limits.ts"
import type { Listeners } from "./Listeners.ts"
import { receive } from "./receive.ts"
import { challengeOf, describedAt, resourceMetadata } from "./resourceMetadata.ts"
import { sendResponse, webRequest } from "./webRequest.ts"

/** What every exchange of an endpoint uses. */
export interface ExchangeOptions {
  readonly gate: AddressGate
  readonly intake: Intake
  readonly listeners: Listeners
  readonly baseUrl: string
  /** Whether people give programs tokens for it here. */
  readonly authorizes: boolean
  readonly host: string | undefined
  /** Who listens, by the path of the tools. */
  readonly keyed: ReadonlyMap<string, KeyedStreams>
  readonly limits: McpLimits
  /** The protocol, started on its first use; undefined once the service stops. */
  readonly engine: () => Promise<Engine | undefined>
  readonly run: <A, E>(effect: Effect.Effect<A, E, ToolPorts>) => Promise<Exit.Exit<A, E>>
}

type Message = { readonly [name: string]: unknown }

/** Facts about a request for its log line. */
interface Facts {
  readonly request_id: string
  account_id?: string
  rpc_method?: string
}

const METHODS = ["POST", "GET", "DELETE"]

const wrongMethod = (allow: ReadonlyArray<string>): Response => {
  const message = `This route takes ${allow.join(", ")}.`
  const response = refusal(new Failure({ code: "METHOD_NOT_ALLOWED", message }), {})
  response.headers.set("Allow", allow.join(", "))
  return response
}

const metadata = (req: Incoming, shown: object): Response => {
  if (req.method !== "GET" && req.method !== "HEAD") return wrongMethod(["GET", "HEAD"])
  const response = Response.json(shown)
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
    message: "The request was cancelled, or took too long. Repeat it to see what came of it.",
    retry_after: 1,
  })

const tooManyStreams = (key: string | undefined) =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message:
      key === undefined
        ? "Too many listen without a key. Send one along, or list again instead."
        : "This key listens too many times already. Close some streams, or list again instead.",
    retry_after: 30,
  })

const isKnownMethod = (method: unknown): method is string =>
  typeof method === "string" && /^[a-z]+(\/[a-z_]+){0,2}$/i.test(method) && method.length <= 64

/** Authenticates the caller and counts the request against the rate of its plan. */
const admit = Effect.fnUntraced(function* (
  authorization: string | undefined,
  { client, path }: Pick<Exchange, "client" | "path">,
  { acts, baseUrl }: { readonly acts: boolean; readonly baseUrl: string },
) {
  const caller = yield* authenticate(authorization, client, `${baseUrl}${path}`)
  if (acts) yield* noteRefusals(byKey(caller), requireGroup(caller, "pay"))
  return { caller, admission: yield* admitRequest(caller, "standard") }
})

type Headers = { readonly [name: string]: string }

const rateHeaders = ({ refusal: refused, standing }: Admission): Headers => ({
  "RateLimit-Limit": String(standing.limit),
  "RateLimit-Remaining": String(standing.remaining),
  "RateLimit-Reset": String(standing.reset),
  ...(refused !== null && { "Retry-After": String(refused.retry_after ?? standing.reset) }),
})

/** An authenticated caller, and the rate-limit headers of its answer. */
interface Admitted {
  readonly by: ToolCaller
  readonly headers: Headers
}

/** A request of an agent and its response. */
interface Exchange {
  readonly req: Incoming
  readonly res: Outgoing
  readonly path: string
  /** The client's address, and the network by which it is counted. */
  readonly client: string
  readonly address: string
  readonly facts: Facts
  readonly deadline: Deadline
  /** The account that it is counted to among those that are served at once. */
  counted?: string
}

/** The caller whose key was sent; a refusal where the key is not valid. */
const callerOf = async (
  { baseUrl, gate, intake, run }: ExchangeOptions,
  exchange: Exchange,
  message: Message | undefined,
): Promise<Admitted | Response> => {
  const { address, facts, req } = exchange
  const { authorization } = req.headers
  const wait = gate.admitKey(address, authorization)
  if (wait !== undefined) return refusal(wait, { id: idOf(message) })
  const acts = message?.["method"] === "tools/call"
  const known = admit(authorization, exchange, { acts, baseUrl })
  const exit = await run(Effect.provideService(known, CurrentDeadline, exchange.deadline))
  if (Exit.isSuccess(exit)) {
    gate.rightKey(authorization)
    const { admission, caller } = exit.value
    const { id } = caller.account
    facts.account_id = id
    if (exchange.req.method === "POST") {
      if (!intake.admitAccount(id, authorization)) {
        return refusal(overloaded(), { id: idOf(message) })
      }
      exchange.counted = id
    }
    return {
      headers: admission === null ? {} : rateHeaders(admission),
      by: { caller, request_id: facts.request_id, refusal: admission?.refusal ?? null },
    }
  }
  const failure = failureOf(exit.cause)
  const response = refusal(failure, { id: idOf(message) })
  if (response.status === 401) {
    gate.wrongKey(address)
    const invalid = failure.code === "INVALID_API_KEY"
    response.headers.set("WWW-Authenticate", challengeOf(baseUrl, exchange.path, invalid))
  }
  return response
}

/** The outcome of the work, or a refusal once the request is past its deadline. */
const inTime = async (
  { intake }: ExchangeOptions,
  { deadline }: Exchange,
  message: Message | undefined,
  begin: (late: AbortSignal) => Promise<Response>,
): Promise<Response> => {
  const over = new AbortController()
  let stopWaiting = () => {}
  const late = new Promise<Response>((resolve) => {
    stopWaiting = intake.afterwards(deadline, () => {
      resolve(refusal(tooSlow(), { id: idOf(message) }))
      over.abort()
    })
  })
  return Promise.race([begin(over.signal), late]).finally(stopWaiting)
}

/**
 * The caller of a message, counted as a request of the account's plan; undefined without a valid
 * key, which only a call of a tool needs. A call over the rate is refused in the tool's result,
 * which models read; any other request over the rate by the HTTP response.
 */
const admitted = async (
  options: ExchangeOptions,
  exchange: Exchange,
  message: Message | undefined,
): Promise<Admitted | Response | undefined> => {
  const isCall = message?.["method"] === "tools/call"
  if (!isCall && exchange.req.headers.authorization === undefined) return undefined
  const known = await callerOf(options, exchange, message)
  if (isCall) return known
  if (known instanceof Response) return known.status === 401 ? undefined : known
  const { refusal: refused } = known.by
  return refused === null ? known : withHeaders(refusal(refused, { id: idOf(message) }), known)
}

const withHeaders = (response: Response, { headers }: Pick<Admitted, "headers">): Response => {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

/** A refusal of what is not a message. With a valid key it counts as a request all the same. */
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
): Promise<Response> => {
  const { address, facts, path, req, res } = exchange
  const method = message?.["method"]
  if (isKnownMethod(method)) facts.rpc_method = method
  const caller = await admitted(options, exchange, message)
  if (caller instanceof Response) return caller
  const key = caller?.by.caller.api_key_id
  if (method === "subscriptions/listen") {
    const leave = options.listeners.take(key, address)
    if (leave === undefined) return refusal(tooManyStreams(key), { id: idOf(message) })
    res.once("close", leave)
  }
  const engine = await options.engine()
  if (engine === undefined) return refusal(stopping(), { id: idOf(message) })
  // Calls finish; who only listens leaves with its key.
  const listens = message === undefined || method === "subscriptions/listen"
  if (listens && key !== undefined)
    options.keyed.get(path)?.watch(req, res, exchange.client, () => void res.destroy())
  const gone = new AbortController()
  const done = new Promise<void>((resolve) => {
    res.once("close", () => {
      gone.abort()
      resolve()
    })
  })
  const request = webRequest(req, `${options.baseUrl}${path}`, gone.signal)
  const response = await inTime(options, exchange, message, (signal) => {
    const asking = { caller: caller?.by, deadline: exchange.deadline, signal }
    return engine.serve({ request, message, asking, key, address, done })
  })
  return caller === undefined ? response : withHeaders(response, caller)
}

/** Serves a message in its turn, unless there are too many at once, or too many of its account. */
const serveInTurn = async (
  options: ExchangeOptions,
  exchange: Exchange,
  message: Message,
): Promise<Response> => {
  const { intake } = options
  if (!intake.admit()) return refusal(overloaded(), { id: idOf(message) })
  await new Promise<void>((resolve) => intake.inTurn(resolve))
  return serve(options, exchange, message).finally(() => {
    intake.leave()
    if (exchange.counted !== undefined) intake.leaveAccount(exchange.counted)
  })
}

/** Makes the handler of a request: it checks, authenticates, answers and logs. */
export const makeExchange = (options: ExchangeOptions) => {
  const { baseUrl, gate, intake, run } = options
  const provenanceFlaw = makeGuard(baseUrl, options.host)

  const answer = async (exchange: Exchange): Promise<Response | undefined> => {
    const { address, path, req } = exchange
    if (req.headers.authorization === undefined) {
      const wait = gate.admit(address)
      if (wait !== undefined) return refusal(wait, {})
    }
    const described = describedAt(path)
    if (described !== undefined) {
      return metadata(req, resourceMetadata(baseUrl, described, options.authorizes))
    }
    const { host, origin } = req.headers
    const flaw = provenanceFlaw({ host, origin })
    if (flaw !== undefined) return refusal(new Failure({ code: "FORBIDDEN", message: flaw }), {})
    if (!METHODS.includes(req.method ?? "")) {
      return unserved(options, exchange, wrongMethod(METHODS))
    }
    if (req.method !== "POST") return serve(options, exchange, undefined)
    // Refused before its body is read, which holds no place while it arrives.
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
    const [address, deadline] = [networkKey(client), intake.deadline(began)]
    const response = await answer({ req, res, path, client, address, facts, deadline })
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
