/** `@payport/sdk/client`: the typed client, and clients that pay at paid endpoints. */
export {
  type Client,
  type ClientOptions,
  CreationLimitReached,
  makeClient,
  makeEffectClient,
  PayportError,
} from "./client.ts"
export type { WalletOrder } from "./PaymentDemand.ts"
export {
  payingFetch,
  type PayingFetch,
  type PayingOptions,
  type PaymentProof,
  PaymentUnresolved,
} from "./payingFetch.ts"
export { type Budget, PaymentRefused, type RefusalReason } from "./BudgetTracker.ts"
export { PaymentDeclined, sandboxWallet, type Wallet } from "./Wallet.ts"
export { type X402Payer, x402Payer } from "./x402Payer.ts"
