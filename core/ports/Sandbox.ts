import { Context, type Effect, Schema } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { IntentView } from "../payments/IntentView.ts"
import type { Failure, FailureCode } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The actions of a simulated payer's wallet. `pay` goes as far as the flow can. */
export const SIMULATED_ACTIONS = [
  "scan",
  "authorize",
  "reject",
  "insufficient_balance",
  "settle",
  "close",
  "pay",
] as const

/** One of {@link SIMULATED_ACTIONS}. */
export type SimulatedAction = (typeof SIMULATED_ACTIONS)[number]

/** The faults of a sandbox channel. All are off at first. */
export const ChannelFaults = Schema.Struct({
  rate_limited: Schema.Boolean.annotateKey({ description: "The channel is over its rate limit." }),
  qr_fails: Schema.Boolean.annotateKey({ description: "The channel fails to make QR codes." }),
  deeplink_fails: Schema.Boolean.annotateKey({ description: "The channel fails to make links." }),
  refund_rejects: Schema.Boolean.annotateKey({ description: "Refunds are rejected at once." }),
  /** Refunds are taken on, and rejected when they should be confirmed. */
  refund_rejects_late: Schema.Boolean.annotateKey({
    description: "Refunds are accepted, and rejected later instead of being confirmed.",
  }),
  auto_pay_declines: Schema.Boolean.annotateKey({ description: "Debits are declined." }),
  timeout: Schema.Boolean.annotateKey({ description: "Calls take effect but get no answer." }),
  down: Schema.Boolean.annotateKey({ description: "The channel does not answer." }),
  credentials_invalid: Schema.Boolean.annotateKey({
    description: "The channel refuses our credentials.",
  }),
  duplicate_callbacks: Schema.Boolean.annotateKey({ description: "Callbacks arrive twice." }),
  /** The statement leaves out every other line, from the first. */
  statement_drops: Schema.Boolean.annotateKey({
    description: "The statement leaves out every other line.",
  }),
  /** Every other line of the statement, from the first, is off by one minor unit. */
  statement_changes: Schema.Boolean.annotateKey({
    description: "Every other line of the statement is off by one minor unit.",
  }),
  /** `manual` keeps captures from settling by themselves. */
  settle: Schema.Literals(["automatic", "manual"]).annotateKey({
    description: "`manual`: captures do not settle automatically.",
  }),
  /** `manual` has a person approve each mandate in the sandbox's wallet. */
  mandates: Schema.Literals(["automatic", "manual"]).annotateKey({
    description: "`manual`: a person approves each mandate in the sandbox's wallet.",
  }),
})
export type ChannelFaults = typeof ChannelFaults.Type

/** A channel without any fault. */
export const NO_CHANNEL_FAULTS: ChannelFaults = {
  rate_limited: false,
  qr_fails: false,
  deeplink_fails: false,
  refund_rejects: false,
  refund_rejects_late: false,
  auto_pay_declines: false,
  timeout: false,
  down: false,
  credentials_invalid: false,
  duplicate_callbacks: false,
  statement_drops: false,
  statement_changes: false,
  settle: "automatic",
  mandates: "automatic",
}

/** The code that a payer scanned: a payment and a channel. */
export interface PaymentCode {
  readonly payment_intent: string
  readonly channel: string
}

/** A person's decision about a mandate in the wallet. `end` is for an active one. */
export type MandateDecision = "approve" | "reject" | "end"

/** A sandbox channel as testers see it. */
export interface SandboxChannel {
  readonly channel: string
  /** The secret that signs its callbacks. */
  readonly secret: string
  readonly faults: ChannelFaults
}

type Call<A, Code extends FailureCode = never> = Effect.Effect<A, Failure<Code> | StoreUnavailable>

/** The controls of the sandbox. They do not exist in live mode. */
export class Sandbox extends Context.Service<
  Sandbox,
  {
    /**
     * Lets the payer's wallet act on a payment that the caller takes part in. The channel calls
     * back over the real callback route. Returns the payment afterwards. Fails with
     * `INVALID_AMOUNT` before anything happens if the agreed amount is not the payment's.
     */
    readonly simulate: (
      caller: Caller,
      intentId: string,
      action: SimulatedAction,
      agreed?: Money,
    ) => Call<IntentView, "NOT_FOUND" | "INVALID_AMOUNT" | "INVALID_TRANSITION">
    /**
     * Acts as the wallet of a channel, for anyone who holds the payment's code, because a payer has
     * no account. Fails with `NOT_FOUND` for a channel that the payment does not offer.
     */
    readonly act: (
      code: PaymentCode,
      action: SimulatedAction,
    ) => Call<void, "NOT_FOUND" | "INVALID_TRANSITION">
    /**
     * Lets the person decide about a mandate, for anyone who holds the address of its approval. The
     * channel tells the service over the real callback route.
     */
    readonly decide: (
      mandateId: string,
      decision: MandateDecision,
    ) => Call<void, "NOT_FOUND" | "INVALID_TRANSITION">
    readonly channels: () => Call<ReadonlyArray<SandboxChannel>>
    readonly setFaults: (
      channel: string,
      faults: Partial<ChannelFaults>,
    ) => Call<SandboxChannel, "NOT_FOUND">
    /** Moves the service's clock forward and runs the work that falls due on the way, in order. */
    readonly advance: (
      seconds: number,
    ) => Call<{ readonly now: string; readonly ran: number }, "INVALID_REQUEST">
    /** Erases what the caller's account owns. The account and its keys stay. */
    readonly reset: (caller: Caller) => Call<{ readonly reset: true }>
  }
>()("payport/core/ports/Sandbox") {}
