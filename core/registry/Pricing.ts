import { Schema } from "effect"
import { INTERVALS } from "../shared/Period.ts"

const flag = Schema.optionalKey(Schema.Boolean)

/** The ways in which a service is paid; at least one is true. */
export const PaymentMethods = Schema.Struct({
  one_time: flag,
  cumulative: flag,
  subscription: flag,
})
export type PaymentMethods = typeof PaymentMethods.Type

/** A price in minor units of its currency. */
export const OneTimePrice = Schema.Struct({
  amount: Schema.Int,
  currency: Schema.String,
  label: Schema.String,
})
export type OneTimePrice = typeof OneTimePrice.Type

/** A price for use that is summed up and paid once a cycle: minor units for one unit of use. */
const CumulativePrice = Schema.Struct({
  unit: Schema.String,
  rate: Schema.Union([Schema.Finite, Schema.String]),
  billing_cycle: Schema.Literals(INTERVALS),
  currency: Schema.optionalKey(Schema.String),
})

/** A price in minor units for every interval. */
export const SubscriptionPlan = Schema.Struct({
  plan_id: Schema.String,
  name: Schema.String,
  amount: Schema.Int,
  currency: Schema.String,
  interval: Schema.Literals(INTERVALS),
  features: Schema.Array(Schema.String),
})
export type SubscriptionPlan = typeof SubscriptionPlan.Type

/** What a payer may type who has scanned the service's printed code, in minor units. */
export const OpenAmount = Schema.Struct({
  currency: Schema.String,
  minimum: Schema.optionalKey(Schema.Int),
  maximum: Schema.optionalKey(Schema.Int),
})
export type OpenAmount = typeof OpenAmount.Type

/** The prices of a service, one entry for each payment method that is enabled. */
export const Pricing = Schema.Struct({
  one_time: Schema.optionalKey(Schema.Array(OneTimePrice)),
  open_amount: Schema.optionalKey(OpenAmount).annotate({
    description: "With `one_time`: who scans the printed code may type an amount as well.",
  }),
  cumulative: Schema.optionalKey(CumulativePrice),
  subscription: Schema.optionalKey(Schema.Array(SubscriptionPlan)),
})
export type Pricing = typeof Pricing.Type

/** What a refund revokes unless the refund says otherwise. */
export const RevocationPolicy = Schema.Struct({
  auto_revoke_on_refund: flag,
  default_targets: Schema.optionalKey(
    Schema.Array(Schema.Struct({ type: Schema.String, scope: Schema.optionalKey(Schema.String) })),
  ),
  webhook_on_revoke: flag,
  strict: flag.annotate({ description: "Targets that nobody registered are not found." }),
  revoke_url: Schema.optionalKey(Schema.String).annotate({
    description: "Where the seller's own system revokes; shown to the owner only.",
  }),
})
export type RevocationPolicy = typeof RevocationPolicy.Type
