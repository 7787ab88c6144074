import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import * as Machine from "../shared/Machine.ts"
import type { Money } from "../shared/Money.ts"
import type { Interval } from "../shared/Period.ts"
import { type Timestamp } from "../shared/Timestamp.ts"

/** The reasons why a subscription has ended. */
export const CANCEL_REASONS = ["requested", "unpaid", "service_ended"] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]

/** The states of a subscription with the fields of each. */
export interface SubscriptionFacts {
  active: object
  /** An invoice was not paid by its `pay_by`. */
  past_due: { past_due_at: Timestamp }
  cancelled: { cancelled_at: Timestamp; cancel_reason: CancelReason }
}

/** The period that begins. */
interface Turn {
  readonly number: number
  readonly start: Timestamp
  readonly end: Timestamp
}

/** The moves of a subscription; `at` is the service's time. */
export type SubscriptionEvent =
  | (Turn & { readonly type: "renewed"; readonly invoice: string })
  | (Turn & { readonly type: "skipped" })
  | { readonly type: "overdue"; readonly at: Timestamp }
  | { readonly type: "settled" }
  | { readonly type: "cancel_requested" }
  | { readonly type: "cancelled"; readonly at: Timestamp; readonly reason: CancelReason }

/** The fields of a subscription in every state. */
export interface SubscriptionCommon {
  /** `sub_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  /** The account of the subscribing agent, which pays. */
  readonly account_id: string
  readonly payee_account_id: string
  readonly service_id: string
  readonly plan_id: string
  readonly plan_name: string
  readonly interval: Interval
  /** The price of every period: the plan's price at the time of subscribing. */
  readonly amount: Money
  readonly payer: { readonly agent_id: string; readonly human_id: string | null }
  /**
   * Start of the first period. Later periods begin on the same day of the month at the same time.
   */
  readonly anchor_at: Timestamp
  /** The number of the current period, from 0. */
  readonly period: number
  readonly current_period_start: Timestamp
  readonly current_period_end: Timestamp
  readonly cancel_at_period_end: boolean
  readonly latest_invoice: string
  readonly created_at: Timestamp
  /** When the next period begins; null after the end. */
  readonly due_at: Timestamp | null
}

/** A subscription in one of its states. */
export type Subscription = SubscriptionCommon & Machine.InState<SubscriptionFacts>

/** The states of a subscription. */
export const SUBSCRIPTION_STATUSES = ["active", "past_due", "cancelled"] as const

type Renewed = Extract<SubscriptionEvent, { type: "renewed" }>
type Cancelled = Extract<SubscriptionEvent, { type: "cancelled" }>

/** Begins a period without an invoice, while the service is paused. */
const skipped = ({ end, number, start }: Turn): object => ({
  period: number,
  current_period_start: start,
  current_period_end: end,
  due_at: end,
})

const renewed = (turn: Renewed): object => ({ ...skipped(turn), latest_invoice: turn.invoice })

const cancelled = {
  to: "cancelled",
  set: ({ at, reason }: Cancelled) => ({
    cancelled_at: at,
    cancel_reason: reason,
    due_at: null,
  }),
  emit: "subscription.cancelled",
} as const

const cancelRequested = (): object => ({ cancel_at_period_end: true })

/** The events about subscriptions (Events). */
export type SubscriptionEventType =
  | "subscription.created"
  | "subscription.renewed"
  | "subscription.past_due"
  | "subscription.recovered"
  | "subscription.cancel_scheduled"
  | "subscription.cancelled"

const table: Machine.Table<SubscriptionFacts, SubscriptionEvent, SubscriptionEventType> = {
  active: {
    skipped: { to: "active", set: skipped },
    renewed: { to: "active", set: renewed, emit: "subscription.renewed" },
    overdue: {
      to: "past_due",
      set: ({ at }) => ({ past_due_at: at }),
      emit: "subscription.past_due",
    },
    cancel_requested: {
      to: "active",
      set: cancelRequested,
      emit: "subscription.cancel_scheduled",
    },
    cancelled,
  },
  past_due: {
    skipped: { to: "past_due", set: skipped },
    renewed: { to: "past_due", set: renewed, emit: "subscription.renewed" },
    settled: {
      to: "active",
      set: Machine.nothing,
      drop: ["past_due_at"],
      emit: "subscription.recovered",
    },
    cancel_requested: {
      to: "past_due",
      set: cancelRequested,
      emit: "subscription.cancel_scheduled",
    },
    cancelled: { ...cancelled, drop: ["past_due_at"] },
  },
  cancelled: {},
}

/** The lifecycle of a subscription. */
export const machine = Machine.make<
  SubscriptionCommon,
  SubscriptionFacts,
  SubscriptionEvent,
  SubscriptionEventType
>(table)

/** Prefix of the names of {@link planName}. */
export const PLAN_NAME = "subscription_plan:"

/**
 * Returns the unique name of an agent's subscription to a plan, held until the subscription ends.
 */
export const planName = (
  subscription: Pick<Subscription, "account_id" | "service_id" | "plan_id" | "payer">,
): string => {
  const { account_id, payer, plan_id, service_id } = subscription
  return PLAN_NAME + JSON.stringify([account_id, service_id, payer.agent_id, plan_id])
}

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly subscription: Subscription
  }
}

/** How the store keeps subscriptions. */
export const subscriptionKind = defineKind("subscription", {
  prefix: "sub",
  erased: true,
  dueAt: ownDueAt,
  lists: [["account_id"], ["payee_account_id"]],
})
