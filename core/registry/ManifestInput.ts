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
    description: "A currency by its ISO 4217 code, or a stablecoin.",
  }),
  label: line(128).annotateKey({ description: "What is bought for the price, as payers read it." }),
})

const OpenAmount = Schema.Struct({
  currency: CurrencyCode.annotateKey({
    description: "A currency by its ISO 4217 code, or a stablecoin.",
  }),
  minimum: Schema.optionalKey(amount).annotateKey({
    description: "The least that the payer may type, in minor units of `currency`.",
  }),
  maximum: Schema.optionalKey(amount).annotateKey({
    description: "The most that the payer may type, in minor units of `currency`.",
  }),
})

const CumulativePrice = Schema.Struct({
  unit: line(64).annotateKey({ description: "What is counted." }),
  rate: Schema.Union([Schema.Finite, Schema.String]).check(Schema.makeFilter(decimal)).annotateKey({
    description: "The price of one unit in minor units of `currency`, with up to 6 decimals.",
  }),
  billing_cycle: interval.annotateKey({ description: "The period after which use is billed." }),
  currency: Schema.optionalKey(CurrencyCode).annotateKey({
    description: "The currency of the rate; the settlement currency where it is left out.",
  }),
})

const SubscriptionPlan = Schema.Struct({
  plan_id: line(64).annotateKey({ description: "The plan's id within its service." }),
  name: line(128).annotateKey({ description: "The plan's name, as buyers read it." }),
  amount: amount.annotateKey({
    description: "The price of a period in minor units of `currency`: 699 USD is 6.99.",
  }),
  currency: CurrencyCode.annotateKey({
    description: "A currency by its ISO 4217 code, or a stablecoin.",
  }),
  interval: interval.annotateKey({ description: "The length of a plan's period." }),
  features: Schema.Array(line(256))
    .check(atMost(50))
    .annotate({ description: "What the plan has, in words." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
})

const RevocationPolicy = Schema.Struct({
  auto_revoke_on_refund: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether a refund revokes access by itself.",
  }),
  default_targets: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        type: Schema.Literals(["access_token", "signed_url", "session", "license_key"]).annotateKey(
          { description: "The kind of access that is revoked." },
        ),
        scope: Schema.optionalKey(line(64)).annotateKey({
          description: "The part of an access, such as `read:detail` or `all`.",
        }),
      }),
    ).check(atMost(100)),
  ).annotateKey({ description: "What it revokes then." }),
  webhook_on_revoke: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether the endpoint is told of revocations.",
  }),
  strict: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether access items that nobody registered are refused.",
  }),
  revoke_url: Schema.optionalKey(line(2048)).annotateKey({
    description: "The seller's gate, which is asked to revoke.",
  }),
})

/**
 * The body of `POST /v1/services` (Service registry), with its fields in the specification's order.
 * `checkManifest` checks what depends on the installation (channels, currencies, receivers).
 */
export const ManifestInput = Schema.Struct({
  name: line(128).annotateKey({
    description: "The service's name, as buyers read it; the seller's own services differ by it.",
  }),
  description: description(4096).annotateKey({
    description: "What the service does, as buyers and their agents read it.",
  }),
  payment_methods: Schema.Struct({
    one_time: Schema.optionalKey(Schema.Boolean).annotateKey({
      description: "Paid once for each use.",
    }),
    cumulative: Schema.optionalKey(Schema.Boolean).annotateKey({
      description: "Paid for what was used, period by period.",
    }),
    subscription: Schema.optionalKey(Schema.Boolean).annotateKey({
      description: "Paid every period, by plans.",
    }),
  }).annotateKey({ description: "The ways in which the service is paid." }),
  pricing: Schema.Struct({
    one_time: Schema.optionalKey(Schema.Array(OneTimePrice).check(atMost(100))).annotateKey({
      description: "The prices of one use.",
    }),
    open_amount: Schema.optionalKey(OpenAmount).annotateKey({
      description: "With `one_time`: who scans the printed code may type an amount as well.",
    }),
    cumulative: Schema.optionalKey(CumulativePrice).annotateKey({
      description: "The price of what is counted and paid period by period.",
    }),
    subscription: Schema.optionalKey(Schema.Array(SubscriptionPlan).check(atMost(100))).annotateKey(
      { description: "The plans that are paid every period." },
    ),
  }).annotateKey({ description: "The prices, for each payment method." }),
  accepted_channels: Schema.NonEmptyArray(Schema.String)
    .check(atMost(100), Schema.isUnique())
    .annotateKey({ description: "The channels that the service takes." }),
  qr_mode: Schema.Literals(["dynamic", "static"]).annotateKey({
    description: "A code for each payment, or one to be printed.",
  }),
  settlement_currency: CurrencyCode.annotateKey({ description: "What the seller is paid in." }),
  endpoint: Schema.String.check(Schema.isPattern(/\S/), Schema.isMaxLength(2048)).annotateKey({
    description: "The https address that is told of payments and revocations.",
  }),
  tags: Schema.Array(line(64))
    .check(atMost(32))
    .annotate({ description: "Words to be found by." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  default_channel: Schema.optionalKey(Schema.NullOr(Schema.String)).annotateKey({
    description: "The channel of payments that name none.",
  }),
  fallback_channel: Schema.optionalKey(Schema.NullOr(Schema.String)).annotateKey({
    description: "The channel of payments whose own is over its rate or away.",
  }),
  revocation_policy: Schema.optionalKey(Schema.NullOr(RevocationPolicy)).annotateKey({
    description: "What refunds revoke without being asked to.",
  }),
})
/** A decoded manifest of a `POST /v1/services`. */
export type ManifestInput = typeof ManifestInput.Type
/** Invalid prices and endpoints have error codes of their own. */
export const manifestInputRules = {
  emptyIsMissing: ["accepted_channels"],
  invalid: { pricing: "INVALID_PRICING", endpoint: "INVALID_URL" },
} satisfies FieldRules
