import { Result, Schema } from "effect"
import type { ToolProof } from "../../../core/agents/Demand.ts"
import { CurrencyCode, isPayable } from "../../../core/shared/Money.ts"
import * as Text from "../../../core/shared/Text.ts"
import { identifierIn } from "./Identifier.ts"
import { type FacilitatorRequest, SCHEMES, UPTO, VERSION } from "./Wire.ts"

/** Why a payload is not accepted: a code of x402 or one of ours, and what it means. */
export interface Flaw {
  readonly reason: string
  readonly message: string
}

/** What a buyer's client sends (5.2), with the payload of our scheme. */
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

/** What the seller's server requires, as far as our scheme reads it. */
const Required = Schema.Struct({
  amount: Schema.String.check(Schema.isPattern(/^[1-9]\d{0,12}$/)),
  asset: CurrencyCode,
  payTo: Text.line(64),
  maxTimeoutSeconds: Schema.Finite.check(Schema.isGreaterThan(0)),
  extra: Schema.Struct({ resource: Text.line(2048) }),
})

const decodePayload = Schema.decodeUnknownResult(Payload)
const decodeRequired = Schema.decodeUnknownResult(Required)

const flaw = (reason: string, message: string) => Result.fail<Flaw>({ reason, message })

const TERMS = ["scheme", "network", "amount", "asset", "payTo"] as const

/**
 * Reads what a seller's server shows its facilitator. The payment has to be of our network and of a
 * scheme that we settle, and the buyer has to have accepted just what the seller requires.
 */
export const readPayment = (
  network: string,
  { paymentPayload, paymentRequirements, x402Version }: FacilitatorRequest,
): Result.Result<ToolProof, Flaw> => {
  if (x402Version !== VERSION) {
    return flaw("invalid_x402_version", `Only version ${VERSION} is settled.`)
  }
  if (!SCHEMES.some((scheme) => scheme === paymentRequirements.scheme)) {
    return flaw("unsupported_scheme", `The schemes are ${SCHEMES.join(", ")}.`)
  }
  if (paymentRequirements.network !== network) {
    return flaw("invalid_network", `Payments of ${network} are settled here.`)
  }
  const required = decodeRequired(paymentRequirements)
  const value = Number(paymentRequirements.amount)
  if (Result.isFailure(required) || !isPayable(value)) {
    const fields = "amount, asset, payTo, maxTimeoutSeconds and extra.resource"
    return flaw("invalid_payment_requirements", `The scheme needs ${fields} in their forms.`)
  }
  const sent = decodePayload(paymentPayload)
  if (Result.isFailure(sent)) {
    return flaw("invalid_payload", "The payload has to name a payment_intent and its token.")
  }
  const { accepted, extensions, payload, resource } = sent.success
  const { asset, extra, maxTimeoutSeconds, payTo } = required.success
  const other = TERMS.find((term) => accepted[term] !== paymentRequirements[term])
  if (other !== undefined) {
    return flaw("invalid_payload", `The buyer accepted another ${other} than is required.`)
  }
  if (resource !== undefined && resource.url !== extra.resource) {
    return flaw("invalid_payload", "The payload is for another resource.")
  }
  const identifier = identifierIn(extensions)
  if (identifier === null) {
    return flaw("invalid_payment_identifier", "An identifier has 16 to 128 of A-Z a-z 0-9 _ -.")
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

const decodeAccepted = Schema.decodeUnknownResult(
  Schema.Struct({ accepted: Schema.Struct({ amount: Schema.String }) }),
)

/** A proof, and how much of its payment is taken: all of it unless it is said. */
export interface Settlement extends ToolProof {
  readonly takes?: number
}

/**
 * Reads what a seller's server has its facilitator settle. In the scheme `upto`, what is required
 * is what was used: the proof is good for the most that the buyer has accepted, and no more is
 * taken (scheme_upto.md, "Phase-Dependent amount Semantics").
 */
export const readSettlement = (
  network: string,
  request: FacilitatorRequest,
): Result.Result<Settlement, Flaw> => {
  const { paymentPayload, paymentRequirements } = request
  const { amount: used, scheme } = paymentRequirements
  if (scheme !== UPTO) return readPayment(network, request)
  const accepted = decodeAccepted(paymentPayload)
  if (Result.isFailure(accepted)) {
    return flaw("invalid_payload", "The payload has to say what the buyer has accepted.")
  }
  if (!/^(0|[1-9]\d{0,12})$/.test(used)) {
    return flaw("invalid_payment_requirements", "What was used has to be minor units, in digits.")
  }
  const { amount: most } = accepted.success.accepted
  const authorized = { ...request, paymentRequirements: { ...paymentRequirements, amount: most } }
  return Result.flatMap(readPayment(network, authorized), (proof) =>
    Number(used) > proof.amount.value
      ? flaw("settlement_exceeds_amount", `At most ${most} may be taken, and ${used} are asked.`)
      : Result.succeed({ ...proof, takes: Number(used) }),
  )
}
