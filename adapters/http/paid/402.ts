/** What a seller's server asks for payments with: `payport/402`. */
export { PayportError } from "../client/PayportError.ts"
export { Bounds, type Rates } from "./Bounds.ts"
export type { Desk } from "./Desk.ts"
export type { PaidRequest } from "./PaidRequest.ts"
export {
  type KoaContext,
  type PaymentTerms,
  type Paywall,
  requirePayment,
} from "./requirePayment.ts"
export type { Verdict } from "./Verdict.ts"
