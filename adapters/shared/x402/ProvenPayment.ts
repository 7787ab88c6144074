import { Result, Schema } from "effect"
import type { ToolProof } from "../../../core/agents/Demand.ts"
import { CurrencyCode, isPayable } from "../../../core/shared/Money.ts"
import * as Text from "../../../core/shared/Text.ts"
import { identifierIn } from "./Identifier.ts"
import { AUTH_CAPTURE, type FacilitatorRequest, SCHEMES, UPTO, VERSION } from "./Wire.ts"

/** Why a payload is not accepted: a code of x402 or of payport, and its meaning. */
export interface Flaw {
  readonly reason: string
  readonly message: string
}

/** The message of a buyer's client (5.2), with the payload of our scheme. */
const Payload = Schema.Struct({
  x402Version: Schema.Literal(VERSION),
  resource: Schema.optionalKey(Schema.Struct({ url: Schema.String })),
  accepted: Schema.Struct({
    scheme: Schema.String,
    network: Schema.String,
    amount: Schema.String,
    asset: Schema.String,
    payTo: Schema.String,
  }),
  payload: Schema.Struct({ payment_intent: Text.line(64), token: Text.line(256) }),
  extensions: Schema.optionalKey(Schema.Unknown),
})

/** The requirements of the seller's server, as far as our scheme reads them. */
const Required = Schema.Struct({
  amount: Schema.String.check(Schema.isPattern(/^[1-9]\d{0,12}$/)),
  asset: CurrencyCode,
  payTo: Text.line(64),
  maxTimeoutSeconds: Schema.Finite.check(Schema.isGreaterThan(0)),
  extra: Schema.Struct({ resource: Text.line(2048) }),
})

const decodePayload = Schema.decodeUnknownResult(Payload)
const decodeRequired = Schema.decodeUnknownResult(Required)

/** Returns the payment and the token that a payload shows; undefined for another payload. */
export const shownToken = (payload: unknown): Pick<ToolProof, "id" | "token"> | undefined => {
  const read = decodePayload(payload)
  if (Result.isFailure(read)) return undefined
  const { payment_intent, token } = read.success.payload
  return { id: payment_intent, token }
}

const flaw = (reason: string, message: string) => Result.fail<Flaw>({ reason, message })

const TERMS = ["scheme", "network", "amount", "asset", "payTo"] as const

/**
 * Reads what a seller's server sends its facilitator. The payment must be of our network and of a
 * scheme that we settle, and the buyer must have accepted exactly the seller's requirements.
 */
export const readPayment = (
  network: string,
  { paymentPayload, paymentRequirements, x402Version }: FacilitatorRequest,
): Result.Result<ToolProof, Flaw> => {
  if (x402Version !== VERSION) {
    return flaw("invalid_x402_version", `Only version ${VERSION} of x402 is supported.`)
  }
  if (!SCHEMES.some((scheme) => scheme === paymentRequirements.scheme)) {
    return flaw("unsupported_scheme", `The supported schemes are ${SCHEMES.join(", ")}.`)
  }
  if (paymentRequirements.network !== network) {
    return flaw("invalid_network", `Only payments on the network ${network} are settled here.`)
  }
  const required = decodeRequired(paymentRequirements)
  const value = Number(paymentRequirements.amount)
  if (Result.isFailure(required) || !isPayable(value)) {
    const fields = "amount, asset, payTo, maxTimeoutSeconds and extra.resource"
    return flaw("invalid_payment_requirements", `The scheme needs valid values of ${fields}.`)
  }
  const sent = decodePayload(paymentPayload)
  if (Result.isFailure(sent)) {
    return flaw("invalid_payload", "The payload must have a payment_intent and its token.")
  }
  const { accepted, extensions, payload, resource } = sent.success
  const { asset, extra, maxTimeoutSeconds, payTo } = required.success
  const other = TERMS.find((term) => accepted[term] !== paymentRequirements[term])
  if (other !== undefined) {
    return flaw("invalid_payload", `The buyer accepted another ${other} than the required one.`)
  }
  if (resource !== undefined && resource.url !== extra.resource) {
    return flaw("invalid_payload", "The payload is for another resource.")
  }
  const identifier = identifierIn(extensions)
  if (identifier === null) {
    return flaw(
      "invalid_payment_identifier",
      "A payment identifier must have 16 to 128 letters, digits, - and _.",
    )
  }
  return Result.succeed({
    id: payload.payment_intent,
    token: payload.token,
    service_id: payTo,
    amount: { currency: asset, value },
    resource: extra.resource,
    within: maxTimeoutSeconds,
    ...(identifier !== undefined && { payment_identifier: identifier }),
  })
}

