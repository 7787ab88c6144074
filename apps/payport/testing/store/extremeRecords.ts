import type { Kind, Records } from "../../../../core/ports/Store.ts"
import { feesFrom } from "../../../../core/pricing/Price.ts"
import { MAX_VALUE } from "../../../../core/shared/Money.ts"
import {
  aConsoleSession,
  aLogEntry,
  anAccount,
  anAgent,
  anAllowance,
  anApiKey,
  anAppeal,
  aService,
  verificationIn,
  aCallback,
  aDiscrepancy,
  aFeeDay,
  aRun,
  channelRequestIn,
  hash,
  id,
  T0,
  aChallenge,
  anAccessItem,
  anIntent,
  aQuote,
  refundIn,
  refundRequestIn,
  revocationIn,
  aCycle,
  anInstall,
  aStatement,
  aTab,
  aUsage,
  invoiceIn,
  mandateIn,
  subscriptionIn,
  aDelivery,
  aFeed,
  anEndpoint,
  anEvent,
  aWebhookKey,
  CONSUMER_LIST,
  aListing,
  OFFERED,
} from "../records/index.ts"

/** A blank at both ends, a letter in two characters, and one outside of the basic plane. */
const MARK = " e\u0301 中文 🦊 'x' \"y\" \\z "

/** A text as long as the input of its field may be: up to `most` characters. */
const text = (most: number): string => `${(MARK + "word ".repeat(most)).slice(0, most - 1)} `

const url = (most: number): string => `https://shop.example/${"x".repeat(most)}`.slice(0, most)

/** The greatest amount. */
const most = { currency: "USD", value: MAX_VALUE } as const
/** An amount that a number of 32 bits rounds, as an integer and as a fraction. */
const odd = { currency: "KWD", value: MAX_VALUE - 1 } as const

const SETTLED = { ...odd, rate: "0.123456789012345678" }
const FEES = feesFrom("KWD", 5_000_000_001, 8_000_000_001, 9_000_000_001)
const PAYER = { agent_id: text(128), human_id: text(128) }

/** JSON of four kilobytes, in which keys are texts, too. */
const METADATA = { [text(64)]: text(3_000), odd: 1e21, small: 1e-7, none: null, list: [[], {}] }

