import { Schema } from "effect"
import { INTERVALS } from "../shared/Period.ts"

const flag = Schema.optionalKey(Schema.Boolean)

/** The payment methods of a service; at least one is true. */
export const PaymentMethods = Schema.Struct({
  one_time: flag.annotateKey({ description: "Paid once for each use." }),
  cumulative: flag.annotateKey({ description: "Metered use, billed each period." }),
  subscription: flag.annotateKey({ description: "Plans, paid each period." }),
}).annotate({
  identifier: "PaymentMethods",
  description: "The payment methods of a service.",
  examples: [{ one_time: true }],
})
export type PaymentMethods = typeof PaymentMethods.Type

/** A price in minor units of its currency. */
export const OneTimePrice = Schema.Struct({
  amount: Schema.Int.annotateKey({
    description: "The price in minor units of `currency`: 699 USD is 6.99.",
  }),
  currency: Schema.String.annotateKey({
    description: "An ISO 4217 currency code, or a stablecoin's code.",
  }),
  label: Schema.String.annotateKey({
    description: "What the price buys, described for payers.",
  }),
})
export type OneTimePrice = typeof OneTimePrice.Type

/** A price of use, which is billed once a cycle: minor units per unit of use. */
const CumulativePrice = Schema.Struct({
  unit: Schema.String.annotateKey({ description: "The unit that is counted, in words." }),
  rate: Schema.Union([Schema.Finite, Schema.String]).annotateKey({
    description:
      "The price of one unit in minor units of `currency`, with up to 6 decimals. A period's " +
      "use is rounded once: half to even, or up if the agent's tab was closed in it.",
  }),
  billing_cycle: Schema.Literals(INTERVALS).annotateKey({
    description: "The period after which use is billed.",
  }),
  currency: Schema.optionalKey(Schema.String).annotateKey({
    description: "The currency of the rate. Default: the settlement currency.",
  }),
})

/** A price in minor units for every interval. */
export const SubscriptionPlan = Schema.Struct({
  plan_id: Schema.String.annotateKey({ description: "The plan's id within its service." }),
  name: Schema.String.annotateKey({ description: "The plan's name for buyers." }),
  amount: Schema.Int.annotateKey({
    description: "The price of a period in minor units of `currency`: 699 USD is 6.99.",
  }),
  currency: Schema.String.annotateKey({
    description: "An ISO 4217 currency code, or a stablecoin's code.",
  }),
  interval: Schema.Literals(INTERVALS).annotateKey({
    description: "The length of a plan's period.",
  }),
  features: Schema.Array(Schema.String).annotateKey({
    description: "The plan's features, in words.",
  }),
})
export type SubscriptionPlan = typeof SubscriptionPlan.Type

/** The range of amounts that a payer may type after scanning the printed code, in minor units. */
export const OpenAmount = Schema.Struct({
  currency: Schema.String.annotateKey({
    description: "An ISO 4217 currency code, or a stablecoin's code.",
  }),
  minimum: Schema.optionalKey(Schema.Int).annotateKey({
    description: "The minimum that the payer may enter, in minor units of `currency`.",
  }),
  maximum: Schema.optionalKey(Schema.Int).annotateKey({
    description: "The maximum that the payer may enter, in minor units of `currency`.",
  }),
})
export type OpenAmount = typeof OpenAmount.Type

/** The prices of a service, one entry for each payment method that is enabled. */
export const Pricing = Schema.Struct({
  one_time: Schema.optionalKey(Schema.Array(OneTimePrice)).annotateKey({
    description: "The prices of one use.",
  }),
  open_amount: Schema.optionalKey(OpenAmount).annotate({
    description: "With `one_time`: a payer who scans the printed code may also enter an amount.",
  }),
  cumulative: Schema.optionalKey(CumulativePrice).annotateKey({
    description: "The price of metered use, which is billed each period.",
  }),
  subscription: Schema.optionalKey(Schema.Array(SubscriptionPlan)).annotateKey({
    description: "The plans that are paid every period.",
  }),
}).annotate({
  identifier: "Pricing",
  description: "The prices of a service, one entry for each payment method that is enabled.",
  examples: [{ one_time: [{ amount: 699, currency: "USD", label: "7 days" }] }],
})
export type Pricing = typeof Pricing.Type

/** Returns the prices with the currency of use, also where its seller has named none. */
export const withCurrency = (pricing: Pricing, settlement_currency: string): Pricing => {
  const { cumulative } = pricing
  if (cumulative === undefined || cumulative.currency !== undefined) return pricing
  return { ...pricing, cumulative: { ...cumulative, currency: settlement_currency } }
}

/** What a refund revokes by default. */
export const RevocationPolicy = Schema.Struct({
  auto_revoke_on_refund: flag.annotateKey({
    description: "Whether a refund revokes access automatically.",
  }),
  default_targets: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        type: Schema.String.annotateKey({ description: "The kind of access to revoke." }),
        scope: Schema.optionalKey(Schema.String).annotateKey({
          description: "The scope of the access, such as `read:detail` or `all`.",
        }),
      }),
    ),
  ).annotateKey({ description: "The access that is revoked automatically." }),
  webhook_on_revoke: flag.annotateKey({
    description: "Whether the endpoint is notified of revocations.",
  }),
  strict: flag.annotate({ description: "Whether revoking an unregistered access item fails." }),
  revoke_url: Schema.optionalKey(Schema.String).annotate({
    description: "The seller's endpoint that revokes access. Shown to the owner only.",
  }),
})
export type RevocationPolicy = typeof RevocationPolicy.Type
