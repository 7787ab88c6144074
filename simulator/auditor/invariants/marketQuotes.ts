// Written independently of core/market and core/agents on purpose: see Model.ts.

import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import { levelLimits } from "../LevelLimits.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { kept } from "./ownership.ts"

/** The arguments of a quote, as far as the world uses them. */
export interface QuoteAsked {
  readonly service_id: string
  readonly amount?: number
  readonly currency?: string
  readonly agent_id?: string
}

declare module "../Observation.ts" {
  interface Observations {
    /** What the market says at rest that a payment would cost an account without installs. */
    readonly market_quoted: {
      readonly asked: QuoteAsked
      /** The account's own agent, of the highest level; all others have none. */
      readonly own: string
      /** What its key is restricted to. */
      readonly agents: ReadonlyArray<string> | undefined
      readonly services: ReadonlyArray<string> | undefined
      readonly answer: object | undefined
      readonly refused: string | undefined
    }
  }
}

type Quoted = Observations["market_quoted"]

const HIGHEST = 3

const RANKS = ["anonymous", "basic", "enhanced", "business"] as const

/** Codes of those that no channel takes a payment from. */
const NO_CHANNEL = ["CHANNEL_UNAVAILABLE", "CHANNEL_NO_DEEPLINK", "INSUFFICIENT_KYC"]

/** Returns the agent that a call is about: the key's, if it has one, or the account's. */
const agentOf = ({ agents, asked, own }: Quoted): string => {
  const only = agents?.length === 1 ? agents[0] : undefined
  return asked.agent_id ?? only ?? own
}

/** Returns what is to be paid, or the code of the refusal. */
const amountOf = ({ amount, currency }: QuoteAsked, service: ServiceManifest) => {
  const prices = service.pricing.one_time ?? []
  const sold = new Set(prices.map((price) => price.currency))
  if (amount !== undefined && currency === undefined && sold.size > 1) return "INVALID_AMOUNT"
  const first = prices.find((price) => currency === undefined || price.currency === currency)
  const named = currency ?? first?.currency ?? service.settlement_currency
  const value = amount ?? first?.amount
  return value === undefined ? "INVALID_AMOUNT" : { currency: named, value }
}

const channelsOf = (service: ServiceManifest, currency: string, rank: number) =>
  defaultCatalog.filter(
    ({ currencies, deep_links, id, kyc_level }) =>
      deep_links &&
      service.accepted_channels.includes(id) &&
      (currencies === "every" || currencies.includes(currency)) &&
      RANKS.indexOf(kyc_level) <= rank,
  )

/** Returns the codes with which a quote may be refused, or what it has to say. */
const dueOf = (seen: Quoted, model: Model) => {
  const { asked, agents, own, services } = seen
  const agent = agentOf(seen)
  if (services?.includes(asked.service_id) === false) return ["FORBIDDEN"]
  if (agents?.includes(agent) === false) return ["FORBIDDEN"]
  const service = model.know(kept).get("service")?.get(asked.service_id) as
    | ServiceManifest
    | undefined
  if (service?.status !== "active") return ["NOT_FOUND", "SERVICE_NOT_ACTIVE"]
  if (service.payment_methods.one_time !== true) return ["INVALID_REQUEST"]
  const amount = amountOf(asked, service)
  if (typeof amount === "string") return [amount]
  if (channelsOf(service, amount.currency, HIGHEST).length === 0) {
    return ["INVALID_AMOUNT", ...NO_CHANNEL]
  }
  const rank = agent === own ? HIGHEST : 0
  const { atOnce, daily } = model.know(levelLimits)
  const most = Math.min(atOnce[rank] ?? 0, daily[rank] ?? 0)
  if (amount.currency === "USD" && amount.value > most) return ["INSUFFICIENT_KYC"]
  const channels = channelsOf(service, amount.currency, rank).map(({ id }) => id)
  return channels.length === 0 ? NO_CHANNEL : { amount, channels }
}

/** Checks that a quote says what is paid and how, or why it would be refused. */
const quoted = (seen: Quoted, model: Model): Finding => {
  const { answer, asked, refused } = seen
  const due = dueOf(seen, model)
  if (Array.isArray(due)) {
    const codes: ReadonlyArray<string> = due
    return codes.includes(refused ?? "") ? undefined : `gets ${refused}, not ${codes.join(" or ")}`
  }
  if (answer === undefined || "length" in due) return `is refused with ${refused}`
  const { channels, ...rest } = answer as { readonly channels: ReadonlyArray<string> }
  const { amount } = due
  const price =
    asked.amount === undefined ? `, amount ${amount.value} and currency ${amount.currency}` : ""
  const expected = {
    service_id: asked.service_id,
    amount,
    allowed: true,
    at_once: false,
    next:
      `Nothing is paid yet. Calling pay with the same arguments${price} ` +
      "returns a link that a person must open.",
  }
  const differs = difference(expected, rest)
  if (differs !== undefined) return `has ${differs}`
  const other = channels.find((id) => !due.channels.includes(id))
  if (channels.length === 0 || other !== undefined) return `names the channel ${other}`
  return new Set(channels).size === channels.length ? undefined : `names a channel twice`
}

/** The rules about quotes of the market. */
export const marketQuoteRules: Rulebook = { 142: { market_quoted: quoted } }