/** The operations that a payload of `auth-capture` may name. Without one, it is to be held. */
const TYPES = ["hold", "capture", "void"] as const

/** The part of a payload that decides how it is settled. */
const decodeOrder = Schema.decodeUnknownResult(
  Schema.Struct({
    accepted: Schema.Struct({ amount: Schema.String }),
    payload: Schema.Struct({ type: Schema.optionalKey(Schema.Literals(TYPES)) }),
  }),
)

/**
 * A proof and the operation on its payment: it is settled; or it is held, and captured or released
 * later. `takes` is the captured amount, by default all.
 */
export interface Settlement extends ToolProof {
  readonly operation: "settle" | "hold" | "finish"
  readonly takes?: number
  /**
   * Whether the seller serves its request after this, and has not verified the payload before: the
   * flow is `upfront`, or the money is held (`escrow`). A repetition would be served again.
   */
  readonly opens: boolean
}

/** Returns the operation of a seller's request; undefined if the scheme does not have it. */
const operationOf = (
  { extra, scheme }: FacilitatorRequest["paymentRequirements"],
  type: (typeof TYPES)[number] | undefined,
): Settlement["operation"] | undefined => {
  const flow = scheme === AUTH_CAPTURE ? (extra?.["paymentFlow"] ?? "escrow") : "authorization"
  if (flow === "escrow") return type === undefined || type === "hold" ? "hold" : "finish"
  return flow === "authorization" && type === undefined ? "settle" : undefined
}

/**
 * Reads a seller's request to settle. In the schemes `upto` and `auth-capture` the required amount
 * is the used amount. The proof is valid for the maximum that the buyer has accepted, and no more
 * is captured (scheme_upto.md, "Phase-Dependent amount Semantics"). A payload of `auth-capture`
 * names the operation after the hold (scheme_auth_capture.md, "Lifecycle operations are /settle
 * calls").
 */
export const readSettlement = (
  network: string,
  request: FacilitatorRequest,
): Result.Result<Settlement, Flaw> => {
  const { paymentPayload, paymentRequirements } = request
  const { amount: used, extra, scheme } = paymentRequirements
  const isUpfront = extra?.["paymentFlow"] === "upfront"
  if (scheme !== UPTO && scheme !== AUTH_CAPTURE) {
    return Result.map(readPayment(network, request), (proof) => ({
      ...proof,
      operation: "settle",
      opens: isUpfront,
    }))
  }
  const order = decodeOrder(paymentPayload)
  if (Result.isFailure(order)) {
    const types = "a payload whose type, if any, is hold, capture or void. Refunds are made by REST"
    return flaw("invalid_payload", `The payment must have the accepted terms, and ${types}.`)
  }
  const { accepted, payload } = order.success
  const operation = operationOf(paymentRequirements, payload.type)
  if (operation === undefined) {
    return flaw(
      "unsupported_payment_flow",
      "The supported flows are escrow and, in one step, authorization.",
    )
  }
  if (!/^(0|[1-9]\d{0,12})$/.test(used)) {
    return flaw(
      "invalid_payment_requirements",
      "The amount used must be a whole number of minor units.",
    )
  }
  // A hold is for the whole, so its amount must be the accepted one.
  const most = operation === "hold" ? used : accepted.amount
  const authorized = { ...request, paymentRequirements: { ...paymentRequirements, amount: most } }
  return Result.flatMap(readPayment(network, authorized), (proof) =>
    Number(used) > proof.amount.value
      ? flaw(
          "settlement_exceeds_amount",
          `At most ${most} may be settled, but ${used} were requested.`,
        )
      : Result.succeed({
          ...proof,
          operation,
          opens: isUpfront || operation === "hold",
          takes: payload.type === "void" ? 0 : Number(used),
        }),
  )
}
