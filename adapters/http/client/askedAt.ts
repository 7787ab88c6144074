import { PaymentRefused } from "./BudgetTracker.ts"

/**
 * Returns the address whose 402 this is. Throws `PaymentRefused` if the request was redirected to
 * another origin: that one would be paid, and the first one would get the proof.
 */
export const askedAt = (requested: string, response: Response): URL => {
  const url = new URL(response.redirected ? response.url : requested)
  if (url.origin === new URL(requested).origin) return url
  const message = "The request was sent on to another host, which is not paid."
  throw new PaymentRefused("host", message)
}
