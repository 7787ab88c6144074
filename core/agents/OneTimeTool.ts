import { Result, Schema } from "effect"
import type { Account } from "../accounts/Account.ts"
import { type CreateOneTimeInput, paymentFields } from "../payments/IntentInput.ts"
import type { OneTimePrice } from "../registry/Pricing.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import * as Text from "../shared/Text.ts"
import { canonicalJson } from "../shared/Text.ts"
import { Failure } from "../shared/Failure.ts"
import { CurrencyCode, MAX_VALUE } from "../shared/Money.ts"
import { quoted } from "./SafeText.ts"
import type { ToolDescription } from "./Tool.ts"
import {
  calledBy,
  DATA,
  decodeCall,
  idempotencyKey,
  KeyedToolCall,
  manifestId,
  money,
  NAME_SHOWN,
  replayed,
  TEXT_SHOWN,
} from "./ToolCall.ts"

/** The arguments of `pay_one_time`: those of One-Time Pay, most of them with a default here. */
export const PayOneTimeInput = Schema.Struct({
  ...KeyedToolCall,
  amount: Schema.optionalKey(paymentFields.value),
  currency: Schema.optionalKey(CurrencyCode),
  description: Schema.optionalKey(Text.description(1024)),
  channel: Schema.optionalKey(Text.line(64)),
  return_url: Schema.optionalKey(paymentFields.return_url),
  metadata: Schema.optionalKey(paymentFields.metadata),
})
export type PayOneTimeInput = typeof PayOneTimeInput.Type

/** Decodes the arguments of a call. Fails with the codes of One-Time Pay. */
export const decodePayOneTime = decodeCall(PayOneTimeInput, {
  codes: { amount: "INVALID_AMOUNT", currency: "INVALID_AMOUNT" },
})

const PRICES_SHOWN = 10

const pricesText = (prices: ReadonlyArray<OneTimePrice>): string => {
  const shown = prices
    .slice(0, PRICES_SHOWN)
    .map(({ amount, currency, label }) => `${amount} ${currency} for ${quoted(label, 64)}`)
  const more = prices.length - shown.length
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "")
}

const text = (description: string, more: object = {}) => ({
  type: "string",
  description,
  ...more,
})

const inputSchema = ({ accepted_channels, id }: ServiceManifest) => ({
  type: "object" as const,
  properties: {
    manifest_id: manifestId(id),
    amount: {
      type: "number",
      multipleOf: 1,
      minimum: 1,
      maximum: MAX_VALUE,
      description:
        "In minor units: 699 is 6.99 USD. Default: the first price at the time of the call, " +
        "which may be another than in this list. To pay no other, send the amount and the " +
        "currency that you see.",
    },
    currency: text(
      "ISO 4217. Default: the first price's currency. Required with amount if the service has " +
        "prices in several currencies.",
      { pattern: "^[A-Z]{3}$" },
    ),
    description: text("What is bought. The payer reads it.", { maxLength: 1024 }),
    channel: text("The channel that pays. Default, or auto: payport chooses one.", {
      enum: [...accepted_channels, "auto"],
    }),
    return_url: text("The wallet sends the payer here after the payment.", { maxLength: 2048 }),
    metadata: { type: "object", description: "Stored with the payment, such as your order's id." },
    ...calledBy,
    ...idempotencyKey,
  },
  required: ["manifest_id"],
})

const outputSchema = {
  type: "object" as const,
  properties: {
    id: text("The payment's id."),
    service_id: { type: "string" },
    status: text("completed is paid; pending waits for a person to pay by the deep link.", {
      enum: ["pending", "completed", "failed", "expired", "cancelled", "voided"],
    }),
    amount: money,
    deeplink: text("Opens the payer's wallet: give it to the payer."),
    channel: { type: ["string", "null"] },
    description: { type: "string" },
    created_at: { type: "string" },
    expires_at: text("When the deep link stops working; ISO 8601."),
    ...replayed,
  },
  required: ["id", "service_id", "status", "amount", "created_at", "expires_at"],
}

