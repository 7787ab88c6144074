import { Effect, Exit } from "effect"
import { byKey } from "../../core/accountLog/logged.ts"
import { noteRefusals } from "../../core/accountLog/noteRefusals.ts"
import type { KnownUses } from "../../core/accountLog/KnownUses.ts"
import { noteUse } from "../../core/accountLog/noteUse.ts"
import { authenticate, requireGroup } from "../../core/accounts/authenticate.ts"
import { allows, type RouteGroup } from "../../core/accounts/KeyRestrictions.ts"
import { type Admission, admitRequest } from "../../core/billing/limitRequests.ts"
import { marketTool } from "../../core/market/MarketTool.ts"
import { CurrentDeadline } from "../../core/shared/CurrentDeadline.ts"
import type { AddressGate } from "../shared/addresses/AddressGate.ts"
import type { Incoming, Outgoing } from "../shared/Exchange.ts"
import { failureOf } from "../shared/failureOf.ts"
import { overloaded } from "../shared/Intake.ts"
import { idOf, refusal } from "./answers.ts"
import { SERVICES } from "./doors.ts"
import { challengeOf } from "./resourceMetadata.ts"
import type { ToolCaller, ToolPorts } from "./runTools.ts"
import type { Turn } from "./Turn.ts"
import type { Answer } from "./webRequest.ts"

/** The JSON of a POST. */
export type Message = { readonly [name: string]: unknown }

/** Facts about a request for its log line. */
export interface Facts {
  readonly request_id: string
  account_id?: string
  rpc_method?: string
}

/** A request of an agent and its response. */
export interface Exchange {
  readonly req: Incoming
  readonly res: Outgoing
  readonly path: string
  /** The client's address, and the network that its requests are counted by. */
  readonly client: string
  readonly address: string
  readonly facts: Facts
  readonly turn: Turn
}

/** The parts that admission needs. */
export interface Admitting {
  readonly gate: AddressGate
  readonly baseUrl: string
  readonly knownUses: KnownUses
  readonly run: <A, E>(effect: Effect.Effect<A, E, ToolPorts>) => Promise<Exit.Exit<A, E>>
}

type Headers = { readonly [name: string]: string }

/** An authenticated caller, and the rate-limit headers of its answer. */
export interface Admitted {
  readonly by: ToolCaller
  readonly headers: Headers
}

const isCall = (message: Message | undefined): boolean => message?.["method"] === "tools/call"

/** Returns the needed permission: `pay` for tools of services, the market's own declaration. */
const groupOf = (path: string, message: Message | undefined): RouteGroup => {
  if (!isCall(message)) return "read"
  if (path === SERVICES.path) return "pay"
  const { name } = { ...(message?.["params"] as { readonly name?: unknown } | undefined) }
  return (typeof name === "string" && marketTool(name)?.group) || "read"
}

/** Authenticates the caller and counts the request against the rate of its plan. */
const admit = Effect.fnUntraced(function* (
  authorization: string | undefined,
  { client, path }: Pick<Exchange, "client" | "path">,
  { baseUrl, knownUses }: Admitting,
  message: Message | undefined,
) {
  const caller = yield* authenticate(authorization, client, `${baseUrl}${path}`)
  const group = groupOf(path, message)
  // The market's tools check the permission when they are called.
  const acts = group === "pay" && path === SERVICES.path
  if (acts) yield* noteRefusals(byKey(caller), requireGroup(caller, group))
  const { restrictions } = caller
  if (restrictions != null && allows(restrictions, group)) {
    yield* noteUse(knownUses, byKey(caller), { group, address: client })
  }
  return { caller, admission: yield* admitRequest(caller, "standard") }
})

const rateHeaders = ({ refusal: refused, standing }: Admission): Headers => ({
  "RateLimit-Limit": String(standing.limit),
  "RateLimit-Remaining": String(standing.remaining),
  "RateLimit-Reset": String(standing.reset),
  ...(refused !== null && { "Retry-After": String(refused.retry_after ?? standing.reset) }),
})

/** Returns the caller whose key was sent, or a refusal if the key is invalid. */
const callerOf = async (
  admitting: Admitting,
  exchange: Exchange,
  message: Message | undefined,
): Promise<Admitted | Response> => {
  const { baseUrl, gate, run } = admitting
  const { address, facts, path, req, turn } = exchange
  const { authorization } = req.headers
  const wait = gate.admitKey(address, authorization)
  if (wait !== undefined) return refusal(wait, { id: idOf(message) })
  const known = admit(authorization, exchange, admitting, message)
  const exit = await run(Effect.provideService(known, CurrentDeadline, turn.deadline))
  if (Exit.isSuccess(exit)) {
    gate.rightKey(authorization)
    const { admission, caller } = exit.value
    const { id } = caller.account
    facts.account_id = id
    if (req.method === "POST" && !turn.enterAccount(id, authorization)) {
      return refusal(overloaded(), { id: idOf(message) })
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
    response.headers.set("WWW-Authenticate", challengeOf(baseUrl, path, invalid))
  }
  return response
}

/** Adds the rate-limit headers of its caller to the response. */
export const withHeaders = <A extends Answer>(
  response: A,
  { headers }: Pick<Admitted, "headers">,
): A => {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}

/** Whether a message needs a key: a call, or a list of the caller's own tools. */
const needsKey = (message: Message | undefined, isOwnList: boolean): boolean =>
  isCall(message) || (isOwnList && message?.["method"] === "tools/list")

/**
 * Returns the caller of a message, counted as a request of the account's plan. Undefined without a
 * valid key, which only a tool call needs, and a list of installed services. A call over the rate
 * is refused in the tool's result, which models read. Other requests over the rate are refused by
 * the HTTP response.
 */
export const admitted = async (
  admitting: Admitting,
  exchange: Exchange,
  message: Message | undefined,
  isOwnList = false,
): Promise<Admitted | Response | undefined> => {
  const isNeeded = needsKey(message, isOwnList)
  if (!isNeeded && exchange.req.headers.authorization === undefined) return undefined
  const known = await callerOf(admitting, exchange, message)
  if (isCall(message)) return known
  if (known instanceof Response) return known.status === 401 && !isNeeded ? undefined : known
  const { refusal: refused } = known.by
  return refused === null ? known : withHeaders(refusal(refused, { id: idOf(message) }), known)
}
