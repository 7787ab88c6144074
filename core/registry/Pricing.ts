import { Schema } from "effect"
import { INTERVALS } from "../shared/Period.ts"

const flag = Schema.optionalKey(Schema.Boolean)

/** The payment methods of a service; at least one is true. */
export const PaymentMethods = Schema.Struct({
  one_time: flag.annotateKey({ description: "Paid once for each use." }),
  cumulative: flag.annotateKey({ description: "Paid for what was used, period by period." }),
  subscription: flag.annotateKey({ description: "Paid every period, by plans." }),
}).annotate({
  identifier: "PaymentMethods",
  description: "The ways in which a service is paid.",
  examples: [{ one_time: true }],
})
export type PaymentMethods = typeof PaymentMethods.Type

/** A price in minor units of its currency. */
export const OneTimePrice = Schema.Struct({
  amount: Schema.Int.annotateKey({
    description: "The price in minor units of `currency`: 699 USD is 6.99.",
  }),
  currency: Schema.String.annotateKey({
    description: "A currency by its ISO 4217 code, or a stablecoin.",
  }),
  label: Schema.String.annotateKey({
    description: "What is bought for the price, as payers read it.",
  }),
})
export type OneTimePrice = typeof OneTimePrice.Type

/** A price of use, which is billed once a cycle: minor units per unit of use. */
const CumulativePrice = Schema.Struct({
  unit: Schema.String.annotateKey({ description: "What is counted." }),
  rate: Schema.Union([Schema.Finite, Schema.String]).annotateKey({
    description: "The price of one unit in minor units of `currency`, with up to 6 decimals.",
  }),
  billing_cycle: Schema.Literals(INTERVALS).annotateKey({
    description: "The period after which use is billed.",
  }),
  currency: Schema.optionalKey(Schema.String).annotateKey({
    description: "The currency of the rate; the settlement currency where it is left out.",
  }),
})

/** A price in minor units for every interval. */
export const SubscriptionPlan = Schema.Struct({
  plan_id: Schema.String.annotateKey({ description: "The plan's id within its service." }),
  name: Schema.String.annotateKey({ description: "The plan's name, as buyers read it." }),
  amount: Schema.Int.annotateKey({
    description: "The price of a period in minor units of `currency`: 699 USD is 6.99.",
  }),
  currency: Schema.String.annotateKey({
    description: "A currency by its ISO 4217 code, or a stablecoin.",
  }),
  interval: Schema.Literals(INTERVALS).annotateKey({
    description: "The length of a plan's period.",
  }),
  features: Schema.Array(Schema.String).annotateKey({
    description: "What the plan has, in words.",
  }),
})
export type SubscriptionPlan = typeof SubscriptionPlan.Type

/** The range of amounts that a payer may type after scanning the printed code, in minor units. */
export const OpenAmount = Schema.Struct({
  currency: Schema.String.annotateKey({
    description: "A currency by its ISO 4217 code, or a stablecoin.",
  }),
  minimum: Schema.optionalKey(Schema.Int).annotateKey({
    description: "The least that the payer may type, in minor units of `currency`.",
  }),
  maximum: Schema.optionalKey(Schema.Int).annotateKey({
    description: "The most that the payer may type, in minor units of `currency`.",
  }),
})
export type OpenAmount = typeof OpenAmount.Type

/** The prices of a service, one entry for each payment method that is enabled. */
export const Pricing = Schema.Struct({
  one_time: Schema.optionalKey(Schema.Array(OneTimePrice)).annotateKey({
    description: "The prices of one use.",
  }),
  open_amount: Schema.optionalKey(OpenAmount).annotate({
    description: "With `one_time`: who scans the printed code may type an amount as well.",
  }),
  cumulative: Schema.optionalKey(CumulativePrice).annotateKey({
    description: "The price of what is counted and paid period by period.",
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

/** What a refund revokes by default. */
export const RevocationPolicy = Schema.Struct({
  auto_revoke_on_refund: flag.annotateKey({
    description: "Whether a refund revokes access by itself.",
  }),
  default_targets: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        type: Schema.String.annotateKey({ description: "The kind of access that is revoked." }),
        scope: Schema.optionalKey(Schema.String).annotateKey({
          description: "The part of an access, such as `read:detail` or `all`.",
        }),
      }),
    ),
  ).annotateKey({ description: "What it revokes then." }),
  webhook_on_revoke: flag.annotateKey({
    description: "Whether the endpoint is told of revocations.",
  }),
  strict: flag.annotate({ description: "Targets that nobody registered are not found." }),
  revoke_url: Schema.optionalKey(Schema.String).annotate({
    description: "Where the seller's own system revokes; shown to the owner only.",
  }),
})
export type RevocationPolicy = typeof RevocationPolicy.Type
