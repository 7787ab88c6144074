/**
 * The purpose of each group of operations, in the order of the reference. A test compares the names
 * with the contract.
 */
export const TAG_TEXTS: { readonly [tag: string]: string } = {
  "Payment intents":
    "Payments that a person makes by scanning a QR code, from request to settlement.",
  "One-Time Pay": "Payments by a link that opens a wallet, or at once where an install allows it.",
  Refunds: "Money that goes back, in part or as a whole, and the access that goes with it.",
  "Refund requests": "What buyers ask back, and what payees decide about it.",
  "Access items": "What payments bought, so that a refund can take it away again.",
  "Payment challenges": "What a paid endpoint asks for with 402, and the proofs that it accepts.",
  "Listed resources":
    "What sellers offer to buyers who discover resources by x402, and whether a probe finds it so.",
  "x402 facilitator":
    "Settles payments for sellers with any x402 server, and begins those of their buyers.",
  FX: "Prices in another currency that hold for a minute, and payments at them.",
  Services: "The registry: what sellers offer and buyers find.",
  Channels: "The wallets, banks and stablecoins of this installation, and how they are doing.",
  Installs: "How an agent uses a service, and what it may pay without asking its person.",
  Subscriptions: "Plans that are paid every period.",
  Invoices: "What is owed for a period or for use, and the payment that pays it.",
  "Usage of services": "Billing by use: sellers report it, buyers start and stop it.",
  "Webhook endpoints": "The receivers of the account's events.",
  "Events and deliveries": "What happened, what receivers were told of it, and telling them again.",
  Merchant: "The secrets that sign webhooks, and the keys that they are encrypted for.",
  Ledger: "The account's balance, and the rows of the books behind it.",
  Reports: "What payments came to, held against the statements of the channels.",
  Billing: "What the account used of the service in a month, and its statements.",
  "Identity verification":
    "The persons and businesses that agents act for, and the resulting payment limits.",
  AI: "Pictures of QR codes, and people's own words, turned into requests.",
  "API keys": "The secret keys of the calling account: issuing, replacing, revoking.",
  OAuth: "Programs that ask a person for a key: what they ask, and the person's consent.",
  "Audit log of the account": "What changed for the account, and by which key.",
  Accounts: "For operators: sellers and buyers, their plans and keys.",
  "Identity reviews": "For operators: verifications and appeals that a person decides about.",
  "Reconciliation runs": "For operators: the runs that compared statements with the ledger.",
  "Audit log": "For operators: every action of an operator, as a chain that is only added to.",
  "Channel callbacks": "For gateways of channels, which sign what they send.",
  Sandbox: "Simulates wallets, channels and time. Not in live mode.",
  "Sandbox: a paid endpoint": "An endpoint that answers 402 until it is paid. Not in live mode.",
  Discovery: "Documents by which programs that know the address alone find what is here.",
  Operations: "Probes, metrics, and the description of the interface.",
}
