import type { CallToolResult } from "@modelcontextprotocol/server"
import { Clock, Effect, Result, Schema } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import type { Demand, Settlement, ToolProof } from "../../core/agents/Demand.ts"
import { Vault } from "../../core/ports/Vault.ts"
import { catchFailure } from "../../core/shared/catchFailure.ts"
import type { Failure } from "../../core/shared/Failure.ts"
import { isId } from "../../core/shared/Id.ts"
import * as Text from "../../core/shared/Text.ts"
import { SECOND, type Timestamp, toIso } from "../../core/shared/Timestamp.ts"
import { REFUSED_MONEY } from "../shared/x402/Answers.ts"
import { ourNetwork } from "../shared/x402/network.ts"
import { RpcError } from "./Tools.ts"
import type { PaidTool } from "./x402.ts"

/**
 * The MCP transport of the Machine Payments Protocol (`draft-payment-transport-mcp-00`). A call
 * without a credential is refused by a JSON-RPC error with a challenge. A call with one in its
 * `_meta` uses the payment, and the `_meta` of the result has the receipt.
 */
export const CREDENTIAL = "org.paymentauth/credential"
const PAYMENT_REQUIRED = "org.paymentauth/payment-required"
const RECEIPT = "org.paymentauth/receipt"

const REQUIRED = -32_042
const NOT_VERIFIED = -32_043
const INVALID_PARAMS = -32_602
const INTERNAL = -32_603

const MESSAGES: { readonly [code: number]: string } = {
  [REQUIRED]: "Payment Required",
  [NOT_VERIFIED]: "Payment Verification Failed",
  [INVALID_PARAMS]: "Invalid params",
  [INTERNAL]: "Internal payment error",
}

/** The errors of the transport, which a stdio server passes on as the service sent them. */
export const PAYMENT_ERRORS: ReadonlySet<number> = new Set([NOT_VERIFIED, INTERNAL])

/** Returns the error that requires a payment as a tool's result; undefined for another error. */
export const requiredResult = ({ code, data }: RpcError): CallToolResult | undefined =>
  code === REQUIRED
    ? {
        isError: true,
        content: [{ type: "text", text: JSON.stringify(data) }],
        _meta: { [PAYMENT_REQUIRED]: data },
      }
    : undefined

const FIXED = { realm: "payport", method: "payport", intent: "charge" } as const

const TITLES = {
  "payment-required": "Payment Required",
  "payment-expired": "Payment Expired",
  "verification-failed": "Verification Failed",
  "invalid-challenge": "Invalid Challenge",
} as const

/** The problem, by the names of the "Payment" scheme, and the remedy. */
interface Problem {
  readonly name: keyof typeof TITLES
  readonly detail: string
}

/** The caller, and what is required of it at that time. */
interface Asked {
  readonly caller: Caller
  readonly demand: Demand
  readonly network: string
  readonly now: Timestamp
}

/** Returns the terms of a payment in the form of the intent `charge`. */
const requestOf = ({ demand, network }: Asked) => {
  const { amount, description, resource, service_id } = demand
  return {
    amount: String(amount.value),
    currency: amount.currency.toLowerCase(),
    description,
    methodDetails: { service_id, resource, network },
  }
}

/** A credential in `_meta`, with its request as an object. */
const Credential = Schema.Struct({
  challenge: Schema.Struct({
    id: Text.line(256),
    realm: Text.line(256),
    method: Text.line(64),
    intent: Text.line(64),
    expires: Schema.optionalKey(Text.line(64)),
    request: Schema.Record(Schema.String, Schema.Unknown),
  }),
  payload: Schema.Struct({
    payment_intent: Text.line(64).check(Schema.makeFilter((id: string) => isId("pi", id))),
    token: Text.line(256),
  }),
})
type Challenge = (typeof Credential.Type)["challenge"]

const decodeCredential = Schema.decodeUnknownResult(Credential)

/** The request from which the id of a challenge is computed. */
const Request = Schema.Struct({
  amount: Schema.String,
  currency: Schema.String,
  description: Schema.String,
  methodDetails: Schema.Struct({
    service_id: Schema.String,
    resource: Schema.String,
    network: Schema.String,
  }),
})

const decodeRequest = Schema.decodeUnknownResult(Request, { onExcessProperty: "error" })

/** Whether both requests are the same. Decoding puts the fields in the schema's order. */
const isSame = (echoed: unknown, expected: unknown): boolean => {
  const [one, other] = [echoed, expected].map((request) => decodeRequest(request))
  return (
    one !== undefined &&
    other !== undefined &&
    Result.isSuccess(one) &&
    Result.isSuccess(other) &&
    JSON.stringify(one.success) === JSON.stringify(other.success)
  )
}

/** Returns the id of a challenge: an HMAC under the installation's key, including the account. */
const idOf = (asked: Asked, expires: string) =>
  Effect.map(Vault, ({ fingerprint }) =>
    fingerprint(JSON.stringify(["mpp", asked.caller.account.id, FIXED, requestOf(asked), expires])),
  )

