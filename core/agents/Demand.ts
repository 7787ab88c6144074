import { Result } from "effect"
import type { Account } from "../accounts/Account.ts"
import type { CreateOneTimeInput } from "../payments/IntentInput.ts"
import type { IntentView } from "../payments/IntentView.ts"
import { REQUEST_LIFETIME } from "../payments/PaymentIntent.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { type Failure, invalidField } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import { SECOND } from "../shared/Timestamp.ts"
import { oneTimeOf, type PayOneTimeInput } from "./OneTimeTool.ts"
import type { Tool } from "./Tool.ts"
import type { ToolAnswer } from "./ToolCall.ts"

/** The terms on which a tool accepts a payment that its caller begins first and then proves. */
export interface Demand {
  readonly service_id: string
  readonly amount: Money
  /** The tool that the payment is bound to: `mcp://tool/` and its name. */
  readonly resource: string
  /** The description of the payment; contains no text of a seller. */
  readonly description: string
  /** Seconds after the payment's beginning within which a proof must first be accepted. */
  readonly within: number
}

/**
 * A payment that its buyer has begun, the token that proves it, and the terms that it is shown for,
 * to a tool or to a facilitator.
 */
export interface ToolProof {
  /** The payment's id. */
  readonly id: string
  readonly token: string
  readonly service_id: string
  readonly amount: Money
  readonly resource: string
  /** Seconds after the payment's beginning within which it must first be accepted. */
  readonly within: number
  /** The buyer's own id of the purchase. */
  readonly payment_identifier?: string
}

/** The address that stands for a tool in the terms of a payment. */
export const resourceOf = (tool: string): string => `mcp://tool/${tool}`

/** Arguments about how a payment is made; a proven payment has been made already. */
const ALREADY_SAID = ["channel", "return_url", "metadata", "human_id"] as const

/** Returns the terms of a proven payment: those One-Time payment terms that say what is bought. */
export const provenTerms = (
  input: PayOneTimeInput,
  service: ServiceManifest,
  account: Account,
): Result.Result<
  CreateOneTimeInput,
  Failure<"INVALID_AMOUNT" | "INVALID_PAYER" | "INVALID_REQUEST">
> => {
  const said = ALREADY_SAID.find((name) => input[name] !== undefined)
  return said === undefined
    ? oneTimeOf(input, service, account)
    : Result.fail(
        invalidField(
          said,
          "must be left out: it was set when the payment was begun, before this call",
        ),
      )
}

/** Returns the terms on which the named tool accepts a proof for a call with these arguments. */
export const demandFor = (
  tool: string,
  input: PayOneTimeInput,
  service: ServiceManifest,
  account: Account,
) =>
  Result.map(provenTerms(input, service, account), ({ amount, service_id }): Demand => ({
    service_id,
    amount,
    resource: resourceOf(tool),
    description: `One payment of the service ${service_id}.`,
    within: REQUEST_LIFETIME / SECOND,
  }))

/** The outcome of the payment that a call has proven. */
export type Settlement =
  | {
      readonly outcome: "taken"
      readonly payment_intent: string
      readonly payer: string | null
      readonly amount: Money
    }
  /** It is not known yet whether the money was taken. */
  | { readonly outcome: "unknown"; readonly payment_intent: string }
  /** Another payment has already made the same purchase; this one was not taken. */
  | { readonly outcome: "bought_before"; readonly payment_intent: string }

/** The response to a call with a proof. */
export interface ProvenAnswer {
  readonly answer: ToolAnswer
  readonly settlement: Settlement
}

const PAID: ReadonlySet<IntentView["status"]> = new Set(["captured", "succeeded", "completed"])

/** Derives the outcome of the proven payment from the payment that the call returned. */
export const settlementOf = (
  { amount, captured_amount = amount, id, payer, status }: IntentView,
  shown: string,
): Settlement => {
  if (id !== shown) return { outcome: "bought_before", payment_intent: id }
  if (!PAID.has(status)) return { outcome: "unknown", payment_intent: id }
  const who = payer.agent_id ?? payer.wallet_id ?? null
  return { outcome: "taken", payment_intent: id, payer: who, amount: captured_amount }
}

/** The text about proofs in the descriptions of tools, for models. */
export const PROVEN =
  "Paid by x402: a call without a payment is refused. The refusal says what to pay, and no money " +
  "moves."

/**
 * Describes a tool in the list for callers with proofs. It has no output schema, because its
 * refusals say what is to be paid in structured content, which clients would validate.
 */
export const provenTool = ({
  description,
  inputSchema,
  outputSchema: _none,
  ...tool
}: Tool): Omit<Tool, "outputSchema"> => {
  const unused: ReadonlySet<string> = new Set(ALREADY_SAID)
  const properties = Object.entries(inputSchema.properties).filter(([name]) => !unused.has(name))
  return {
    ...tool,
    description: `${description} ${PROVEN}`,
    inputSchema: { ...inputSchema, properties: Object.fromEntries(properties) },
  }
}
