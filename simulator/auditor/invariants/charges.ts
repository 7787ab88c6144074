import type { Entry } from "../../channels/Ledger.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"
import type { Model } from "../Model.ts"

const takes = ({ type }: Entry): boolean => type === "capture" || type === "payment"

const paidOnce = (entry: Entry, model: Model): Finding =>
  takes(entry) && model.booksOf(entry.out_trade_no).entries.some(takes)
    ? "was paid twice"
    : undefined

const chargedOnce = (entry: Entry, model: Model): Finding => {
  if (entry.type !== "charge") return undefined
  const { entries } = model.booksOf(entry.out_trade_no)
  const there = entries.some(({ type, channel }) => type === "charge" && channel === entry.channel)
  return there ? `has two charges at ${entry.channel}` : undefined
}

/** What is offered is at its channels, for what it costs, once at each that the service has. */
const offered = ({ before, after }: Observations["intent"], model: Model): Finding => {
  if (before !== undefined) return undefined
  const { entries } = model.booksOf(after.id)
  const accepted = model.services.get(after.service_id)?.accepted_channels ?? []
  for (const { channel, charge_id } of after.offers) {
    const entry = entries.find((one) => one.channel === channel && one.charge_id === charge_id)
    if (entry === undefined) return `offers a charge that ${channel} does not know`
    if (entry.amount.value !== after.amount.value) return `offers another amount at ${channel}`
    if (!accepted.includes(channel)) return `offers ${channel}, which its service does not accept`
  }
  const channels = new Set(after.offers.map(({ channel }) => channel))
  return channels.size === after.offers.length ? undefined : "offers one channel twice"
}

/** Of all that was offered, the charge that the payment names was paid, and no other keeps any. */
const onePaid = ({ intent }: Observations["rest"], model: Model): Finding => {
  if (intent.flow !== "request_payment") return undefined
  const { charges, entries } = model.booksOf(intent.id)
  const paid = entries.find(takes)
  const stray = [...charges].find(
    ([charge, { held, taken }]) => charge !== paid?.charge_id && held + taken !== 0,
  )
  if (stray !== undefined) return `leaves money on the charge ${stray[0]}`
  if (intent.status !== "succeeded") return undefined
  const chosen = intent.offers.find(({ channel }) => channel === intent.channel)
  return paid !== undefined && chosen?.charge_id === paid.charge_id
    ? undefined
    : `has succeeded at ${intent.channel}, which was not paid`
}

/** How often a payment is charged and paid, told from the channels' own books. */
export const chargeRules: Rulebook = {
  3: { entry: paidOnce },
  17: { entry: chargedOnce, intent: offered, rest: onePaid },
}
