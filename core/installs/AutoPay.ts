import {
  atLeast,
  type Catalog,
  type Channel,
  find,
  type Health,
  type KycLevel,
  serves,
} from "../channels/Channel.ts"
import type { Money } from "../shared/Money.ts"
import type { Install } from "./Install.ts"

/** The fields of a payment that automatic payment depends on. */
export interface AutoPayment {
  /** The account that creates the payment. */
  readonly account_id: string
  /** The paying agent, and the paid service. */
  readonly agent_id: string
  readonly service_id: string
  readonly amount: Money
  /** The requested channel; undefined and `auto` leave the choice open. */
  readonly requested: string | undefined
  /** The payer's level. */
  readonly level: KycLevel
  readonly accepted_channels: ReadonlyArray<string>
  readonly catalog: Catalog
}

/** An active mandate, and the channel that it charges. */
interface Debit {
  readonly mandate: string
  readonly channel: Channel
}

const isWithin = (amount: Money, limit: Money | null): boolean =>
  limit !== null && amount.currency === limit.currency && amount.value <= limit.value

const isOpen = (requested: string | undefined, channel: string): boolean =>
  requested === undefined || requested === "auto" || requested === channel

/**
 * Decides whether a payment can be charged without asking the person (One-Time Pay, auto-pay). The
 * payment must be the caller's own agent's, in the limit's currency and at most the limit. The
 * mandate must be approved, and the service must accept its channel. The channel must take the
 * currency, be open to the payer's level and make deep links, in case it declines the debit.
 * Returns undefined where the person has to be asked.
 */
export const debitFor = (install: Install | undefined, payment: AutoPayment): Debit | undefined => {
  if (install === undefined || install.mandate?.status !== "active") return undefined
  const { account_id, agent_id, amount, requested, service_id } = payment
  const isOwn =
    install.account_id === account_id &&
    install.agent_id === agent_id &&
    install.service_id === service_id
  const { channel: id, id: mandate } = install.mandate
  if (!isOwn || !isWithin(amount, install.auto_pay_limit) || !isOpen(requested, id)) {
    return undefined
  }
  const channel = find(payment.catalog, id)
  return channel !== undefined &&
    payment.accepted_channels.includes(id) &&
    serves(channel, amount.currency) &&
    atLeast(payment.level, channel.kyc_level) &&
    channel.deep_links
    ? { mandate, channel }
    : undefined
}

/** Tells whether a channel in that state is asked for debits. */
export const takesDebits = (health: Health): boolean => health === "up"
