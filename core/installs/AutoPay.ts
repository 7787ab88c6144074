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

/** A payment as far as it matters for paying without asking. */
export interface AutoPayment {
  /** The account that asks for the payment. */
  readonly account_id: string
  /** The agent that pays, and the service that is paid. */
  readonly agent_id: string
  readonly service_id: string
  readonly amount: Money
  /** The channel that was asked for; undefined and `auto` leave the choice open. */
  readonly requested: string | undefined
  /** What the payer's verification allows. */
  readonly level: KycLevel
  readonly accepted_channels: ReadonlyArray<string>
  readonly catalog: Catalog
}

/** An open mandate, and the channel that a payment can be charged on through it. */
interface Debit {
  readonly mandate: string
  readonly channel: Channel
}

const isWithin = (amount: Money, limit: Money | null): boolean =>
  limit !== null && amount.currency === limit.currency && amount.value <= limit.value

const isOpen = (requested: string | undefined, channel: string): boolean =>
  requested === undefined || requested === "auto" || requested === channel

/**
 * How a payment is made without asking the person (One-Time Pay, auto-pay): it is the caller's own
 * agent's, at most the install's limit in minor units of the same currency, and on the channel of a
 * mandate that was approved, which the service accepts, takes the currency, is open to the payer's
 * level and makes deep links, for the case that it declines. Undefined where the person is asked.
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

/** Whether a channel in that state is asked to debit: otherwise the payment goes around it. */
export const takesDebits = (health: Health): boolean => health === "up"
