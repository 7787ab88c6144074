import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { KYC_LEVELS } from "../../../core/channels/Channel.ts"
import { AccountKey } from "./Access.ts"
import { account } from "./Endpoint.ts"
import { Unscoped } from "./Route.ts"

const Channel = Schema.Struct({
  channel: Schema.String,
  label: Schema.String.annotate({ description: "What a person is shown." }),
  kind: Schema.Literals(["consumer_wallet", "bank_linked", "business", "stablecoin"]),
  refunds: Schema.Struct({
    type: Schema.Literals([1, 2, 3]),
    max_partial_refunds: Schema.NullOr(Schema.Int).annotate({ description: "Null: unlimited." }),
    window_days: Schema.Int,
    rate_per_second: Schema.NullOr(Schema.Int),
  }),
  deep_links: Schema.Boolean,
  settles: Schema.Literals(["real_time", "t_plus_1"]),
  network_fee_basis_points: Schema.Finite.annotate({
    description: "Parts per ten thousand of the amount.",
  }),
  currencies: Schema.Union([Schema.Array(Schema.String), Schema.Literal("every")]),
  kyc_level: Schema.Literals(KYC_LEVELS),
  pegged_to: Schema.optionalKey(Schema.String),
  qr_schemes: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "The schemes of merchant QR codes that the channel pays.",
  }),
  health: Schema.Literals(["up", "rate_limited", "down"]),
}).annotate({
  identifier: "Channel",
  description: "A payment channel.",
  examples: [
    {
      channel: "wallet_a",
      label: "Wallet A",
      kind: "consumer_wallet",
      refunds: { type: 1, max_partial_refunds: 50, window_days: 365, rate_per_second: 150 },
      deep_links: true,
      settles: "real_time",
      network_fee_basis_points: 60,
      currencies: ["CNY", "USD"],
      kyc_level: "anonymous",
      health: "up",
    },
  ],
})

/** The payment channels of the installation. */
export const channels = HttpApiGroup.make("channels")
  .add(
    account.get("list", "/v1/channels", {
      annotations: Unscoped.context(true),
      summary: "List the payment channels with their health",
      success: Schema.Struct({ data: Schema.Array(Channel) }),
    }),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Channels")
