import { Schema } from "effect"
import { CurrencyCode } from "../shared/Money.ts"
import { line } from "../shared/Text.ts"
import { KYC_LEVELS } from "./Channel.ts"

/** A request's name for any channel, so no channel may have it. */
const RESERVED = "auto"

const between = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const ChannelId = Schema.String.check(
  Schema.makeFilter((id: string) =>
    /^[a-z][a-z0-9_]{0,63}$/.test(id) && id !== RESERVED
      ? undefined
      : `must be 1 to 64 lowercase letters, digits and underscores, and not ${RESERVED}`,
  ),
)

/** A channel of a catalog as an embedder gives it: see `Channel`. */
export const ChannelEntry = Schema.Struct({
  id: ChannelId,
  label: line(64),
  kind: Schema.Literals(["consumer_wallet", "bank_linked", "business", "stablecoin"]),
  refunds: Schema.Struct({
    type: Schema.Literals([1, 2, 3]),
    max_partial_refunds: Schema.NullOr(between(0, 1_000_000)),
    window_days: between(0, 3_650),
    rate_per_second: Schema.NullOr(between(1, 1_000_000)),
  }),
  deep_links: Schema.Boolean,
  partial_capture: Schema.optionalKey(Schema.Boolean),
  settles: Schema.Literals(["real_time", "t_plus_1"]),
  network_fee_basis_points: between(0, 10_000),
  currencies: Schema.Union([
    Schema.Array(CurrencyCode).check(Schema.isMinLength(1)),
    Schema.Literal("every"),
  ]),
  kyc_level: Schema.Literals(KYC_LEVELS),
  pegged_to: Schema.optionalKey(CurrencyCode),
  qr_schemes: Schema.optionalKey(Schema.Array(line(128))),
})