/** Returns the tool that pays a service once (MCP tool mapping). */
export const oneTimeTool = (manifest: ServiceManifest): ToolDescription => {
  const prices = manifest.pricing.one_time ?? []
  const name = quoted(manifest.name, NAME_SHOWN)
  return {
    title: `Pay once: ${quoted(manifest.name, NAME_SHOWN)}`,
    description:
      `Pay one-time for the service ${name}, which its seller describes as ` +
      `${quoted(manifest.description, TEXT_SHOWN)}. ` +
      `Prices in minor units: ${pricesText(prices)}. ` +
      `Creates a payment with a deep link for the payer. ${DATA}`,
    inputSchema: inputSchema(manifest),
    outputSchema,
    idempotent: false,
  }
}

const noPrice = (currency: string) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message: `The service has no price in ${currency}. Send an amount too, or leave out currency.`,
    field: "currency",
    details: {
      field: "currency",
      value: currency,
      constraint: "must be the currency of one of the service's prices",
    },
  })

const noCurrency = (currencies: ReadonlyArray<string>) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message:
      "An amount is in minor units of a currency, and this service has prices in " +
      `${currencies.join(", ")}. Send the currency too. This call has paid nothing.`,
    field: "currency",
    details: {
      field: "currency",
      constraint: "is required with `amount`: the service has prices in several currencies",
    },
  })

/** The currencies of a service's prices, or its settlement currency if it has none. */
const currenciesOf = ({ pricing, settlement_currency }: ServiceManifest): ReadonlyArray<string> => {
  const named = new Set((pricing.one_time ?? []).map(({ currency }) => currency))
  return named.size === 0 ? [settlement_currency] : [...named]
}

const noPayer = () =>
  new Failure({
    code: "INVALID_PAYER",
    message: "A seller's key has no agent that pays by default. Send the payer's agent_id.",
    field: "agent_id",
    details: { field: "agent_id", constraint: "is required with a seller's key" },
  })

/**
 * Returns the One-Time payment that a call asks for. Without an amount, takes the first price, in
 * the requested currency if there is one. The payer is the caller's own agent unless the call names
 * another. An amount without a currency is refused where it could be of several: 699 may be meant
 * in yen, and would be paid in dollars.
 */
export const oneTimeOf = (
  input: PayOneTimeInput,
  service: ServiceManifest,
  account: Account,
): Result.Result<CreateOneTimeInput, Failure<"INVALID_AMOUNT" | "INVALID_PAYER">> => {
  const { agent_id, amount, channel, currency, description, human_id, metadata, return_url } = input
  const currencies = currenciesOf(service)
  if (amount !== undefined && currency === undefined && currencies.length > 1) {
    return Result.fail(noCurrency(currencies))
  }
  const prices = service.pricing.one_time ?? []
  const price = prices.find((one) => currency === undefined || one.currency === currency)
  if (price === undefined && (amount === undefined || currency === undefined)) {
    return Result.fail(noPrice(currency ?? service.settlement_currency))
  }
  const payer = agent_id ?? (account.kind === "buyer" ? account.agent_id : undefined)
  if (payer === undefined) return Result.fail(noPayer())
  const bought = amount === undefined && price !== undefined ? `: ${price.label}` : ""
  return Result.succeed({
    service_id: service.id,
    amount: {
      currency: currency ?? price?.currency ?? service.settlement_currency,
      value: amount ?? price?.amount ?? 0,
    },
    description: description ?? `${service.name}${bought}`,
    payer: { agent_id: payer, ...(human_id !== undefined && { human_id }) },
    ...(channel !== undefined && { channel }),
    ...(return_url !== undefined && { return_url }),
    ...(metadata !== undefined && { metadata }),
  })
}

/**
 * Returns the text by which two payments are the same purchase, whatever words a model uses:
 * everything except the description, the return URL, the channel and the person. Empty metadata
 * counts as none.
 */
export const purchaseOf = ({
  channel: _how,
  description: _words,
  metadata,
  payer,
  return_url: _way,
  ...bought
}: CreateOneTimeInput): string => {
  const isBare = metadata === undefined || Object.keys(metadata).length === 0
  const purchase = { ...bought, agent_id: payer.agent_id }
  return canonicalJson(isBare ? purchase : { ...purchase, metadata })
}
