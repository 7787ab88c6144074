import {
  aChannelRequest,
  aDelivery,
  aDiscrepancy,
  anAccessItem,
  aChallenge,
  aQuote,
  anAccount,
  anEndpoint,
  aWebhookKey,
  anAgent,
  anAppeal,
  anApiKey,
  anEvent,
  aListing,
  anIntent,
  aReply,
  aService,
  id,
  refundIn,
  revocationIn,
  T0,
  uuid,
  anInstall,
  mandateIn,
  verificationIn,
} from "../records/index.ts"
import { commit, insert } from "./probe.ts"

/** An account with one record of everything, all with its number. */
export const household = (n: number) => {
  const account_id = id("acct", n)
  const ofPayment = { account_id, payment_intent: id("pi", n) }
  return commit({
    writes: [
      insert("account", anAccount({ n })),
      insert("agent", anAgent({ n, account_id })),
      insert("verification", verificationIn("rejected", { n, account_id })),
      insert("appeal", anAppeal({ n, account_id })),
      insert("api_key", anApiKey({ n, account_id })),
      insert("service", aService({ n, account_id, due_at: T0 })),
      insert("payment_intent", anIntent({ n, account_id, payee_account_id: account_id })),
      insert("channel_request", aChannelRequest({ n, ...ofPayment })),
      insert("refund", refundIn("pending", { n, payee_account_id: account_id, ...ofPayment })),
      insert("discrepancy", aDiscrepancy({ n, account_id })),
      insert("delivery", aDelivery({ n, account_id })),
      insert("quote", aQuote({ n, account_id })),
      insert("challenge", aChallenge({ n, account_id })),
      insert("endpoint", anEndpoint({ n, account_id })),
      insert("webhook_key", aWebhookKey({ n, account_id })),
      insert("listing", aListing({ n, account_id })),
      insert("access_item", anAccessItem({ n, account_id })),
      insert("revocation", revocationIn("pending", { n, account_id })),
      insert("install", anInstall({ n, account_id })),
      insert("mandate", mandateIn("pending", { n, account_id })),
    ],
    events: [anEvent({ n, account_id })],
    keys: [
      { op: "claim", key: `trade ${n}`, owner: id("pi", n) },
      { op: "claim", key: `name ${n}`, owner: uuid(n) },
      { op: "claim", key: `agent ${n}`, owner: account_id },
    ],
    reservations: [{ counter: `places ${n}`, add: 1, limit: 1 }],
    reply: aReply({ n, account_id }),
  })
}

/** The records of a household that go when the account's data is erased. */
export const data = (n: number) =>
  [
    ["agent", id("agt", n)],
    ["verification", id("kyc", n)],
    ["appeal", id("appl", n)],
    ["service", uuid(n)],
    ["payment_intent", id("pi", n)],
    ["channel_request", id("creq", n)],
    ["refund", id("ref", n)],
    ["discrepancy", id("disc", n)],
    ["delivery", id("wd", n)],
    ["quote", id("fxq", n)],
    ["challenge", id("chl", n)],
    ["endpoint", id("we", n)],
    ["webhook_key", id("whk", n)],
    ["listing", id("lst", n)],
    ["access_item", id("ai", n)],
    ["revocation", id("rvk", n)],
    ["install", id("ins", n)],
    ["mandate", id("mnd", n)],
    ["event", id("evt", n)],
  ] as const
