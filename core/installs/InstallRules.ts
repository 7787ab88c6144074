import { type Catalog, find, serves } from "../channels/Channel.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import type { CurrencyTable } from "../shared/Currency.ts"
import { Failure } from "../shared/Failure.ts"
import type { Install } from "./Install.ts"
import type { InstallInput } from "./InstallInput.ts"
import type { SpendCap } from "./SpendCap.ts"

/** The fields of an install that a buyer sets. */
export type Settings = Pick<
  Install,
  "auto_pay_limit" | "channel_preference" | "channels" | "spend_cap" | "budget_alerts"
>

const NOTHING: Settings = {
  auto_pay_limit: null,
  channel_preference: null,
  channels: [],
  spend_cap: null,
  budget_alerts: [],
}

/**
 * Applies a request to the settings. Missing fields do not change; removing the cap removes its
 * alerts.
 */
export const merged = (before: Settings | undefined, input: InstallInput): Settings => {
  const { auto_pay_limit, budget_alerts, channel_preference, channels, spend_cap } =
    before ?? NOTHING
  const cap = input.spend_cap === undefined ? spend_cap : input.spend_cap
  const alerts = input.budget_alerts ?? (cap === null ? [] : budget_alerts)
  return {
    auto_pay_limit: input.auto_pay_limit === undefined ? auto_pay_limit : input.auto_pay_limit,
    channel_preference:
      input.channel_preference === undefined ? channel_preference : input.channel_preference,
    channels: input.channels ?? channels,
    spend_cap: cap,
    budget_alerts: alerts.toSorted((a, b) => a - b),
  }
}

/** Tells whether a request uses features that only some plans have. */
export const needsPlan = ({ budget_alerts = [], spend_cap }: InstallInput): boolean =>
  (spend_cap !== undefined && spend_cap !== null) || budget_alerts.length > 0

interface World {
  readonly catalog: Catalog
  readonly currencies: CurrencyTable
}

const unsupported = (field: string, channel: string, reason: string, channels: object) =>
  new Failure({
    code: "UNSUPPORTED_CHANNEL",
    message: `The field ${field} is not valid: ${reason}.`,
    field,
    details: { field, value: channel, ...channels },
  })

const badCurrency = (field: string, currency: string) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message: `The field ${field} is not valid: the service cannot be paid in ${currency}.`,
    field: `${field}.currency`,
    details: {
      field: `${field}.currency`,
      value: currency,
      constraint: "must be an ISO 4217 currency that a channel of the service takes",
    },
  })

/** Makes the failure for a cap in a currency without a rate: no other payment could be counted. */
export const unratedCap = ({ amount: { currency } }: SpendCap) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message:
      `The field spend_cap.amount is not valid: there is no exchange rate for ${currency}, so ` +
      "that payments in other currencies could not be counted. Use a currency that has one.",
    field: "spend_cap.amount.currency",
    details: {
      field: "spend_cap.amount.currency",
      value: currency,
      constraint: "must be a currency that has an exchange rate",
    },
  })

const isPaid = (
  currency: string,
  { accepted_channels }: Pick<ServiceManifest, "accepted_channels">,
  { catalog, currencies }: World,
): boolean =>
  currencies.has(currency) &&
  catalog.some((channel) => accepted_channels.includes(channel.id) && serves(channel, currency))

const channelFlaw = (
  { channel_preference, channels = [] }: InstallInput,
  { accepted_channels }: Pick<ServiceManifest, "accepted_channels">,
  { catalog }: World,
) => {
  if (typeof channel_preference === "string" && !accepted_channels.includes(channel_preference)) {
    const reason = "the service does not accept that channel"
    return unsupported("channel_preference", channel_preference, reason, { accepted_channels })
  }
  const unknown = channels.find((channel) => find(catalog, channel) === undefined)
  if (unknown === undefined) return undefined
  const supported_channels = catalog.map(({ id }) => id)
  return unsupported("channels", unknown, "the channel does not exist", { supported_channels })
}

/** Returns the failure for invalid settings in a request; undefined when they are valid. */
export const flawOf = (
  input: InstallInput,
  wanted: Settings,
  service: Pick<ServiceManifest, "accepted_channels">,
  world: World,
) => {
  const { auto_pay_limit, spend_cap } = input
  if (auto_pay_limit && !isPaid(auto_pay_limit.currency, service, world)) {
    return badCurrency("auto_pay_limit", auto_pay_limit.currency)
  }
  if (spend_cap && !world.currencies.has(spend_cap.amount.currency)) {
    return badCurrency("spend_cap.amount", spend_cap.amount.currency)
  }
  if (wanted.spend_cap === null && wanted.budget_alerts.length > 0) {
    const reason = "are percentages of a spend_cap, so a spend_cap is required"
    return new Failure({
      code: "INVALID_REQUEST",
      message: `The field budget_alerts is not valid: its values ${reason}.`,
      field: "budget_alerts",
      details: [{ field: "budget_alerts", reason }],
    })
  }
  return channelFlaw(input, service, world)
}
