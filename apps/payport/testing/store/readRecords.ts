import type { PaymentIntent } from "../../../../core/payments/PaymentIntent.ts"
import { feesFrom } from "../../../../core/pricing/Price.ts"
import {
  anIntent,
  aService,
  id,
  intentIn,
  oneTimeFacts,
  oneTimeIn,
  requestFacts,
  T0,
} from "../records/index.ts"

const partlyCaptured = [
  { ...intentIn("capturing", { n: 203 }), capture_value: 350 },
  { ...intentIn("succeeded", { n: 204 }), capture_value: 350 },
]

/** Payments of both flows in every state, with every value that a field can hold. */
export const intents: ReadonlyArray<PaymentIntent> = [
  ...(Object.keys(requestFacts) as ReadonlyArray<keyof typeof requestFacts>).map((status, n) =>
    intentIn(status, { n: n + 1 }),
  ),
  ...(Object.keys(oneTimeFacts) as ReadonlyArray<keyof typeof oneTimeFacts>).map((status, n) =>
    oneTimeIn(status, { n: n + 101 }),
  ),
  anIntent({
    n: 201,
    payer_account_id: id("acct", 2),
    payee_account_id: id("acct", 3),
    amount: { currency: "KWD", value: 1_000_000_000_000 },
    settlement: { currency: "JPY", value: 1, rate: "0.000000123456" },
    fees: feesFrom("JPY", 1, 2, 9_007_199_254_740_991),
    description: "Größe, 中文 and 🦊\nover two lines",
    payer: { agent_id: "agent-2", human_id: "human:1", wallet_id: "w/2" },
    payee: { agent_id: "agent-3", merchant_account: "m-3" },
    channel: "wallet_b",
    trade_no: "trade-201",
    offers: [],
    return_url: "https://shop.example/back?a=1&b='2'",
    metadata: { order: "x'; drop table x; --", deep: { list: [1, 1.5, null, true, { a: "\\" }] } },
  }),
  anIntent({ n: 202, channel: null, fees: null }),
  ...partlyCaptured,
]

/** Manifests of every kind. */
export const services = [
  aService(),
  aService({
    n: 2,
    name: "Übersetzung 翻訳",
    description: 'Many\nlines, "quotes" & more',
    payment_methods: { one_time: true, cumulative: true, subscription: false },
    pricing: {
      one_time: [{ amount: 500, currency: "JPY", label: "Once" }],
      cumulative: { unit: "1k_tokens", rate: "0.000125", billing_cycle: "monthly" },
      subscription: [
        {
          plan_id: "basic",
          name: "Basic",
          amount: 100,
          currency: "USD",
          interval: "yearly",
          features: ["a", "b"],
        },
      ],
    },
    tags: [],
    qr_mode: "static",
    default_channel: "wallet_b",
    fallback_channel: "wallet_a",
    revocation_policy: { strict: true, default_targets: [{ type: "access_token" }] },
  }),
  aService({
    n: 3,
    status: "deleted",
    updated_at: T0 + 3,
    pauses: [
      { from: T0 - 2, to: T0 - 1 },
      { from: T0, to: null },
    ],
    deprecated_at: T0 + 1,
    deleted_at: T0 + 2,
    due_at: T0 + 4,
  }),
]
