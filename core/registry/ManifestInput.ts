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

const OneTimePrice = Schema.Struct({ amount, currency: CurrencyCode, label: line(128) })

const OpenAmount = Schema.Struct({
  currency: CurrencyCode,
  minimum: Schema.optionalKey(amount),
  maximum: Schema.optionalKey(amount),
})

const CumulativePrice = Schema.Struct({
  unit: line(64),
  rate: Schema.Union([Schema.Finite, Schema.String]).check(Schema.makeFilter(decimal)),
  billing_cycle: interval,
  currency: Schema.optionalKey(CurrencyCode),
})

const SubscriptionPlan = Schema.Struct({
  plan_id: line(64),
  name: line(128),
  amount,
  currency: CurrencyCode,
  interval,
  features: Schema.Array(line(256))
    .check(atMost(50))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
})

const RevocationPolicy = Schema.Struct({
  auto_revoke_on_refund: Schema.optionalKey(Schema.Boolean),
  default_targets: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        type: Schema.Literals(["access_token", "signed_url", "session", "license_key"]),
        scope: Schema.optionalKey(line(64)),
      }),
    ).check(atMost(100)),
  ),
  webhook_on_revoke: Schema.optionalKey(Schema.Boolean),
  strict: Schema.optionalKey(Schema.Boolean),
  revoke_url: Schema.optionalKey(line(2048)),
})

/**
 * The body of `POST /v1/services` (Service registry), with its fields in the specification's order.
 * What depends on the installation (channels, currencies, receivers) is `checkManifest`'s part.
 */
export const ManifestInput = Schema.Struct({
  name: line(128),
  description: description(4096),
  payment_methods: Schema.Struct({
    one_time: Schema.optionalKey(Schema.Boolean),
    cumulative: Schema.optionalKey(Schema.Boolean),
    subscription: Schema.optionalKey(Schema.Boolean),
  }),
  pricing: Schema.Struct({
    one_time: Schema.optionalKey(Schema.Array(OneTimePrice).check(atMost(100))),
    open_amount: Schema.optionalKey(OpenAmount),
    cumulative: Schema.optionalKey(CumulativePrice),
    subscription: Schema.optionalKey(Schema.Array(SubscriptionPlan).check(atMost(100))),
  }),
  accepted_channels: Schema.NonEmptyArray(Schema.String).check(atMost(100), Schema.isUnique()),
  qr_mode: Schema.Literals(["dynamic", "static"]),
  settlement_currency: CurrencyCode,
  endpoint: Schema.String.check(Schema.isPattern(/\S/), Schema.isMaxLength(2048)),
  tags: Schema.Array(line(64))
    .check(atMost(32))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  default_channel: Schema.optionalKey(Schema.NullOr(Schema.String)),
  fallback_channel: Schema.optionalKey(Schema.NullOr(Schema.String)),
  revocation_policy: Schema.optionalKey(Schema.NullOr(RevocationPolicy)),
})
/** A decoded manifest of a `POST /v1/services`. */
export type ManifestInput = typeof ManifestInput.Type
/** Prices and endpoints that are there and wrong have codes of their own. */
export const manifestInputRules = {
  emptyIsMissing: ["accepted_channels"],
  invalid: { pricing: "INVALID_PRICING", endpoint: "INVALID_URL" },
} satisfies FieldRules