/** A record of each kind with the greatest values and the longest texts of its fields. */
export const extremeOfEachKind = (): { readonly [K in Kind]: Records[K] } => ({
  account: anAccount({
    name: text(128),
    agent_id: text(128),
    merchant_account: text(128),
    webhook_secret: text(1_024),
  }),
  agent: anAgent({ agent_id: text(128) }),
  verification: verificationIn("pending", { agent_id: text(128), sealed: text(8_192) }),
  appeal: anAppeal(),
  otp_allowance: anAllowance(),
  api_key: anApiKey({ restrictions: { routes: ["read"], agents: [text(128), text(127)] } }),
  console_session: aConsoleSession(),
  log_entry: aLogEntry({ details: { name: text(128), amount: odd.value } }),
  service: aService({
    name: text(128),
    name_key: text(128),
    description: text(4_096),
    pricing: {
      one_time: [{ amount: MAX_VALUE - 1, currency: "KWD", label: text(128) }],
      cumulative: { unit: text(64), rate: "0.000000000001", billing_cycle: "monthly" },
    },
    endpoint: url(2_048),
    tags: [text(64), text(63)],
  }),
  payment_intent: anIntent({
    amount: most,
    settlement: SETTLED,
    fees: FEES,
    description: text(1_024),
    payer: { ...PAYER, wallet_id: text(128) },
    payee: { agent_id: text(128), merchant_account: text(128) },
    return_url: url(2_048),
    metadata: METADATA,
  }),
  channel_request: channelRequestIn("done", { amount: odd }),
  callback: aCallback({ number: text(128), times: 2_147_483_647 }),
  refund: refundIn("pending", {
    amount: odd,
    settlement: { currency: "KWD", value: MAX_VALUE - 3 },
    fx_spread: { currency: "KWD", value: 8_000_000_001 },
    service_fee: { currency: "KWD", value: 5_000_000_001 },
    reason: text(256),
    description: text(1_024),
    revoke: { targets: [{ type: "session", id: text(2_048), scope: text(64) }] },
  }),
  refund_request: refundRequestIn("open", { amount: odd, reason: text(256) }),
  discrepancy: aDiscrepancy({ expected: text(256), actual: text(256) }),
  event: anEvent({ data: { id: id("pi", 1), amount: odd, metadata: METADATA } }),
  delivery: aDelivery({
    url: url(2_048),
    attempts: [{ attempt: 1, status: 500, at: T0, duration_ms: 12, response: text(1_024) }],
  }),
  quote: aQuote({
    amount: most,
    routes: [
      {
        channel: "wallet_a",
        score: 0.123456789012345,
        criteria: { fee: 0.1, rate: 1 / 3, speed: 1 },
        fees: FEES,
        settlement: SETTLED,
        settles: "real_time",
      },
    ],
  }),
  challenge: aChallenge({
    amount: odd,
    resource: text(2_048),
    payment_identifier: text(128),
    redeemed_at: T0,
    drawn: MAX_VALUE - 3,
  }),
  fee_day: aFeeDay({ taken: odd.value }),
  access_item: anAccessItem({ item_id: text(2_048), scopes: [text(64), text(63)] }),
  revocation: revocationIn("failed", {
    target_id: text(2_048),
    scope: text(64),
    error: { code: "permission_error", message: text(1_024) },
  }),
  feed: aFeed({
    consumer: text(64),
    waiting: Array.from({ length: 200 }, (_, n) => id("evt", n + 1)),
  }),
  consumer_list: { ...CONSUMER_LIST, names: [text(64), text(63)] },
  reconciliation_run: aRun({ channel: text(64), failure: text(1_024) }),
  billing_cycle: aCycle(),
  statement: aStatement({
    bill: { ...aStatement().bill, unconverted: [most, odd], overage: odd.value },
  }),
  subscription: subscriptionIn("active", {
    plan_id: text(64),
    plan_name: text(128),
    amount: odd,
    payer: PAYER,
  }),
  invoice: invoiceIn("open", {
    payer: PAYER,
    lines: [
      { description: text(256), quantity: "999999999999.5", unit_amount: "0.25", amount: odd },
    ],
    amount: most,
  }),
  tab: aTab({
    agent_id: text(128),
    human_id: text(128),
    price: {
      unit: text(64),
      rate: "123456789.123456789",
      currency: "KWD",
      billing_cycle: "monthly",
    },
    carried: [{ currency: "KWD", value: "999999999999.999999999" }],
  }),
  usage_record: aUsage({
    agent_id: text(128),
    quantity: "123456789.123456",
    idempotency_key: text(255),
  }),
  endpoint: anEndpoint({ url: url(2_048), description: text(1_024), secret: text(1_024) }),
  webhook_key: aWebhookKey({ label: text(128) }),
  listing: aListing({
    resource: url(2_048),
    probe_url: url(2_048),
    amount: most,
    paid: odd,
    standing: "silent",
    reason: text(64),
    seen: odd,
    offered: { ...OFFERED, description: text(4_096) },
  }),
  install: anInstall({
    agent_id: text(128),
    auto_pay_limit: odd,
    spend_cap: { amount: most, period: "monthly" },
    spend_cap_in_force: { amount: odd, period: "daily" },
  }),
  mandate: mandateIn("active", {
    agent_id: text(128),
    auto_pay_limit: odd,
    spend_cap: { amount: most, period: "monthly" },
    approval_url: url(2_048),
  }),
})

/** A sealed answer of a megabyte, as a long list has. */
export const LONG_ANSWER = `sealed:${hash(1).repeat(16_384)}`
