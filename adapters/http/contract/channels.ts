import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { KYC_LEVELS } from "../../../core/channels/Channel.ts"
import { AccountKey } from "./Access.ts"
import { account } from "./Endpoint.ts"
import { Audiences, Unscoped } from "./Route.ts"

const Channel = Schema.Struct({
  channel: Schema.String.annotateKey({ description: "The channel's name, such as `wallet_a`." }),
  label: Schema.String.annotate({ description: "The channel's name for people." }),
  kind: Schema.Literals(["consumer_wallet", "bank_linked", "business", "stablecoin"]).annotateKey({
    description: "The kind of channel.",
  }),
  refunds: Schema.Struct({
    type: Schema.Literals([1, 2, 3]).annotateKey({
      description: "The channel's type. It determines the refund rules.",
    }),
    max_partial_refunds: Schema.NullOr(Schema.Int).annotate({
      description: "The maximum number of partial refunds of a payment; null means unlimited.",
    }),
    window_days: Schema.Int.annotateKey({
      description: "The number of days after a payment in which the channel accepts refunds.",
    }),
    rate_per_second: Schema.NullOr(Schema.Int).annotateKey({
      description: "The maximum number of requests per second.",
    }),
  }).annotateKey({ description: "The channel's rules for refunds." }),
  deep_links: Schema.Boolean.annotateKey({
    description: "Whether the channel offers links that open a wallet.",
  }),
  partial_capture: Schema.Boolean.annotateKey({
    description:
      "Whether a capture may take less than the authorized amount. The rest is released.",
  }),
  settles: Schema.Literals(["real_time", "t_plus_1"]).annotateKey({
    description: "How soon captured money is settled.",
  }),
  network_fee_basis_points: Schema.Finite.annotate({
    description: "The channel's network fee in basis points of the amount.",
  }),
  currencies: Schema.Union([Schema.Array(Schema.String), Schema.Literal("every")]).annotateKey({
    description: "The currencies that the channel takes.",
  }),
  kyc_level: Schema.Literals(KYC_LEVELS).annotateKey({
    description: "The lowest level that may pay by the channel.",
  }),
  pegged_to: Schema.optionalKey(Schema.String).annotateKey({
    description: "The currency to which a stablecoin is pegged.",
  }),
  qr_schemes: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "The schemes of merchant QR codes that the channel pays.",
  }),
  health: Schema.Literals(["up", "rate_limited", "down"]).annotateKey({
    description: "The channel's current health.",
  }),
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
      partial_capture: true,
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
      description:
        "Use it to see which channels work now, and what they allow. A service accepts " +
        "only its `accepted_channels`.",
      success: Schema.Struct({
        data: Schema.Array(Channel).annotateKey({
          description: "Every channel of this installation.",
        }),
      }),
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["buyer", "seller"])
  .annotate(OpenApi.Title, "Channels")
