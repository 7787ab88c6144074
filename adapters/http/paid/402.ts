/** `@payport/sdk/402`: middleware with which a seller's server requires payments. */
export { PayportError } from "../client/PayportError.ts"
export { CaptureFailed } from "./terms/CaptureFailed.ts"
export { ChallengeLimiter, type ChallengeRates } from "./ChallengeLimiter.ts"
export type { ChallengeClient } from "./ChallengeClient.ts"
export type { PaidRequest } from "./PaidRequest.ts"
export type { KoaContext } from "./doors/koa.ts"
export type { NodeRequest, NodeResponse } from "./doors/node.ts"
export { type PaymentTerms, type Paywall, requirePayment } from "./requirePayment.ts"
export { requireSession, type SessionTerms } from "../mpp/requireSession.ts"
export { requireSubscription, type SubscriptionTerms } from "../mpp/requireSubscription.ts"
export type { Paid, Verdict } from "./Verdict.ts"
export type { X402Terms } from "./x402.ts"
export { type X402Signer, x402Signer, type X402SigningKey } from "./x402Signer.ts"
export {
  type X402Facilitator,
  x402Facilitator,
  type X402Price,
  type X402Requirements,
  x402Server,
  type X402ServerScheme,
} from "./x402Server.ts"