/** Returns the error that requires a payment, with a new challenge. */
const asking = Effect.fnUntraced(function* (asked: Asked, code: number, { detail, name }: Problem) {
  const { demand, now } = asked
  const expires = toIso(now + demand.within * SECOND)
  const id = yield* idOf(asked, expires)
  const type = `https://paymentauth.org/problems/${name}`
  return new RpcError(code, MESSAGES[code] ?? "", {
    httpStatus: 402,
    challenges: [
      { id, ...FIXED, request: requestOf(asked), expires, description: demand.description },
    ],
    problem: { type, title: TITLES[name], status: 402, detail, challengeId: id },
    ...(code === NOT_VERIFIED && { failure: { reason: name, detail } }),
  })
})

/** Returns the flaw of a challenge in a credential; undefined if it was made for this call. */
const flawOf = Effect.fnUntraced(function* (challenge: Challenge, asked: Asked) {
  const { equal } = yield* Vault
  const { expires = "", id, intent, method, realm, request } = challenge
  const isFixed = intent === FIXED.intent && method === FIXED.method && realm === FIXED.realm
  if (!isFixed || !isSame(request, requestOf(asked)) || !equal(id, yield* idOf(asked, expires))) {
    const detail = "The challenge was issued for another caller, service, tool or amount."
    return { name: "invalid-challenge", detail } satisfies Problem
  }
  return asked.now < Date.parse(expires)
    ? undefined
    : ({ name: "payment-expired", detail: "The challenge has expired." } satisfies Problem)
})

const nameOf = ({ code, details }: Failure): Problem["name"] => {
  if (code === "PAYMENT_PROOF_USED") return "invalid-challenge"
  const { status } = (details ?? {}) as { readonly status?: unknown }
  return code === "PAYMENT_REQUIRED" && status === "expired"
    ? "payment-expired"
    : "verification-failed"
}

const pending = ({ message }: Failure) =>
  new RpcError(INTERNAL, MESSAGES[INTERNAL] ?? "", { detail: message, httpStatus: 409 })

/** Shows an answer, with the receipt if this payment's money was captured. */
const withReceipt =
  <A>(tool: Pick<PaidTool<A, unknown, unknown>, "shown">, challengeId: string, now: Timestamp) =>
  ({ answer, settlement }: { answer: A; settlement: Settlement }): CallToolResult => {
    const result = tool.shown(answer)
    if (settlement.outcome !== "taken") return result
    const receipt = {
      status: "success",
      method: FIXED.method,
      timestamp: toIso(now),
      reference: settlement.payment_intent,
      challengeId,
    }
    return { ...result, _meta: { ...result._meta, [RECEIPT]: receipt } }
  }

/** Redeems a credential's proof. */
const take = <A, E, R>(
  tool: PaidTool<A, E, R>,
  asked: Asked,
  challengeId: string,
  proof: ToolProof,
) =>
  tool.pay(asked.caller, proof).pipe(
    Effect.map((paid): CallToolResult | RpcError =>
      withReceipt(tool, challengeId, asked.now)(paid),
    ),
    catchFailure(["PAYMENT_UNRESOLVED"], (failure) => Effect.succeed(pending(failure))),
    catchFailure(REFUSED_MONEY, (failure) =>
      asking(asked, NOT_VERIFIED, { name: nameOf(failure), detail: failure.message }),
    ),
  )

/** Returns the answer to an earlier call with this credential's proof, if there was one. */
const repeated = <A, E, R>(
  { repeat }: PaidTool<A, E, R>,
  caller: Caller,
  { payload: { payment_intent: id, token } }: typeof Credential.Type,
) => repeat(caller, { id, token })

/** Calls a tool that is paid by MPP. `credential` is undefined for a call without one. */
export const callByMpp =
  <A, E, R>(credential: unknown, tool: PaidTool<A, E, R>) =>
  (caller: Caller) =>
    Effect.gen(function* () {
      const network = yield* ourNetwork
      const now = yield* Clock.currentTimeMillis
      const read = decodeCredential(credential)
      const demanded = yield* Effect.result(tool.demand(caller))
      if (Result.isFailure(demanded)) {
        const known = Result.isSuccess(read)
          ? yield* repeated(tool, caller, read.success)
          : undefined
        if (known === undefined) return yield* Effect.fail(demanded.failure)
        return withReceipt(tool, Result.getOrThrow(read).challenge.id, now)(known)
      }
      const demand = demanded.success
      const asked = { caller, demand, network, now }
      if (credential === undefined) {
        const detail = "Pay as the challenge says, then call again with the credential."
        return yield* asking(asked, REQUIRED, { name: "payment-required", detail })
      }
      if (Result.isFailure(read)) {
        const detail =
          "A credential needs a challenge, and a payload with payment_intent and token."
        return new RpcError(INVALID_PARAMS, MESSAGES[INVALID_PARAMS] ?? "", { detail })
      }
      const { challenge, payload } = read.success
      const flaw = yield* flawOf(challenge, asked)
      if (flaw !== undefined) {
        const known = yield* repeated(tool, caller, read.success)
        if (known !== undefined) return withReceipt(tool, challenge.id, now)(known)
        return yield* asking(asked, NOT_VERIFIED, flaw)
      }
      const { amount, resource, service_id, within } = demand
      const { payment_intent: id, token } = payload
      const proof = { id, token, service_id, amount, resource, within }
      return yield* take(tool, asked, challenge.id, proof)
    })

/** Returns the result of a call, or throws the error that refuses it. */
export const resultOrError = (answer: CallToolResult | RpcError): CallToolResult => {
  if (answer instanceof RpcError) throw answer
  return answer
}
