import type { Kind, NamedKind, Records } from "../../../../core/ports/Store.ts"
import { MANIFEST_STATUSES } from "../../../../core/registry/ServiceManifest.ts"
import { REFUND_REQUEST_STATUSES } from "../../../../core/refundRequests/RefundRequest.ts"
import { aService, anAccount, anAgent, anApiKey } from "./accounts.ts"
import { aRun } from "./channels.ts"
import { hash, id, uuid } from "./ids.ts"
import { aListing } from "./listings.ts"
import { aChallenge, anAccessItem, refundRequestIn, revocationIn } from "./payments.ts"
import { aStatement, invoiceIn } from "./recurring.ts"
import { aDelivery, aFeed, anEndpoint, aWebhookKey } from "./webhooks.ts"

/** Makes the n-th record of a form, from 1. The records of a form have different names. */
export type Form<K extends Kind> = (n: number) => Records[K]

const withAccount = (n: number) => ({ n, account_id: id("acct", n) })
const toService = (n: number) => ({ n, service_id: uuid(n) })
const toEndpoint = (n: number) => ({ n, service_id: null, endpoint_id: id("we", n) })

/**
 * The forms of each kind with unique names. For each name a form has to have it, another one has to
 * be outside of its condition, if it has one, and a third has to have null in it, if that is
 * possible.
 */
export const NAMED_FORMS: { readonly [K in NamedKind]: ReadonlyArray<Form<K>> } = {
  account: [(n) => anAccount({ n })],
  agent: [(n) => anAgent({ ...withAccount(n) })],
  api_key: [(n) => anApiKey({ n })],
  service: MANIFEST_STATUSES.map((status) => (n) => aService({ ...withAccount(n), status })),
  refund_request: REFUND_REQUEST_STATUSES.map((status) => (n) => refundRequestIn(status, { n })),
  delivery: [
    (n) => aDelivery(toService(n)),
    (n) => aDelivery(toEndpoint(n)),
    (n) => aDelivery({ ...toService(n), replay_of: id("wd", n + 900) }),
    (n) => aDelivery({ ...toEndpoint(n), replay_of: id("wd", n + 900) }),
  ],
  endpoint: [(n) => anEndpoint(withAccount(n))],
  webhook_key: [(n) => aWebhookKey(withAccount(n))],
  access_item: [(n) => anAccessItem(withAccount(n))],
  revocation: (["pending", "revoked", "failed", "expired"] as const).map(
    (status) => (n) => revocationIn(status, { n, position: n, batch_size: 32 }),
  ),
  reconciliation_run: [(n) => aRun({ n, day: `2026-01-${String(n).padStart(2, "0")}` })],
  statement: [(n) => aStatement(withAccount(n))],
  invoice: [
    (n) => invoiceIn("open", { n, period: n }),
    (n) => invoiceIn("open", { n, period: n, subscription: null, tab: id("tab", n) }),
    (n) => invoiceIn("paid", { n, period: n }),
    (n) => invoiceIn("void", { n, period: n, subscription: null, tab: id("tab", n) }),
  ],
  challenge: [
    (n) => aChallenge({ ...withAccount(n), payment_identifier: hash(n) }),
    (n) => aChallenge({ n }),
  ],
  listing: [(n) => aListing({ ...withAccount(n), service_id: uuid(n), key: hash(n) })],
  feed: [(n) => aFeed({ n, consumer: `consumer ${n}` })],
}
