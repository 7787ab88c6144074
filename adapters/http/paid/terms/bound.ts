import { digestOf } from "../../mpp/binding.ts"
import type { Scope } from "../../mpp/charge.ts"
import type { Money } from "../../client/Resources.ts"
import { hostOf, type PaidRequest, pathOf } from "../PaidRequest.ts"
import type { PaymentTerms } from "../requirePayment.ts"

/** The facts that bind a payment to a request. */
export interface Bound {
  readonly service_id: string
  readonly amount: Money
  readonly resource: string
}

/** Returns the facts that bind a payment to a request. */
export type TermsOf = (request: PaidRequest) => Bound

const amountFor = ({ amount }: PaymentTerms, request: PaidRequest): Money =>
  typeof amount === "function" ? amount(request) : amount

/** See {@link TermsOf}. */
export const makeTermsOf =
  (terms: PaymentTerms): TermsOf =>
  (request) => ({
    service_id: terms.service,
    amount: amountFor(terms, request),
    resource: [
      terms.resource?.(request) ?? `${request.method} ${pathOf(request)}`,
      ...bodyOf(request).map(digestOf),
    ].join(" "),
  })

/**
 * The same for clients of x402 that begin their payment themselves and bind it to an address: the
 * request's own address, and after a `#` what else distinguishes it.
 */
export const makeAddressOf =
  (terms: PaymentTerms): TermsOf =>
  (request) => {
    const digests = bodyOf(request).map(digestOf)
    const own = request.method === "GET" ? [] : [request.method]
    const more = [...own, ...digests].join(":")
    return {
      service_id: terms.service,
      amount: amountFor(terms, request),
      resource: request.url.replace(/[?#].*$/s, "") + (more === "" ? "" : `#${more}`),
    }
  }

/** Returns the body that a payment is for, if there is one. */
const bodyOf = ({ body }: PaidRequest): ReadonlyArray<string | Uint8Array> =>
  body === undefined || body.length === 0 ? [] : [body]

/** Returns the scope of a request's challenges. */
export const makeScopeOf =
  ({ capture, realm }: Pick<PaymentTerms, "capture" | "realm">) =>
  (request: PaidRequest): Scope => {
    const [digest] = bodyOf(request).map(digestOf)
    return {
      realm: realm ?? hostOf(request),
      intent: capture === "later" ? "authorize" : "charge",
      ...(digest !== undefined && { digest }),
    }
  }
