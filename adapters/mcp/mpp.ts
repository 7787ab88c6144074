import type { CallToolResult } from "@modelcontextprotocol/server"
import { Clock, Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import type { Demand, ToolProof } from "../../core/agents/Demand.ts"
import { Vault } from "../../core/ports/Vault.ts"
import { catchFailure } from "../../core/shared/catchFailure.ts"
import type { Failure } from "../../core/shared/Failure.ts"
import { SECOND, type Timestamp, toIso } from "../../core/shared/Timestamp.ts"
import { isFields } from "../http/client/Fields.ts"
import {
  type ChallengeParameters,
  decodeChallenge,
  METHOD,
  type MppChallenge,
  requestText,
} from "../http/client/MppChallenge.ts"
import { isProof } from "../http/mpp/charge.ts"
import { type MppProblem, problem, type ProblemName } from "../http/mpp/MppProblem.ts"
import { receiptOf } from "../http/mpp/MppReceipt.ts"
import { REFUSED_MONEY } from "../shared/x402/Answers.ts"
import { ourNetwork } from "../shared/x402/network.ts"
import { RpcError } from "./Tools.ts"
import type { PaidTool } from "./x402.ts"

/**
 * The MCP transport of the Machine Payments Protocol (`draft-payment-transport-mcp-00`): a call
 * without a credential is refused by an error of JSON-RPC's with a challenge, a call with one in
 * its `_meta` takes the payment, and the `_meta` of the result has the receipt.
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

/** The errors of the transport, with which a stdio server answers as the service did. */
export const PAYMENT_ERRORS: ReadonlySet<number> = new Set([NOT_VERIFIED, INTERNAL])

/** The error that asks for a payment as a tool's result; undefined for another error. */
export const requiredResult = ({ code, data }: RpcError): CallToolResult | undefined =>
  code === REQUIRED
    ? {
        isError: true,
        content: [{ type: "text", text: JSON.stringify(data) }],
        _meta: { [PAYMENT_REQUIRED]: data },
      }
    : undefined

const REALM = "payport"

/** What a call is about: the caller, and what is asked of it at that time. */
interface Asked {
  readonly caller: Caller
  readonly demand: Demand
  readonly network: string
  readonly now: Timestamp
}

/** The terms of a payment in the words of the intent `charge`. */
const requestOf = ({ demand, network }: Asked): object => {
  const { amount, description, resource, service_id } = demand
  return {
    amount: String(amount.value),
    currency: amount.currency.toLowerCase(),
    description,
    methodDetails: { service_id, resource, network },
  }
}

/** The id of a challenge: an HMAC under the installation's key, of whose call it is, too. */
const idOf = (
  { expires = "", intent, method, realm, request }: ChallengeParameters,
  { caller }: Asked,
) =>
  Effect.map(Vault, ({ fingerprint }) =>
    fingerprint(
      JSON.stringify(["mpp", caller.account.id, realm, method, intent, request, expires]),
    ),
  )

/** The error that asks for a payment, with a new challenge. */
const asking = Effect.fnUntraced(function* (asked: Asked, code: number, why: MppProblem) {
  const { demand, now } = asked
  const request = requestOf(asked)
  const parameters = {
    realm: REALM,
    method: METHOD,
    intent: "charge",
    request: requestText(request),
    expires: toIso(now + demand.within * SECOND),
  }
  const id = yield* idOf(parameters, asked)
  return new RpcError(code, MESSAGES[code] ?? "", {
    httpStatus: 402,
    challenges: [{ id, ...parameters, request, description: demand.description }],
    problem: { ...why, challengeId: id },
    ...(code === NOT_VERIFIED && {
      failure: { reason: why.type.split("/").at(-1), detail: why.detail },
    }),
  })
})

/** A credential as it is in `_meta`: with its request as an object; undefined for what is none. */
const readCredential = (credential: unknown) => {
  if (!isFields(credential)) return undefined
  const { challenge, payload } = credential
  if (!isFields(challenge) || !isFields(payload) || !isFields(challenge["request"]))
    return undefined
  const request = requestText(challenge["request"])
  const echoed = decodeChallenge({ ...challenge, request })
  const { payment_intent: id, token } = payload
  const proof = typeof id === "string" && typeof token === "string" ? { id, token } : undefined
  return echoed && proof && isProof(proof) ? { challenge: echoed, proof } : undefined
}

/** What is wrong with a challenge that a credential echoes; undefined where this call made it. */
const flawOf = Effect.fnUntraced(function* (challenge: MppChallenge, asked: Asked) {
  const { equal } = yield* Vault
  const isOurs = equal(challenge.id, yield* idOf(challenge, asked))
  const { intent, method, realm, request } = challenge
  if (!isOurs || method !== METHOD || intent !== "charge" || realm !== REALM) {
    return problem("invalid-challenge", "The credential's challenge is none of this tool's.")
  }
  if (request !== requestText(requestOf(asked))) {
    return problem("invalid-challenge", "The challenge was for another service, tool or amount.")
  }
  return asked.now < Date.parse(challenge.expires ?? "")
    ? undefined
    : problem("payment-expired", "The challenge is too old: meet the new one.")
})

const nameOf = ({ code, details }: Failure): ProblemName => {
  if (code === "PAYMENT_PROOF_USED") return "invalid-challenge"
  const { status } = isFields(details) ? details : {}
  return code === "PAYMENT_REQUIRED" && status === "expired"
    ? "payment-expired"
    : "verification-failed"
}

const pending = ({ message }: Failure) =>
  new RpcError(INTERNAL, MESSAGES[INTERNAL] ?? "", { detail: message, httpStatus: 409 })

/** Takes what a credential proves, and shows the receipt where this payment's money was taken. */
const take = <A, E, R>(
  tool: PaidTool<A, E, R>,
  asked: Asked,
  challenge: MppChallenge,
  proof: ToolProof,
) =>
  tool.pay(asked.caller, proof).pipe(
    Effect.map(({ answer, settlement }): CallToolResult | RpcError => {
      const result = tool.shown(answer)
      if (settlement.outcome !== "taken") return result
      const receipt = receiptOf(settlement.payment_intent, toIso(asked.now), challenge.id)
      return { ...result, _meta: { ...result._meta, [RECEIPT]: receipt } }
    }),
    catchFailure(["PAYMENT_UNRESOLVED"], (failure) => Effect.succeed(pending(failure))),
    catchFailure(REFUSED_MONEY, (failure) =>
      asking(asked, NOT_VERIFIED, problem(nameOf(failure), failure.message)),
    ),
  )

/** Calls a tool that is paid by MPP, where `credential` is undefined for a call without one. */
export const callByMpp =
  <A, E, R>(credential: unknown, tool: PaidTool<A, E, R>) =>
  (caller: Caller) =>
    Effect.gen(function* () {
      const network = yield* ourNetwork
      const demand = yield* tool.demand(caller)
      const asked = { caller, demand, network, now: yield* Clock.currentTimeMillis }
      if (credential === undefined) {
        const why = problem("payment-required", "Pay as a challenge says, and call again with it.")
        return yield* asking(asked, REQUIRED, why)
      }
      const read = readCredential(credential)
      if (read === undefined) {
        const detail = "A credential has a challenge, and a payload of payment_intent and token."
        return new RpcError(INVALID_PARAMS, MESSAGES[INVALID_PARAMS] ?? "", { detail })
      }
      const flaw = yield* flawOf(read.challenge, asked)
      if (flaw !== undefined) return yield* asking(asked, NOT_VERIFIED, flaw)
      const { amount, resource, service_id, within } = demand
      const proof = { ...read.proof, service_id, amount, resource, within }
      return yield* take(tool, asked, read.challenge, proof)
    })

/** The result of a call, or the error that it is refused by. */
export const resultOrError = (answer: CallToolResult | RpcError): CallToolResult => {
  if (answer instanceof RpcError) throw answer
  return answer
}
