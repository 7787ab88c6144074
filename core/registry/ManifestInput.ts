import { Effect, Schema } from "effect"
import type { FieldRules } from "../shared/Decode.ts"
import { CurrencyCode, MAX_VALUE } from "../shared/Money.ts"
import { INTERVALS } from "../shared/Period.ts"
import { description, line } from "../shared/Text.ts"

const atMost = (items: number) => Schema.isMaxLength(items)

const amount = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: MAX_VALUE }))
const interval = Schema.Literals(INTERVALS)

const decimal = (value: number | string): string | undefined =>
  /^\d{1,13}(\.\d{1,6})?$/.test(String(value)) && Number(value) <= MAX_VALUE
    ? undefined
    : "must be zero or more minor units, with at most 6 decimals"

const OneTimePrice = Schema.Struct({
  amount: amount.annotateKey({
    description: "The price in minor units of `currency`: 699 USD is 6.99.",
  }),
  currency: CurrencyCode.annotateKey({
    description: "An ISO 4217 currency code, or a stablecoin's code.",
  }),
  label: line(128).annotateKey({ description: "What the price buys, described for payers." }),
})

const OpenAmount = Schema.Struct({
  currency: CurrencyCode.annotateKey({
    description: "An ISO 4217 currency code, or a stablecoin's code.",
  }),
  minimum: Schema.optionalKey(amount).annotateKey({
    description: "The minimum that the payer may enter, in minor units of `currency`.",
  }),
  maximum: Schema.optionalKey(amount).annotateKey({
    description: "The maximum that the payer may enter, in minor units of `currency`.",
  }),
})

/** Zero or more minor units for one unit of use, with at most 6 decimals. */
export const UnitRate = Schema.Union([Schema.Finite, Schema.String]).check(
  Schema.makeFilter(decimal),
)

const CumulativePrice = Schema.Struct({
  unit: line(64).annotateKey({ description: "The unit that is counted, in words." }),
  rate: UnitRate.annotateKey({
    description:
      "The price of one unit in minor units of `currency`, with up to 6 decimals. A period's " +
      "use is rounded once: half to even, or up if the agent's tab was closed in it.",
  }),
  billing_cycle: interval.annotateKey({ description: "The period after which use is billed." }),
  currency: Schema.optionalKey(CurrencyCode).annotateKey({
    description: "The currency of the rate. Default: the settlement currency.",
  }),
})

const SubscriptionPlan = Schema.Struct({
  plan_id: line(64).annotateKey({ description: "The plan's id within its service." }),
  name: line(128).annotateKey({ description: "The plan's name for buyers." }),
  amount: amount.annotateKey({
    description: "The price of a period in minor units of `currency`: 699 USD is 6.99.",
  }),
  currency: CurrencyCode.annotateKey({
    description: "An ISO 4217 currency code, or a stablecoin's code.",
  }),
  interval: interval.annotateKey({ description: "The length of a plan's period." }),
  features: Schema.Array(line(256))
    .check(atMost(50))
    .annotate({ description: "The plan's features, in words." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
})

const RevocationPolicy = Schema.Struct({
  auto_revoke_on_refund: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether a refund revokes access automatically.",
  }),
  default_targets: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        type: Schema.Literals(["access_token", "signed_url", "session", "license_key"]).annotateKey(
          { description: "The kind of access to revoke." },
        ),
        scope: Schema.optionalKey(line(64)).annotateKey({
          description: "The scope of the access, such as `read:detail` or `all`.",
        }),
      }),
    ).check(atMost(100)),
  ).annotateKey({ description: "The access that is revoked automatically." }),
  webhook_on_revoke: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether the endpoint is notified of revocations.",
  }),
  strict: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether revoking an unregistered access item fails.",
  }),
  revoke_url: Schema.optionalKey(line(2048)).annotateKey({
    description: "The seller's endpoint that is called to revoke access.",
  }),
})

/**
 * The body of `POST /v1/services` (Service registry), with its fields in the specification's order.
 * `checkManifest` checks what depends on the installation (channels, currencies, receivers).
 */
export const ManifestInput = Schema.Struct({
  name: line(128).annotateKey({
    description: "The service's name for buyers. It is unique among the seller's services.",
  }),
  description: description(4096).annotateKey({
    description: "What the service does, described for buyers and their agents.",
  }),
  payment_methods: Schema.Struct({
    one_time: Schema.optionalKey(Schema.Boolean).annotateKey({
      description: "Paid once for each use.",
    }),
    cumulative: Schema.optionalKey(Schema.Boolean).annotateKey({
      description: "Metered use, billed each period.",
    }),
    subscription: Schema.optionalKey(Schema.Boolean).annotateKey({
      description: "Plans, paid each period.",
    }),
  }).annotateKey({ description: "The payment methods of the service." }),
  pricing: Schema.Struct({
    one_time: Schema.optionalKey(Schema.Array(OneTimePrice).check(atMost(100))).annotateKey({
      description: "The prices of one use.",
    }),
    open_amount: Schema.optionalKey(OpenAmount).annotateKey({
      description: "With `one_time`: a payer who scans the printed code may also enter an amount.",
    }),
    cumulative: Schema.optionalKey(CumulativePrice).annotateKey({
      description: "The price of metered use, which is billed each period.",
    }),
    subscription: Schema.optionalKey(Schema.Array(SubscriptionPlan).check(atMost(100))).annotateKey(
      { description: "The plans that are paid every period." },
    ),
  }).annotateKey({ description: "The prices, for each payment method." }),
  accepted_channels: Schema.NonEmptyArray(Schema.String)
    .check(atMost(100), Schema.isUnique())
    .annotateKey({ description: "The channels that the service accepts." }),
  qr_mode: Schema.Literals(["dynamic", "static"]).annotateKey({
    description: "`dynamic`: one code per payment. `static`: one code to print.",
  }),
  settlement_currency: CurrencyCode.annotateKey({
    description: "The currency that the seller is paid in.",
  }),
  endpoint: Schema.String.check(
    Schema.isPattern(/\S/, { expected: "a text that is not blank" }),
    Schema.isMaxLength(2048),
  ).annotateKey({
    description: "The https URL that is notified of payments and revocations.",
  }),
  tags: Schema.Array(line(64))
    .check(atMost(32))
    .annotate({ description: "Search terms for the service." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  default_channel: Schema.optionalKey(Schema.NullOr(Schema.String)).annotateKey({
    description: "The channel for payments that name none.",
  }),
  fallback_channel: Schema.optionalKey(Schema.NullOr(Schema.String)).annotateKey({
    description: "The channel to use when a payment's own is rate limited or unavailable.",
  }),
  revocation_policy: Schema.optionalKey(Schema.NullOr(RevocationPolicy)).annotateKey({
    description: "What refunds revoke by default.",
  }),
})
/** A decoded manifest of a `POST /v1/services`. */
export type ManifestInput = typeof ManifestInput.Type
/** Invalid prices and endpoints have error codes of their own. */
export const manifestInputRules = {
  emptyIsMissing: ["accepted_channels"],
  invalid: { pricing: "INVALID_PRICING", endpoint: "INVALID_URL" },
} satisfies FieldRules
