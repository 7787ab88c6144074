/**
 * The purpose of each group of operations, in the order of the reference. A test compares the names
 * with the contract.
 */
export const TAG_TEXTS: { readonly [tag: string]: string } = {
  "Payment intents":
    "Payments that a person makes by scanning a QR code, from their creation to settlement.",
  "One-Time Pay":
    "Payments by a link that opens a wallet, or immediate payments if an install allows them.",
  Refunds: "Full and partial refunds, and the access that they revoke.",
  "Refund requests": "Refunds that buyers ask for, and payees' decisions about them.",
  "Access items": "The access that payments bought. A refund can revoke it.",
  "Payment challenges": "The payments that paid endpoints require by 402, and their proofs.",
  "Listed resources":
    "Resources that sellers list for discovery by x402, and whether a probe confirms the listing.",
  "x402 facilitator":
    "Settles payments for sellers with any x402 server, and begins payments for their buyers.",
  FX: "Quotes in another currency, valid for a minute, and payments that use them.",
  Services: "The registry of services that sellers offer and buyers find.",
  Channels: "The wallets, banks and stablecoins of this installation, and their current state.",
  Installs: "An agent's settings for a service: what it may pay without asking its person.",
  Subscriptions: "Plans that are paid every period.",
  Invoices: "Invoices for subscription periods and for usage, and their payments.",
  "Usage of services": "Billing by use: buyers start and stop it, sellers report the usage.",
  "Webhook endpoints": "The URLs that receive the account's events.",
  "Events and deliveries": "Events, their deliveries to receivers, and repeated deliveries.",
  Merchant: "The secrets that sign webhooks, and the public keys that encrypt them.",
  Ledger: "The account's balance, and the ledger entries behind it.",
  Reports: "Totals of payments, reconciled with the channels' statements.",
  Billing: "The account's use of payport in a month, and its statements.",
  "Identity verification":
    "The persons and businesses that agents act for, and the resulting payment limits.",
  AI: "Turns images of QR codes and plain-language text into requests.",
  "API keys": "The secret keys of the calling account: issuing, replacing and revoking them.",
  OAuth: "Programs that ask a person for access: their requests, and the person's consent.",
  "Audit log of the account": "The changes of the account, and the key that made each.",
  Accounts: "For operators: sellers and buyers, their plans and keys.",
  "Identity reviews": "For operators: verifications and appeals that a reviewer decides.",
  "Reconciliation runs": "For operators: comparisons of channels' statements with the ledger.",
  "Audit log": "For operators: every action of an operator, in an append-only chain.",
  "Channel callbacks": "For gateways of channels: signed messages about charges and refunds.",
  Sandbox: "Simulates wallets, channels and time. Not in live mode.",
  "Sandbox: a paid endpoint": "An endpoint that answers 402 until it is paid. Not in live mode.",
  Discovery: "Documents that describe this service to programs that only know its host.",
  Operations: "Health checks, metrics, and the OpenAPI description.",
}
