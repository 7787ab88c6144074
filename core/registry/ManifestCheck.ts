import { Result } from "effect"
import { type Catalog, find } from "../channels/Channel.ts"
import { canHave, isTargetType } from "./RevocationTarget.ts"
import type { CurrencyTable } from "../shared/Currency.ts"
import { Failure } from "../shared/Failure.ts"
import type { ManifestInput } from "./ManifestInput.ts"
import type { ManifestFields } from "./ServiceManifest.ts"

/** The configuration that a manifest is checked against: channels, currencies and receivers. */
export interface ManifestFacts {
  readonly catalog: Catalog
  readonly currencies: CurrencyTable
  /** Returns why a URL cannot be a receiver; undefined when it can. */
  readonly refuseReceiver: (url: string) => string | undefined
}

type Code = "INVALID_PRICING" | "UNSUPPORTED_CHANNEL" | "INVALID_URL" | "INVALID_REQUEST"

type Check = (input: ManifestInput, facts: ManifestFacts) => Failure<Code> | undefined

const METHODS = ["one_time", "cumulative", "subscription"] as const

const wrong = (code: Code, field: string, reason: string) =>
  new Failure({
    code,
    field,
    message: `The field ${field} is not valid: ${reason}.`,
    details: code === "INVALID_REQUEST" ? [{ field, reason }] : { field, constraint: reason },
  })

const methodEnabled: Check = ({ payment_methods }) =>
  METHODS.some((method) => payment_methods[method] === true)
    ? undefined
    : wrong("INVALID_PRICING", "payment_methods", "at least one payment method must be true")

const pricingMatches: Check = ({ payment_methods, pricing }) => {
  for (const method of METHODS) {
    const price = pricing[method]
    const priced = Array.isArray(price) ? price.length > 0 : price !== undefined
    const field = `pricing.${method}`
    if (payment_methods[method] === true && !priced) {
      return wrong(
        "INVALID_PRICING",
        field,
        `is required because payment_methods.${method} is true`,
      )
    }
    if (payment_methods[method] !== true && price !== undefined) {
      return wrong(
        "INVALID_PRICING",
        field,
        `must be absent because payment_methods.${method} is not true`,
      )
    }
  }
  return undefined
}

/** Checks the open amount: it needs one-time payments, and a valid range. */
const openAmountFits: Check = ({ payment_methods, pricing: { open_amount } }) => {
  if (open_amount === undefined) return undefined
  const field = "pricing.open_amount"
  if (payment_methods.one_time !== true) {
    return wrong(
      "INVALID_PRICING",
      field,
      "must be absent because payment_methods.one_time is not true",
    )
  }
  const { maximum, minimum } = open_amount
  return minimum !== undefined && maximum !== undefined && minimum > maximum
    ? wrong("INVALID_PRICING", `${field}.maximum`, "must not be less than the minimum")
    : undefined
}

const pricesInCurrencies: Check = ({ pricing }, { currencies }) => {
  const priced = [
    ...(pricing.one_time ?? []).map((price, i) => [`one_time.${i}`, price.currency] as const),
    ...(pricing.open_amount === undefined
      ? []
      : [["open_amount", pricing.open_amount.currency] as const]),
    ...(pricing.cumulative?.currency === undefined
      ? []
      : [["cumulative", pricing.cumulative.currency] as const]),
    ...(pricing.subscription ?? []).map((plan, i) => [`subscription.${i}`, plan.currency] as const),
  ]
  const unknown = priced.find(([, code]) => !currencies.has(code))
  return unknown === undefined
    ? undefined
    : wrong("INVALID_PRICING", `pricing.${unknown[0]}.currency`, "must be an ISO 4217 code")
}

const planIdsUnique: Check = ({ pricing }) => {
  const ids = (pricing.subscription ?? []).map((plan) => plan.plan_id)
  const again = ids.findIndex((id, i) => ids.indexOf(id) !== i)
  return again < 0
    ? undefined
    : wrong("INVALID_PRICING", `pricing.subscription.${again}.plan_id`, "must be used once only")
}

const channelsSupported: Check = ({ accepted_channels }, { catalog }) => {
  const unknown = accepted_channels.find((channel) => find(catalog, channel) === undefined)
  return unknown === undefined
    ? undefined
    : new Failure({
        code: "UNSUPPORTED_CHANNEL",
        field: "accepted_channels",
        message: `The channel ${JSON.stringify(unknown.slice(0, 64))} is not supported.`,
        details: {
          field: "accepted_channels",
          channel: unknown.slice(0, 64),
          supported_channels: catalog.map((channel) => channel.id),
        },
      })
}

const settlesInCurrency: Check = ({ settlement_currency }, { currencies }) =>
  currencies.has(settlement_currency)
    ? undefined
    : wrong("INVALID_REQUEST", "settlement_currency", "must be an ISO 4217 code")

const endpointReachable: Check = ({ endpoint }, { refuseReceiver }) => {
  const reason = refuseReceiver(endpoint)
  return reason === undefined ? undefined : wrong("INVALID_URL", "endpoint", reason)
}

const revokerReachable: Check = ({ revocation_policy }, { refuseReceiver }) => {
  const url = revocation_policy?.revoke_url
  const reason = url === undefined ? undefined : refuseReceiver(url)
  return reason === undefined
    ? undefined
    : wrong("INVALID_URL", "revocation_policy.revoke_url", reason)
}

const defaultScopesFit: Check = ({ revocation_policy }) => {
  for (const [n, { scope, type }] of (revocation_policy?.default_targets ?? []).entries()) {
    if (scope === undefined || (isTargetType(type) && canHave(type, scope))) continue
    const field = `revocation_policy.default_targets.${n}.scope`
    return wrong("INVALID_REQUEST", field, `must be a scope that a ${type} can have`)
  }
  return undefined
}

const channelsAccepted: Check = (input) => {
  for (const field of ["default_channel", "fallback_channel"] as const) {
    const channel = input[field]
    if (channel != null && !input.accepted_channels.includes(channel)) {
      return wrong("INVALID_REQUEST", field, "must be one of accepted_channels")
    }
  }
  return undefined
}

/** The checks, in the order of the specification's table of fields. */
const CHECKS: ReadonlyArray<Check> = [
  methodEnabled,
  pricingMatches,
  openAmountFits,
  pricesInCurrencies,
  planIdsUnique,
  channelsSupported,
  settlesInCurrency,
  endpointReachable,
  channelsAccepted,
  defaultScopesFit,
  revokerReachable,
]

/**
 * Checks a decoded manifest against the installation, and fills in defaults (Service registry,
 * validation).
 */
export const checkManifest = (
  input: ManifestInput,
  facts: ManifestFacts,
): Result.Result<ManifestFields, Failure<Code>> => {
  for (const check of CHECKS) {
    const failure = check(input, facts)
    if (failure !== undefined) return Result.fail(failure)
  }
  return Result.succeed({
    ...input,
    name: input.name.trim().normalize("NFC"),
    default_channel: input.default_channel ?? null,
    fallback_channel: input.fallback_channel ?? null,
    revocation_policy: input.revocation_policy ?? null,
  })
}
