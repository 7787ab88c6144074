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

/** What a tool asks for of a caller who begins the payment first and proves it to the tool. */
export interface Demand {
  readonly service_id: string
  readonly amount: Money
  /** The tool, to which the payment is bound: `mcp://tool/` and its name. */
  readonly resource: string
  /** What is paid, in words that are no seller's. */
  readonly description: string
  /** So many seconds after its payment was begun a proof is accepted first. */
  readonly within: number
}

/**
 * A payment that its buyer has begun, the token that proves it, and what it is shown for, to a tool
 * or to a facilitator.
 */
export interface ToolProof {
  /** The payment. */
  readonly id: string
  readonly token: string
  readonly service_id: string
  readonly amount: Money
  readonly resource: string
  /** Seconds from the payment's beginning within which it is accepted first. */
  readonly within: number
  /** What the buyer's client calls the purchase. */
  readonly payment_identifier?: string
}

/** Arguments that say how a payment is made: one that is proven has been made already. */
const ALREADY_SAID = ["channel", "return_url", "metadata", "human_id"] as const

/** The terms of a payment that is proven: those of a One-Time payment that say what is bought. */
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
    : Result.fail(invalidField(said, "belongs to the payment, which is begun before this call"))
}

/** What the tool of that name asks for where it is called with these arguments. */
export const demandFor = (
  tool: string,
  input: PayOneTimeInput,
  service: ServiceManifest,
  account: Account,
) =>
  Result.map(provenTerms(input, service, account), ({ amount, service_id }): Demand => ({
    service_id,
    amount,
    resource: `mcp://tool/${tool}`,
    description: `One payment of the service ${service_id}.`,
    within: REQUEST_LIFETIME / SECOND,
  }))

/** What became of the payment that a call has shown. */
export type Settlement =
  | {
      readonly outcome: "taken"
      readonly payment_intent: string
      readonly payer: string | null
      readonly amount: Money
    }
  /** Whether its money was taken is being found out. */
  | { readonly outcome: "unknown"; readonly payment_intent: string }
  /** The same purchase was made by another payment before: nothing of this one was taken. */
  | { readonly outcome: "bought_before"; readonly payment_intent: string }

/** What a call with a proof is answered with. */
export interface ProvenAnswer {
  readonly answer: ToolAnswer
  readonly settlement: Settlement
}

const PAID: ReadonlySet<IntentView["status"]> = new Set(["captured", "succeeded", "completed"])

/** What the payment that a call is answered with says of the one that it has shown. */
export const settlementOf = (
  { amount, id, payer, status }: IntentView,
  shown: string,
): Settlement => {
  if (id !== shown) return { outcome: "bought_before", payment_intent: id }
  if (!PAID.has(status)) return { outcome: "unknown", payment_intent: id }
  const who = payer.agent_id ?? payer.wallet_id ?? null
  return { outcome: "taken", payment_intent: id, payer: who, amount }
}

/** What a model is told of a tool that is called with proofs. */
export const PROVEN =
  "Paid by x402: a call without a payment is refused with what is to be paid, and takes no money."

/**
 * A tool as it is listed where it is called with proofs. Its refusals say what is to be paid in
 * structured content, which clients would hold against an output schema.
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
