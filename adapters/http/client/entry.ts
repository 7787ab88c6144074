/** `@payport/sdk/client`: the typed client, and clients that pay at paid endpoints. */
export { type Client, makeClient, type SessionLimits } from "./client.ts"
export type { Listing } from "./Listing.ts"
export type { Methods } from "./Methods.ts"
export { ConnectionFailed, CreationLimitReached, PayportError } from "./PayportError.ts"
export type { WalletOrder } from "./PaymentDemand.ts"
export { type MppMethod, type MppPayer, mppPayer, type MppPayerOptions } from "./mppPayer.ts"
export { SessionsLeftOpen } from "./mppSession.ts"
export { payingFetch, type PayingFetch, type PayingOptions } from "./payingFetch.ts"
export { type PaymentProof, PaymentUnresolved } from "./present.ts"
export { type Budget, PaymentRefused, type RefusalReason } from "./BudgetTracker.ts"
export type { ClientOptions, Fetch, RequestOptions } from "./RequestOptions.ts"
export type * from "./Resources.ts"
export { PaymentDeclined, sandboxWallet, type Wallet } from "./Wallet.ts"
export type { X402Keys, X402Offer, X402PublicKey, X402Receipt, X402Signed } from "./x402Offers.ts"
export { x402Trust, type X402TrustOptions } from "./x402Trust.ts"
export { type X402Asked, type X402Payer, x402Payer, type X402Scheme } from "./x402Payer.ts"
export {
  type X402Buyer,
  x402Buyer,
  type X402BuyerOptions,
  type X402BuyerScheme,
  type X402Required,
} from "./x402Buyer.ts"
