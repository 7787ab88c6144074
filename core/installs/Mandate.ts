import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import { askAgainAfter } from "../gateway/ChannelRequest.ts"
import * as Machine from "../shared/Machine.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { SpendCap } from "./SpendCap.ts"

/** What a person allows an agent to have charged without asking again. */
export interface MandateTerms {
  readonly auto_pay_limit: Money
  readonly spend_cap: SpendCap | null
}

/** The terms that a person is asked to approve in the wallet, with our own id for the mandate. */
export interface MandateRequest extends MandateTerms {
  readonly channel: string
  readonly mandate_id: string
  readonly agent_id: string
  readonly service_id: string
}

/** How a mandate is named to its channel. */
export type MandateReference = Pick<MandateRequest, "channel" | "mandate_id">

/**
 * A channel's answer about a mandate. A mandate that the person has declined is `revoked`. While it
 * is pending, `approval_url` is where the person approves it, if there is such a page. `unknown`
 * means that the channel did not answer.
 */
export type MandateAnswer =
  | {
      readonly type: "known"
      readonly status: "pending" | "active" | "revoked"
      readonly approval_url?: string
    }
  | { readonly type: "not_found" }
  | { readonly type: "unknown"; readonly message: string }

/**
 * The fields of a mandate in every state. Its terms never change; higher terms are a new mandate.
 */
export interface MandateCommon extends MandateTerms {
  /** `mnd_` and a UUIDv7. The channel knows the mandate by this id. */
  readonly id: string
  readonly version: number
  /** The buyer's account. */
  readonly account_id: string
  readonly install_id: string
  readonly service_id: string
  readonly agent_id: string
  readonly channel: string
  /** Where the person can approve it, if the channel has named a page. */
  readonly approval_url: string | null
  /** How often the channel was asked since the last move. */
  readonly asks: number
  readonly created_at: Timestamp
  /** When a worker asks or tells the channel next; null when nothing is left to do. */
  readonly due_at: Timestamp | null
}

/** The states of a mandate with the fields of each. */
export interface MandateFacts {
  /** Waits for a person's approval in the wallet. */
  pending: object
  active: { approved_at: Timestamp }
  /** Ended by the person or by us. While it is due, the channel has not confirmed the end. */
  revoked: {
    approved_at?: Timestamp
    revoked_at: Timestamp
    asks: number
    due_at: Timestamp | null
  }
}

/** The moves of a mandate's lifecycle; `at` is the service's time. */
export type MandateMove =
  | { readonly type: "approved"; readonly at: Timestamp }
  | { readonly type: "ended_by_channel"; readonly at: Timestamp }
  | { readonly type: "withdrawn"; readonly at: Timestamp }
  | {
      readonly type: "unanswered"
      readonly asks: number
      readonly at: Timestamp
      readonly approval_url: string | null
    }
  | { readonly type: "end_acknowledged" }

const again = (asks: number, at: Timestamp) => ({ asks, due_at: at + askAgainAfter(asks) })
const withdrawn = ({ at }: { readonly at: Timestamp }) => ({ revoked_at: at, asks: 0, due_at: at })
const ended = ({ at }: { readonly at: Timestamp }) => ({ revoked_at: at, asks: 0, due_at: null })

const table: Machine.Table<MandateFacts, MandateMove, never> = {
  pending: {
    approved: { to: "active", set: ({ at }) => ({ approved_at: at, asks: 0, due_at: null }) },
    unanswered: {
      to: "pending",
      set: ({ approval_url, asks, at }) => ({ approval_url, ...again(asks, at) }),
    },
    ended_by_channel: { to: "revoked", set: ended },
    withdrawn: { to: "revoked", set: withdrawn },
  },
  active: {
    ended_by_channel: { to: "revoked", set: ended },
    withdrawn: { to: "revoked", set: withdrawn },
  },
  revoked: {
    unanswered: { to: "revoked", set: ({ asks, at }) => again(asks, at) },
    end_acknowledged: { to: "revoked", set: () => ({ due_at: null }) },
  },
}

/** The lifecycle of a mandate. A revoked mandate is never used again. */
export const machine = Machine.make<MandateCommon, MandateFacts, MandateMove, never>(table)

/** A mandate in one of its states. */
export type Mandate = MandateCommon & Machine.InState<MandateFacts>

/** A pending mandate is withdrawn after this many questions, which take a month. */
const MOST_ASKS = 36

/** Returns the move of an unanswered mandate: asks again, or gives up. */
const waiting = (
  { asks, status }: Mandate,
  approval_url: string | null,
  at: Timestamp,
): MandateMove =>
  status === "pending" && asks >= MOST_ASKS
    ? { type: "withdrawn", at }
    : { type: "unanswered", asks: asks + 1, at, approval_url }

/**
 * Returns what a channel's answer means for a mandate; undefined when nothing changes. If a channel
 * reports a revoked mandate as active, it is told of the end again.
 */
export const moveBy = (
  mandate: Mandate,
  answer: MandateAnswer,
  at: Timestamp,
): MandateMove | undefined => {
  const known = answer.type === "known" ? answer : undefined
  const { approval_url, due_at, status } = mandate
  const url = known?.approval_url ?? approval_url
  if (status === "revoked") {
    const over = known?.status === "revoked" || answer.type === "not_found"
    if (over) return due_at === null ? undefined : { type: "end_acknowledged" }
    return due_at === null && known?.status !== "active" ? undefined : waiting(mandate, url, at)
  }
  if (known?.status === "revoked") return { type: "ended_by_channel", at }
  if (status === "active") return undefined
  return known?.status === "active" ? { type: "approved", at } : waiting(mandate, url, at)
}

/** Returns how the channel is told which mandate is meant. */
export const referenceOf = ({ channel, id }: Mandate): MandateReference => ({
  channel,
  mandate_id: id,
})

/** Returns what the channel is asked to have approved. */
export const requestOf = (mandate: Mandate): MandateRequest => {
  const { agent_id, auto_pay_limit, service_id, spend_cap } = mandate
  return { ...referenceOf(mandate), agent_id, service_id, auto_pay_limit, spend_cap }
}

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly mandate: Mandate
  }
}

/** How the store keeps mandates. */
export const mandateKind = defineKind("mandate", {
  prefix: "mnd",
  erased: true,
  dueAt: ownDueAt,
})
