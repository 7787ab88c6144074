import { defineKind } from "../commits/KindDeclaration.ts"
import type { InState } from "../shared/Machine.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { RefundFacts } from "./RefundMachine.ts"

/** What a refund should revoke, as its request states it (RevocationSpec), or `unused`. */
export interface RevokeRequest {
  readonly targets?: ReadonlyArray<{
    readonly type: string
    readonly id: string
    readonly scope?: string
  }>
  readonly auto_revoke?: boolean
  readonly webhook_notify?: boolean
  /** Set by the service: the money bought nothing, so only the whole payment's refund revokes. */
  readonly unused?: true
}

/** The fields of a refund in every state (Refund). */
export interface RefundCommon {
  /** `ref_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly payment_intent: string
  /** The account that created the payment. */
  readonly account_id: string
  /** The account that gives the money back. */
  readonly payee_account_id: string
  readonly service_id: string
  /** In the payment's currency. */
  readonly amount: Money
  /** What the payee gives back of the settlement, at the payment's own rate. */
  readonly settlement: Money
  /** What the service gives up of its exchange spread, in the settlement currency. */
  readonly fx_spread: Money
  /** What the payee gets back of the service fee, in the settlement currency. */
  readonly service_fee: Money
  /** Whether it counts against the channel's limit of partial refunds. */
  readonly partial: boolean
  readonly reason: string | null
  readonly description: string | null
  readonly revoke: RevokeRequest | null
  readonly channel: string
  /** The number under which the channel is asked. */
  readonly channel_request: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

/** A refund in one of its states. */
export type Refund = RefundCommon & InState<RefundFacts>

declare module "../commits/Records.ts" {
  interface Records {
    readonly refund: Refund
  }
}

/** How refunds are kept. */
export const refundKind = defineKind("refund", {
  prefix: "ref",
  erased: true,
  lists: [["payee_account_id"], ["payment_intent"]],
})
