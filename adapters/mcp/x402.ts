import type { CallToolResult } from "@modelcontextprotocol/server"
import { Effect, Result } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import type { Demand, Settlement, ToolProof } from "../../core/agents/Demand.ts"
import type { ShownToken } from "../../core/agents/repeatProven.ts"
import { catchFailure } from "../../core/shared/catchFailure.ts"
import * as Answers from "../shared/x402/Answers.ts"
import { IDENTIFIERS } from "../shared/x402/Identifier.ts"
import { ourNetwork } from "../shared/x402/network.ts"
import { type Flaw, readPayment, shownToken } from "../shared/x402/ProvenPayment.ts"
import type { SettleResponse } from "../shared/x402/Wire.ts"
import { SCHEME, VERSION } from "../shared/x402/Wire.ts"

/**
 * The MCP transport of x402 (version 2, `specs/transports-v2/mcp.md` of
 * github.com/x402-foundation/x402). A call without a payment is refused with the requirements. A
 * call with one in its `_meta` uses it, and the `_meta` of the result has its outcome.
 */
export const PAYMENT = "x402/payment"
const RESPONSE = "x402/payment-response"

/** The payment of a call by x402. */
export interface X402Payment {
  /** The payload in the call; undefined without one. */
  readonly payload: unknown
  /** Whether the tool was listed without an output schema, which refusals would have to match. */
  readonly structured: boolean
}

/** A tool that accepts proofs, with the arguments of one call. */
export interface PaidTool<A, E, R> {
  readonly demand: (caller: Caller) => Effect.Effect<Demand, E, R>
  readonly pay: (
    caller: Caller,
    proof: ToolProof,
  ) => Effect.Effect<{ readonly answer: A; readonly settlement: Settlement }, E, R>
  /** Returns the answer to an earlier call with this proof; undefined if there was none. */
  readonly repeat: (
    caller: Caller,
    shown: ShownToken,
  ) => Effect.Effect<{ readonly answer: A; readonly settlement: Settlement } | undefined, E, R>
  readonly shown: (answer: A) => CallToolResult
}

const requirementsOf = (network: string, { amount, resource, service_id, within }: Demand) => ({
  scheme: SCHEME,
  network,
  amount: String(amount.value),
  asset: amount.currency,
  payTo: service_id,
  maxTimeoutSeconds: within,
  extra: { resource },
})

/** Returns `PaymentRequired` (5.1) as a tool's result. `told` names a pending payment. */
const required = (
  network: string,
  demand: Demand,
  { reason }: Pick<Flaw, "reason">,
  { structured }: X402Payment,
  told?: SettleResponse,
): CallToolResult => {
  const { description, resource } = demand
  const body = {
    x402Version: VERSION,
    error: reason,
    resource: { url: resource, description, mimeType: "application/json" },
    accepts: [requirementsOf(network, demand)],
    extensions: IDENTIFIERS,
  }
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify(body) }],
    ...(structured && { structuredContent: body }),
    ...(told !== undefined && { _meta: { [RESPONSE]: told } }),
  }
}

const responseOf = (network: string, settlement: Settlement): SettleResponse => {
  const { payment_intent } = settlement
  switch (settlement.outcome) {
    case "taken":
      return Answers.settled(network, settlement)
    case "unknown": {
      const message =
        "It is not known yet whether the money was taken. Repeat the call with the same payment."
      return Answers.unsettled(network, { reason: "settlement_pending", message }, payment_intent)
    }
    case "bought_before": {
      const message = `Payment ${payment_intent} already made this purchase: no money was taken.`
      return Answers.unsettled(network, { reason: "bought_before", message })
    }
  }
}

const versionOf = (payload: unknown): number =>
  typeof payload === "object" && payload !== null ? Number(Reflect.get(payload, "x402Version")) : 0

/** Calls a tool that is paid by x402. A flaw of the payment is answered with new requirements. */
export const callPaid =
  <A, E, R>(payment: X402Payment, tool: PaidTool<A, E, R>) =>
  (caller: Caller) =>
    Effect.gen(function* () {
      const network = yield* ourNetwork
      const shown = ({ answer, settlement }: { answer: A; settlement: Settlement }) => {
        const result = tool.shown(answer)
        const told = { [RESPONSE]: responseOf(network, settlement) }
        return { ...result, _meta: { ...result._meta, ...told } }
      }
      const token = shownToken(payment.payload)
      const repeated = token === undefined ? Effect.undefined : tool.repeat(caller, token)
      const demanded = yield* Effect.result(tool.demand(caller))
      if (Result.isFailure(demanded)) {
        const known = yield* repeated
        return known === undefined ? yield* Effect.fail(demanded.failure) : shown(known)
      }
      const demand = demanded.success
      const demandAgain = (flaw: Pick<Flaw, "reason">, told?: SettleResponse) =>
        required(network, demand, flaw, payment, told)
      const { payload } = payment
      if (payload === undefined) return demandAgain({ reason: "payment_required" })
      const read = readPayment(network, {
        x402Version: versionOf(payload),
        paymentPayload: payload as { readonly [name: string]: unknown },
        paymentRequirements: requirementsOf(network, demand),
      })
      if (Result.isFailure(read)) {
        const known = yield* repeated
        if (known !== undefined) return shown(known)
        return demandAgain(read.failure, Answers.unsettled(network, read.failure))
      }
      return yield* tool.pay(caller, read.success).pipe(
        Effect.map(shown),
        catchFailure(Answers.REFUSED_MONEY, (failure) => {
          const flaw = Answers.flawOf(failure)
          return Effect.succeed(demandAgain(flaw, Answers.unsettled(network, flaw)))
        }),
      )
    })
