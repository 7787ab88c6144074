import type { EventType } from "../../../core/webhooks/events/Event.ts"

interface EventText {
  readonly when: string
  /** The accounts in whose log it is, and to whose endpoints it is sent. */
  readonly who: string
}

const BOTH = "the payee and the account that created the payment"
const PAYEE = "the payee"
const BUYER = "the account that asked"
const SUBSCRIBED = "the seller and the account that subscribed"
const OWNER = "the account itself"
const VERIFIED = "the account whose agent it is"

const text = (when: string, who: string): EventText => ({ when, who })

/** When each event happens, and who receives it. A missing event does not compile. */
export const EVENT_TEXTS: { readonly [T in EventType]: EventText } = {
  "payment_intent.succeeded": text("The payment is made: deliver what was bought.", BOTH),
  "payment_intent.failed": text("The channel refused the payment, or its settlement.", BOTH),
  "payment_intent.expired": text("Nobody paid in time.", BOTH),
  "payment_intent.cancelled": text("The payment was voided or cancelled before it was made.", BOTH),
  "revocation.succeeded": text("A refund has taken a scope of an access away.", BOTH),
  "revocation.failed": text("An access could not be revoked; it is not tried again.", BOTH),
  "revocation.batch.completed": text(
    "All revocations of a refund have ended, with how each of them did.",
    BOTH,
  ),
  "refund.succeeded": text("The channel has given the money back.", BOTH),
  "refund.failed": text("The channel rejected the refund: the money stays with the payee.", BOTH),
  "refund.requested": text("A buyer asks for money back: approve or decline in seven days.", PAYEE),
  "refund.declined": text("The payee has refused a request for a refund, or let it pass.", BUYER),
  "refund.withdrawn": text("A buyer has taken a request for a refund back.", PAYEE),
  "kyc.verified": text("An agent's payer is verified for a level.", VERIFIED),
  "kyc.rejected": text("A verification was rejected, with the reason.", VERIFIED),
  "kyc.expiring": text("A level ends soon: verify again.", VERIFIED),
  "kyc.expired": text("A level has ended, and its limits with it.", VERIFIED),
  "webhook.delivery.succeeded": text("A receiver has accepted an event.", OWNER),
  "webhook.delivery.retrying": text(
    "A receiver did not accept an event; it is tried again.",
    OWNER,
  ),
  "webhook.delivery.failed": text(
    "The last attempt failed: replay it once the receiver is well.",
    OWNER,
  ),
  "webhook_endpoint.disabled": text("An endpoint has failed for days and was switched off.", OWNER),
  "budget.alert": text("An agent's spending has passed a threshold of its install.", "the buyer"),
  "api_key.created": text("A key was issued.", OWNER),
  "api_key.rolled": text("A key was replaced by a new one.", OWNER),
  "api_key.revoked": text("A key was revoked.", OWNER),
  "subscription.created": text("An agent has subscribed.", SUBSCRIBED),
  "subscription.renewed": text("A new period has begun.", SUBSCRIBED),
  "subscription.past_due": text("The invoice of a period was not paid in time.", SUBSCRIBED),
  "subscription.recovered": text(
    "What was owed is paid: the subscription is active again.",
    SUBSCRIBED,
  ),
  "subscription.cancel_scheduled": text("It will end with its period.", SUBSCRIBED),
  "subscription.cancelled": text("It has ended.", SUBSCRIBED),
  "invoice.created": text("An invoice for a period or for use was made.", SUBSCRIBED),
  "invoice.paid": text("An invoice is paid.", SUBSCRIBED),
  "invoice.overdue": text("An invoice was not paid by its day.", SUBSCRIBED),
  "invoice.voided": text("An invoice is owed no more.", SUBSCRIBED),
  "invoice.uncollectible": text("An invoice was given up. It can still be paid.", SUBSCRIBED),
  ping: text("Somebody asked for a test of the endpoint.", OWNER),
}
